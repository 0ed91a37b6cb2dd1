"""Sparse Candidate: what Restrict chooses, what Maximize may do with it, convergence, options, knowledge, stopping."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from arcwise.constraint import PC
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import DataError, GraphError, OptionError
from arcwise.graph.dag import Dag
from arcwise.independence import MutualInformation
from arcwise.networks import load
from arcwise.parts.knowledge import Knowledge
from arcwise.parts.spec import to_spec
from arcwise.problem import Problem
from arcwise.scores import BDeu, LogLikelihood, total
from arcwise.search import HillClimb, Tabu
from arcwise.search.ranking import best_first
from arcwise.search.sparse_candidate.discrepancy import discrepancies
from arcwise.search.sparse_candidate.sparse_candidate import Remembered, SparseCandidate
from arcwise.stats.counts import Counts
from tests.contract.parts import mixed_data, reorder_rows
from tests.oracle.counting import discrete_table

MEASURES = ["score", "mutual-information", "discrepancy", "shield"]


@pytest.fixture(scope="module")
def data():
    return discrete_table(np.random.default_rng(3), [3, 2, 4, 2, 3, 2, 2, 3], 400)


def run(learner, data, **arguments):
    return learner.learn(data, rng=np.random.default_rng(0), **arguments)


class Spied(Tabu):
    """Keeps the candidates and start graphs that it is given."""

    def solve(self, problem):
        answer = super().solve(problem)
        SEEN.append((problem.known.allowed, problem.start.adjacency, answer))
        return answer


SEEN: list = []


@pytest.fixture
def seen():
    SEEN.clear()
    return SEEN


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("k", [1, 3])
def test_candidates_hold_the_parents_and_k_columns_at_most(data, seen, measure, k):
    result = run(SparseCandidate(k=k, measure=measure, search=Spied()), data)
    assert seen
    for candidates, start, found in seen:
        assert np.all(candidates[start])
        assert np.all(candidates.sum(axis=0) == k)
        assert not candidates.diagonal().any()
        assert np.all(candidates[found.graph.adjacency])
    assert max(len(result.graph.parents(name)) for name in result.names) <= k
    assert result.score == pytest.approx(total(BDeu(), result.graph, data), rel=1e-12)
    assert result.status == "converged"


def others(values, parents, child, k):
    """The best columns by value that are not parents yet, until there are k."""
    free = [u for u in np.argsort(-np.asarray(values)) if u != child and not parents[u]]
    return set(parents.nonzero()[0].tolist()) | set(free[: k - int(parents.sum())])


def test_candidates_are_the_best_by_the_measure(data, seen):
    n, k = data.n_columns, 3
    test = MutualInformation().bind(data)
    bound = BDeu().bind(data)
    for measure in ("score", "mutual-information", "shield"):
        seen.clear()
        run(SparseCandidate(k=k, measure=measure, search=Spied()), data)
        assert len(seen) > 0
        for candidates, start, _ in seen:
            for child in range(n):
                given = [] if measure == "mutual-information" else start[:, child].nonzero()[0].tolist()
                values = [
                    -np.inf
                    if u == child or u in given
                    else bound.local_score(child, [*given, u])
                    if measure == "score"
                    else test.test(child, u, given).statistic
                    for u in range(n)
                ]
                assert set(candidates[:, child].nonzero()[0].tolist()) == others(values, start[:, child], child, k)


def test_discrepancy_of_an_empty_network_is_the_mutual_information():
    """But for sampling: q is off by about sqrt(q / M) in each cell, which shifts p ln(p / q) by p / sqrt(q M)."""
    data = load("child").sample(20_000, seed=2)
    found = discrepancies(data, np.zeros((20, 20), dtype=bool), np.random.default_rng(0))
    counts, test = Counts(data), MutualInformation().bind(data)
    for i in range(5):
        for j in range(5, 20):
            p = counts.table((i, j)) / data.n_rows
            q = np.outer(p.sum(axis=1), p.sum(axis=0))
            noise = np.sqrt(np.sum(p**2 / q) / data.n_rows)
            assert abs(found[i, j] - test.test(i, j, []).statistic) < 4 * noise
    assert found == pytest.approx(found.T, abs=1e-12)


def test_discrepancy_of_a_network_that_fits_is_small():
    network = load("child")
    data = network.sample(20_000, seed=2)
    adj = network.dag.reordered(data.names).adjacency
    empty = np.zeros_like(adj)
    fits, poor = (discrepancies(data, a, np.random.default_rng(0)) for a in (adj, empty))
    off = ~np.eye(20, dtype=bool)
    assert fits[off].max() < 0.01
    assert poor[off].max() > 0.5
    assert fits.min() > -1e-12


def test_discrepancies_of_heavy_rows_take_no_more_memory():
    """Rows that stand for two thousand million: as many draws of three columns would be six gigabytes."""
    rng = np.random.default_rng(3)
    data = discrete_table(rng, [2, 3, 2], 60)
    heavy = data.weighted(np.full(60, 35_000_000))
    empty = np.zeros((3, 3), dtype=bool)
    tracemalloc.start()
    try:
        found = discrepancies(heavy, empty, np.random.default_rng(0))
        assert tracemalloc.get_traced_memory()[1] < 200_000_000
    finally:
        tracemalloc.stop()
    information = MutualInformation().bind(data)
    expected = [[information.test(i, j, []).statistic if i != j else 0.0 for j in range(3)] for i in range(3)]
    assert found == pytest.approx(np.array(expected), abs=5e-3)


def test_no_move_within_the_candidates_improves_the_result(data, seen):
    result = run(SparseCandidate(k=2, search=Spied()), data)
    candidates = seen[-1][0]
    problem = Problem.of(data, rng=np.random.default_rng(0), start=result.graph)
    again = HillClimb(score=BDeu()).solve(problem.among(candidates))
    assert again.counters.steps == 0


def test_iterations_raise_the_score_and_are_in_the_trace(data):
    result = run(SparseCandidate(k=2), data)
    rounds = [step for step in result.trace if step.phase == "iteration"]
    assert [step.step for step in rounds] == list(range(1, len(rounds) + 1))
    assert all(a.score <= b.score + 1e-6 for a, b in pairwise(rounds))
    assert result.score == pytest.approx(max(step.score for step in rounds))
    assert "candidates new" in rounds[0].action
    assert result.counters.steps == sum(step.phase == "search" for step in result.trace)


def test_with_all_columns_as_candidates_it_is_the_search_itself(data):
    search = Tabu(score=BDeu(ess=10))
    wide, plain = run(SparseCandidate(k=7, search=search), data), run(search, data)
    assert wide.score >= plain.score - 1e-9
    assert [s for s in wide.trace if s.phase == "search"][: len(plain.trace)] == list(plain.trace)


def test_no_score_is_computed_twice(data, monkeypatch):
    asked = []
    bind = BDeu.bind

    class Spy:
        warnings = ()

        def __init__(self, bound):
            self.bound = bound

        def local_scores(self, child, sets):
            asked.extend((child, frozenset(row) - {-1}) for row in sets.tolist())
            return self.bound.local_scores(child, sets)

    monkeypatch.setattr(BDeu, "bind", lambda self, table: Spy(bind(self, table)))
    problem = Problem.of(data, rng=np.random.default_rng(0))
    work = SparseCandidate(k=3, search=Tabu(score=BDeu())).solve(problem).counters
    assert len(asked) == len(set(asked)) == work.score_computed
    assert work.score_asked > work.score_computed


def test_remembered_scores_are_the_scores(data):
    bound = BDeu().bind(data)
    remembered = Remembered(bound)
    sets = np.array([[1, 2, -1], [2, 1, -1], [-1, -1, -1], [3, 4, 5]])
    for _ in range(2):
        assert np.array_equal(remembered.local_scores(0, sets), bound.local_scores(0, sets))
    assert remembered.local_score(0, [4, 3, 5]) == bound.local_score(0, [3, 4, 5])
    assert remembered.local_score(6, [4, 3, 5]) == bound.local_score(6, [3, 4, 5])
    assert remembered.computed == 5


def test_best_first_ranks_ties_by_position():
    values = np.array([1.0, 3.0, 1.0 + 1e-13, -np.inf, 3.0 - 1e-12, 2.0])
    assert best_first(values).tolist() == [1, 4, 5, 0, 2]
    assert best_first(np.array([-np.inf])).tolist() == []


@pytest.mark.parametrize("measure", MEASURES)
def test_order_of_rows_and_columns_is_immaterial(data, measure):
    first = run(SparseCandidate(measure=measure), data)
    other = reorder_rows(data, np.random.default_rng(1).permutation(data.n_rows)).select(reversed(data.names))
    second = run(SparseCandidate(measure=measure), other)
    assert (second.graph, second.score) == (first.graph, first.score)


def test_knowledge_is_obeyed(data):
    names = data.names
    free = run(SparseCandidate(), data).graph
    required = [(name, names[0]) for name in names[1:4]]
    forbidden = [edge for a, b in free.edges if names[0] not in (a, b) for edge in ((a, b), (b, a))][:4]
    result = run(SparseCandidate(k=2), data, knowledge=Knowledge(forbidden=forbidden, required=required)).graph
    assert forbidden
    assert not set(forbidden) & set(result.edges)
    assert set(required) <= set(result.edges)
    tiers = [names[4:], names[:4]]
    tiered = run(SparseCandidate(), data, knowledge=Knowledge(tiers=tiers)).graph
    assert all(not (a in tiers[1] and b in tiers[0]) for a, b in tiered.edges)
    assert tiered.n_edges > 0


def test_the_pattern_is_that_of_the_graph(data):
    result = run(SparseCandidate(k=1), data)
    assert result.cpdag == result.graph.cpdag()


def test_start_graph(data):
    best = run(SparseCandidate(), data)
    again = run(SparseCandidate(), data, start=best.graph)
    assert again.score >= best.score - 1e-9
    with pytest.raises(GraphError, match="'other'"):
        run(SparseCandidate(), data, start=Dag([*data.names, "other"]))


@pytest.mark.parametrize("measure", MEASURES[1:])
def test_measures_of_levels_refuse_continuous_columns(measure):
    mixed = mixed_data()
    name = next(c.name for c in mixed.by_name().columns if c.kind is Kind.CONTINUOUS)
    with pytest.raises(DataError, match=f"'{name}' is continuous, but the measure '{measure}'"):
        run(SparseCandidate(measure=measure), mixed)
    assert run(SparseCandidate(), mixed).graph.n_edges > 0


@pytest.mark.parametrize(
    ("option", "value"), [("k", 0), ("measure", "luck"), ("search", PC()), ("search", LogLikelihood())]
)
def test_bad_options_are_refused(option, value):
    with pytest.raises(OptionError, match=option):
        replace(SparseCandidate(), **{option: value})
    assert option in to_spec(SparseCandidate())


class Stops:
    """Stops when it has heard `after` reports of a phase."""

    def __init__(self, phase, after):
        self.phase, self.left = phase, after

    def report(self, progress):
        self.left -= progress.phase == self.phase

    def should_stop(self):
        return self.left <= 0


def test_stopping_returns_the_best_graph_so_far(data):
    early = run(SparseCandidate(), data, monitor=Stops("restrict", 3))
    assert (early.status, early.score, early.graph.n_edges) == ("stopped", None, 0)
    middle = run(SparseCandidate(), data, monitor=Stops("search", 2))
    assert (middle.status, middle.graph.n_edges) == ("stopped", 2)
    assert middle.score == pytest.approx(total(SparseCandidate().search.score, middle.graph, data))
    late = run(SparseCandidate(k=2), data, monitor=Stops("iteration", 1))
    first = next(s for s in run(SparseCandidate(k=2), data).trace if s.phase == "iteration")
    assert (late.status, late.score) == ("stopped", first.score)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("n_rows", [1, 2, 5, 60])
def test_awkward_tables_get_a_sane_answer(measure, n_rows):
    table = discrete_table(np.random.default_rng(0), [3, 2, 1, 4], n_rows)
    twin = Column("twin", Kind.DISCRETE, table.columns[0].values, table.columns[0].levels)
    table = Dataset((*table.columns, twin))
    result = run(SparseCandidate(measure=measure), table)
    assert np.isfinite(result.score)
    assert not any("x02" in edge for edge in result.graph.edges)
    assert run(SparseCandidate(measure=measure), table.select(["x00"])).graph.n_edges == 0
