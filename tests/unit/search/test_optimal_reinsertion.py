"""Optimal Reinsertion: the kernels and their twins, what a converged search promises, options, knowledge, stopping."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise._kernels.graphs.reinsertion import ancestors_without, best_parents
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import GraphError, OptionError
from arcwise.graph.dag import Dag
from arcwise.parts.knowledge import Knowledge
from arcwise.parts.monitor import SILENT
from arcwise.parts.spec import to_spec
from arcwise.scores import BIC, K2, BDeu, GaussianBIC, total
from arcwise.search import HillClimb
from arcwise.search.reinsertion.optimal_reinsertion import OptimalReinsertion
from arcwise.search.reinsertion.parent_sets import ParentSets
from tests.contract.parts import mixed_data
from tests.oracle import reinsertion as oracle
from tests.oracle.counting import discrete_table


@pytest.fixture(scope="module")
def data():
    return discrete_table(np.random.default_rng(3), [3, 2, 4, 2, 3, 2, 2, 3], 400)


def run(learner, data, seed=0, **arguments):
    return learner.learn(data, rng=np.random.default_rng(seed), **arguments)


def random_dag(rng, n, density=0.3):
    order = rng.permutation(n)
    return np.triu(rng.random((n, n)) < density, 1)[np.ix_(order, order)]


def unpacked(rows, n):
    return np.array([[bool(row[c // 64] >> np.uint64(c % 64) & np.uint64(1)) for c in range(n)] for row in rows])


@pytest.mark.parametrize("n", [1, 2, 5, 9, 70])
def test_ancestors_are_those_of_the_graph_without_the_target(n):
    rng = np.random.default_rng(n)
    for _ in range(4):
        adj = random_dag(rng, n, 2 / n)
        target = int(rng.integers(n))
        assert np.array_equal(unpacked(ancestors_without(adj, target), n), oracle.ancestors_without(adj, target))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_the_best_parents_are_those_of_the_twin(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 8))
    adj, target = random_dag(rng, n), int(rng.integers(n))
    sets = list(oracle.subsets([u for u in range(n) if u != target], 3))
    sets = [sets[i] for i in np.sort(rng.permutation(len(sets))[: rng.integers(1, len(sets) + 1)])]
    padded = np.full((len(sets), 3), -1)
    for row, parents in zip(padded, sets, strict=True):
        row[: len(parents)] = parents
    scores = np.round(rng.normal(size=len(sets)), 1)  # rounded, so that there are ties
    gains = np.round(np.maximum(rng.normal(size=n), 0), 1)
    fixed = np.array([u for u in range(n) if u != target and rng.random() < 0.1], dtype=np.intp)
    gains[[target, *fixed]] = 0
    order = np.argsort(-scores, kind="stable")
    bits = ancestors_without(adj, target)
    s, value, ties, joined = best_parents(padded, scores, order, bits, gains, fixed, 1e-9)
    wanted = oracle.best_parents(sets, scores, oracle.ancestors_without(adj, target), gains, fixed, 1e-9)
    if wanted is None:
        assert s == -1
    else:
        assert (s, ties) == (wanted[0], wanted[2])
        assert value == pytest.approx(wanted[1])
        assert np.array_equal(joined, wanted[3])


@pytest.mark.parametrize(("thorough", "base", "max_table"), [(5, [], 1 << 20), (5, [7], 1 << 20), (5, [], 40)])
def test_parent_sets_are_those_that_no_subset_equals(data, thorough, base, max_table):
    bound, cards = BDeu(ess=10).bind(data), np.array(data.cardinalities)
    candidates = np.array([5, 1, 3, 2, 4])
    sets = ParentSets(
        bound, 0, base, candidates, cards=cards, max_table=max_table, thorough=thorough, n_rows=data.n_rows
    )
    assert sets.grow(4, SILENT)
    found = {frozenset(row[row >= 0].tolist()): s for row, s in zip(sets.sets, sets.scores, strict=True)}

    def local(child, parents):
        return bound.local_score(child, [*base, *parents])

    def cells(parents):
        return np.prod(cards[[0, *base, *parents]])

    wanted = oracle.undominated_sets(local, 0, candidates.tolist(), 4, max_table, cells)
    assert found.keys() == {s | set(base) for s in wanted}
    assert all(found[s | set(base)] == pytest.approx(score) for s, score in wanted.items())
    sizes = (sets.sets >= 0).sum(axis=1)
    assert np.all(np.diff(sizes) >= 0)
    assert np.all(np.diff(sets.scores[sets.order]) <= 0)


def test_less_thorough_leaves_out_only_sets_none_of_whose_parts_is_worth_it(data):
    bound, cards = BDeu(ess=10).bind(data), np.array(data.cardinalities)
    tables = [
        ParentSets(
            bound, 2, [], np.array([0, 1, 3, 4, 5, 6]), cards=cards, max_table=1 << 20, thorough=t, n_rows=data.n_rows
        )
        for t in (1, 6)
    ]
    quick, full = (
        {frozenset(row[row >= 0].tolist()) for row in table.sets} for table in tables if table.grow(6, SILENT)
    )
    assert tables[0].computed < tables[1].computed == 2**6
    assert quick <= full
    for left_out in full - quick:
        assert not any(left_out - {u} in quick for u in left_out)


@pytest.mark.parametrize("score", [BDeu(ess=10), BIC(), K2()])
@pytest.mark.parametrize("seed", range(3))
def test_no_reinsertion_improves_the_result(score, seed):
    data = discrete_table(np.random.default_rng(seed), [3, 2, 3, 2, 2], 120)
    result = run(OptimalReinsertion(score=score, max_parents=4, thorough=4, restarts=0), data)
    assert result.status == "converged"
    assert result.score == pytest.approx(total(score, result.graph, data), rel=1e-12)
    bound, adj = score.bind(data), result.graph.reordered(data.names).adjacency
    for target in range(5):
        assert oracle.best_reinsertion(bound.local_score, adj, target, 4) <= result.score + 1e-6


def test_one_reinsertion_is_the_best_there_is():
    """The first passes put a column back with up to two parents."""
    for seed in range(4):
        data = discrete_table(np.random.default_rng(seed), [2, 3, 2, 2], 150)
        result = run(OptimalReinsertion(score=BDeu(), max_parents=3, restarts=0), data)
        first = next(step for step in result.trace if step.action.startswith("reinsert"))
        target, empty = data.index(first.action.split()[1]), np.zeros((4, 4), dtype=bool)
        assert first.score == pytest.approx(oracle.best_reinsertion(BDeu().bind(data).local_score, empty, target, 2))


@pytest.mark.parametrize("n", [2, 3, 4])
def test_never_worse_than_hill_climbing_from_the_same_start(n):
    for seed in range(6):
        rng = np.random.default_rng(seed)
        data = discrete_table(rng, [3, 2, 2, 4][:n], 60)
        start = Dag.from_adjacency(data.names, random_dag(rng, n, 0.5))
        learner = OptimalReinsertion(score=BDeu(), max_parents=n - 1, restarts=0)
        climbed = run(HillClimb(score=BDeu(), max_parents=n - 1), data, start=start)
        assert run(learner, data, start=start).score >= climbed.score - 1e-9


def test_never_worse_than_hill_climbing_on_more_columns():
    for seed in range(4):
        data = discrete_table(np.random.default_rng(seed), [3, 2, 4, 2, 3, 2, 2, 3, 2, 2], 200)
        learner = OptimalReinsertion(score=BDeu(), restarts=0)
        assert run(learner, data).score >= run(HillClimb(score=BDeu(), max_parents=5), data).score - 1e-9


def test_the_score_never_falls_within_a_search_and_restarts_never_lose(data):
    one = run(OptimalReinsertion(restarts=0), data)
    many = run(OptimalReinsertion(restarts=4, perturbation=5), data)
    phases = {step.phase for step in many.trace}
    assert phases >= {"climb", "from start", "restart 1"}
    for phase in phases:
        scores = [step.score for step in many.trace if step.phase == phase]
        assert all(a < b for a, b in pairwise(scores))
    assert many.score >= one.score - 1e-9
    assert many.score == pytest.approx(max(step.score for step in many.trace))
    assert many.counters.steps == len(many.trace) > one.counters.steps


def test_same_generator_same_result(data, monkeypatch):
    learner = OptimalReinsertion(restarts=3)
    first = run(learner, data)
    monkeypatch.setenv("ARCWISE_THREADS", "3")
    second = run(learner, data)
    assert (first.graph, first.trace, first.counters) == (second.graph, second.trace, second.counters)


def test_order_of_columns_is_immaterial(data):
    first = run(OptimalReinsertion(restarts=2), data)
    other = run(OptimalReinsertion(restarts=2), data.select(reversed(data.names)))
    assert (other.graph, other.score) == (first.graph, first.score)


def test_knowledge_is_obeyed(data):
    names = data.names
    free = run(OptimalReinsertion(restarts=1), data).graph
    required = [(names[5], names[0]), (names[0], names[6])]
    kept = {name for edge in required for name in edge}
    forbidden = [edge for a, b in free.edges if not {a, b} <= kept for edge in ((a, b), (b, a))][:4]
    result = run(OptimalReinsertion(restarts=3), data, knowledge=Knowledge(forbidden=forbidden, required=required))
    assert not set(forbidden) & set(result.graph.edges)
    assert set(required) <= set(result.graph.edges)
    tiers = [names[4:], names[:4]]
    tiered = run(OptimalReinsertion(restarts=3), data, knowledge=Knowledge(tiers=tiers)).graph
    assert all(not (a in tiers[1] and b in tiers[0]) for a, b in tiered.edges)
    assert tiered.n_edges > 0


def test_required_edges_beyond_the_limit_stay(data):
    names = data.names
    required = [(name, names[0]) for name in names[1:4]]
    graph = run(OptimalReinsertion(max_parents=2, restarts=1), data, knowledge=Knowledge(required=required)).graph
    assert graph.parents(names[0]) == tuple(sorted(names[1:4]))
    assert max(len(graph.parents(name)) for name in names[1:]) <= 2


def test_limits_bound_every_family(data):
    few = run(OptimalReinsertion(max_parents=1, restarts=1), data).graph
    assert max(len(few.parents(name)) for name in few.names) == 1
    assert run(OptimalReinsertion(max_parents=0, restarts=1), data).graph.n_edges == 0
    cards = dict(zip(data.names, data.cardinalities, strict=True))
    small = run(OptimalReinsertion(score=BDeu(ess=100), max_table=8, restarts=0), data).graph
    for name in small.names:
        assert np.prod([cards[p] for p in small.parents(name)]) * cards[name] <= 8 or not small.parents(name)


def test_large_limits_cost_no_more_than_what_is_worth_it(data):
    five, twenty = (run(OptimalReinsertion(max_parents=m, restarts=0), data) for m in (5, 20))
    assert twenty.score >= five.score - 1e-9
    assert twenty.counters.score_computed < 8 * 2**7  # 2^7 sets for each of 8 columns, if all were scored


class Stops:
    def __init__(self, word, after=0):
        self.word, self.left = word, after

    def report(self, progress):
        self.left -= progress.phase == self.word

    def should_stop(self):
        return self.left < 0


@pytest.mark.parametrize("phase", ["scoring", "climb", "parent sets", "from start", "restart 1"])
def test_stopping_returns_the_best_graph_so_far(data, phase):
    full = run(OptimalReinsertion(restarts=1), data)
    result = run(OptimalReinsertion(restarts=1), data, monitor=Stops(phase))
    assert result.status == "stopped"
    if phase == "scoring":
        assert result.score is None
    else:
        assert total(OptimalReinsertion().score, Dag(data.names), data) < result.score <= full.score + 1e-9
        assert result.score == pytest.approx(total(OptimalReinsertion().score, result.graph, data))


class StopsAt:
    """Says stop when asked for the n-th time."""

    def __init__(self, n):
        self.left = n

    def report(self, progress):
        pass

    def should_stop(self):
        self.left -= 1
        return self.left < 0


def test_wherever_it_is_stopped_the_best_so_far_is_returned():
    data = discrete_table(np.random.default_rng(5), [3, 2, 2, 3, 2], 300)
    learner, stopped = OptimalReinsertion(restarts=2), 0
    for n in range(5, 200, 3):
        result = run(learner, data, monitor=StopsAt(n))
        stopped += result.status == "stopped"
        assert result.score == pytest.approx(max(step.score for step in result.trace)) if result.trace else n < 10
    assert stopped > 30


def test_seconds_end_the_search(data):
    climbed = run(HillClimb(score=OptimalReinsertion().score), data).score
    run(OptimalReinsertion(restarts=0), data)  # compiles
    began = time.monotonic()
    result = run(OptimalReinsertion(restarts=None, seconds=0.5), data)
    assert 0.4 < time.monotonic() - began < 5
    assert result.status == "stopped"
    assert result.score >= climbed - 1e-9


def test_start_graph_must_fit(data):
    with pytest.raises(GraphError, match="'other'"):
        run(OptimalReinsertion(), data, start=Dag([*data.names, "other"]))


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("max_parents", -1),
        ("candidates", 0),
        ("candidates", 21),
        ("thorough", 0),
        ("max_table", 0),
        ("restarts", -1),
        ("restarts", None),
        ("perturbation", 0),
        ("seconds", 0.0),
        ("seconds", float("nan")),
    ],
)
def test_options_out_of_range_are_refused(option, value):
    with pytest.raises(OptionError, match=option):
        replace(OptimalReinsertion(), **{option: value})
    assert to_spec(OptimalReinsertion())[option] == getattr(OptimalReinsertion(), option)


def awkward(n_rows, cards):
    rng = np.random.default_rng(0)
    columns = [
        Column(f"x{i}", Kind.DISCRETE, rng.integers(0, card, n_rows).astype(np.uint8), tuple(map(str, range(card))))
        for i, card in enumerate(cards)
    ]
    same = Column("same", Kind.DISCRETE, columns[0].values, columns[0].levels)
    return Dataset((*columns, same, Column("one", Kind.DISCRETE, np.zeros(n_rows, dtype=np.uint8), ("a",))))


@pytest.mark.parametrize("n_rows", [1, 2, 5, 60])
def test_awkward_tables_get_a_sane_answer(n_rows):
    result = run(OptimalReinsertion(restarts=2), awkward(n_rows, [3, 2, 2]))
    assert np.isfinite(result.score)
    assert "one" not in {name for pair in result.cpdag.skeleton for name in pair}
    assert run(OptimalReinsertion(restarts=2), awkward(n_rows, [2]).select(["one"])).graph.n_edges == 0
    assert run(OptimalReinsertion(restarts=2), awkward(n_rows, [2]).select(["x0"])).graph.n_edges == 0


def test_continuous_and_mixed_columns():
    mixed = mixed_data()
    result = run(OptimalReinsertion(restarts=1), mixed)
    assert result.graph.n_edges > 0
    continuous = mixed.select([c.name for c in mixed.columns if c.kind is Kind.CONTINUOUS])
    found = run(OptimalReinsertion(score=GaussianBIC(), restarts=1), continuous)
    assert found.score >= run(HillClimb(score=GaussianBIC()), continuous).score - 1e-9
