"""One class for every network: what all kinds have in common, and what earlier versions saved."""

from __future__ import annotations

import pickle
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

import arcwise
from arcwise import Dag, Network, networks
from arcwise.data.dataset import Dataset
from arcwise.errors import DataError, GraphError, OptionError
from arcwise.networks import random_dag, random_gaussian_network, random_mixture_network

FILES = Path(__file__).parent / "files"


def digest(data: Dataset) -> str:
    found = sha256()
    for column in data.columns:
        found.update(np.ascontiguousarray(column.values).tobytes())
    return found.hexdigest()[:16]


def gaussian() -> Network:
    return random_gaussian_network(random_dag(6, n_edges=8, seed=3), seed=3)


def mixture() -> Network:
    return random_mixture_network(2, 3, n_variables=5, seed=3)


def neural() -> Network:
    data = gaussian().sample(60, seed=1)
    table = arcwise.Discretization({data.names[0]: np.zeros(1)}).apply(data)
    dag = Dag(data.names, [(data.names[0], data.names[1]), (data.names[1], data.names[2])])
    return networks.fit(dag, table, "neural", iterations=5, restarts=1, hidden=2, components=2)


def cut() -> Network:
    data = gaussian().sample(200, seed=1)
    names = data.names[:3]
    return networks.fit(
        Dag(names, [(names[0], names[1])]), data, discretization=arcwise.Discretization({n: np.zeros(1) for n in names})
    )


EVERY = {
    "tables": lambda: networks.load("child"),
    "gaussian": gaussian,
    "mixture": mixture,
    "neural": neural,
    "cut": cut,
}


@pytest.fixture(params=list(EVERY))
def net(request: pytest.FixtureRequest) -> Network:
    return EVERY[request.param]()


def rows(data: Dataset) -> list[list[object]]:
    return [column.values.tolist() for column in data.columns]


def test_samples_of_bundled_networks_are_those_of_earlier_versions() -> None:
    assert digest(networks.load("alarm").sample(500, seed=1)) == "6fb38701a7e50083"
    assert digest(networks.load("hailfinder3").sample(500, seed=1)) == "db1d5f4258bb5eda"
    assert digest(networks.load("child").shuffled(4)[0].sample(200, seed=1)) == "a49b52fe62aff8a7"


def test_files_of_earlier_versions_are_read() -> None:
    child = Network.load(FILES / "child.json")
    assert child == networks.load("child") == networks.BayesianNetwork.load(FILES / "child.json")
    assert rows(child.sample(100, seed=2)) == rows(networks.load("child").sample(100, seed=2))
    cuts = Network.load(FILES / "fit_cpt.json")
    assert digest(cuts.to_bayesian_network().sample(100, seed=1)) == "386b3a8882f51b8f"
    fitted = arcwise.FittedNetwork.load(FILES / "fit_gaussian.json")
    drawn = fitted.sample(200, seed=5)
    expected = {
        "height": [0.17965719436217553, 0.14385964064653134, 0.134738986059157],
        "rings": [10.309311469285952, 13.152802816064797, 10.296961489391677],
    }
    for name, values in expected.items():
        np.testing.assert_allclose(drawn.column(name).values[:3], values, rtol=1e-12)


def test_names_of_earlier_versions_are_the_same_things() -> None:
    from arcwise.models.fit import fit
    from arcwise.models.network import FittedNetwork
    from arcwise.models.neural import fit_neural

    assert FittedNetwork is arcwise.FittedNetwork is Network
    assert fit is networks.fit
    assert fit_neural is networks.fit_neural
    for made in (networks.BayesianNetwork, networks.GaussianNetwork, networks.MixtureNetwork):
        assert issubclass(made, Network)


def test_every_kind_is_saved_with_all_its_bits(net: Network, tmp_path: Path) -> None:
    net.save(tmp_path / "net.json")
    again = Network.load(tmp_path / "net.json")
    assert again == net
    assert (again.response, again.numbered, again.title) == (net.response, net.numbered, net.title)
    data = net.sample(40, seed=3)
    assert rows(again.sample(40, seed=3)) == rows(data)
    np.testing.assert_array_equal(again.log_density(data), net.log_density(data))
    copy = pickle.loads(pickle.dumps(net))
    assert copy == net
    assert rows(copy.sample(40, seed=3)) == rows(data)


def test_every_kind_can_be_renamed_and_put_in_another_order(net: Network) -> None:
    called = {name: f"{name}'" for name in net.names}
    other = net.renamed(called).reordered([called[name] for name in reversed(net.names)])
    assert other.names == tuple(called[name] for name in reversed(net.names))
    assert other != net
    data = net.sample(30, seed=1)
    renamed = Dataset(tuple(type(c)(called[c.name], c.kind, c.values, c.levels, c.ordered) for c in data.columns))
    np.testing.assert_allclose(other.log_density(renamed), net.log_density(data), rtol=1e-12)
    back = other.renamed({new: old for old, new in called.items()}).reordered(net.names)
    assert back == net


def test_rows_count_as_often_as_their_weights_say(net: Network) -> None:
    data = net.sample(10, seed=1)
    weighted = data.weighted(np.arange(1, 11))
    np.testing.assert_array_equal(net.log_density(weighted), np.repeat(net.log_density(data), np.arange(1, 11)))


def test_a_fit_counts_rows_as_often_as_their_weights_say() -> None:
    data = networks.load("child").sample(50, seed=1).weighted(np.arange(50) % 3)
    dag = networks.load("child").dag
    assert networks.fit(dag, data) == networks.fit(dag, data.repeated())


def test_a_table_is_drawn_from_columns_with_levels_in_another_order() -> None:
    net = networks.load("child")
    data = net.sample(50, seed=1)
    turned = tuple(
        type(c)(c.name, c.kind, (c.cardinality - 1 - c.values).astype(c.values.dtype), c.levels[::-1])
        for c in data.columns
    )
    np.testing.assert_array_equal(net.log_density(Dataset(turned)), net.log_density(data))
    model = net.model("LungParench")
    one, other = (model.sample(d, np.random.default_rng(1)) for d in (data, Dataset(turned)))
    np.testing.assert_array_equal(one.values, other.values)


def test_linear_gaussians_are_predicted_from_what_is_known() -> None:
    """The conditional mean of a joint normal distribution."""
    net = gaussian()
    data = net.sample(20, seed=4)
    x, known = np.array([column.values for column in data.columns]), [1, 3, 4]
    s, m = net.covariance(), net.means
    expected = m[0] + s[0, known] @ np.linalg.solve(s[np.ix_(known, known)], x[known] - m[known, None])
    found = net.expected(net.names[0], data.select([net.names[i] for i in known]))
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_mixtures_are_predicted_from_parents_and_children() -> None:
    """Against a sum over a fine grid."""
    net = mixture()
    parent = net.dag.parents(net.response)[0]
    data = net.sample(5, seed=2)
    grid = np.linspace(-400, 400, 160_001)
    for row in range(5):
        one = data.take([row])
        many = Dataset(
            tuple(
                type(c)(c.name, c.kind, grid if c.name == parent else np.repeat(c.values, len(grid)))
                for c in one.columns
            )
        )
        logs = net.log_density(many, parent) + net.log_density(many, net.response)
        shares = np.exp(logs - logs.max())
        assert net.expected(parent, one)[0] == pytest.approx(shares @ grid / shares.sum(), abs=0.01)


def test_a_fitted_network_has_the_moments_of_its_models() -> None:
    truth = gaussian()
    fitted = networks.fit(truth.dag, truth.sample(20_000, seed=1), "gaussian")
    np.testing.assert_allclose(fitted.covariance(), truth.covariance(), rtol=0.1, atol=0.1)
    np.testing.assert_allclose(fitted.weights, truth.weights, atol=0.05)
    standard = fitted.standardized()
    np.testing.assert_allclose(np.diag(standard.covariance()), 1.0)


def test_questions_that_do_not_fit_the_network() -> None:
    with pytest.raises(GraphError, match="has a gaussian model and a discrete network needs tables only"):
        gaussian().marginal("X1")
    with pytest.raises(GraphError, match="is no linear Gaussian"):
        networks.load("child").covariance()
    with pytest.raises(OptionError, match="no response; give the name"):
        gaussian().conditional_mean(gaussian().sample(2, seed=1))
    with pytest.raises(DataError, match="has no levels"):
        mixture().level_probabilities("X1", mixture().sample(2, seed=1))
