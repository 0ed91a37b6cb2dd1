"""Exact search: the maximum over all DAGs, under options and knowledge; ties, stopping, refusals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise import catalog
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import DataError, GraphError, OptionError
from arcwise.graph.dag import Dag
from arcwise.parts.knowledge import Knowledge
from arcwise.parts.monitor import Progress
from arcwise.scores import BIC, K2, BDeu, LogLikelihood, total
from arcwise.search import HillClimb, Tabu
from arcwise.search.exact import subsets as exhaustive_subsets
from arcwise.search.exact.exhaustive import MOST_COLUMNS, Exhaustive
from arcwise.search.exact.subsets import components
from tests.contract.parts import continuous_data, discrete_data, mixed_data, reorder_rows
from tests.oracle.counting import discrete_table
from tests.oracle.exhaustive import best_of_all_dags
from tests.oracle.graphs import acyclic


def run(learner, data, **arguments):
    return learner.learn(data, rng=np.random.default_rng(0), **arguments)


def tables(score):
    """Four columns of a kind that the score takes, in the order of their names."""
    source = discrete_data if Kind.DISCRETE in score.accepts else continuous_data
    return [data.select(sorted(data.names)[:4]) for data in (source(40), source(300))]


@pytest.mark.parametrize("kind", sorted(catalog.SCORES))
def test_no_dag_is_better_whatever_the_score(kind):
    score = catalog.SCORES[kind]()
    for data in tables(score):
        result = run(Exhaustive(score=score, max_parents=None), data)
        best = best_of_all_dags(score, data, Knowledge().bind(data.names), 3)
        assert result.score == pytest.approx(best, rel=1e-8)
        assert total(score, result.graph, data) == pytest.approx(result.score, rel=1e-12)
        assert result.status == "converged"


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 3))
def test_no_dag_that_the_knowledge_permits_is_better(seed, max_parents):
    rng = np.random.default_rng(seed)
    data = discrete_table(rng, rng.integers(1, 4, 4), 60)
    order = rng.permutation(data.names).tolist()
    pairs = [(a, b) for i, a in enumerate(order) for b in order[i + 1 :]]
    required = [pair for pair in pairs if rng.random() < 0.15]
    free = [pair for pair in [*pairs, *((b, a) for a, b in pairs)] if pair not in required]
    forbidden = [pair for pair in free if rng.random() < 0.2]
    tiers = [order[:2], order[2:]] if rng.random() < 0.5 else []
    knowledge = Knowledge(required, forbidden, tiers)
    result = run(Exhaustive(score=BDeu(ess=3), max_parents=max_parents), data, knowledge=knowledge)
    best = best_of_all_dags(BDeu(ess=3), data, knowledge.bind(data.names), max_parents)
    assert result.score == pytest.approx(best, rel=1e-8)
    assert set(required) <= set(result.graph.edges)
    assert set(forbidden).isdisjoint(result.graph.edges)
    assert total(BDeu(ess=3), result.graph, data) == pytest.approx(result.score, rel=1e-12)


@pytest.mark.parametrize("score", [BDeu(), BIC(), K2()])
def test_the_heuristics_are_never_better(score):
    for seed in range(4):
        data = discrete_table(np.random.default_rng(seed), [3, 2, 4, 2, 3, 2, 2, 3, 2], 150)
        best = run(Exhaustive(score=score, max_parents=None), data).score
        for learner in (HillClimb(score=score, restarts=3), Tabu(score=score)):
            assert run(learner, data).score <= best + 1e-7


def test_every_kind_of_table_is_learned_from_by_default():
    for data in (discrete_data(), continuous_data(), mixed_data()):
        assert (
            run(Exhaustive(), data).score >= run(HillClimb(score=Exhaustive().score, max_parents=4), data).score - 1e-7
        )


def test_the_limits_bound_every_family_and_are_told():
    data = discrete_data(2000)
    one = run(Exhaustive(max_parents=1, score=BDeu()), data)
    counts = {name: len(one.graph.parents(name)) for name in one.names}
    assert max(counts.values()) == 1
    assert [w for w in one.warnings if "max_parents = 1" in w]
    assert not run(Exhaustive(max_parents=None, score=BDeu()), data).warnings
    cards = dict(zip(data.names, data.cardinalities, strict=True))
    small = run(Exhaustive(score=LogLikelihood(), max_table=8), data).graph
    assert small.n_edges > 0
    for name in small.names:
        if small.parents(name):
            assert cards[name] * np.prod([cards[p] for p in small.parents(name)]) <= 8


def test_columns_of_different_tiers_are_searched_apart():
    """Forty columns in four tiers: more than could depend on each other all at once."""
    rng = np.random.default_rng(2)
    data = discrete_table(rng, [2] * 40, 200)
    tiers = [data.names[i : i + 10] for i in range(0, 40, 10)]
    result = run(Exhaustive(max_parents=2, score=BDeu()), data, knowledge=Knowledge(tiers=tiers))
    assert result.counters.steps <= 4 * 2**10
    tier_of = {name: t for t, tier in enumerate(tiers) for name in tier}
    assert all(tier_of[a] <= tier_of[b] for a, b in result.graph.edges)
    climbed = run(Tabu(score=BDeu(), max_parents=2), data, knowledge=Knowledge(tiers=tiers))
    assert climbed.score <= result.score + 1e-7


def test_independent_columns_need_no_search_of_subsets():
    rng = np.random.default_rng(0)
    columns = [
        Column(f"x{i:02d}", Kind.DISCRETE, rng.integers(0, 2, 500).astype(np.uint8), ("0", "1")) for i in range(20)
    ]
    result = run(Exhaustive(max_parents=1, score=BIC()), Dataset(tuple(columns)))
    assert result.counters.steps < 2**14


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 8))
def test_groups_are_what_arcs_lead_round_in(seed, n):
    rng = np.random.default_rng(seed)
    arcs = rng.random((n, n)) < 0.25
    np.fill_diagonal(arcs, False)
    groups = components(arcs)
    assert sorted(v for group in groups for v in group) == list(range(n))
    place = {v: i for i, group in enumerate(groups) for v in group}
    assert all(place[u] <= place[v] for u, v in np.argwhere(arcs))
    between = np.array([[place[u] != place[v] for v in range(n)] for u in range(n)])
    assert acyclic(_merged(arcs & between, place, len(groups)))
    for group in groups:
        inside = arcs[np.ix_(group, group)] | np.eye(len(group), dtype=bool)
        assert np.linalg.matrix_power(inside.astype(int), len(group)).all()


def _merged(arcs, place, n_groups):
    merged = np.zeros((n_groups, n_groups), dtype=bool)
    for u, v in np.argwhere(arcs):
        merged[place[u], place[v]] = True
    return merged


def test_ties_go_to_fewer_parents_and_then_by_name():
    """b is a copy of a, so c may lean on either; a constant column leans on nothing and supports nothing."""
    rng = np.random.default_rng(1)
    a = rng.integers(0, 2, 300).astype(np.uint8)
    c = np.where(rng.random(300) < 0.9, a, 1 - a).astype(np.uint8)
    two = ("0", "1")
    columns = [
        Column("c", Kind.DISCRETE, c, two),
        Column("b", Kind.DISCRETE, a, two),
        Column("k", Kind.DISCRETE, np.zeros(300, dtype=np.uint8), ("0",)),
        Column("a", Kind.DISCRETE, a, two),
    ]
    for order in ([0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]):
        result = run(Exhaustive(score=BIC()), Dataset(tuple(columns[i] for i in order)))
        assert result.graph.edges == (("a", "b"), ("a", "c"))
        assert result.counters.ties == 1


def test_order_of_rows_and_columns_and_threads_is_immaterial(monkeypatch):
    monkeypatch.setattr(exhaustive_subsets, "LOW_BITS", 2)  # many blocks, shared by the threads
    monkeypatch.setattr(exhaustive_subsets, "BLOCKS", 1)
    data = discrete_data(100)
    first = run(Exhaustive(), data)
    monkeypatch.setenv("ARCWISE_THREADS", "3")
    for seed in range(3):
        rng = np.random.default_rng(seed)
        other = reorder_rows(data, rng.permutation(data.n_rows)).select(rng.permutation(data.names).tolist())
        result = run(Exhaustive(), other)
        assert (result.graph, result.cpdag, result.score, result.counters) == (
            first.graph,
            first.cpdag,
            first.score,
            first.counters,
        )
    monkeypatch.setattr(exhaustive_subsets, "LOW_BITS", 20)
    assert run(Exhaustive(), data).graph == first.graph


class StopAfter:
    def __init__(self, phase, count):
        self.phase, self.left, self.reports = phase, count, []

    def report(self, progress: Progress):
        self.reports.append(progress)
        self.left -= progress.phase == self.phase

    def should_stop(self):
        return self.left <= 0


@pytest.mark.parametrize(("phase", "count"), [("preparing", 1), ("scoring", 1), ("scoring", 4), ("search", 1)])
def test_a_stopped_search_claims_nothing_and_gives_a_good_network(monkeypatch, phase, count):
    monkeypatch.setattr(exhaustive_subsets, "LOW_BITS", 2)
    data = discrete_data()
    knowledge = Knowledge(required=[("foxtrot", "alpha")])
    result = run(Exhaustive(score=BDeu()), data, knowledge=knowledge, monitor=StopAfter(phase, count))
    assert result.status == "stopped"
    assert any("stopped" in warning for warning in result.warnings)
    assert ("foxtrot", "alpha") in result.graph.edges
    assert result.score == pytest.approx(total(BDeu(), result.graph, data), rel=1e-12)
    nothing = total(BDeu(), Dag(data.names, knowledge.required), data)
    best = run(Exhaustive(score=BDeu()), data, knowledge=knowledge).score
    assert nothing - 1e-7 <= result.score <= best + 1e-7
    if phase == "search" or count > 1:
        assert result.score > nothing


def test_progress_rises_to_the_end():
    monitor = StopAfter("never", 1)
    run(Exhaustive(), discrete_data(), monitor=monitor)
    for phase in ("scoring", "search"):
        fractions = [r.fraction for r in monitor.reports if r.phase == phase]
        assert fractions == sorted(fractions)
        assert all(0 <= fraction <= 1 + 1e-12 for fraction in fractions)
    assert fractions[-1] == pytest.approx(1)


def test_the_trace_adds_up_parents_before_children():
    result = run(Exhaustive(score=BDeu()), discrete_data())
    assert result.trace[-1].score == pytest.approx(result.score)
    seen = set()
    for step, name in zip(result.trace, result.graph.topological_order, strict=True):
        assert step.action.startswith(name)
        assert set(result.graph.parents(name)) <= seen
        seen.add(name)


def test_too_many_columns_are_refused_at_once():
    rng = np.random.default_rng(0)
    data = discrete_table(rng, [2] * (MOST_COLUMNS + 1), 20)
    with pytest.raises(DataError, match=r"at most 28 columns .* here are 29: x00, .*tabu"):
        run(Exhaustive(), data)
    with pytest.raises(OptionError, match=r"201,326,592 families, more than .* max_parents to at most 6"):
        run(Exhaustive(max_parents=None), data.select(data.names[:24]))


def test_a_start_graph_and_options_out_of_range_are_refused():
    data = discrete_data()
    with pytest.raises(OptionError, match="start"):
        run(Exhaustive(), data, start=Dag(data.names))
    for option, value in (("max_parents", -1), ("max_table", 0)):
        with pytest.raises(OptionError, match=option):
            Exhaustive(**{option: value})
    with pytest.raises(GraphError, match="zulu"):
        run(Exhaustive(), data, knowledge=Knowledge(required=[("zulu", "alpha")]))


@pytest.mark.parametrize("n_rows", [2, 5])
def test_tiny_tables(n_rows):
    for data in (discrete_data(n_rows), continuous_data(n_rows), discrete_data(n_rows).select(["echo"])):
        result = run(Exhaustive(), data)
        assert np.isfinite(result.score)
        assert result.status == "converged"
