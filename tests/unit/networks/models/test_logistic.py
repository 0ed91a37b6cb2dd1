"""Logistic regressions: a discrete column with continuous parents."""

from __future__ import annotations

import numpy as np
import pytest

import arcwise
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import DataError, GraphError
from arcwise.graph.dag import Dag
from arcwise.networks import Network
from arcwise.networks.models.fit import fit, fit_gaussian
from arcwise.networks.models.logistic import PRECISION, Logistic, fit_logistic
from arcwise.networks.models.table import fit_table

LEVELS = ("a", "b", "c")


def some_rows(n: int = 300, seed: int = 0) -> Dataset:
    """y given a number x and a level g."""
    rng = np.random.default_rng(seed)
    x, g = 50 + 10 * rng.standard_normal(n), rng.integers(0, 2, n)
    z = np.stack([np.zeros(n), (x - 50) / 5 + g, -(x - 50) / 10 - 1.0])
    y = (np.cumsum(np.exp(z) / np.exp(z).sum(axis=0), axis=0) < rng.random(n)).sum(axis=0)
    return Dataset(
        (
            Column("x", Kind.CONTINUOUS, x),
            Column("g", Kind.DISCRETE, g.astype(np.uint8), ("no", "yes")),
            Column("y", Kind.DISCRETE, y.astype(np.uint8), (*LEVELS, "never")),
        )
    )


def log_posterior(data: Dataset, weights: np.ndarray) -> float:
    """Written down row by row, of the levels that occur."""
    x, g, y = (column.values for column in data.columns)
    z = (x - x.mean()) / x.std()
    shown = 1 - np.bincount(g).argmax()  # the level of g that has an indicator
    total = -0.5 * PRECISION * float((weights[:, :-1] ** 2).sum())
    for n in range(len(y)):
        out = [w[0] * z[n] + w[1] * (g[n] == shown) + w[2] for w in weights]
        total += out[y[n]] - float(np.log(np.sum(np.exp(out))))
    return total


def test_no_other_weights_are_more_probable():
    data = some_rows()
    found = fit_logistic(data, "y", ("x", "g"), 1.0)
    assert found.weights[3] == ()
    weights = np.array(found.weights[:3])
    best = log_posterior(data, weights)
    for place in np.ndindex(weights.shape):
        for step in (-1e-3, 1e-3):
            other = weights.copy()
            other[place] += step
            assert log_posterior(data, other) < best


def test_densities_are_the_probabilities_of_the_levels():
    data = some_rows()
    found = fit_logistic(data, "y", ("x", "g"), 1.0)
    shares = found.expected(data)
    assert shares.sum(axis=1) == pytest.approx(1.0)
    assert shares.min() >= 1.0 / (4 * 301) - 1e-15  # that of the level without rows
    at = np.arange(data.n_rows), data.column("y").values
    assert found.log_density(data) == pytest.approx(np.log(shares[at]))
    drawn = found.sample(data, np.random.default_rng(1)).values
    assert np.bincount(drawn, minlength=4) / 300 == pytest.approx(shares.mean(axis=0), abs=0.06)


def test_without_inputs_it_is_the_table():
    data = some_rows()
    constant = Dataset((Column("x", Kind.CONTINUOUS, np.full(300, 7.0)), data.column("y")))
    found = fit_logistic(constant, "y", ("x",), 2.0)
    assert found.expected(constant)[0] == pytest.approx(fit_table(data, "y", (), smoothing=2.0).probabilities)


def test_separable_levels_stay_finite_and_rows_may_come_in_any_order():
    x = np.array([-3.0, -2.0, -1.0, 1.0, 2.0, 3.0])
    codes = (x > 0).astype(np.uint8)
    data = Dataset((Column("x", Kind.CONTINUOUS, x), Column("y", Kind.DISCRETE, codes, ("no", "yes"))))
    found = fit_logistic(data, "y", ("x",), 1.0)
    assert np.abs(found.weights).max() < 5
    assert found.expected(data).argmax(axis=1).tolist() == codes.tolist()
    other = fit_logistic(data.take(np.array([4, 0, 5, 2, 1, 3])), "y", ("x",), 1.0)
    assert other.to_dict() == found.to_dict()
    doubled = fit_logistic(data.weighted(np.full(6, 2)), "y", ("x",), 1.0)
    assert doubled.to_dict() == fit_logistic(data.take(np.tile(np.arange(6), 2)), "y", ("x",), 1.0).to_dict()


@pytest.mark.parametrize("values", [[1.0], [0.0, 1e300, -1e300], [1e-310, 2e-310, 0.0, 5e-310]])
def test_any_numbers_and_any_number_of_rows_will_do(values):
    x = np.array(values)
    codes = (np.arange(len(x)) % 2).astype(np.uint8)
    data = Dataset((Column("x", Kind.CONTINUOUS, x), Column("y", Kind.DISCRETE, codes, ("no", "yes"))))
    assert np.isfinite(fit_logistic(data, "y", ("x",), 1.0).log_density(data)).all()


def test_a_network_of_linear_models_has_them_and_answers_all_questions(tmp_path):
    data = some_rows()
    dag = Dag(["x", "g", "y"], [("x", "y"), ("g", "y"), ("g", "x")])
    net = fit(dag, data, "gaussian")
    assert [model.kind for model in net.models] == ["gaussian", "cpt", "logistic"]
    net.save(tmp_path / "net.json")
    again = Network.load(tmp_path / "net.json")
    assert np.array_equal(again.log_density(data), net.log_density(data))
    assert again == net
    assert net.expected("x", data).shape == (300,)
    assert net.expected("g", data).sum(axis=1) == pytest.approx(1.0)
    assert net.sample(20, seed=1).kinds == data.kinds
    called = net.renamed({"x": "weight <kg>"})
    assert called.model("y").parents == ("g", "weight <kg>")


def test_what_is_not_as_it_was_written_is_refused():
    content = fit_logistic(some_rows(), "y", ("x", "g"), 1.0).to_dict()
    for change, message in (
        ({"weights": [[1.0]]}, "needs 3 weights for each level"),
        ({"weights": [[], [], [], []]}, "needs 3 weights"),
        ({"share": 1.0}, "share from 0 to below 1"),
    ):
        with pytest.raises(GraphError, match=message):
            Logistic.from_dict({**content, **change})


def test_missing_cells_are_refused_where_they_cannot_be_expected():
    data = some_rows()
    gone = Column("x", Kind.CONTINUOUS, data.column("x").values, missing=np.arange(300) < 3)
    holes = Dataset((gone, *data.columns[1:]))
    with pytest.raises(DataError, match="'y' is discrete and its parent 'x' continuous, and cells are missing"):
        fit(Dag(["x", "g", "y"], [("x", "y")]), holes, "gaussian")


def test_it_finds_classes_as_well_as_another_library():
    linear_model = pytest.importorskip("sklearn.linear_model")
    data = arcwise.datasets.load("vehicle")
    names = tuple(name for name in data.names if data.column(name).kind is Kind.CONTINUOUS)
    target = next(name for name in data.names if name not in names)
    mine = fit_gaussian(data, target, names, smoothing=0.0)
    x = np.column_stack([data.column(name).values for name in names])
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    theirs = linear_model.LogisticRegression(C=1.0 / PRECISION, tol=1e-10, max_iter=10_000)
    theirs.fit(x, data.column(target).values)
    assert mine.expected(data) == pytest.approx(theirs.predict_proba(x), abs=1e-4)
