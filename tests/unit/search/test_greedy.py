"""Hill climbing and tabu search: optimality of what they return, options, knowledge, stopping."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from arcwise._kernels.graphs.climb import add_up
from arcwise.errors import GraphError, OptionError
from arcwise.graph.dag import Dag
from arcwise.parts.knowledge import Knowledge
from arcwise.parts.monitor import Progress
from arcwise.problem import Problem, result
from arcwise.results.result import Counters
from arcwise.scores import BIC, MDL, BDeu, total
from arcwise.scores.counted import CountedScore
from arcwise.search import HillClimb, Tabu
from tests.oracle.called import called
from tests.oracle.counting import discrete_table
from tests.oracle.moves import legal_moves


@pytest.fixture(scope="module")
def data():
    return discrete_table(np.random.default_rng(3), [3, 2, 4, 2, 3, 2], 400)


def run(learner, data, **arguments):
    return learner.learn(data, rng=np.random.default_rng(0), **arguments)


def neighbours(dag):
    n = dag.n_nodes
    for *_, after in legal_moves(np.zeros((n, n)), dag.adjacency, np.ones((n, n), dtype=bool)):
        yield Dag.from_adjacency(dag.names, after)


@pytest.mark.parametrize("score", [BDeu(ess=1), BDeu(ess=10, arc_prior=1 / 11), BIC()])
def test_no_neighbour_of_the_result_is_better(data, score):
    result = run(HillClimb(score=score), data)
    assert result.score == pytest.approx(total(score, result.graph, data), rel=1e-12)
    assert all(total(score, dag, data) <= result.score + 1e-6 for dag in neighbours(result.graph))
    assert result.cpdag == result.graph.cpdag()
    assert result.status == "converged"


def test_every_step_of_the_trace_raises_the_score(data):
    result = run(HillClimb(), data)
    climbed = [total(BDeu(), Dag(data.names), data), *(step.score for step in result.trace)]
    assert all(a < b for a, b in itertools.pairwise(climbed))
    assert len(result.trace) == result.counters.steps > 0
    assert climbed[-1] == pytest.approx(result.score)


def test_counters_do_not_depend_on_threads(data, monkeypatch):
    one = run(HillClimb(), data).counters
    monkeypatch.setenv("ARCWISE_THREADS", "4")
    assert run(HillClimb(), data).counters == one
    assert one.score_asked >= one.score_computed > 0


def test_tabu_and_restarts_never_do_worse_than_plain_climbing():
    for seed in range(8):
        data = discrete_table(np.random.default_rng(seed), [3, 2, 4, 2, 3, 2, 2], 150)
        plain = run(HillClimb(), data).score
        assert run(Tabu(), data).score >= plain - 1e-9
        assert run(HillClimb(restarts=5), data).score >= plain - 1e-9


def test_tabu_walks_on_for_its_patience(data):
    result = run(Tabu(patience=7), data)
    first_best = next(i for i, step in enumerate(result.trace) if step.score >= result.score - 1e-6)
    assert len(result.trace) - 1 - first_best == 7


def test_max_parents_and_max_table_bound_every_family(data):
    few = run(HillClimb(max_parents=1), data).graph
    assert max(len(few.parents(name)) for name in few.names) == 1
    small = run(HillClimb(score=BDeu(ess=100), max_table=8), data).graph
    cards = dict(zip(data.names, data.cardinalities, strict=True))
    for name in small.names:
        assert np.prod([cards[p] for p in small.parents(name)]) * cards[name] <= 8 or not small.parents(name)
    assert run(HillClimb(max_parents=0), data).graph.n_edges == 0


def test_knowledge_is_obeyed(data):
    names = data.names
    free = run(HillClimb(), data).graph
    forbidden = [edge for a, b in free.edges for edge in ((a, b), (b, a))][:4]
    result = run(HillClimb(), data, knowledge=Knowledge(forbidden=forbidden, required=[(names[5], names[0])])).graph
    assert not set(forbidden) & set(result.edges)
    assert (names[5], names[0]) in result.edges
    tiers = [names[3:], names[:3]]
    tiered = run(Tabu(restarts=2), data, knowledge=Knowledge(tiers=tiers)).graph
    assert all(not (a in tiers[1] and b in tiers[0]) for a, b in tiered.edges)
    assert tiered.n_edges > 0


@pytest.mark.parametrize("learner", [HillClimb(), Tabu(restarts=2)])
def test_candidates_limit_the_arcs_but_not_what_is_required(data, learner):
    rng, n = np.random.default_rng(7), data.n_columns
    candidates = rng.random((n, n)) < 0.4
    required = next((data.names[u], data.names[v]) for u, v in np.argwhere(~candidates) if u != v)
    problem = Problem.of(data, rng=rng, knowledge=Knowledge(required=[required])).among(candidates)
    found = result(problem, learner.solve(problem), data.names)
    assert required in found.graph.edges
    others = [(data.index(a), data.index(b)) for a, b in found.graph.edges if (a, b) != required]
    assert others
    assert all(candidates[edge] for edge in others)
    # What the search may not add is no knowledge: the pattern is that of the graph and the required edge alone.
    knowledge = Knowledge(required=[required]).bind(data.names)
    assert found.cpdag == knowledge.pattern(found.graph)


def test_the_pattern_shows_what_knowledge_decides(data):
    free = run(HillClimb(), data).cpdag
    a, b = free.undirected[0]
    for edge in ((a, b), (b, a)):
        known = run(HillClimb(), data, knowledge=Knowledge(required=[edge])).cpdag
        assert edge in known.directed
    tiered = run(HillClimb(), data, knowledge=Knowledge(tiers=[[a], [b]])).cpdag
    assert (a, b) in tiered.directed


def test_knowledge_spreads_by_meek():
    """With a -> b required, the chain a - b - c has only one direction left for b - c."""
    dag = Dag(["a", "b", "c"], [("a", "b"), ("b", "c")])
    assert dag.cpdag().undirected == (("a", "b"), ("b", "c"))
    pattern = Knowledge(required=[("a", "b")]).bind(dag.names).pattern(dag)
    assert pattern.directed == (("a", "b"), ("b", "c"))
    assert Knowledge().bind(dag.names).pattern(dag) == dag.cpdag()


def test_contradictory_knowledge_is_named():
    for knowledge, words in [
        (Knowledge(required=[("a", "b")], forbidden=[("a", "b")]), "a -> b is required, but also forbidden"),
        (Knowledge(required=[("b", "a")], tiers=[["a"], ["b"]]), "b -> a is required"),
        (Knowledge(required=[("a", "b"), ("b", "c"), ("c", "a")]), "cycle"),
        (Knowledge(forbidden=[("a", "bb")]), "did you mean"),
    ]:
        with pytest.raises(GraphError, match=words):
            knowledge.bind(["a", "b", "c"])
    with pytest.raises(GraphError, match="'a' stands in two tiers"):
        Knowledge(tiers=[["a"], ["a", "b"]])
    with pytest.raises(GraphError, match="pair of column names"):
        Knowledge(required=["ab"])


def test_knowledge_round_trip():
    knowledge = Knowledge(required=[("a", "b")], forbidden=[("b", "c")], tiers=[["a"], ["c"]])
    assert Knowledge.from_dict(knowledge.to_dict()) == knowledge
    with pytest.raises(GraphError, match="did you mean 'required'"):
        Knowledge.from_dict({"requird": []})


def test_start_graph_is_where_the_search_begins(data):
    optimum = run(HillClimb(), data).graph
    again = run(HillClimb(), data, start=optimum)
    assert again.graph == optimum
    assert again.counters.steps == 0
    full = Dag(data.names, [(a, b) for i, a in enumerate(data.names) for b in data.names[i + 1 :]])
    assert run(HillClimb(), data, start=full).graph.n_edges < full.n_edges


def test_start_graph_must_fit(data):
    with pytest.raises(GraphError, match="'other'"):
        run(HillClimb(), data, start=Dag([*data.names, "other"]))
    a, b = data.names[:2]
    with pytest.raises(GraphError, match="knowledge forbids"):
        run(HillClimb(), data, start=Dag(data.names, [(a, b)]), knowledge=Knowledge(forbidden=[(a, b)]))


class StopAfter:
    """Stops once it has heard `reports` reports of the search phase."""

    def __init__(self, reports):
        self.left = reports
        self.heard: list[Progress] = []

    def report(self, progress):
        self.heard.append(progress)
        if progress.phase == "search":
            self.left -= 1

    def should_stop(self):
        return self.left <= 0


def test_stopping_returns_the_best_graph_so_far(data):
    monitor = StopAfter(2)
    result = run(HillClimb(), data, monitor=monitor)
    assert result.status == "stopped"
    assert result.counters.steps == 2 == result.graph.n_edges
    assert result.score == pytest.approx(total(BDeu(), result.graph, data))
    assert monitor.heard[-1].message == result.trace[-1].action


def test_stopping_before_the_first_score(data):
    result = run(HillClimb(), data, monitor=StopAfter(0))
    assert (result.status, result.score, result.graph.n_edges) == ("stopped", None, 0)
    assert result.counters == Counters()


def test_restarts_depend_on_the_generator_only(data):
    learner = HillClimb(restarts=3)
    first, second = run(learner, data), run(learner, data)
    assert (first.graph, first.trace) == (second.graph, second.trace)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("max_parents", -1),
        ("max_table", 0),
        ("restarts", -1),
        ("perturbation", 0),
        ("tenure", 0),
        ("patience", 0),
    ],
)
def test_options_out_of_range_are_refused(option, value):
    with pytest.raises(OptionError, match=option):
        replace(Tabu(), **{option: value})


@pytest.mark.parametrize("learner", [HillClimb(), Tabu(), HillClimb(score=MDL(), max_parents=2), HillClimb(restarts=2)])
def test_a_climb_that_scores_by_itself_is_the_one_that_asks(data, learner, monkeypatch):
    alone = run(learner, data)
    monkeypatch.setattr(CountedScore, "families", lambda score, before: None)
    asking = run(learner, data)
    assert (alone.graph, alone.score, alone.counters, alone.trace) == (
        asking.graph,
        asking.score,
        asking.counters,
        asking.trace,
    )


@pytest.mark.parametrize("size", [0, 1, 7, 8, 20, 127, 128])
def test_scores_are_added_up_as_numpy_does(size):
    values = np.random.default_rng(size).normal(size=size) * 10.0 ** np.arange(size).clip(max=12)
    assert called(add_up)(values) == values.sum()
