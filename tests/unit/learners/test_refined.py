"""Networks by several scores, of which one is taken and mended by another."""

from __future__ import annotations

import numpy as np
import pytest

import arcwise
from arcwise import catalog
from arcwise.errors import OptionError
from arcwise.learners import Refined
from arcwise.metrics import shd
from arcwise.networks.table_kinds import simulate
from arcwise.parts.knowledge import Knowledge
from arcwise.scores import BIC, DegenerateGaussian, Smooth, SmoothRegression, total
from arcwise.search import Boss, HillClimb


def run(learner, data, **arguments):
    return learner.learn(data, rng=np.random.default_rng(0), **arguments)


@pytest.mark.parametrize(("kind", "rows", "taken"), [("quadratics", 600, "smooth"), ("linear-normal", 150, "copula")])
def test_the_better_network_is_taken_and_only_mended(kind, rows, taken):
    data, dag = simulate(kind, nodes=10, edges=14, rows=rows, seed=1)
    result = run(Refined(), data)
    judged = {step.action: step.score for step in result.trace if step.phase == "network"}
    assert list(judged) == [f"by {search.score.kind}" for search in Refined().of]
    alone = {
        f"by {search.score.kind}": total(Refined().score, run(search, data).graph, data) for search in Refined().of
    }
    assert judged == pytest.approx(alone, rel=0.01)  # restarts are drawn one search after another
    best = max(judged, key=judged.__getitem__)
    assert best == f"by {taken}"
    start = next(run(search, data).graph for search in Refined().of if search.score.kind == taken)
    assert result.score >= judged[best]
    assert result.score == pytest.approx(total(Refined().score, result.graph, data), rel=1e-9)
    assert {frozenset(edge) for edge in result.graph.edges} <= {frozenset(edge) for edge in start.edges}
    assert shd(result.cpdag, dag.cpdag().reordered(result.cpdag.names)) <= 4


def test_what_is_known_is_kept():
    data, dag = simulate("additive-processes", nodes=6, edges=7, rows=300, seed=2)
    a, b = dag.names[0], dag.names[-1]
    known = Knowledge(required=[(a, b)], forbidden=[(dag.names[1], dag.names[2]), (dag.names[2], dag.names[1])])
    graph = run(Refined(), data, knowledge=known).graph
    assert (a, b) in graph.edges
    assert not {(dag.names[1], dag.names[2]), (dag.names[2], dag.names[1])} & set(graph.edges)


class StopIn:
    """Asks to stop when the first network has been judged."""

    def __init__(self):
        self.seen = False

    def report(self, progress):
        self.seen = self.seen or progress.phase == "network"

    def should_stop(self):
        return self.seen


def test_what_was_found_is_kept_when_it_is_stopped():
    data, _ = simulate("sines", nodes=8, edges=10, rows=300, seed=1)
    result = run(Refined(), data, monitor=StopIn())
    assert result.status == "stopped"
    assert result.graph.n_edges
    assert result.score == pytest.approx(total(Refined().score, result.graph, data), rel=1e-9)
    assert any("stopped before edges were looked at again" in warning for warning in result.warnings)


def test_the_preset_and_its_options():
    data, _ = simulate("sines", nodes=5, edges=5, rows=300, seed=1)
    assert arcwise.learn(data, "smooth").method == "smooth"
    other = Refined(of=(Boss(score=Smooth(form="additive")),), search=HillClimb(score=SmoothRegression(features=2)))
    assert run(other, data).graph.n_edges
    assert Refined(of=(Boss(score=DegenerateGaussian()),)).score == SmoothRegression()
    few = catalog.configure(Refined(), {"features": 2})
    assert few.score.features == few.of[0].score.features == 2
    with pytest.raises(OptionError, match="at least one search"):
        Refined(of=())


def test_a_part_that_cannot_take_the_columns_says_so():
    data, _ = simulate("sines", nodes=4, edges=3, rows=100, seed=1)
    with pytest.raises(arcwise.ArcwiseError, match="is continuous, but the score 'bic' needs discrete"):
        run(Refined(search=HillClimb(score=BIC())), data)
