"""Networks of smooth regressions: densities, predictions, samples, files, and pictures of what they say."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

import arcwise
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import DataError, GraphError
from arcwise.graph.dag import Dag
from arcwise.networks import Network, fit
from arcwise.networks.models.smooth import Margin, SmoothCurves, SmoothLevels, fit_smooth
from arcwise.networks.table_kinds import simulate
from tests.unit.networks.holes import with_holes

KINDS = ("quadratics", "varying-spread", "interactions", "half-zeros", "counts", "logistic")


def bent(n: int = 1500, seed: int = 0) -> Dataset:
    """y follows x along a parabola, and g; its spread grows with u. k are levels that follow y."""
    rng = np.random.default_rng(seed)
    x, u, g = rng.uniform(-2, 2, n), rng.standard_normal(n), rng.integers(0, 3, n)
    y = 100 + 10 * (x**2 + (g == 1) + 0.3 * np.exp(0.5 * u) * rng.standard_normal(n))
    k = ((y > 110).astype(int) + (y > 125)).astype(np.uint8)
    return Dataset(
        (
            Column("x", Kind.CONTINUOUS, x),
            Column("u", Kind.CONTINUOUS, u),
            Column("g", Kind.DISCRETE, g.astype(np.uint8), ("a", "b", "c")),
            Column("y", Kind.CONTINUOUS, y),
            Column("k", Kind.DISCRETE, k, ("low", "mid", "high"), ordered=True),
        )
    )


def with_y(data: Dataset, y: float) -> Dataset:
    values = np.full(data.n_rows, y)
    return Dataset(tuple(Column("y", Kind.CONTINUOUS, values) if c.name == "y" else c for c in data.columns))


@pytest.mark.parametrize("parents", [(), ("x",), ("g", "u", "x")])
def test_densities_integrate_to_one_and_have_the_mean_that_is_expected(parents):
    model = fit_smooth(bent(), "y", parents)
    assert isinstance(model, SmoothCurves)
    for row in range(3):
        new = bent(3, seed=1).take(np.array([row]))
        knots = [value for value in model.margin.values if 60 < value < 220]

        def density(y, new=new):
            return float(np.exp(model.log_density(with_y(new, y)))[0])

        inside = quad(density, 60, 220, limit=1000, points=knots)[0]
        assert inside + quad(density, -np.inf, 60)[0] + quad(density, 220, np.inf)[0] == pytest.approx(1.0, abs=2e-3)
        mean = quad(lambda y, density=density: y * density(y), 60, 220, limit=1000, points=knots)[0]
        assert model.expected(new)[0] == pytest.approx(mean, abs=0.6)


def test_what_was_put_in_is_found():
    """A parabola, a shift by level, and a spread that grows: no product is needed, and others are worse."""
    data, new = bent(), bent(3000, seed=1)
    model = fit_smooth(data, "y", ("g", "u", "x"))
    rows = new.column("x").values, new.column("g").values
    truth = 100 + 10 * (rows[0] ** 2 + (rows[1] == 1))
    assert np.sqrt(np.mean((model.expected(new) - truth) ** 2)) < 1.0
    assert model.parts.spread
    best = model.log_density(new).mean()
    for other in ("gaussian", "kernel"):
        net = fit(Dag(["x", "u", "g", "y"], [("g", "y"), ("u", "y"), ("x", "y")]), data, other)
        assert best > net.log_density(new, "y").mean() + 0.1
    levels = fit_smooth(data, "k", ("y",))
    assert isinstance(levels, SmoothLevels)
    assert (levels.expected(new).argmax(axis=1) == new.column("k").values).mean() > 0.97


@pytest.mark.parametrize("kind", KINDS)
def test_samples_are_like_the_rows(kind):
    data, dag = simulate(kind, nodes=6, edges=7, rows=1500, seed=1)
    net = fit(dag, data, "smooth")
    drawn = net.sample(4000, seed=3)
    for own, other in zip(data.columns, drawn.columns, strict=True):
        if own.kind is Kind.DISCRETE:
            shares = [np.bincount(c.values, minlength=own.cardinality) / len(c.values) for c in (own, other)]
            np.testing.assert_allclose(*shares, atol=0.06)
        else:
            at = [0.1, 0.25, 0.5, 0.75, 0.9]
            apart = np.abs(np.quantile(own.values, at) - np.quantile(other.values, at))
            near = {"counts": 1.0, "half-zeros": 0.5 * own.values.std()}
            assert apart.max() <= near.get(kind, 0.35 * own.values.std())
    if kind == "counts":  # values that were seen, and no others
        assert set(np.unique(drawn.columns[0].values)) <= set(np.unique(data.columns[0].values))
    if kind == "half-zeros":
        shares = [(table.columns[0].values == 0.0).mean() for table in (data, drawn)]
        assert shares[1] == pytest.approx(shares[0], abs=0.08)


@pytest.mark.parametrize("kind", KINDS)
def test_files_keep_everything(kind, tmp_path):
    data, dag = simulate(kind, nodes=5, edges=6, rows=200, seed=2)
    net = fit(dag, data, "smooth")
    net.save(tmp_path / "net.json")
    again = Network.load(tmp_path / "net.json")
    assert again == net
    np.testing.assert_array_equal(again.log_density(data), net.log_density(data))
    assert np.isfinite(net.log_density(data)).all()
    renamed = net.renamed({name: f"{name}!" for name in net.names})
    assert renamed.models[0].child.endswith("!")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"weights": [1.0]}, "needs a weight for each"),
        ({"features": [99]}, "must be places"),
        ({"products": [[0]]}, "must be places"),
        ({"tail": -1.0}, "finite, its share"),
        ({"margin": {"values": [2.0, 1.0]}}, "increase"),
        ({"margin": {"ends": []}}, "a score, and ends"),
    ],
)
def test_damaged_files_are_refused(change, said):
    content = json.loads(json.dumps(fit_smooth(bent(100), "y", ("x",)).to_dict()))
    for key, value in change.items():
        content[key] = {**content[key], **value} if isinstance(value, dict) else value
    with pytest.raises(GraphError, match=said):
        SmoothCurves.from_dict(content)


def test_rows_in_any_order_and_repeated_columns_of_levels():
    data = bent(300)
    order = np.random.default_rng(0).permutation(300)
    first, second = (fit_smooth(table, "y", ("g", "x")) for table in (data, data.take(order)))
    assert first.to_dict() == second.to_dict()
    assert fit_smooth(data, "y", ("x", "g")).to_dict() == first.to_dict()


def test_missing_cells_leave_rows_out():
    data = with_holes(bent(400), 0.1, 0)
    net = fit(Dag(["x", "g", "y"], [("x", "y"), ("g", "y")]), data, "smooth")
    assert any("left out" in warning for warning in net.warnings)
    nothing = replace(data.column("y"), missing=np.ones(400, dtype=np.bool_))
    with pytest.raises(DataError, match="no row has all of 'y'"):
        fit_smooth(Dataset((*(c for c in data.columns if c.name != "y"), nothing)), "y", ("x",))


def test_constants_and_few_rows():
    constant = Column("c", Kind.CONTINUOUS, np.full(30, 7.0))
    data = Dataset((*bent(30).columns, constant))
    assert fit_smooth(data, "c", ("x",)).expected(data)[0] == 7.0
    assert np.isfinite(fit_smooth(data, "y", ("c", "x")).log_density(data)).all()
    assert np.isfinite(fit_smooth(data.take(np.arange(3)), "y", ("g", "u", "x")).log_density(data)).all()
    assert np.isfinite(fit_smooth(data, "c", ("x",)).log_density(data)).all()


def test_margins_go_there_and_back():
    rng = np.random.default_rng(0)
    values = np.exp(rng.standard_normal(5000))
    margin = Margin.of(values)
    inner = np.quantile(values, np.linspace(0.01, 0.99, 50))
    assert margin.value(margin.score(inner)) == pytest.approx(inner, rel=1e-6)
    assert margin.score(inner) == pytest.approx(norm.ppf(np.linspace(0.01, 0.99, 50)), abs=0.12)
    steps = Margin.of(rng.integers(0, 5, 300).astype(float))
    assert steps.has_steps
    assert set(steps.value(rng.standard_normal(500))) == {0.0, 1.0, 2.0, 3.0, 4.0}
    piled = Margin.of(np.maximum(rng.standard_normal(4000), 0.0))
    assert (piled.value(rng.standard_normal(4000)) == 0.0).mean() == pytest.approx(0.5, abs=0.04)


@pytest.mark.parametrize("model", ["smooth", "gaussian", "cpt"])
def test_relations_of_any_model_are_told_and_drawn(model, tmp_path):
    data = bent(500)
    dag = Dag(["x", "u", "g", "y", "k"], [("x", "y"), ("g", "y"), ("y", "k"), ("u", "k")])
    cuts = arcwise.Discretization({"y": [105.0, 120.0], "x": [-1.0, 1.0], "u": [0.0]}) if model == "cpt" else None
    net = fit(dag, data, model, discretization=cuts)
    found = net.relations("y", data)
    assert [one.parent for one in found] == ["g", "x"]
    assert found[0].at == ("a", "b", "c")
    assert found[0].expected.shape == (3,)
    if model == "smooth":
        assert found[0].expected[1] - found[0].expected[0] == pytest.approx(10.0, abs=2.0)
        assert found[1].expected[0] - found[1].expected.min() > 20
    levels = net.relations("k", data)
    assert levels[0].expected.sum(axis=1) == pytest.approx(1.0)
    assert levels[0].levels == ("low", "mid", "high")
    for suffix in ("svg", "png"):
        net.draw_relations("k", data, tmp_path / f"k.{suffix}")
        net.draw_relations("y", data, tmp_path / f"y.{suffix}")
        assert (tmp_path / f"k.{suffix}").stat().st_size > 1000
    text = (tmp_path / "y.svg").read_text()
    assert "expected value, averaged over the rows of the other parents" in text
    with pytest.raises(GraphError, match="has no parents"):
        net.relations("x", data)
    with pytest.raises(GraphError, match="unknown node"):
        net.relations("z", data)
