from __future__ import annotations

import pickle

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import DataError, GraphError
from arcwise.networks import GaussianNetwork, random_dag, random_gaussian_network


def chain() -> GaussianNetwork:
    """b -> a -> c and b -> c, with the nodes not in topological order."""
    weights = np.array([[0.0, 0.0, 2.0], [-0.5, 0.0, 1.0], [0.0, 0.0, 0.0]])
    return GaussianNetwork(("a", "b", "c"), weights, np.array([1.0, 2.0, 0.5]), np.array([10.0, -1.0, 3.0]))


def matrix(data: Dataset) -> np.ndarray:
    return np.stack([column.values for column in data.columns])


def test_structure() -> None:
    net = chain()
    assert net.dag.edges == (("a", "c"), ("b", "a"), ("b", "c"))
    assert repr(net) == "Network(3 nodes, 3 edges: 3 gaussian)"


def test_covariance_by_hand() -> None:
    """Var b = 4, a = -b/2 + e: Var a = 1 + 1, c = 2a + b + e': c = 2 e_a + e_c as b cancels."""
    expected = [[2.0, -2.0, 2.0], [-2.0, 4.0, 0.0], [2.0, 0.0, 4.25]]
    np.testing.assert_allclose(chain().covariance(), expected, atol=1e-12)


def test_samples_have_the_exact_moments() -> None:
    net = random_gaussian_network(random_dag(8, n_edges=12, seed=2), seed=2)
    n = 200_000
    data = net.sample(n, seed=9)
    assert set(data.kinds) == {Kind.CONTINUOUS}
    exact = net.covariance()
    empirical = np.cov(matrix(data))
    # The sample covariance of a normal has variance (s_ii s_jj + s_ij^2) / n.
    error = np.sqrt((np.outer(np.diag(exact), np.diag(exact)) + exact**2) / n)
    assert (np.abs(empirical - exact) < 4.5 * error).all()


def test_means_are_means() -> None:
    data = chain().sample(100_000, seed=0)
    np.testing.assert_allclose(matrix(data).mean(axis=1), [10, -1, 3], atol=0.04)


def test_log_density_is_the_multivariate_normal() -> None:
    net = chain()
    data = net.sample(50, seed=1)
    exact = multivariate_normal(net.means, net.covariance()).logpdf(matrix(data).T)
    np.testing.assert_allclose(net.log_density(data), exact, rtol=1e-10)
    np.testing.assert_array_equal(net.log_density(data.select(["c", "a", "b"])), net.log_density(data))


def test_log_density_needs_continuous_columns() -> None:
    discrete = Column("a", Kind.DISCRETE, np.zeros(2, dtype=np.uint8), levels=("x",))
    with pytest.raises(DataError, match="'a' is discrete"):
        chain().log_density(Dataset((discrete,)))


def test_standardized_keeps_correlations() -> None:
    net = chain()
    standard = net.standardized()
    scale = np.sqrt(np.diag(net.covariance()))
    np.testing.assert_allclose(standard.covariance(), net.covariance() / np.outer(scale, scale), atol=1e-12)
    assert standard.dag == net.dag
    assert not standard.means.any()


def test_seeds_prefixes_and_immutability() -> None:
    net = chain()
    np.testing.assert_array_equal(matrix(net.sample(30, seed=5)), matrix(net.sample(60, seed=5))[:, :30])
    assert (matrix(net.sample(30, seed=5)) != matrix(net.sample(30, seed=6))).all()
    for copy in (net, pickle.loads(pickle.dumps(net))):
        with pytest.raises(ValueError, match="read-only"):
            copy.weights[0, 1] = 3


@pytest.mark.parametrize(
    ("weights", "sds", "message"),
    [
        ([[0, 1], [1, 0]], [1, 1], "cycle"),
        ([[1, 0], [0, 0]], [1, 1], "node 'a' is joined to itself"),
        ([[0, 1], [0, 0]], [1, 0], "node 'b' has noise of standard deviation 0"),
        ([[0, np.nan], [0, 0]], [1, 1], "weights of the network must be finite"),
        ([[0, 1]], [1, 1], r"weights .* shape \(2, 2\), not \(1, 2\)"),
        ([[0, 1], [0, 0]], "sd", "sds of the network must be an array"),
    ],
)
def test_faulty_definitions(weights: object, sds: object, message: str) -> None:
    with pytest.raises(GraphError, match=message):
        GaussianNetwork(("a", "b"), weights, sds, np.zeros(2))  # type: ignore[arg-type]
