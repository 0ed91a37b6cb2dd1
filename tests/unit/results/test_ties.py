"""How strong edges are: by the score, by resamples, by draws of missing cells, or not known."""

import json
from dataclasses import replace

import numpy as np
import pytest

import arcwise
from arcwise import catalog, datasets
from arcwise.errors import GraphError
from arcwise.graph.dag import Dag
from arcwise.parts.protocols import resolved
from arcwise.problem import Problem, score_of
from arcwise.results.result import LearnResult
from arcwise.results.support import support
from arcwise.scores import KGV, GaussianBIC, total
from arcwise.search import HillClimb

METHODS = ("hill-climb", "steck", "gaussian", "kgv", "mmhc", "k2", "equal-frequency")


@pytest.fixture(scope="module")
def table():
    return datasets.load("abalone").take(range(600))


@pytest.mark.parametrize("method", METHODS)
def test_support_is_what_the_total_score_loses_without_the_edge(table, method):
    result = arcwise.learn(table, method)
    cut = table if result.discretization is None else result.discretization.apply(table)
    score = resolved(score_of(catalog.method(method).learner), cut)
    assert set(result.support) == set(result.graph.edges)
    for edge, nats in result.support.items():
        without = Dag(result.graph.names, [one for one in result.graph.edges if one != edge])
        lost = total(score, result.graph, cut) - total(score, without, cut)
        assert nats == pytest.approx(lost, abs=1e-6)


def test_ties_have_the_pairs_of_the_pattern_and_either_order_finds_them(table):
    result = arcwise.learn(table, "hill-climb")
    found = result.ties
    assert found.measure == "nats"
    pattern = result.cpdag
    assert list(found.values) == [*pattern.directed, *pattern.undirected, *pattern.bidirected]
    for (a, b), nats in found.values.items():
        assert found.of(a, b) == found.of(b, a) == nats
    assert found.of("sex", "sex") is None


def test_shares_of_resamples_come_before_nats(table):
    result = arcwise.learn(table, "hill-climb", bootstrap=5)
    assert result.support
    assert result.ties.measure == "share"
    assert result.ties.words == "share of the 5 resamples with the edge"
    assert result.ties.values == {pair: result.bootstrap.between(*pair).share for pair in result.ties.values}


def test_draws_of_missing_cells_give_shares_and_no_nats(table):
    columns = {column.name: list(column.values) for column in table.columns if column.name in ("length", "height")}
    columns["length"][3] = None
    result = arcwise.learn(columns, "hill-climb")
    assert result.support == {}
    assert result.ties.measure == "share"
    assert "draw" in result.ties.words


def test_nothing_is_known_of_the_edges_of_tests(table):
    result = arcwise.learn(table, "pc")
    assert result.ties.measure == ""
    assert result.ties.values == {}
    assert result.ties.of(*result.cpdag.skeleton[0]) is None


def test_support_is_kept_and_older_results_have_none(table):
    result = arcwise.learn(table, "hill-climb")
    content = json.loads(json.dumps(result.to_dict()))
    assert LearnResult.from_dict(content).support == result.support
    del content["support"]
    assert LearnResult.from_dict(content).ties.measure == ""


def test_support_of_other_edges_is_refused(table):
    content = arcwise.learn(table, "hill-climb").to_dict()
    content["support"] = [["sex", "nobody", 1.0]]
    with pytest.raises(GraphError, match="'support'"):
        LearnResult.from_dict(content)


def test_a_score_of_other_rows_says_nothing(table):
    """As where auto is stopped while it judges: its network was learned from a part of the rows."""
    learner = catalog.method("gaussian").learner
    whole, part = (
        Problem.of(one, rng=np.random.default_rng(0), keep=True) for one in (table, table.take(slice(0, 300)))
    )
    answer = learner.solve(whole)
    assert support(whole, answer, score_of(learner)) == arcwise.learn(table, "gaussian").support
    assert support(part, answer, score_of(learner)) == {}
    assert support(whole, replace(answer, score=None), score_of(learner)) == {}


def test_a_score_is_bound_once(table, monkeypatch):
    """It may take as long as the search, as that of kernels does."""
    bound = []
    bind = KGV.bind
    monkeypatch.setattr(KGV, "bind", lambda self, data: bound.append(data) or bind(self, data))
    assert arcwise.learn(table, "kgv").support
    assert len(bound) == 1


def test_parts_alone_tell_it_as_well(table):
    result = HillClimb(score=GaussianBIC()).learn(table.select(["height", "length"]), rng=np.random.default_rng(0))
    assert set(result.support) == set(result.graph.edges)
