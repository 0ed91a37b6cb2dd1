"""The judge: the density of the values themselves, from what others tell, and no other row."""

from __future__ import annotations

import numpy as np
import pytest

import arcwise
from arcwise import catalog
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import ArcwiseError
from arcwise.judging.folds import Folds
from arcwise.judging.held_out import constant_columns, fitted, judge
from arcwise.learners.completed import completing
from arcwise.learners.draws import Draws
from arcwise.networks.streams import stream
from arcwise.problem import Problem, learn_by_solving
from tests.contract.parts import continuous_data, discrete_data, mixed_data
from tests.contract.test_missing_cells import with_holes

TABLES = {"discrete": discrete_data, "continuous": continuous_data, "mixed": mixed_data}


def problem(data):
    return Problem.of(data, rng=np.random.default_rng(0))


def densities(data, method, folds=3, seed=1):
    learner = completing(catalog.METHODS[method].learner, data, Draws(burn_in=2, least=2, most=2))
    parts = Folds.of(data, folds, seed)
    return [judge(learner, problem(data), parts, k, seed).densities for k in range(folds)]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("method", ["gaussian", "equal-frequency", "pc"])
def test_a_fold_is_foretold_by_hand(table, method):
    data = TABLES[table](120)
    folds = Folds.of(data, 3, 1)
    for k in range(3):
        train = folds.train(k)
        found = learn_by_solving(catalog.METHODS[method].learner, train, rng=stream(1, "fold", k))
        by_hand = fitted(found, train).log_density(folds.table.take(folds.owner[folds.held_out(k)]))
        assert densities(data, method)[k] == pytest.approx(by_hand, rel=1e-12)


@pytest.mark.parametrize("method", ["gaussian", "steck"])
def test_orders_change_nothing(method):
    data = mixed_data(100)
    rng = np.random.default_rng(4)
    other = data.select(list(rng.permutation(data.names))).take(rng.permutation(100))
    for one, two in zip(densities(data, method), densities(other, method), strict=True):
        assert one.tolist() == pytest.approx(two.tolist(), rel=1e-12)


@pytest.mark.parametrize("method", ["gaussian", "equal-frequency", "boss"])
def test_weights_are_repeated_rows(method):
    data = mixed_data(60)
    weights = np.random.default_rng(5).integers(0, 5, 60)
    one = densities(data.weighted(weights), method)
    two = densities(data.take(np.repeat(np.arange(60), weights)), method)
    for a, b in zip(one, two, strict=True):
        assert a == pytest.approx(b, rel=1e-8)


@pytest.mark.parametrize("method", ["gaussian", "equal-frequency"])
def test_missing_cells_are_summed_over(method):
    found = densities(with_holes(continuous_data(90)), method)
    assert all(np.isfinite(rows).all() for rows in found)
    assert sum(map(len, found)) == 90


def test_units_shift_all_densities_alike():
    """Values in other units have other densities, by the same amount for every method."""
    data = continuous_data(150)
    tall = Dataset(tuple(Column(c.name, Kind.CONTINUOUS, 8.0 * c.values) for c in data.columns))
    for method in ("gaussian", "equal-frequency"):
        for one, two in zip(densities(data, method), densities(tall, method), strict=True):
            assert one - two == pytest.approx(np.full(len(one), 6 * np.log(8.0)), abs=1e-6)


def test_a_constant_column_takes_no_part():
    data = continuous_data(90)
    more = Dataset((*data.columns, Column("flat", Kind.CONTINUOUS, np.full(90, 7.5))))
    assert constant_columns(more) == ["flat"]
    assert constant_columns(data) == []
    for method in ("gaussian", "equal-frequency"):
        for one, two in zip(densities(data, method), densities(more, method), strict=True):
            assert np.isfinite(one).all()
            assert one == pytest.approx(two, abs=1e-9)


def test_a_skeleton_has_no_density():
    with pytest.raises(ArcwiseError, match="no directions"):
        densities(mixed_data(60), "mmpc")


def test_the_judge_prefers_what_made_the_data():
    """Normal noise around lines, and levels: each is foretold best by its own kind."""
    net = arcwise.networks.random_gaussian_network(arcwise.networks.random_dag(6, n_edges=7, seed=2), seed=2)
    lines = net.sample(400, 3)
    assert np.concatenate(densities(lines, "gaussian")).mean() > np.concatenate(densities(lines, "steck")).mean() + 0.2
    levels, rng = discrete_data(400), np.random.default_rng(6)
    wide = (Column(c.name, Kind.CONTINUOUS, 9.0 * c.values + rng.uniform(0, 3 + c.values, 400)) for c in levels.columns)
    even = Dataset(tuple(wide))
    assert np.concatenate(densities(even, "steck")).mean() > np.concatenate(densities(even, "gaussian")).mean() + 0.2


def test_whole_numbers_are_no_spikes():
    """Readings that are rounded have no density beyond what their rounding resolves: 1 a unit."""
    rng = np.random.default_rng(7)
    hidden = rng.integers(0, 3, 300)
    values = (np.rint(3.0 * hidden + rng.normal(0, 0.4, 300)) for _ in range(3))
    data = Dataset(tuple(Column(name, Kind.CONTINUOUS, column) for name, column in zip("abc", values, strict=True)))
    for method in ("hidden-states", "gaussian", "steck"):
        assert np.concatenate(densities(data, method)).max() <= 0.0
