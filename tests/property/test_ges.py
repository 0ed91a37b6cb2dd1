"""Greedy equivalence search against enumeration, and on scores that know the truth."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise._kernels.graphs.patterns import complete, extend, permitted_member
from arcwise.data.dataset import Kind
from arcwise.graph.dag import Dag
from arcwise.graph.equivalence import best_effort_extension, cpdag
from arcwise.graph.pdag import Pdag
from arcwise.parts.knowledge import Knowledge
from arcwise.parts.monitor import SILENT
from arcwise.scores import BDeu
from arcwise.search.ges.ges import GES
from arcwise.search.ges.scores import ToggleRows
from arcwise.search.ges.walk import ClassWalk, Limits, Operator
from arcwise.search.greedy.hill_climb import HillClimb
from tests.oracle.counting import discrete_table
from tests.oracle.ges import PHASES, greedy_search, members, neighbouring_classes
from tests.oracle.graphs import class_key, classes, extensions, pattern_by_rules, random_dag
from tests.oracle.independence import blank

RNG = np.random.default_rng(0)  # GES draws nothing from it
SEEDS = st.integers(0, 10_000)
NO_LIMIT = 1e18


def table(seed, n, n_rows=150):
    rng = np.random.default_rng(seed)
    return discrete_table(rng, rng.integers(2, 4, n), n_rows)


def scorer(bound):
    def total(adj):
        return sum(bound.local_score(v, np.flatnonzero(adj[:, v]).tolist()) for v in range(len(adj)))

    return total


def walk_on(adj, data, bound, knowledge=None):
    known = (knowledge or Knowledge()).bind(data.names)
    return ClassWalk(adj, ToggleRows(bound), known, Limits(np.array(data.cardinalities, float), len(adj), NO_LIMIT))


def check_operators(adj, data, bound):
    """Valid operators lead to just the classes that a change of one arc in some member leads to, with their gains."""
    walk, total = walk_on(adj, data, bound), scorer(bound)
    for kind, phase in enumerate(PHASES):
        walk.prepare(kind, SILENT)
        assert walk.score == pytest.approx(total(adj))
        slow = neighbouring_classes(adj, phase)
        reached = {}
        for y in range(len(adj)):
            cliques, gains = walk._tables[y].cliques, walk._tables[y].gains
            valid = np.zeros_like(cliques)
            walk.best_gain(kind, y, -NO_LIMIT, NO_LIMIT, valid)
            for r, x in np.argwhere(valid):
                after = walk.after(Operator(kind, x, y, cliques[r], 0.0))
                key = class_key(extend(after)[1])
                assert np.array_equal(reached.setdefault(key, after), after)
                assert gains[r, x] == pytest.approx(total(slow[key]) - total(adj), abs=1e-7)
        assert reached.keys() == slow.keys()
        for key, after in reached.items():
            directed, undirected = pattern_by_rules(slow[key])
            assert np.array_equal(after, directed | undirected)


@pytest.mark.parametrize(("n", "n_classes"), [(3, 11), (4, 185)])
def test_operators_of_every_class(n, n_classes):
    data = table(1, n)
    bound = BDeu().bind(data)
    found = classes(n)
    for group in found:
        check_operators(group[0], data, bound)
    assert len(found) == n_classes


@settings(max_examples=25)
@given(SEEDS, st.integers(5, 6), st.floats(0.2, 0.8))
def test_operators_of_random_classes(seed, n, density):
    data = table(seed, n)
    check_operators(random_dag(np.random.default_rng(seed), n, density), data, BDeu().bind(data))


@settings(max_examples=20)
@given(SEEDS, st.integers(4, 5), st.booleans())
def test_the_search_is_that_of_the_slow_twin(seed, n, turning):
    data = table(seed, n)
    slow = greedy_search(np.zeros((n, n), dtype=bool), scorer(BDeu().bind(data)), turning)
    fast = GES(score=BDeu(), turning=turning, climb=False).learn(data, rng=RNG)
    assert fast.cpdag == Dag.from_adjacency(data.names, slow).cpdag()


@settings(max_examples=20)
@given(SEEDS, st.integers(4, 5), st.booleans())
def test_knowledge_closes_the_same_classes_as_in_the_slow_twin(seed, n, turning):
    data, rng = table(seed, n), np.random.default_rng(seed)
    truth = random_dag(rng, n, 0.5)
    names = data.names
    forbidden = [(names[u], names[v]) for u, v in np.argwhere(rng.random((n, n)) < 0.3) if u != v and not truth[u, v]]
    required = [(names[u], names[v]) for u, v in np.argwhere(truth) if rng.random() < 0.3]
    knowledge = Knowledge(forbidden=forbidden, required=required)
    known = knowledge.bind(names)

    def obeys(adj):
        return not (adj & ~(known.allowed | known.required)).any() and not (known.required & ~adj).any()

    slow = greedy_search(known.required.copy(), scorer(BDeu().bind(data)), turning, obeys)
    fast = GES(score=BDeu(), turning=turning, climb=False).learn(data, rng=RNG, knowledge=knowledge)
    assert obeys(fast.graph.adjacency)
    assert fast.graph.cpdag() == Dag.from_adjacency(names, slow).cpdag()
    assert fast.cpdag == known.pattern(fast.graph)


@settings(max_examples=25)
@given(SEEDS, st.integers(2, 9), st.booleans())
def test_the_score_is_never_below_that_of_hill_climbing(seed, n, turning):
    data = table(seed, n)
    assert GES(turning=turning).learn(data, rng=RNG).score >= HillClimb().learn(data, rng=RNG).score - 1e-6


@settings(max_examples=15)
@given(SEEDS, st.integers(6, 9))
def test_every_state_is_complete_and_its_tables_are_those_of_a_fresh_start(seed, n):
    data = table(seed, n, 300)
    bound = BDeu().bind(data)
    walk, total = walk_on(random_dag(np.random.default_rng(seed), n, 0.15), data, bound), scorer(bound)
    steps = 0
    for kind in (0, 1, 2, 0, 1):
        walk.prepare(kind, SILENT)
        while tied := walk.choose(kind):
            before = walk.score
            walk.apply(tied[0], walk.after(tied[0]), SILENT)
            pattern = Pdag.from_matrices(data.names, walk.pattern & ~walk.pattern.T, walk.pattern & walk.pattern.T)
            assert pattern.cpdag() == pattern
            assert walk.score == pytest.approx(before + tied[0].gain) == pytest.approx(total(walk.member()))
            fresh = walk_on(walk.member(), data, bound)
            fresh.prepare(kind, SILENT)
            for y in range(n):
                assert np.array_equal(walk._tables[y].cliques, fresh._tables[y].cliques)
                assert walk._tables[y].gains == pytest.approx(fresh._tables[y].gains)
            steps += 1
    assert steps > 0


@dataclass(frozen=True)
class Population:
    """Gaussian BIC of endless data with this covariance, as if there were `n_rows` of them."""

    warnings = ()

    covariance: tuple[tuple[float, ...], ...]
    n_rows: float = 1e8

    kind = "population"
    accepts = frozenset(Kind)
    score_equivalent = True

    def bind(self, data):
        return self

    def local_score(self, child, parents):
        c, p = np.array(self.covariance), list(parents)
        left = c[child, child] - c[child, p] @ np.linalg.solve(c[np.ix_(p, p)], c[p, child]) if p else c[child, child]
        return -0.5 * self.n_rows * log(left) - 0.5 * log(self.n_rows) * len(p)

    def local_scores(self, child, parent_sets):
        return np.array([self.local_score(child, [u for u in parents if u >= 0]) for parents in parent_sets.tolist()])


@settings(max_examples=25, derandomize=True)  # effects that nearly cancel hide an edge in one of a thousand
@given(SEEDS, st.integers(3, 9), st.booleans())
def test_the_true_class_is_found_from_the_true_covariance(seed, n, turning):
    rng = np.random.default_rng(seed)
    adj = random_dag(rng, n, 2.0 / n)
    weights = adj * rng.choice([-1, 1], (n, n)) * rng.uniform(0.4, 1.2, (n, n))
    mixing = np.linalg.inv(np.eye(n) - weights.T)
    covariance = mixing @ np.diag(rng.uniform(0.5, 1.5, n)) @ mixing.T
    names = [f"v{i:02d}" for i in range(n)]
    score = Population(tuple(map(tuple, covariance.tolist())))
    result = GES(score=score, turning=turning).learn(blank(names), rng=RNG)
    assert result.cpdag == Dag.from_adjacency(names, adj).cpdag()


@settings(max_examples=60)
@given(SEEDS, st.integers(1, 12), st.floats(0.0, 1.0))
def test_completion_and_extension_agree_with_the_graph_module(seed, n, density):
    adj = random_dag(np.random.default_rng(seed), n, density)
    directed, undirected = cpdag(adj)
    pattern = complete(adj)
    assert np.array_equal(pattern, directed | undirected)
    found, member = extend(pattern)
    assert found
    assert np.array_equal(member, best_effort_extension(directed, undirected).adjacency)
    assert np.array_equal(complete(member), pattern)


@settings(max_examples=60)
@given(SEEDS, st.integers(2, 5), st.floats(0.3, 1.0))
def test_a_permitted_member_is_found_just_when_there_is_one(seed, n, density):
    rng = np.random.default_rng(seed)
    adj = random_dag(rng, n, density)
    permitted = rng.random((n, n)) < 0.7
    found, member = permitted_member(complete(adj), permitted)
    good = [other for other in members(adj) if not (other & ~permitted).any()]
    assert found == bool(good)
    assert not found or any(np.array_equal(member, other) for other in good)


def test_a_pattern_without_an_extension_is_known_as_such():
    square = np.zeros((4, 4), dtype=bool)
    for i in range(4):
        square[i, (i + 1) % 4] = square[(i + 1) % 4, i] = True
    assert extensions(np.zeros_like(square), square) == []
    assert not extend(square)[0]
