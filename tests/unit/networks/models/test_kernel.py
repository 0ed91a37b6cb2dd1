"""Conditional densities by product kernels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad

import arcwise
from arcwise._kernels.smoothing import products
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import DataError, GraphError
from arcwise.graph.dag import Dag
from arcwise.networks import Network
from arcwise.networks.models import kernel
from arcwise.networks.models.fit import fit
from arcwise.networks.models.kernel import KernelDensity, fit_kernel
from tests.oracle import smoothing as slow
from tests.unit.networks.holes import with_holes


def bent(n: int = 200, seed: int = 0) -> Dataset:
    """y follows x along a curve, k follows y, u follows nothing."""
    rng = np.random.default_rng(seed)
    x, u, g = rng.uniform(-2, 2, n), rng.standard_normal(n), rng.integers(0, 2, n)
    y = 100 + 10 * (x**2 + g + 0.2 * rng.standard_normal(n))
    k = ((y > 110).astype(int) + (y > 125)).astype(np.uint8)
    return Dataset(
        (
            Column("x", Kind.CONTINUOUS, x),
            Column("u", Kind.CONTINUOUS, u),
            Column("g", Kind.DISCRETE, g.astype(np.uint8), ("no", "yes")),
            Column("y", Kind.CONTINUOUS, y),
            Column("k", Kind.DISCRETE, k, ("a", "b", "c")),
        )
    )


@pytest.mark.parametrize("parents", [(), ("x",), ("g", "u", "x")])
def test_densities_are_those_of_the_twin_and_integrate_to_1(parents):
    data = bent(60)
    model = fit_kernel(data, "y", parents)
    new = bent(5, seed=1)
    assert model.log_density(new) == pytest.approx([slow.log_density(model, new, q) for q in range(5)], abs=1e-9)

    def density(y: float) -> float:
        row = new.take(np.array([0]))
        columns = tuple(Column("y", Kind.CONTINUOUS, np.array([y])) if c.name == "y" else c for c in row.columns)
        return float(np.exp(model.log_density(Dataset(columns)))[0])

    inside = quad(density, 60, 190, limit=400)[0]
    total = quad(density, -np.inf, 60)[0] + inside + quad(density, 190, np.inf)[0]
    assert total == pytest.approx(1.0, abs=1e-4)
    mean = quad(lambda y: y * density(y), 0, 300, limit=400)[0]
    assert model.expected(new)[0] == pytest.approx(mean, abs=0.2)


@pytest.mark.parametrize("parents", [(), ("y",), ("g", "u", "y")])
def test_levels_are_those_of_the_twin(parents):
    data = bent(60)
    model = fit_kernel(data, "k", parents)
    new = bent(5, seed=1)
    found = model.expected(new)
    assert found.sum(axis=1) == pytest.approx(1.0)
    np.testing.assert_allclose(found, [slow.probabilities(model, new, q) for q in range(5)], atol=1e-12)
    assert model.log_density(new) == pytest.approx(np.log(found[np.arange(5), new.column("k").values]))


def test_the_likelihood_of_rows_by_the_others_and_its_slopes():
    data = bent(25)
    rows = np.stack([data.column(name).values for name in ("x", "u", "g")]).astype(float)
    levels = np.array([False, False, True])
    rates, before, slopes = np.array([2.0, 0.7, 1.1]), np.full(25, 0.2), np.empty(4)
    found = products.left_out(rows, levels, rates, 0.8, before, slopes)
    assert found == pytest.approx(slow.left_out(rows, levels, rates, 0.8, before))
    for j in range(3):
        step = np.zeros(3)
        step[j] = 1e-5
        up, down = (slow.left_out(rows, levels, rates + sign * step, 0.8, before) for sign in (1, -1))
        assert slopes[j] == pytest.approx((up - down) / 2e-5, rel=1e-4)
    up, down = (slow.left_out(rows, levels, rates, 0.8 * np.exp(sign * 1e-5), before) for sign in (1, -1))
    assert slopes[3] == pytest.approx((up - down) / 2e-5, rel=1e-4)


def test_a_parent_that_says_nothing_is_smoothed_out():
    model = fit_kernel(bent(500), "y", ("u", "x"))
    widths = {one.name: one.width for one in model.near}
    assert widths["x"] < 0.3
    assert widths["u"] > 1.0


def test_it_follows_a_curve_that_lines_cannot():
    data, test = bent(1000), bent(1000, seed=2)
    dag = Dag(data.names, [("x", "y"), ("g", "y"), ("y", "k")])
    found = {model: fit(dag, data, model) for model in ("kernel", "gaussian")}
    densities = {model: net.log_density(test).mean() for model, net in found.items()}
    assert densities["kernel"] > densities["gaussian"] + 0.3


def test_samples_have_the_density(tmp_path):
    data = bent(400)
    dag = Dag(data.names, [("x", "y"), ("g", "y"), ("y", "k")])
    net = fit(dag, data, "kernel")
    drawn = net.sample(4000, seed=1)
    assert drawn.kinds == data.kinds
    for name in ("x", "y"):
        mine, theirs = (np.quantile(table.column(name).values, [0.1, 0.5, 0.9]) for table in (drawn, data))
        assert mine == pytest.approx(theirs, abs=0.15 * data.column(name).values.std())
    mean = net.model("k").expected(drawn).mean(axis=0)
    assert np.bincount(drawn.column("k").values) / 4000 == pytest.approx(mean, abs=0.03)
    net.save(tmp_path / "net.json")
    again = Network.load(tmp_path / "net.json")
    assert again == net
    assert np.array_equal(again.log_density(data), net.log_density(data))
    assert set(net.renamed({"x": "a b"}).model("y").parents) == {"a b", "g"}


def test_a_small_sample():
    data = bent(30)
    drawn = fit_kernel(data, "y", ("x",)).sample(data, np.random.default_rng(1)).values
    assert 60 < drawn.min() < drawn.max() < 200


def test_predictions_use_children_too():
    data = bent(150)
    net = fit(Dag(data.names, [("x", "y"), ("y", "k")]), data, "kernel")
    row = bent(3, seed=5)
    found = net.expected("y", row)
    grid = np.linspace(60, 180, 4001)
    for q in range(3):
        points = {"y": grid, "x": np.full(4001, row.column("x").values[q])}
        table = Dataset(
            (
                *(Column(name, Kind.CONTINUOUS, values) for name, values in points.items()),
                Column("k", Kind.DISCRETE, np.full(4001, row.column("k").values[q]), ("a", "b", "c")),
            )
        )
        weights = np.exp(net.model("y").log_density(table) + net.model("k").log_density(table))
        assert found[q] == pytest.approx((weights * grid).sum() / weights.sum(), abs=0.5)
    assert net.expected("k", row).sum(axis=1) == pytest.approx(1.0)


def test_order_and_units_do_not_matter_and_weights_do():
    data = bent(80)
    found = fit_kernel(data, "y", ("g", "x"))
    order = np.random.default_rng(3).permutation(80)
    assert fit_kernel(data.take(order), "y", ("g", "x")).to_dict() == found.to_dict()
    weights = np.where(np.arange(80) < 5, 3, 1)
    dag, two = Dag(["y", "x"], [("x", "y")]), data.select(["x", "y"])
    repeated = two.take(np.repeat(np.arange(80), weights))
    assert fit(dag, two.weighted(weights), "kernel") == fit(dag, repeated, "kernel")
    scaled = replace(data.column("y"), values=data.column("y").values * 1024.0)
    other = fit_kernel(Dataset((data.column("g"), data.column("x"), scaled)), "y", ("g", "x"))
    test = Dataset((data.column("g"), data.column("x"), scaled))
    assert other.log_density(test) == pytest.approx(found.log_density(data) - np.log(1024.0))


@pytest.mark.parametrize(
    "values",
    [
        [1.0],
        [3.0] * 7,
        [1.0, 2.0],
        [0.0, 1e300, -1e300],
        [1e-310, 2e-310, 0.0],
        np.repeat([20.0, 21.0, 22.0, 40.0], 30),
    ],
)
def test_any_values_have_a_finite_density(values):
    y = np.array(values, dtype=float)
    g = Column("g", Kind.DISCRETE, (np.arange(len(y)) % 2).astype(np.uint8), ("a", "b"))
    data = Dataset((Column("y", Kind.CONTINUOUS, y), g, Column("x", Kind.CONTINUOUS, np.ones(len(y)))))
    for parents in ((), ("g", "x")):
        assert np.isfinite(fit_kernel(data, "y", parents).log_density(data)).all()
    assert np.isfinite(fit_kernel(data, "g", ("x", "y")).log_density(data)).all()


def test_repeated_values_make_no_spikes():
    ages = np.random.default_rng(1).integers(20, 70, 3000).astype(float)
    data = Dataset((Column("age", Kind.CONTINUOUS, ages),))
    model = fit_kernel(data, "age", ())
    at = Dataset((Column("age", Kind.CONTINUOUS, np.array([40.0, 40.5])),))
    on, between = np.exp(model.log_density(at))
    assert on == pytest.approx(1 / 50, rel=0.2)
    assert between == pytest.approx(on, rel=0.2)


def test_many_rows_are_sampled_and_missing_cells_left_out_with_a_word(monkeypatch):
    monkeypatch.setattr(kernel, "MOST_ROWS", 50)
    assert len(fit_kernel(bent(80), "y", ("x",)).own.values) == 50
    data = with_holes(bent(80).select(["x", "y"]), 0.1, 1)
    net = fit(Dag(["x", "y"], [("x", "y")]), data, "kernel")
    assert any("missing cells are left out" in warning for warning in net.warnings)
    big = Dataset(tuple(replace(c, values=np.tile(c.values, 80)) for c in bent(80).select(["x"]).columns))
    assert any("sample of 5,000 of the 6,400 rows" in w for w in fit(Dag(["x"]), big, "kernel").warnings)
    gone = replace(bent(9).column("x"), missing=np.ones(9, dtype=bool))
    with pytest.raises(DataError, match="no row has all of 'x'"):
        fit_kernel(Dataset((gone,)), "x", ())


def test_what_is_not_as_it_was_written_is_refused():
    content = fit_kernel(bent(20), "y", ("x",)).to_dict()
    for change, message in (
        ({"marginal": 0.0}, "bandwidths above 0"),
        ({"child": {**content["child"], "width": -1.0}}, "bandwidth above 0"),
        ({"child": {**content["child"], "values": [1.0]}}, "as many values"),
    ):
        with pytest.raises(GraphError, match=message):
            KernelDensity.from_dict({**content, **change})


def test_it_goes_with_the_kernel_generalized_variance():
    data = bent(120)
    result = arcwise.learn(data, "kgv")
    assert result.model == "kernel"
    assert {model.kind for model in result.fit(data).models} == {"kernel-density", "kernel-table"}
