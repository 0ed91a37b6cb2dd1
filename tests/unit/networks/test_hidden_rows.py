"""Rows with missing cells: what networks say of them is what every combination of the missing cells says together."""

from __future__ import annotations

import numpy as np
import pytest

from arcwise import Dag, networks
from arcwise.data.dataset import Dataset
from arcwise.errors import DataError, OptionError
from arcwise.networks import BayesianNetwork
from arcwise.networks.inference import hidden_levels, hidden_rows
from arcwise.networks.inference.hidden_rows import HiddenRows
from tests.oracle import hidden
from tests.unit.networks.holes import mixed_network, random_tables, with_holes


def check_rows(net, data):
    """Densities, predictions and cells of all rows against their twins."""
    found = net.log_density(data)
    predicted = {name: net.expected(name, data) for name in net.names}
    filled = {column.name: column for column in net.complete(data).columns}
    for n in range(data.n_rows):
        row = hidden.recorded(data, n)
        assert found[n] == pytest.approx(hidden.log_density(net, row), abs=1e-9)
        for name in net.names:
            without = row.select([other for other in row.names if other != name]) if name in row.names else row
            if not without.names:
                continue
            want = hidden.cell(net, without, name)
            levels = net.model(name).levels
            np.testing.assert_allclose(predicted[name][n], want if levels else want[0], rtol=1e-9, atol=1e-9)
            if name not in row.names:
                at = int(np.flatnonzero(filled[name].rows == n)[0])
                sure = want.max() if levels else want[1]
                value = want.argmax() if levels else want[0]
                assert filled[name].sure[at] == pytest.approx(sure, rel=1e-9)
                assert filled[name].values[at] == pytest.approx(value, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_tables(seed):
    net = random_tables(seed)
    check_rows(net, with_holes(net.sample(8, seed), 0.5, seed))


@pytest.mark.parametrize("seed", range(4))
def test_linear_gaussians(seed):
    net = networks.random_gaussian_network(networks.random_dag(5, seed=seed, n_edges=6), seed=seed)
    check_rows(net, with_holes(net.sample(8, seed), 0.5, seed))


@pytest.mark.parametrize("share", [0.3, 0.6])
def test_levels_above_numbers(share):
    net = mixed_network()
    check_rows(net, with_holes(net.sample(15, 1), share, 3))


def test_expected_counts_are_sums_of_posteriors():
    net = random_tables(3, nodes=5, edges=6)
    data = with_holes(net.sample(10, 1), 0.5, 1)
    counts = HiddenRows.of(net.models, data).expected_counts(np.ones(10))
    want = hidden.expected_counts(net, data)
    for name, own in zip(net.names, counts, strict=True):
        np.testing.assert_allclose(own, want[name], atol=1e-9)


def test_a_complete_row_among_others_is_as_in_a_complete_table():
    for net in (random_tables(1), mixed_network()):
        data = net.sample(50, 1)
        holed = with_holes(data, 0.1, 2)
        whole = np.logical_and.reduce(
            [~(c.missing if c.missing is not None else np.zeros(50, bool)) for c in holed.columns]
        )
        assert 5 < whole.sum() < 45
        np.testing.assert_allclose(net.log_density(holed)[whole], net.log_density(data)[whole], atol=1e-9)
        for name in net.names:
            np.testing.assert_allclose(net.expected(name, holed)[whole], net.expected(name, data)[whole], atol=1e-9)


@pytest.mark.parametrize("make", [lambda: random_tables(2), mixed_network])
def test_a_row_with_nothing_recorded(make):
    net = make()
    data = with_holes(net.sample(3, 1), 1.1)
    np.testing.assert_array_equal(net.log_density(data), np.zeros(3))
    empty = Dataset(tuple(c for c in net.sample(3, 1).columns[:1]))
    for name in net.names[1:]:
        want = net.expected(name, with_holes(empty, 1.1))
        np.testing.assert_allclose(net.expected(name, data), want)
    assert net.complete(data).n_cells == 3 * len(net.names)


def test_parents_alone():
    """p(child | the recorded parents), whatever else the row has."""
    net = mixed_network()
    data = with_holes(net.sample(30, 1), 0.4, 5)
    for name in ("z", "w", "m", "k"):
        family = data.select((*net.model(name).parents, name))
        logs, expected = net.log_density(data, name), net.expected(name, data, evidence="parents")
        for n in range(30):
            row = hidden.recorded(family, n)
            parents = row.select([other for other in row.names if other != name])
            if parents.names:
                want = hidden.cell(net, parents, name)
                np.testing.assert_allclose(expected[n], want if net.model(name).levels else want[0], rtol=1e-9)
            if name not in row.names:
                assert logs[n] == 0.0
            else:
                given = hidden.log_density(net, parents) if parents.names else 0.0
                assert logs[n] == pytest.approx(hidden.log_density(net, row) - given, abs=1e-9)
        assert net.log_score(name, data) == pytest.approx(-logs.sum())


def test_squared_errors_are_of_the_recorded_values():
    net = mixed_network()
    data = with_holes(net.sample(60, 1), 0.3, 5)
    there = ~data.column("z").missing
    want = np.mean((data.column("z").recorded - net.expected("z", data)[there]) ** 2)
    assert net.mean_squared_error("z", data) == pytest.approx(want)
    with pytest.raises(DataError, match="column 'z' has no value in any row"):
        net.mean_squared_error("z", with_holes(data, 1.1, names=["z"]))


def test_products_that_would_vanish():
    """A node with 400 children, each of them improbable: no product is too small."""
    names = ("a", *(f"c{i:03d}" for i in range(400)))
    tables = ((0.5, 0.5), *[((1e-3, 1 - 1e-3), (2e-3, 1 - 2e-3))] * 400)
    states = (("0", "1"),) * 401
    net = BayesianNetwork(names, states, ((), *[("a",)] * 400), tuple(np.array(t) for t in tables))
    data = net.sample(2, 1)
    columns = [c if c.name == "a" else type(c)(c.name, c.kind, np.zeros(2, np.uint8), c.levels) for c in data.columns]
    holed = with_holes(Dataset(tuple(columns)), 1.1, names=["a"])
    found = net.level_probabilities("a", with_holes(holed, 0.5, names=["c000"], seed=1))
    np.testing.assert_allclose(found, [[0.0, 1.0], [0.0, 1.0]], atol=1e-100)
    assert net.log_density(holed)[0] == pytest.approx(400 * np.log(2e-3) + np.log(0.5))


def test_impossible_rows():
    net = BayesianNetwork(("a", "b", "c"), (("0", "1"),) * 3, ((), ("a",), ("b",)), (
        np.array([0.5, 0.5]), np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([[0.5, 0.5], [0.1, 0.9]])))  # fmt: skip
    data = net.sample(4, 1)
    b = data.column("b")
    odd = Dataset((data.column("a"), type(b)("b", b.kind, np.ones(4, np.uint8), b.levels), data.column("c")))
    holed = with_holes(odd, 1.1, names=["a"])
    assert (net.log_density(holed) == -np.inf).all()
    assert np.isnan(net.expected("c", holed)).sum() == 0  # below b, whatever a was
    assert np.isnan(net.expected("a", with_holes(odd, 1.1, names=["c"]))).all()
    with pytest.raises(DataError, match=r"row 1 is impossible under the network.*smoothing"):
        net.complete(holed)


def test_too_much_is_refused(monkeypatch):
    net = random_tables(2)
    data = with_holes(net.sample(9, 1), 0.9)
    monkeypatch.setattr(hidden_levels, "MOST_ROOM", 3)
    with pytest.raises(OptionError, match="too many missing cells depend on each other"):
        net.log_density(data)
    monkeypatch.setattr(hidden_rows, "MOST_CASES", 5)
    mixed = mixed_network()
    with pytest.raises(DataError, match="a row lacks 'k', 'm', which have 6 combinations of levels above numbers"):
        mixed.log_density(with_holes(mixed.sample(4, 1), 1.1, names=["k", "m"]))


def test_a_neural_network_says_which_column_it_lacks():
    rng = np.random.default_rng(1)
    x = rng.normal(size=80)
    columns = {"x": x, "y": x**2 + 0.1 * rng.normal(size=80), "z": rng.normal(size=80)}
    graph = Dag(("x", "y", "z"), [("x", "y")])
    net = networks.fit(graph, columns, "neural", iterations=5, restarts=1)
    data = networks.fit(graph, columns, "gaussian").sample(10, 1)
    below = with_holes(data, 0.5, names=["y", "z"])
    want = net.log_density(data, "x")
    there = ~below.column("y").missing
    want[there] += net.log_density(data, "y")[there]
    want[~below.column("z").missing] += net.log_density(data, "z")[~below.column("z").missing]
    np.testing.assert_allclose(net.log_density(below), want)  # nothing is known below a missing leaf
    np.testing.assert_array_equal(net.expected("y", below), net.expected("y", data))  # z has nothing to do with it
    holed = with_holes(data, 0.5, names=["x"])
    with pytest.raises(DataError, match="missing cells in 'x': there is no exact sum over them, as 'x' has a "):
        net.log_density(holed)
    with pytest.raises(DataError, match="predicting 'y' needs the column 'x'"):
        net.expected("y", holed)
    with pytest.raises(DataError, match=r"has a .* model, and missing cells are filled in by networks of tables"):
        net.complete(holed)
    with pytest.raises(
        DataError, match=r"missing cells in 'x' \(\d\): the model 'neural' \(cpt and gaussian do without\)"
    ):
        networks.fit(graph, holed, "neural")
