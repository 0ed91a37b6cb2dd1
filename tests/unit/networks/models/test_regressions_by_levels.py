"""A regression for each configuration of the discrete parents: least squares in each, what others get, and saving."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

import arcwise
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import DataError, GraphError
from arcwise.networks import fit
from arcwise.networks.models.linear_gaussian import LinearGaussian
from arcwise.networks.models.regression import fit_linear_gaussian
from arcwise.networks.models.regressions_by_levels import RegressionsByLevels, fit_by_levels


def mixed(n=600, seed=0):
    """y is linear in x with other numbers in each of the configurations of g and h but one, which has 5 rows."""
    rng = np.random.default_rng(seed)
    g, h = rng.integers(0, 2, n), rng.integers(0, 2, n)
    h[g == 1] = 0
    h[np.flatnonzero(g == 1)[:5]] = 1
    x = rng.normal(3.0, 2.0, n)
    cell = 2 * g + h
    y = np.array([1.0, -5.0, 40.0, 0.0])[cell] + np.array([2.0, -2.0, 0.0, 1.0])[cell] * x
    y += np.array([0.1, 1.0, 5.0, 1.0])[cell] * rng.standard_normal(n)
    levels = [Column(name, Kind.DISCRETE, v.astype(np.uint8), ("no", "yes")) for name, v in (("g", g), ("h", h))]
    return Dataset((*levels, Column("x", Kind.CONTINUOUS, x), Column("y", Kind.CONTINUOUS, y)))


MIXED = mixed()
MODEL = fit_by_levels(MIXED, "y", ("x", "g", "h"))
CELL = 2 * MIXED.columns[0].values.astype(int) + MIXED.columns[1].values


def test_least_squares_in_each_configuration_and_one_regression_for_the_rest():
    assert isinstance(MODEL, RegressionsByLevels)
    assert [states for states, _ in MODEL.regressions] == [(0, 0), (0, 1), (1, 0)]
    assert MODEL.parents == ("x", "g", "h")
    x, y = MIXED.columns[2].values, MIXED.columns[3].values
    logs, expected = MODEL.log_density(MIXED), MODEL.expected(MIXED)
    for cell in range(3):
        rows = cell == CELL
        slope, intercept = np.polyfit(x[rows], y[rows], 1)
        means = intercept + slope * x[rows]
        sd = np.sqrt(np.square(y[rows] - means).sum() / (rows.sum() - 2))
        np.testing.assert_allclose(expected[rows], means, rtol=1e-9)
        np.testing.assert_allclose(logs[rows], norm(means, sd).logpdf(y[rows]), rtol=1e-8)
    few = CELL == 3
    additive = fit_linear_gaussian(MIXED, "y", ("x", "g", "h"))
    np.testing.assert_allclose(expected[few], additive.expected(MIXED)[few])
    np.testing.assert_allclose(logs[few], additive.log_density(MIXED)[few])


def test_without_discrete_parents_it_is_a_linear_gaussian():
    assert fit_by_levels(MIXED, "y", ("x",)) == fit_linear_gaussian(MIXED, "y", ("x",))
    assert isinstance(fit_by_levels(MIXED, "y", ()), LinearGaussian)


def test_a_constant_configuration_has_no_regression_of_its_own():
    y = np.where(CELL == 2, 7.0, MIXED.columns[3].values)
    data = Dataset((*MIXED.columns[:3], Column("y", Kind.CONTINUOUS, y)))
    model = fit_by_levels(data, "y", ("g", "h"))
    assert [states for states, _ in model.regressions] == [(0, 0), (0, 1)]
    assert np.isfinite(model.log_density(data)).all()


def test_samples_have_the_moments_of_each_configuration():
    table = MIXED.take(np.repeat(np.arange(MIXED.n_rows), 50))
    drawn = MODEL.sample(table, np.random.default_rng(1)).values
    cells, means = np.repeat(CELL, 50), MODEL.expected(table)
    for cell, (_, model) in enumerate(MODEL.regressions):
        left = (drawn - means)[cells == cell]
        assert abs(left.mean()) < 5 * model.sd / np.sqrt(len(left))
        assert left.std() == pytest.approx(model.sd, rel=0.05)


def test_saving_renaming_and_what_is_refused():
    again = RegressionsByLevels.from_dict(json.loads(json.dumps(MODEL.to_dict())))
    assert again == MODEL
    renamed = MODEL.renamed({"x": "a", "g": "b", "h": "c", "y": "d"})
    assert (renamed.child, renamed.parents) == ("d", ("a", "b", "c"))
    np.testing.assert_array_equal(
        renamed.expected({"a": [1.0, 2.0], "b": ["no", "yes"], "c": ["yes", "no"], "d": [0.0, 0.0]}),
        MODEL.expected({"x": [1.0, 2.0], "g": ["no", "yes"], "h": ["yes", "no"], "y": [0.0, 0.0]}),
    )
    assert repr(MODEL) == "RegressionsByLevels(y given x, g, h: 3 regressions by g, h)"
    (_, first), *others = MODEL.regressions
    for wrong in (((0, 2), first), ((0,), first), ((1, 1), MODEL.otherwise), others[0]):
        with pytest.raises(GraphError, match="'y'"):
            replace(MODEL, regressions=(*MODEL.regressions, wrong))
    with pytest.raises(GraphError, match="discrete parents"):
        replace(MODEL, given=())


def test_networks_of_it(tmp_path):
    graph = arcwise.Dag(MIXED.names, [("g", "h"), ("g", "y"), ("h", "y"), ("x", "y")])
    net = fit(graph, MIXED, "conditional-gaussian")
    assert net.model("y") == fit_by_levels(MIXED, "y", graph.parents("y"))
    additive = fit(graph, MIXED, "gaussian")
    assert net.log_density(MIXED).mean() > additive.log_density(MIXED).mean() + 0.5
    net.save(tmp_path / "net.json")
    assert arcwise.Network.load(tmp_path / "net.json") == net
    # By Bayes' rule, and a number by integration over its child.
    right = (net.expected("g", MIXED).argmax(axis=1) == MIXED.columns[0].values).mean()
    assert right > 0.9
    first = MIXED.take(slice(0, 50))
    assert net.mean_squared_error("x", first) < 0.6 * net.mean_squared_error("x", first, evidence="parents")
    weights = np.random.default_rng(0).integers(1, 4, MIXED.n_stored)
    heavy = MIXED.weighted(weights)
    assert fit(graph, heavy, "conditional-gaussian") == fit(graph, heavy.repeated(), "conditional-gaussian")


def test_missing_cells_leave_their_rows_out():
    gone = np.zeros(MIXED.n_rows, dtype=bool)
    gone[::7] = True
    x = Column("x", Kind.CONTINUOUS, np.where(gone, np.nan, MIXED.columns[2].values), missing=gone)
    data = Dataset((*MIXED.columns[:2], x, MIXED.columns[3]))
    assert fit_by_levels(data, "y", ("x", "g")) == fit_by_levels(MIXED.take(~gone), "y", ("x", "g"))
    assert fit_by_levels(data, "y", ("g",)) == fit_by_levels(MIXED, "y", ("g",))
    none = Column("x", Kind.CONTINUOUS, np.full(MIXED.n_rows, np.nan), missing=np.ones(MIXED.n_rows, dtype=bool))
    with pytest.raises(DataError, match="no row has all of 'y'"):
        fit_by_levels(Dataset((*MIXED.columns[:2], none, MIXED.columns[3])), "y", ("x",))
    result = arcwise.learn(data, "conditional-gaussian")
    assert np.isfinite(result.fit(data).log_density(MIXED)).all()
