"""A skeleton, then a search among its edges: MMHC, PMMHC, and other pairs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import arcwise
from arcwise.constraint import PC
from arcwise.constraint.max_min.max_min import MMPC, PMMS
from arcwise.errors import DataError, OptionError
from arcwise.graph.dag import Dag
from arcwise.independence import DSeparation, GSquared
from arcwise.learners.hybrid import Hybrid
from arcwise.parts.knowledge import Knowledge
from arcwise.parts.protocols import Learner
from arcwise.scores import BDeu, total
from arcwise.search import HillClimb, Tabu
from tests.contract.parts import discrete_data, mixed_data
from tests.oracle.independence import continuous_table

MMHC, PMMHC = Hybrid(), Hybrid(skeleton=PMMS())


def learn(learner, data, **more):
    return learner.learn(data, rng=np.random.default_rng(0), **more)


@pytest.mark.parametrize("learner", [MMHC, PMMHC])
def test_arcs_lie_on_the_skeleton_and_both_parts_are_told(learner):
    data = discrete_data(1000)
    skeleton = learn(learner.skeleton, data)
    result = learn(learner, data)
    assert set(result.graph.cpdag().skeleton) <= set(skeleton.cpdag.skeleton)
    assert result.cpdag.n_edges >= 3
    assert result.counters.tests == skeleton.counters.tests > 0
    assert result.counters.score_computed > 0
    assert {step.phase for step in result.trace} == {"skeleton", "search"}
    assert result.trace[: len(skeleton.trace)] == skeleton.trace
    assert result.status == "converged"


def test_the_search_is_the_papers_tabu_search_with_its_score():
    search = MMHC.search
    assert (search.kind, search.tenure, search.patience) == ("tabu", 100, 15)
    assert search.score.discrete == BDeu(ess=10, arc_prior=1 / 11)
    data = discrete_data(1000)
    result = learn(MMHC, data)
    assert result.score == pytest.approx(total(BDeu(ess=10, arc_prior=1 / 11), result.graph, data), rel=1e-12)


def test_without_a_skeleton_to_respect_it_is_the_search_alone():
    data = discrete_data(500)
    complete = Dag(data.names, [(a, b) for i, a in enumerate(data.names) for b in data.names[i + 1 :]])
    everywhere = Hybrid(skeleton=MMPC(test=DSeparation(complete)))
    assert learn(everywhere, data).graph == learn(MMHC.search, data).graph
    nowhere = Hybrid(skeleton=MMPC(test=DSeparation(Dag(data.names))))
    assert learn(nowhere, data).cpdag.n_edges == 0


def test_any_pattern_can_be_the_skeleton_and_hill_climbing_the_search():
    data = discrete_data(1000)
    mixed_up = Hybrid(skeleton=PC(test=GSquared()), search=HillClimb(score=BDeu()))
    result = learn(mixed_up, data)
    pattern = learn(mixed_up.skeleton, data).cpdag
    assert set(result.graph.cpdag().skeleton) <= set(pattern.skeleton)
    assert result.cpdag.n_edges >= 3


@pytest.mark.parametrize(
    "data", [mixed_data(400), continuous_table(np.random.default_rng(1), 400, 6)], ids=["mixed", "continuous"]
)
def test_columns_of_other_kinds_get_the_scores_that_suit_them(data):
    learner = replace(MMHC, skeleton=MMPC(test=DSeparation(Dag(data.names, [(data.names[0], data.names[1])]))))
    result = learn(learner, data)
    assert result.score is not None
    assert result.cpdag.n_edges <= 1
    assert learn(MMHC, continuous_table(np.random.default_rng(1), 400, 6)).cpdag.n_edges >= 5


def test_knowledge_holds_in_both_parts():
    data = discrete_data(1000)
    free = learn(MMHC, data)
    a, b = free.graph.edges[0]
    c, d = next((c, d) for c in data.names for d in data.names if c != d and not free.cpdag.adjacent(c, d))
    known = Knowledge(required=[(c, d)], forbidden=[(a, b), (b, a)])
    result = learn(MMHC, data, knowledge=known)
    assert (c, d) in result.graph.edges
    assert (c, d) in result.cpdag.directed
    assert not result.cpdag.adjacent(a, b)
    one_way = learn(MMHC, data, knowledge=Knowledge(forbidden=[(a, b)]))
    assert (a, b) not in one_way.graph.edges


def test_a_start_graph_is_where_the_search_begins():
    data = discrete_data(1000)
    found = learn(MMHC, data)
    again = learn(replace(MMHC, search=HillClimb(score=MMHC.search.score)), data, start=found.graph)
    assert again.counters.steps == 0
    assert again.graph == found.graph


def test_column_order_and_threads_change_nothing(monkeypatch):
    data = discrete_data(500)
    first = learn(PMMHC, data)
    monkeypatch.setenv("ARCWISE_THREADS", "3")
    other = learn(PMMHC, data.select(sorted(data.names, reverse=True)))
    assert other.names == tuple(sorted(data.names, reverse=True))
    assert (other.graph, other.score, other.counters) == (first.graph, first.score, first.counters)


class StopAfter:
    def __init__(self, times):
        self.left = times

    def report(self, progress):
        pass

    def should_stop(self):
        self.left -= 1
        return self.left < 0


@pytest.mark.parametrize("times", [0, 3, 12, 20])
def test_a_stopped_run_says_so(times, monkeypatch):
    monkeypatch.setenv("ARCWISE_THREADS", "1")
    result = learn(MMHC, discrete_data(), monitor=StopAfter(times))
    assert result.status == "stopped"
    assert result.graph is not None
    result.to_dict()


def test_a_run_stopped_while_testing_says_what_its_graph_is_worth():
    result = learn(MMHC, discrete_data(), monitor=StopAfter(0))
    assert "before the search began" in result.warnings[0]
    assert result.graph.n_edges == 0
    assert not any("before the search" in warning for warning in learn(MMHC, discrete_data()).warnings)


def test_is_a_part_for_arcwise_learn(tmp_path):
    assert isinstance(MMHC, Learner)
    result = arcwise.learn(discrete_data(), PMMHC)
    assert result.spec["skeleton"]["kind"] == "pmms"
    result.save(tmp_path / "result.json")
    assert arcwise.LearnResult.load(tmp_path / "result.json").to_dict() == result.to_dict()
    assert arcwise.learn(discrete_data(), MMHC, alpha=0.001).spec["skeleton"]["alpha"] == 0.001


def test_warnings_are_told_once():
    x = np.random.default_rng(2).normal(size=50)
    data = arcwise.Dataset.from_frame({"x": x, "same": x, "y": x**2 + 0.1 * x}, continuous=["x", "same", "y"])
    warnings = learn(MMHC, data).warnings
    assert any("linear function" in warning for warning in warnings)
    assert len(warnings) == len(set(warnings))


def test_a_score_that_does_not_fit_the_columns_is_refused_by_name():
    with pytest.raises(DataError, match="'x00' is continuous"):
        learn(Hybrid(search=Tabu()), continuous_table(np.random.default_rng(3), 50, 3))


def test_only_searches_that_score_networks_are_taken():
    with pytest.raises(OptionError, match=r"'search' must be a search that scores networks, such as .*, not 'pc'"):
        Hybrid(search=PC())
