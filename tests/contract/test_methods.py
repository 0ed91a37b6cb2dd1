"""What every preset in the catalog promises."""

from __future__ import annotations

import numpy as np
import pytest

import arcwise
from arcwise import catalog
from arcwise.data.dataset import Kind
from arcwise.parts.monitor import Progress
from arcwise.parts.protocols import Learner
from arcwise.parts.spec import to_spec
from arcwise.problem import Problem, score_of
from arcwise.scores import BDeu, total
from tests.contract.parts import continuous_data, discrete_data, mixed_data, reorder_rows, snapshot

KINDS = ("mixed", "discrete", "continuous")
HISTOGRAM_RULES = {"freedman-diaconis", "scott", "sturges"}  # more bins than a score of counts has rows for
SKELETONS = {"mmpc", "pmms"}  # neighbours without directions


@pytest.fixture(params=sorted(catalog.METHODS))
def method(request):
    return catalog.METHODS[request.param]


@pytest.fixture
def data():
    return mixed_data()


def test_learner_is_a_serialisable_part(method):
    assert isinstance(method.learner, Learner)
    assert catalog.from_spec(to_spec(method.learner)) == method.learner
    assert method.options
    assert method.paper
    assert method.summary


def test_same_seed_same_result_on_any_number_of_threads(method, data, monkeypatch):
    first = arcwise.learn(data, method.name, seed=5)
    monkeypatch.setenv("ARCWISE_THREADS", "3")
    second = arcwise.learn(data, method.name, seed=5)
    assert first.cpdag == second.cpdag
    assert (first.graph, first.score, first.counters) == (second.graph, second.score, second.counters)


def test_order_of_columns_is_immaterial(method, data):
    first = arcwise.learn(data, method.name)
    for seed in range(3):
        names = list(np.random.default_rng(seed).permutation(data.names))
        other = arcwise.learn(data.select(names), method.name)
        assert other.names == tuple(names)
        assert (other.graph, other.cpdag, other.score) == (first.graph, first.cpdag, first.score)


def test_order_of_rows_is_immaterial(method, data):
    first = arcwise.learn(data, method.name)
    other = arcwise.learn(reorder_rows(data, np.random.default_rng(4).permutation(data.n_rows)), method.name)
    assert (other.graph, other.cpdag) == (first.graph, first.cpdag)
    assert other.discretization == first.discretization


def test_input_is_not_changed(method, data):
    before = snapshot(data)
    arcwise.learn(data, method.name)
    assert snapshot(data) == before


class StopAtOnce:
    def __init__(self):
        self.reports: list[Progress] = []

    def report(self, progress):
        self.reports.append(progress)

    def should_stop(self):
        return bool(self.reports)


def test_stops_when_asked(method, data):
    result = arcwise.learn(data, method.name, monitor=StopAtOnce())
    assert result.status in ("stopped", "unanswered")
    assert result.names == data.names


def test_result_survives_saving(method, data, tmp_path):
    result = arcwise.learn(data, method.name)
    path = tmp_path / "result.json"
    result.save(path)
    assert arcwise.LearnResult.load(path).to_dict() == result.to_dict()
    assert str(arcwise.LearnResult.load(path)) == str(result)


def test_the_score_named_is_the_one_the_search_used(method, data):
    result = arcwise.learn(data, method.name)
    spec = result.scored_with or None  # that of the method that was chosen, where one was
    assert (spec is None) == (result.score is None)
    if spec is not None and not result.states:  # else it is the score of states as they were drawn
        table = data if result.discretization is None else result.discretization.apply(data)
        assert total(catalog.from_spec(spec), result.graph, table) == pytest.approx(result.score, rel=1e-12)


@pytest.mark.parametrize("table", [mixed_data(3000), discrete_data(3000), continuous_data(3000)], ids=KINDS)
def test_dependence_is_found(method, table):
    """The six columns depend on each other strongly enough for any method to see it in 3000 rows."""
    result = arcwise.learn(table, method.name)
    too_fine = method.name in HISTOGRAM_RULES and Kind.DISCRETE not in table.kinds
    assert (0 if too_fine else 3) <= result.cpdag.n_edges <= 12
    if method.name in SKELETONS:
        assert result.graph is None
        assert not result.cpdag.directed
    elif result.graph is None:
        assert any("contradict" in warning for warning in result.warnings)
    else:
        known = Problem.of(table, rng=np.random.default_rng(0)).within(score_of(method.learner) or BDeu()).knowledge
        assert known.pattern(result.graph.reordered(sorted(table.names))) == result.cpdag.reordered(sorted(table.names))


def test_knowledge_is_obeyed(method, data):
    free = arcwise.learn(data, method.name).cpdag
    pairs = {frozenset(pair) for pair in free.skeleton}
    barred = sorted(min(pairs, key=sorted))
    fit = Problem.of(data, rng=np.random.default_rng(0)).within(score_of(method.learner) or BDeu())
    fits = {(fit.names[u], fit.names[v]) for u, v in np.argwhere(fit.knowledge.allowed)}
    names = data.names
    absent = [(a, b) for a in names for b in names if a < b and (a, b) in fits and frozenset((a, b)) not in pairs]
    required = absent[0] if absent else next((a, b) for a, b in free.skeleton if {a, b} != set(barred))
    knowledge = arcwise.Knowledge(required=[required], forbidden=[tuple(barred), tuple(reversed(barred))])
    result = arcwise.learn(data, method.name, knowledge=knowledge)
    found = {frozenset(pair) for pair in result.cpdag.skeleton}
    assert frozenset(barred) not in found
    assert frozenset(required) in found
    if method.name not in SKELETONS:
        assert required in result.cpdag.directed
    if result.graph is not None:
        assert required in result.graph.edges


def test_tiers_are_obeyed(method, data):
    tiers = [data.names[:3], data.names[3:]]
    result = arcwise.learn(data, method.name, knowledge=arcwise.Knowledge(tiers=tiers))
    arrows = [*result.cpdag.directed, *(result.graph.edges if result.graph is not None else ())]
    assert all(not (a in tiers[1] and b in tiers[0]) for a, b in arrows)
    assert result.cpdag.n_edges > 0


def test_counters_tell_the_work(method, data):
    work = arcwise.learn(data, method.name).counters
    assert work.tests > 0 or 0 < work.score_computed <= work.score_asked
