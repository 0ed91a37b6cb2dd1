"""Greedy equivalence search: what it returns, options, knowledge, stopping, awkward tables."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import GraphError, OptionError
from arcwise.graph.dag import Dag
from arcwise.networks import load
from arcwise.parts.knowledge import Knowledge
from arcwise.results.result import Counters
from arcwise.scores import BIC, K2, BDeu, BGe, LogLikelihood, total
from arcwise.scores.suited import Suited
from arcwise.search import HillClimb
from arcwise.search.ges import walk as walks
from arcwise.search.ges.ges import GES
from tests.oracle.counting import discrete_table
from tests.oracle.ges import members


@pytest.fixture(scope="module")
def data():
    return discrete_table(np.random.default_rng(3), [3, 2, 4, 2, 3, 2], 400)


@pytest.fixture(scope="module")
def alarm():
    return load("alarm").sample(1000, seed=3)


def run(learner, data, **arguments):
    return learner.learn(data, rng=np.random.default_rng(0), **arguments)


def numbers(values):
    return Dataset(tuple(Column(f"c{i:02d}", Kind.CONTINUOUS, v) for i, v in enumerate(np.asarray(values).T.copy())))


@pytest.mark.parametrize("turning", [False, True])
@pytest.mark.parametrize("score", [BDeu(), BDeu(ess=10, arc_prior=1 / 11), BIC()])
def test_the_trace_climbs_to_the_score_of_the_graph(alarm, score, turning):
    result = run(GES(score=score, turning=turning, climb=False), alarm)
    climbed = [total(score, Dag(alarm.names), alarm), *(step.score for step in result.trace)]
    assert all(a < b for a, b in itertools.pairwise(climbed))
    assert climbed[-1] == pytest.approx(result.score, rel=1e-12)
    assert result.score == pytest.approx(total(score, result.graph, alarm), rel=1e-12)
    assert result.cpdag == result.graph.cpdag()
    assert len(result.trace) == result.counters.steps
    assert result.counters.score_asked >= result.counters.score_computed > 0
    assert result.status == "converged"


def test_phases_follow_each_other_and_the_trace_speaks_in_names(alarm):
    phases = [step.phase for step in run(GES(), alarm).trace]
    order = ("forward", "backward", "search", "forward after search", "backward after search")
    assert phases == sorted(phases, key=order.index)
    assert {"forward", "backward", "search"} <= set(phases)
    first = run(GES(), alarm).trace[0].action.split()
    assert (first[0], first[2]) == ("insert", "--")
    assert {first[1], first[3]} <= set(alarm.names)


def test_a_collider_is_told_in_one_step():
    rng = np.random.default_rng(5)
    a, b = rng.normal(size=(2, 500))
    result = run(GES(), numbers(np.column_stack([a, b, a + b + 0.5 * rng.normal(size=500)])))
    assert result.trace[1].action in ("insert c01 -> c02, c00 -> c02", "insert c00 -> c02, c01 -> c02")
    assert result.cpdag.directed == (("c00", "c02"), ("c01", "c02"))


def test_better_than_hill_climbing_on_alarm(alarm):
    plain, turned = run(GES(), alarm).score, run(GES(turning=True), alarm).score
    assert turned >= plain > run(HillClimb(), alarm).score


def test_where_it_ends_below_hill_climbing_it_begins_again_from_there():
    insurance = load("insurance").sample(5000, seed=100)
    plain, climbed, both = (run(learner, insurance) for learner in (GES(climb=False), HillClimb(), GES()))
    assert plain.score < climbed.score < both.score
    again = run(GES(climb=False), insurance, start=climbed.graph)
    assert (both.cpdag, both.score) == (again.cpdag, pytest.approx(again.score))
    assert (
        both.counters.steps == plain.counters.steps + climbed.counters.steps + again.counters.steps == len(both.trace)
    )


def test_the_first_end_stands_where_the_second_is_no_better(alarm):
    plain, both = run(GES(climb=False), alarm), run(GES(), alarm)
    assert (both.cpdag, both.score) == (plain.cpdag, plain.score)


def test_never_below_hill_climbing_even_where_equivalent_networks_score_differently():
    rng = np.random.default_rng(1)
    a = rng.normal(size=200)
    b = a * rng.normal() + rng.normal(size=200)
    data = numbers(np.column_stack([a, b, a + b]))
    climbed, result = run(HillClimb(score=Suited()), data), run(GES(), data)
    assert run(GES(climb=False), data).score < climbed.score - 10
    assert result.score == pytest.approx(climbed.score) == pytest.approx(total(Suited(), result.graph, data))
    assert "equivalent have different scores" in result.warnings[-1]


@pytest.mark.parametrize("phase", ["search", "backward after search"])
def test_stopping_on_the_second_way_keeps_the_end_of_the_first(alarm, phase):
    plain = run(GES(climb=False), alarm)
    monitor = StopAfter(1, phase)
    stopped = run(GES(), alarm, monitor=monitor)
    assert monitor.left <= 0
    assert (stopped.status, stopped.cpdag, stopped.score) == ("stopped", plain.cpdag, plain.score)


def test_scores_must_be_equal_on_equivalent_networks(data):
    with pytest.raises(OptionError, match="'k2' is not; use one that is"):
        run(GES(score=K2()), data)
    with pytest.raises(OptionError, match="'k2' is not"):
        run(GES(score=Suited(discrete=K2())), data)
    continuous = numbers(np.random.default_rng(0).normal(size=(40, 3)))
    assert run(GES(score=Suited(discrete=K2())), continuous).status == "converged"  # K2 is not asked here


@pytest.mark.parametrize(("option", "value"), [("max_parents", -1), ("max_table", 0)])
def test_options_out_of_range_are_refused(option, value):
    with pytest.raises(OptionError, match=option):
        replace(GES(), **{option: value})


@pytest.mark.parametrize("turning", [False, True])
def test_max_parents_and_max_table_bound_every_member_of_the_class(data, turning):
    cards = np.array(data.cardinalities)
    eager = GES(score=BDeu(ess=200), turning=turning)
    free = run(eager, data).graph.adjacency
    assert free.sum(axis=0).max() > 2
    few = run(replace(eager, max_parents=2), data).graph
    small = run(replace(eager, max_table=12), data).graph
    for dag in members(few.adjacency):
        assert dag.sum(axis=0).max() <= 2
    for dag in members(small.adjacency):
        assert all(np.prod(cards[dag[:, v]]) * cards[v] <= 12 for v in range(6))
    assert 0 < small.n_edges < free.sum()
    assert run(GES(max_parents=0), data).graph.n_edges == 0


def test_the_size_of_tables_is_no_limit_where_there_are_none():
    x = np.random.default_rng(1).normal(size=(60, 1))
    linear = numbers(np.hstack([x, x + 0.1 * np.random.default_rng(2).normal(size=(60, 1))]))
    assert run(GES(max_table=1), linear).cpdag.n_edges == 1


def test_knowledge_is_obeyed(data):
    names = data.names
    free = run(GES(), data)
    banned = [edge for a, b in free.cpdag.skeleton[:2] for edge in ((a, b), (b, a))]
    result = run(GES(), data, knowledge=Knowledge(forbidden=banned, required=[(names[5], names[0])]))
    assert not set(banned) & set(result.graph.edges)
    assert (names[5], names[0]) in result.graph.edges
    tiers = [names[3:], names[:3]]
    tiered = run(GES(turning=True), data, knowledge=Knowledge(tiers=tiers)).graph
    assert all(not (a in tiers[1] and b in tiers[0]) for a, b in tiered.edges)
    assert tiered.n_edges > 0


def test_the_pattern_shows_what_knowledge_decides(data):
    a, b = run(GES(), data).cpdag.undirected[0]
    for edge in ((a, b), (b, a)):
        assert edge in run(GES(), data, knowledge=Knowledge(forbidden=[edge[::-1]])).cpdag.directed


def test_with_a_total_order_it_is_hill_climbing(alarm):
    """Then every class has one member that obeys, and the greedy steps are the same."""
    tiers = Knowledge(tiers=[[name] for name in load("alarm").dag.topological_order])
    assert run(GES(), alarm, knowledge=tiers).graph == run(HillClimb(), alarm, knowledge=tiers).graph


def test_start_graph_is_where_the_search_begins(data):
    end = run(GES(), data)
    for equivalent in members(end.graph.adjacency)[:3]:
        again = run(GES(), data, start=Dag.from_adjacency(data.names, equivalent))
        assert (again.cpdag, again.counters.steps) == (end.cpdag, 0)
    full = Dag(data.names, [(a, b) for i, a in enumerate(data.names) for b in data.names[i + 1 :]])
    assert run(GES(), data, start=full).graph.n_edges < full.n_edges
    with pytest.raises(GraphError, match="'other'"):
        run(GES(), data, start=Dag([*data.names, "other"]))


class StopAfter:
    """Stops once it has heard `steps` reports of steps."""

    def __init__(self, steps, phase="forward"):
        self.left = steps
        self.phase = phase
        self.heard = []

    def report(self, progress):
        self.heard.append(progress)
        self.left -= progress.phase == self.phase

    def should_stop(self):
        return self.left <= 0


def test_stopping_returns_the_class_reached_so_far(data):
    monitor = StopAfter(2)
    result = run(GES(), data, monitor=monitor)
    assert (result.status, result.counters.steps, result.graph.n_edges) == ("stopped", 2, 2)
    assert result.score == pytest.approx(total(BDeu(), result.graph, data))
    assert monitor.heard[-1].message == result.trace[-1].action


def test_stopping_before_and_while_the_columns_are_scored(data):
    result = run(GES(), data, monitor=StopAfter(0))
    assert (result.status, result.score, result.graph.n_edges) == ("stopped", None, 0)
    assert result.counters == Counters()
    assert run(GES(), data, monitor=StopAfter(3, "scoring")).score is None


def test_other_classes_that_are_as_good_count_as_ties():
    x = np.random.default_rng(0).normal(size=50)
    noise = np.random.default_rng(1).normal(size=50)
    plain = GES(climb=False)
    alone = run(plain, numbers(np.column_stack([x, x + noise])))
    assert (alone.counters.steps, alone.counters.ties) == (1, 0)  # both directions are one class
    copies = run(plain, numbers(np.column_stack([x + noise, x, x])))
    assert copies.cpdag.skeleton == (("c00", "c01"), ("c01", "c02"))  # c00 - c02 would do as well: the names decide
    assert copies.counters.ties == 1


def test_no_endless_looking_at_sets_of_neighbours(data, monkeypatch):
    monkeypatch.setattr(walks, "MOST_CLIQUES", 4)
    result = run(GES(score=LogLikelihood()), data)
    assert result.cpdag.n_edges == 15
    assert "too many neighbours" in result.warnings[-1]
    assert run(GES(), data.select(data.names[:2])).warnings == ()


@pytest.mark.parametrize("turning", [False, True])
@pytest.mark.parametrize(("n_rows", "n"), [(2, 3), (5, 12), (12, 20)])
def test_more_columns_than_rows(n_rows, n, turning):
    few = numbers(np.random.default_rng(0).normal(size=(n_rows, n)))
    for score in (Suited(), BGe()):
        result = run(GES(score=score, turning=turning), few)
        assert result.status == "converged"
        assert result.score == pytest.approx(total(score, result.graph, few))


def test_columns_that_cannot_tell_anything():
    x = np.random.default_rng(0).normal(size=40)
    result = run(GES(turning=True), numbers(np.column_stack([x, np.ones(40), x, -x])))
    assert {name for pair in result.cpdag.skeleton for name in pair} == {"c00", "c02", "c03"}
    assert np.isfinite(result.score)
    assert run(GES(), numbers(np.ones((10, 1)))).cpdag.n_edges == 0


def test_the_answer_does_not_depend_on_threads_or_on_the_order_of_columns(alarm, monkeypatch):
    one = run(GES(turning=True), alarm)
    monkeypatch.setenv("ARCWISE_THREADS", "3")
    names = np.random.default_rng(1).permutation(alarm.names).tolist()
    other = run(GES(turning=True), alarm.select(names))
    assert (one.cpdag, one.graph, one.score, one.counters) == (other.cpdag, other.graph, other.score, other.counters)
    assert other.names == tuple(names)
