"""The score of given thresholds and a given network: what the loop of every policy raises."""

from __future__ import annotations

from math import lgamma

import numpy as np
import pytest

import arcwise
from arcwise import Dag
from arcwise.catalog import method
from arcwise.discretize import Discretization, Steck, joint_score
from arcwise.errors import DataError, GraphError, OptionError
from tests.contract.parts import mixed_data


@pytest.mark.parametrize("name", ["steck", "monti", "monti-orders", "friedman", "top-down", "optimal", "chen"])
def test_it_is_that_of_the_rounds_of_a_loop(name):
    learner, data = method(name).learner, mixed_data(80)
    rounds = arcwise.learn(data, name).rounds
    assert rounds
    for one in rounds:
        found = joint_score(learner.policy, data, one.graph, one.discretization, score=learner.network_score)
        assert found == pytest.approx(one.joint_score, rel=1e-12)


def test_by_hand():
    """Two levels of 2 and 4 rows: ln p of the levels with 1/2 in each cell, less ln Gamma(2) + ln Gamma(4)."""
    data = arcwise.Dataset.from_frame({"x": [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]})
    levels = lgamma(1.0) - lgamma(7.0) + lgamma(2.5) + lgamma(4.5) - 2 * lgamma(0.5)
    found = joint_score(Steck(), data, Dag(("x",), []), Discretization({"x": [2.0]}))
    assert found == pytest.approx(levels - lgamma(2.0) - lgamma(4.0), rel=1e-12)


def test_orders_of_rows_and_columns_and_weights_do_not_matter():
    data, rng = mixed_data(60), np.random.default_rng(1)
    learned = arcwise.learn(data, "steck")
    found = joint_score(Steck(), data, learned.graph, learned.discretization)
    shuffled = data.select(list(rng.permutation(data.names))).take(rng.permutation(60))
    assert joint_score(Steck(), shuffled, learned.graph, learned.discretization) == pytest.approx(found, rel=1e-12)
    twice = data.take(np.repeat(np.arange(60), 2))
    weighted = joint_score(Steck(), data.weighted(np.full(60, 2)), learned.graph, learned.discretization)
    assert weighted == pytest.approx(joint_score(Steck(), twice, learned.graph, learned.discretization), rel=1e-12)


def test_what_does_not_fit_is_told():
    data = arcwise.Dataset.from_frame({"x": [1.5, 2.5, 3.5, 0.5], "t": ["a", "b", "a", "b"]})
    empty = Dag(("x", "t"), [])
    with pytest.raises(DataError, match="lack column 'x'"):
        joint_score(Steck(), data, empty, Discretization({}))
    with pytest.raises(DataError, match="'t' is discrete"):
        joint_score(Steck(), data, empty, Discretization({"x": [2.0], "t": [0.5]}))
    with pytest.raises(GraphError, match="'t' is no node"):
        joint_score(Steck(), data, Dag(("x",), []), Discretization({"x": [2.0]}))
    with pytest.raises(OptionError):
        joint_score(Steck(), data, empty, Discretization({"x": [2.0]}), score="bdeu")
