from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import trapezoid
from scipy.stats import norm

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import GraphError, OptionError
from arcwise.networks import LinearMixture, MixtureNetwork, random_mixture_network


def small() -> MixtureNetwork:
    """y given x: 0.25 N(1 + 2x, 1) + 0.75 N(-3 - x, 0.5)."""
    return MixtureNetwork(
        names=("y", "x"),
        parents=(("x",), ()),
        mixtures=(
            LinearMixture(np.array([0.25, 0.75]), np.array([[1.0, 2.0], [-3.0, -1.0]]), np.array([1.0, 0.5])),
            LinearMixture(np.array([1.0]), np.array([[4.0]]), np.array([2.0])),
        ),
        response="y",
    )


def rows(x: np.ndarray, y: np.ndarray) -> Dataset:
    return Dataset((Column("x", Kind.CONTINUOUS, x), Column("y", Kind.CONTINUOUS, y)))


def test_density_by_hand() -> None:
    x, y = np.array([0.0, 1.0, -2.0]), np.array([1.0, -4.0, 50.0])
    result = small().log_density(rows(x, y))
    exact = 0.25 * norm.pdf(y, 1 + 2 * x, 1) + 0.75 * norm.pdf(y, -3 - x, 0.5)
    np.testing.assert_allclose(np.exp(result), exact)
    assert result[2] == pytest.approx(np.log(0.25) + norm.logpdf(50, -3, 1))  # no underflow far out
    np.testing.assert_allclose(small().log_density(rows(x, y), "x"), norm.logpdf(x, 4, 2))


def test_density_integrates_to_one() -> None:
    grid = np.linspace(-60, 60, 40_001)
    net = random_mixture_network(2, 5, seed=3)
    data = net.sample(1, seed=0)
    columns = [Column(c.name, c.kind, np.repeat(c.values, len(grid))) for c in data.columns]
    centre = net.conditional_mean(data)[0]
    at = data.names.index(net.response)
    columns[at] = Column(net.response, Kind.CONTINUOUS, centre + 20 * grid)
    total = trapezoid(np.exp(net.log_density(Dataset(tuple(columns)))), centre + 20 * grid)
    assert total == pytest.approx(1, abs=1e-6)


def test_conditional_mean() -> None:
    x = np.array([0.0, 1.0])
    expected = 0.25 * (1 + 2 * x) + 0.75 * (-3 - x)
    np.testing.assert_allclose(small().conditional_mean(rows(x, x)), expected)


def test_samples_follow_the_density() -> None:
    """The probability integral transform of y given x is uniform."""
    data = small().sample(100_000, seed=4)
    x, y = data.column("x").values, data.column("y").values
    transformed = 0.25 * norm.cdf(y, 1 + 2 * x, 1) + 0.75 * norm.cdf(y, -3 - x, 0.5)
    counts = np.bincount((transformed * 20).astype(int), minlength=20)
    assert ((counts - 5000) ** 2 / 5000).sum() < 43.8  # chi-square with 19 degrees of freedom, p = 0.001
    assert abs(np.corrcoef(transformed, x)[0, 1]) < 0.015
    assert (x.mean(), x.std()) == pytest.approx((4, 2), rel=0.02)


@pytest.mark.parametrize("n_parents", [1, 2, 3])
@pytest.mark.parametrize("k", [3, 5, 7])
def test_structure_and_parameters_of_random_networks(n_parents: int, k: int) -> None:
    net = random_mixture_network(n_parents, k, seed=10 * k + n_parents)
    dag, parents = net.dag, net.dag.parents(net.response)
    assert (len(net.names), len(parents)) == (12, n_parents)
    others = set(net.names) - {net.response, *parents}
    assert dag.ancestors(net.response) == set(net.names) - {net.response}
    assert dag.n_edges == 11
    for other in others:
        assert dag.d_separated(other, net.response, parents)
        assert set(dag.children(other)) <= set(parents)
    for mixture in net.mixtures:
        sizes = np.abs(mixture.coefficients)
        assert mixture.weights.shape == (k,)
        assert mixture.weights.sum() == pytest.approx(1)
        assert ((sizes >= 1) & (sizes <= k + 1)).all()
        assert ((mixture.sds >= 1) & (mixture.sds <= 10)).all()


def test_random_networks_vary_and_repeat() -> None:
    responses = {random_mixture_network(seed=seed).response for seed in range(60)}
    assert len(responses) > 8
    first, again = (random_mixture_network(seed=1) for _ in range(2))
    assert first.dag == again.dag
    np.testing.assert_array_equal(
        first.sample(20, seed=3).columns[0].values, again.sample(40, seed=3).columns[0].values[:20]
    )
    assert repr(first).startswith("Network(12 nodes, 11 edges: 12 linear-mixture, response 'X")


def test_refusals() -> None:
    with pytest.raises(OptionError, match="n_parents 12"):
        random_mixture_network(12, seed=0)
    with pytest.raises(OptionError, match="n_components 0"):
        random_mixture_network(1, 0, seed=0)
    with pytest.raises(GraphError, match="sum to 1"):
        LinearMixture(np.array([0.5, 0.4]), np.zeros((2, 1)), np.ones(2))
    with pytest.raises(GraphError, match="2 rows of coefficients"):
        LinearMixture(np.array([0.5, 0.5]), np.zeros((1, 1)), np.ones(2))
    one = LinearMixture(np.ones(1), np.zeros((1, 1)), np.ones(1))
    with pytest.raises(GraphError, match="node 'b' needs an intercept and 1 coefficients"):
        MixtureNetwork(("a", "b"), ((), ("a",)), (one, one), "b")
    with pytest.raises(GraphError, match="unknown node 'z'"):
        MixtureNetwork(("a",), ((),), (one,), "z")
    with pytest.raises(GraphError, match="2 nodes"):
        MixtureNetwork(("a", "b"), ((),), (one,), "a")
