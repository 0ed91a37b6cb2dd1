"""From a result to a network with numbers."""

from __future__ import annotations

import numpy as np
import pytest

import arcwise
from arcwise.errors import GraphError
from arcwise.graph.pdag import Pdag
from arcwise.networks import Network
from tests.contract.parts import continuous_data, discrete_data, mixed_data


def test_tables_are_fitted_at_the_thresholds_of_the_result():
    data = continuous_data()
    result = arcwise.learn(data, "equal-frequency")
    net = result.fit(data, "cpt")
    assert net.dag == result.graph
    assert net.discretization.thresholds.keys() == result.discretization.thresholds.keys()
    cut = result.discretization.apply(data)
    assert net.to_bayesian_network().log_likelihood(cut) == pytest.approx(net.log_density(cut))
    assert result.discretization.apply(net.sample(50, seed=1)).kinds == cut.kinds


def test_regressions_are_fitted_to_the_numbers_themselves():
    data = continuous_data()
    net = arcwise.learn(data, "equal-frequency").fit(data, "gaussian")
    assert net.discretization is None
    assert {model.kind for model in net.models} == {"gaussian"}


def test_neural_networks_are_fitted_to_columns_of_any_kind(tmp_path):
    data = mixed_data()
    result = arcwise.learn(data, "neural-discretized")
    net = result.fit(data, "neural", components=2)
    assert {model.kind for model in net.models} == {"softmax-network", "mixture-density-network"}
    net.save(tmp_path / "net.json")
    again = Network.load(tmp_path / "net.json")
    assert np.array_equal(again.log_density(data), net.log_density(data))
    other = net.sample(200, seed=1)
    assert other.names == data.names
    assert net.log_density(other).mean() > net.log_density(data).mean() - 3


def test_options_of_the_model_are_passed_on():
    data = discrete_data()
    result = arcwise.learn(data, "hill-climb")
    assert result.fit(data, smoothing=5.0) != result.fit(data)


def test_a_skeleton_is_refused():
    data = discrete_data()
    with pytest.raises(GraphError, match="no directions; learn a graph, with mmhc"):
        arcwise.LearnResult(cpdag=Pdag(data.names)).fit(data)
