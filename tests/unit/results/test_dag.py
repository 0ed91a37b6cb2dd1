"""The one DAG of a result, whatever was learned."""

from __future__ import annotations

import numpy as np
import pytest

import arcwise
from arcwise import datasets
from arcwise.errors import GraphError
from arcwise.graph import Dag, Pdag
from arcwise.scores import BDeu, total
from tests.contract.parts import discrete_data


def test_a_search_gives_its_graph():
    result = arcwise.learn(datasets.load("cars1"), "hill-climb")
    assert result.dag() is result.graph
    assert {tuple(sorted(edge)) for edge in result.by_convention} == set(result.cpdag.undirected)
    assert result.convention == ""


@pytest.mark.parametrize("name", ["cars1", "housing", "heart"])
def test_a_pattern_with_conflicts_gives_its_best_dag(name):
    data = datasets.load(name)
    result = arcwise.learn(data, "pc")
    assert result.graph is None
    assert result.cpdag.bidirected
    dag = result.dag()
    assert Pdag.from_dag(dag).skeleton == result.cpdag.skeleton
    assert dag.names == data.names
    assert set(result.cpdag.directed) <= set(dag.edges)
    left_open = {*result.cpdag.undirected, *result.cpdag.bidirected}
    assert {tuple(sorted(edge)) for edge in result.by_convention} == left_open
    assert "conflicting evidence" in result.convention


def test_the_dag_does_not_depend_on_the_order_of_the_columns():
    data = datasets.load("heart")
    expected = arcwise.learn(data, "pc").dag()
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(data.names).tolist()
        assert arcwise.learn(data.select(order), "pc").dag() == expected


def test_lines_without_a_common_dag_are_no_skeleton():
    """TPDA finds a ring of undirected edges in `breast`: it looked for directions, and no DAG has none of them."""
    result = arcwise.learn(datasets.load("breast"), "tpda", unit="nats")
    assert result.graph is None
    assert not result.cpdag.directed
    assert not result.only_skeleton
    assert isinstance(result.dag(), Dag)
    assert len(result.by_convention) == result.cpdag.n_edges


@pytest.mark.parametrize("method", ["mmpc", "pmms"])
def test_a_skeleton_has_no_dag(method):
    result = arcwise.learn(discrete_data(), method)
    for ask in (result.dag, lambda: result.by_convention, lambda: result.fit(discrete_data())):
        with pytest.raises(GraphError, match=f"a result of {method} whose edges have no directions"):
            ask()


def test_a_pattern_is_fitted_with_the_model_that_suits():
    data = datasets.load("heart")
    result = arcwise.learn(data, "pc")
    net = result.fit(data)
    assert net.dag == result.dag()
    assert net.warnings[0] == result.convention
    assert {model.kind for model in net.models if not model.levels} == {"gaussian"}
    assert {model.kind for model in net.models if model.levels} <= {"cpt", "logistic"}
    cut = arcwise.discretize.EqualFrequency().fit(data).apply(data)
    assert {model.kind for model in arcwise.learn(cut, "pc").fit(cut).models} == {"cpt"}
    numbers = data.select([column.name for column in data.columns if not column.levels])
    assert {model.kind for model in arcwise.learn(numbers, "pc").fit(numbers).models} == {"gaussian"}


def test_a_pattern_is_not_scored_as_if_its_lines_were_no_edges():
    data = discrete_data()
    result = arcwise.learn(data, "hill-climb")
    with pytest.raises(GraphError, match=r"only a DAG can be scored.*result.dag\(\)"):
        total(BDeu(), result.cpdag, data)
    assert total(BDeu(), result.dag(), data) == pytest.approx(result.score)
