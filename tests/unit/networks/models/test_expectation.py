"""Networks fitted to tables with missing cells."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

import arcwise
from arcwise import Dag, networks
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.data.discretization import Discretization
from arcwise.errors import DataError
from arcwise.networks.models import expectation
from arcwise.networks.models.expected_moments import Moments
from tests.oracle import hidden
from tests.unit.networks.holes import mixed_network, random_tables, with_holes


def loss(net, found, n=5000):
    """Nats a row that are lost on new rows by the fitted network."""
    new = net.sample(n, 77)
    return net.log_density(new).mean() - found.log_density(new).mean()


def test_one_step_and_its_end_by_hand():
    """a -> b; of 10 rows with b three lack a. The fixed point of expected counts is found by trying."""
    a = np.array([0, 0, 0, 1, 1, 1, 1, 0, 0, 0])
    b = np.array([0, 0, 1, 1, 1, 0, 1, 1, 1, 0])
    gone = np.arange(10) >= 7
    columns = (Column("a", Kind.DISCRETE, a.astype(np.uint8), ("x", "y"), missing=gone),
               Column("b", Kind.DISCRETE, b.astype(np.uint8), ("x", "y")))  # fmt: skip
    found = networks.fit(Dag(("a", "b"), [("a", "b")]), Dataset(columns), smoothing=0.0)
    p, q = 0.5, np.array([0.5, 0.5])  # P(a = y), P(b = y | a)
    for _ in range(2000):
        sure = a[:7].astype(float)
        doubt = [p * (q[1] if v else 1 - q[1]) / (p * (q[1] if v else 1 - q[1]) + (1 - p) * (q[0] if v else 1 - q[0]))
                 for v in b[7:]]  # fmt: skip
        weight = np.concatenate([sure, doubt])
        p = weight.mean()
        q = np.array([((1 - weight) * b).sum() / (1 - weight).sum(), (weight * b).sum() / weight.sum()])
    np.testing.assert_allclose(found.cpt("a"), [1 - p, p], atol=1e-5)
    np.testing.assert_allclose(found.cpt("b")[:, 1], q, atol=1e-5)


def test_the_fit_is_a_fixed_point():
    """The tables are those of the counts that the network itself expects."""
    net = random_tables(1, nodes=5, edges=6)
    data = with_holes(net.sample(60, 1), 0.4, 1)
    found = networks.fit(net.dag, data, smoothing=2.0, per="table")
    for name, counts in hidden.expected_counts(found, data).items():
        smooth = counts + 2.0 / counts.size
        np.testing.assert_allclose(found.cpt(name), smooth / smooth.sum(axis=-1, keepdims=True), atol=1e-5)


@pytest.mark.slow
def test_alarm_with_a_third_of_its_cells_missing():
    """The error is that of a complete table with as many rows as have a cell, or little more."""
    net = networks.load("alarm")
    data = net.sample(5000, 1)
    whole, part = (loss(net, networks.fit(net.dag, some)) for some in (data, data.take(slice(3500))))
    found = loss(net, networks.fit(net.dag, with_holes(data, 0.3)))
    assert whole < found < 1.15 * part < 2 * whole


def test_what_is_missing_at_random_does_not_mislead():
    """b is often missing where a is "1": complete rows tell a wrong P(b) and P(c)."""
    net = networks.BayesianNetwork(
        ("a", "b", "c"), (("0", "1"),) * 3, ((), ("a",), ("b",)),
        (np.array([0.5, 0.5]), np.array([[0.9, 0.1], [0.2, 0.8]]), np.array([[0.8, 0.2], [0.3, 0.7]])))  # fmt: skip
    data = net.sample(8000, 1)
    gone = (data.column("a").values == 1) & (np.random.default_rng(0).random(8000) < 0.9)
    holed = replace(data, columns=(data.columns[0], replace(data.columns[1], missing=gone), data.columns[2]))
    ours = networks.fit(net.dag, holed)
    dropped = networks.fit(net.dag, holed.complete_rows())
    for name in ("a", "b", "c"):
        np.testing.assert_allclose(ours.marginal(name), net.marginal(name), atol=0.02)
    assert abs(dropped.marginal("b")[1] - net.marginal("b")[1]) > 0.2
    assert abs(dropped.marginal("c")[1] - net.marginal("c")[1]) > 0.1


def test_numbers_missing_at_random():
    net = networks.GaussianNetwork(
        ("x", "y", "z"),
        np.array([[0, 1.0, 0], [0, 0, -0.8], [0, 0, 0]]),
        np.array([1, 0.5, 0.7]),
        np.array([1.0, 2, 3]),
    )
    data = net.sample(8000, 1)
    gone = data.column("x").values > 1.3  # y is missing where x is large
    holed = replace(data, columns=(data.columns[0], replace(data.columns[1], missing=gone), data.columns[2]))
    ours = networks.fit(net.dag, holed, "gaussian")
    np.testing.assert_allclose(ours.means, net.means, atol=0.05)
    np.testing.assert_allclose(ours.covariance(), net.covariance(), atol=0.08)
    dropped = networks.fit(net.dag, holed.complete_rows(), "gaussian")
    assert np.abs(dropped.means - net.means).max() > 0.4


def test_regressions_of_the_joint_normal():
    """Two columns, the child complete: the known estimate of monotone missing cells (Anderson 1957), by regressions."""
    rng = np.random.default_rng(3)
    y = rng.normal(10.0, 3.0, 400)
    x = 0.5 * y + rng.normal(size=400)
    gone = rng.random(400) < 0.4
    columns = (Column("x", Kind.CONTINUOUS, x, missing=gone), Column("y", Kind.CONTINUOUS, y))
    found = networks.fit(Dag(("x", "y"), [("x", "y")]), Dataset(columns), "gaussian")
    slope, start = np.polyfit(y[~gone], x[~gone], 1)
    noise = np.mean((x[~gone] - start - slope * y[~gone]) ** 2)
    mean, variance = start + slope * y.mean(), slope**2 * y.var() + noise
    model = found.model("x")
    assert model.intercept == pytest.approx(mean, rel=1e-5)
    seen = int((~gone).sum())
    assert model.sd == pytest.approx(np.sqrt(variance * seen / (seen - 1)), rel=1e-4)
    assert found.model("y").coefficients["x"] == pytest.approx(slope * y.var() / variance, rel=1e-4)


def test_moments_of_complete_rows_are_least_squares():
    """One step with next to nothing missing: the same as closed form, with levels, collinear and constant parents."""
    net = mixed_network()
    whole = net.sample(300, 1)
    twin = Column("t", Kind.CONTINUOUS, 2.0 * whole.column("x").values + 1.0)
    still = Column("s", Kind.CONTINUOUS, np.full(300, 4.0))
    data = Dataset((*whole.columns, twin, still))
    dag = Dag((*net.names, "t", "s"), [("x", "z"), ("t", "z"), ("s", "z"), ("m", "z"), ("k", "z")])
    gone = np.arange(300) == 0
    holed = replace(data, columns=tuple(replace(c, missing=gone) if c.name == "z" else c for c in data.columns))
    found, want = networks.fit(dag, holed, "gaussian"), networks.fit(dag, data.take(~gone), "gaussian")
    np.testing.assert_allclose(found.expected("z", data, "parents"), want.expected("z", data, "parents"), rtol=1e-7)
    assert found.model("z").sd == pytest.approx(want.model("z").sd, rel=1e-7)
    assert found.model("k") == networks.fit(dag, data, "gaussian").model("k")  # its family lacks nothing


def test_levels_above_numbers_are_recovered():
    net = mixed_network()
    data = net.sample(6000, 1)
    whole, holed = (loss(net, networks.fit(net.dag, some, "gaussian")) for some in (data, with_holes(data, 0.3)))
    assert whole < 0.004
    assert holed < 0.012


def test_columns_that_are_cut():
    net = mixed_network()
    data = net.sample(3000, 1)
    holed = with_holes(data, 0.2)
    cuts = Discretization({"x": [4.0, 6.0], "y": [-8.0, 0.0], "z": [90.0, 120.0]})
    found, whole = (networks.fit(net.dag, some, discretization=cuts) for some in (holed, data))
    for name in net.names:
        np.testing.assert_allclose(found.cpt(name), whole.cpt(name), atol=0.08)
    recorded = holed.select(["x"]).complete_rows()
    alone = networks.fit(Dag(("x",)), recorded, discretization=Discretization({"x": [4.0, 6.0]}))
    assert found.cuts["x"].to_dict() == alone.cuts["x"].to_dict()  # densities are those of the recorded values
    filled = found.complete(holed)
    assert filled.table.column("x").kind is Kind.CONTINUOUS
    assert filled.table.is_complete


def test_nothing_changes_for_a_complete_table():
    net = mixed_network()
    data = net.sample(200, 1)
    one = networks.fit(net.dag, data, "gaussian")
    for model in one.models:
        family = Dag((*model.parents, model.child), [(parent, model.child) for parent in model.parents])
        other = networks.fit(family, data, "gaussian")
        assert other.model(model.child).to_dict() == model.to_dict()


@pytest.mark.parametrize("make", [lambda: random_tables(4), mixed_network])
def test_row_order_and_weights(make):
    net = make()
    data = with_holes(net.sample(150, 1), 0.3)
    found = networks.fit(net.dag, data, "gaussian")
    order = np.random.default_rng(1).permutation(150)
    assert networks.fit(net.dag, data.take(order), "gaussian") == found
    weights = np.random.default_rng(2).integers(0, 4, 150)
    weighted = data.weighted(weights)
    assert networks.fit(net.dag, weighted, "gaussian") == networks.fit(net.dag, weighted.repeated(), "gaussian")


def test_saved_and_read_again(tmp_path):
    net = mixed_network()
    found = networks.fit(net.dag, with_holes(net.sample(100, 1), 0.3), "gaussian")
    found.save(tmp_path / "net.json")
    assert networks.Network.load(tmp_path / "net.json") == found


def test_threads():
    code = (
        "import hashlib, json; from arcwise import networks; from tests.unit.networks.holes import *\n"
        "for net in (random_tables(4, 12, 16), mixed_network()):\n"
        "    data = with_holes(net.sample(2000, 1), 0.3)\n"
        "    found = networks.fit(net.dag, data, 'gaussian')\n"
        "    filled = found.complete(data, how='draw', seed=3)\n"
        "    columns = [column.to_dict() for column in filled.columns]\n"
        "    text = json.dumps([found.to_dict(), columns, found.log_density(data).tolist()])\n"
        "    print(hashlib.sha256(text.encode()).hexdigest())\n"
    )
    outs = [
        subprocess.run([sys.executable, "-c", code], env={**os.environ, "ARCWISE_THREADS": n}, capture_output=True,
                       text=True, check=True).stdout
        for n in ("1", "2")
    ]  # fmt: skip
    assert outs[0] == outs[1]
    assert len(outs[0].split()) == 2


def test_a_column_without_a_value():
    """Its levels are known. Below nothing it is uniform; what is below it knows nothing of it."""
    net = random_tables(1, nodes=4, edges=4)
    data = net.sample(400, 1)
    for name in net.names:
        holed = with_holes(data, 1.1, names=[name])
        found = networks.fit(net.dag, holed)
        r = len(net.model(name).levels)
        np.testing.assert_allclose(found.cpt(name), np.full(net.cpt(name).shape, 1 / r), atol=1e-6)
        others = [n for n in net.names if n != name]
        whole = networks.fit(net.dag, data)
        assert np.isfinite(found.log_density(holed)).all()
        for other in others:
            np.testing.assert_allclose(found.marginal(other), whole.marginal(other), atol=0.05)
    with pytest.raises(DataError, match="column 'x' has no value in any row"):
        networks.fit(Dag(("x",)), with_holes(mixed_network().sample(9, 1), 1.1, names=["x"]), "gaussian")
    cuts = Discretization({"x": [0.0]})
    with pytest.raises(DataError, match="column 'x' has no value in any row"):
        networks.fit(Dag(("x",)), with_holes(mixed_network().sample(9, 1), 1.1, names=["x"]), discretization=cuts)


def test_levels_of_a_result_for_a_column_without_a_value(tmp_path):
    table = random_tables(1, nodes=4, edges=4).sample(300, 1)
    result = arcwise.learn(table, "hill-climb")
    frame = table.to_pandas().astype(object)
    frame[table.names[0]] = None
    net = result.fit(frame)
    assert net.model(table.names[0]).levels == table.columns[0].levels
    assert np.isfinite(net.log_density(frame)).all()


@pytest.mark.parametrize("share", [0.9, 0.98])
def test_next_to_nothing_recorded(share):
    for net in (random_tables(4), mixed_network(), networks.load("alarm")):
        whole = net.sample(60, 1)
        pairs = zip(with_holes(whole, share, 1).columns, whole.columns, strict=True)
        data = replace(whole, columns=tuple(holed if len(holed.recorded) else column for holed, column in pairs))
        found = networks.fit(net.dag, data, "gaussian")
        assert np.isfinite(found.log_density(data)).all()
        assert np.isfinite(found.log_density(net.sample(50, 2))).all()


def test_a_row_with_nothing_recorded_says_nothing():
    for net in (random_tables(4), mixed_network()):
        data = with_holes(net.sample(50, 1), 0.3)
        blank = with_holes(net.sample(7, 2), 1.1)
        both = Dataset(tuple(
            replace(a, values=np.concatenate([a.values, b.values]), missing=np.concatenate([a.missing, b.missing]))
            for a, b in zip(data.columns, blank.columns, strict=True)))  # fmt: skip
        found, want = networks.fit(net.dag, both, "gaussian"), networks.fit(net.dag, data, "gaussian")
        new = net.sample(20, 5)
        np.testing.assert_allclose(found.log_density(new), want.log_density(new), atol=1e-4)


def test_one_recorded_level_and_a_constant_number():
    net = mixed_network()
    data = net.sample(80, 1)
    one = {"m": np.zeros(80, dtype=np.uint8), "y": np.full(80, 7.5)}
    columns = [replace(c, values=one.get(c.name, c.values)) for c in data.columns]
    holed = with_holes(Dataset(tuple(columns)), 0.3)
    found = networks.fit(net.dag, holed, "gaussian")
    assert any("'y' is constant" in warning for warning in found.warnings)
    assert found.model("y").sd < 1e-3
    assert found.model("m").probabilities[..., 0].min() > 0.9
    assert np.isfinite(found.log_density(holed)).all()


def test_few_rows_and_many_parents():
    """No row has all of a family: the regression begins without its parents."""
    rng = np.random.default_rng(1)
    columns = tuple(
        Column(f"x{i}", Kind.CONTINUOUS, rng.normal(size=8), missing=np.arange(8) % 4 == i % 4) for i in range(6)
    )
    dag = Dag([c.name for c in columns], [(f"x{i}", "x5") for i in range(5)])
    found = networks.fit(dag, Dataset(columns), "gaussian")
    assert any("the residuals say little" in warning for warning in found.warnings)
    assert np.isfinite(found.sample(5, 1).column("x5").values).all()


def test_numbers_of_any_size():
    """Units do not matter, but for the last digits."""
    net = mixed_network()
    data = with_holes(net.sample(200, 1), 0.3)
    found = networks.fit(net.dag, data, "gaussian")
    for unit in (1e-150, 1e150):
        columns = (replace(c, values=c.values * unit) if c.kind is Kind.CONTINUOUS else c for c in data.columns)
        other = networks.fit(net.dag, replace(data, columns=tuple(columns)), "gaussian")
        for name in ("x", "y", "z"):
            assert other.model(name).sd / unit == pytest.approx(found.model(name).sd, rel=1e-6)


def test_a_fit_that_does_not_settle_says_so(monkeypatch):
    monkeypatch.setattr(expectation, "MOST_STEPS", 2)
    net = random_tables(4)
    found = networks.fit(net.dag, with_holes(net.sample(90, 1), 0.5))
    assert any("after 2 steps the fit to missing cells still changed by" in warning for warning in found.warnings)


def test_kinds_are_checked_as_ever():
    data = with_holes(mixed_network().sample(50, 1), 0.3)
    with pytest.raises(DataError, match="column 'x' is continuous and a probability table needs levels"):
        networks.fit(Dag(("k", "x"), [("k", "x")]), data, "cpt")
    with pytest.raises(DataError, match="column 'k' is discrete and its parent 'x' continuous"):
        networks.fit(Dag(("k", "x"), [("x", "k")]), data, "gaussian")
    with pytest.raises(arcwise.ArcwiseError, match="smoothing"):
        networks.fit(Dag(("k",)), data, smoothing=-1.0)
    assert Moments.of(data, "x", ("k",)).recorded == len(data.column("x").recorded)


def test_draws_where_expectations_take_too_long(monkeypatch):
    net = random_tables(4)
    data = with_holes(net.sample(3000, 1), 0.3)
    exact = networks.fit(net.dag, data)
    monkeypatch.setattr(expectation, "MOST_WORK", 10)
    drawn = networks.fit(net.dag, data)
    assert any("fitted to draws" in warning for warning in drawn.warnings)
    assert loss(net, drawn) < 1.2 * loss(net, exact) + 0.002
    assert networks.fit(net.dag, data.take(np.random.default_rng(1).permutation(3000))) == drawn
    assert networks.fit(net.dag, with_holes(data, 1.1, names=[net.names[0]])).names == net.names
