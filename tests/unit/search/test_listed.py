"""The walk with lists of candidates: its moves against a slow twin, its answers against those of the other walk."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise._kernels.graphs import listed as kernels
from arcwise._kernels.graphs.moves import NOTHING
from arcwise.data.dataset import Dataset
from arcwise.graph.dag import Dag
from arcwise.networks.bundled import load
from arcwise.parts.knowledge import Knowledge
from arcwise.parts.monitor import Progress
from arcwise.problem import Problem
from arcwise.scores.dirichlet import BDeu
from arcwise.scores.gaussian import GaussianBIC
from arcwise.search.greedy import listed, walkers
from arcwise.search.greedy.hill_climb import HillClimb
from arcwise.search.greedy.tabu import Tabu
from tests.oracle import moves as twin
from tests.oracle.called import called

best_move, top_of, settle = map(called, (kernels.best_move, kernels.top_of, kernels.settle))


def random_dag(rng, n, density):
    adj = np.triu(rng.random((n, n)) < density, 1)
    order = rng.permutation(n)
    return np.ascontiguousarray(adj[np.ix_(order, order)])


@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(2, 7),
    density=st.floats(0, 0.8),
    coarse=st.booleans(),
    n_tabu=st.integers(0, 4),
)
@settings(max_examples=100, deadline=None)
def test_best_move(seed, n, density, coarse, n_tabu):
    rng = np.random.default_rng(seed)
    adj = random_dag(rng, n, density)
    delta = rng.normal(size=(n, n))
    if coarse:  # many exact ties
        delta = np.round(delta)
    permitted = rng.random((n, n)) < 0.85
    np.fill_diagonal(permitted, False)
    may_delete = rng.random((n, n)) < 0.8
    delta[~(permitted | adj)] = -np.inf
    slots = listed.slots_of(permitted, adj, ~may_delete)
    walk = listed.begun(adj, slots, 0)
    walk.gains[:] = delta[slots.parent, slots.child]
    settle(slots, walk)
    neighbours = [move[4] for move in twin.legal_moves(delta, adj, may_delete)]
    rng.shuffle(neighbours)
    tabu = neighbours[:n_tabu]
    keys = [np.bitwise_xor.reduce(slots.keys[a[slots.parent, slots.child]], initial=np.uint64(0)) for a in tabu]
    want = twin.best_move(delta, adj, may_delete, 1e-9, tabu)
    for _ in range(2):  # again with what it has found out
        kind, slot, gain, ties = best_move(slots, walk, 1e-9, np.array(keys, dtype=np.uint64))
        if want is None:
            assert kind == NOTHING
        else:
            assert (kind, slots.parent[slot], slots.child[slot], gain, ties) == want


@pytest.fixture
def lists(monkeypatch):
    """Walks with lists, however small a table is."""
    monkeypatch.setattr(listed, "LEAST_COLUMNS", 0)
    monkeypatch.setattr(listed, "MOST_LISTED", 1_000_000)


def numbers(n_rows=200, n=12, seed=0):
    rng = np.random.default_rng(seed)
    weights = np.triu(rng.normal(size=(n, n)) * (rng.random((n, n)) < 0.3), 1)
    values = np.zeros((n_rows, n))
    for v in range(n):
        values[:, v] = rng.normal(size=n_rows) + values @ weights[:, v]
    return Dataset.from_frame(values, names=[f"x{v:02d}" for v in range(n)])


def levels(n_rows=400):
    return load("child").sample(n_rows, seed=3)


LEARNERS = [
    HillClimb(score=BDeu()),
    HillClimb(score=BDeu(), max_parents=2, max_table=12, restarts=2),
    Tabu(score=BDeu(ess=10), tenure=5),
    Tabu(score=GaussianBIC(), restarts=1),
    HillClimb(score=GaussianBIC(), max_parents=1),
]


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
@pytest.mark.parametrize("informed", [False, True])
def test_the_same_walk_with_and_without_lists(learner, informed, monkeypatch):
    data = numbers() if isinstance(learner.score, GaussianBIC) else levels()
    a, b, c, d = sorted(data.names)[:4]
    knowledge = Knowledge(required=[(a, b)], forbidden=[(c, d), (d, c)]) if informed else Knowledge()
    start = Dag(data.names, [(b, c), (b, d)]) if informed else None
    free = np.random.default_rng(1).random((data.n_columns,) * 2) < 0.7  # the start is not all among the candidates

    def solve():
        rng = np.random.default_rng(5)
        return learner.solve(Problem.of(data, rng=rng, knowledge=knowledge, start=start).among(free))

    plain = solve()
    monkeypatch.setattr(walkers, "suits_lists", lambda known: True)
    found = solve()
    assert found.graph == plain.graph
    assert found.score == plain.score
    assert found.trace == plain.trace
    assert (found.counters.steps, found.counters.ties) == (plain.counters.steps, plain.counters.ties)
    assert found.counters.score_asked == plain.counters.score_asked


def test_lists_are_for_many_columns_with_few_candidates(monkeypatch):
    known = Knowledge().bind([f"x{i}" for i in range(600)])
    assert not listed.suits_lists(known)
    few = Problem.of(numbers(), rng=np.random.default_rng(0)).among(np.zeros((12, 12), dtype=bool)).known
    assert not listed.suits_lists(few)
    monkeypatch.setattr(listed, "LEAST_COLUMNS", 12)
    assert listed.suits_lists(few)


@pytest.mark.parametrize("after", [0, 3, 15])
def test_a_walk_that_is_stopped_keeps_what_it_has(lists, after):
    class Stopping:
        def __init__(self):
            self.reports: list[Progress] = []

        def report(self, progress):
            self.reports.append(progress)

        def should_stop(self):
            return len(self.reports) > after

    monitor = Stopping()
    answer = HillClimb(score=GaussianBIC()).solve(Problem.of(numbers(), rng=np.random.default_rng(0), monitor=monitor))
    assert answer.status == "stopped"
    assert (answer.score is None) == (after < 12)  # before all columns were scored
    assert len(answer.trace) == max(0, after - 12)
    assert len(answer.graph.edges) == len(answer.trace)


def test_a_table_without_candidates(lists):
    for n in (1, 3):
        data = numbers(n=n)
        problem = Problem.of(data, rng=np.random.default_rng(0)).among(np.zeros((n, n), dtype=bool))
        assert HillClimb(score=GaussianBIC()).solve(problem).graph.n_edges == 0
