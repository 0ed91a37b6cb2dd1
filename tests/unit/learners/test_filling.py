"""Fillers: what they draw has the distribution of the cells that are missing, whatever the kinds of columns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.learners.draws import Draws
from arcwise.learners.filling.levels import LevelFiller
from arcwise.learners.filling.normal import NormalFiller, centre_and_scale
from arcwise.problem import Problem


def numbers(values, names="abcdefgh"):
    columns = [
        Column(n, Kind.CONTINUOUS, some, missing=np.isnan(some)) for n, some in zip(names, values.T, strict=False)
    ]
    return Dataset(tuple(columns))


def filler_of(kind, data, draws=None, seed=0, **more):
    problem = Problem.of(data, rng=np.random.default_rng(seed))
    return kind(problem, draws or Draws(), np.arange(data.n_rows), **more), problem.rng


def with_holes(values, share, seed):
    return np.where(np.random.default_rng(seed).random(values.shape) < share, np.nan, values)


def test_normal_draws_have_the_mean_and_variance_of_the_formula():
    """One missing cell a row, so that its distribution given the others is the one of the covariance."""
    rng, n = np.random.default_rng(1), 3000
    mixing = np.array([[1.0, 0.8, 0.3], [0.0, 0.9, -0.5], [0.0, 0.0, 0.7]])
    whole = rng.normal(size=(n, 3)) @ mixing * [1, 10, 100] + [5, -3, 2000]
    holes = whole.copy()
    holes[: n // 3, 1] = np.nan
    filler, rng = filler_of(NormalFiller, numbers(holes))
    for _ in range(5):
        filler.draw(rng)
    drawn = []
    for _ in range(200):
        filler.draw(rng)
        drawn.append(filler.table().column("b").values[: n // 3])
    covariance, mean = mixing.T @ mixing * np.outer([1, 10, 100], [1, 10, 100]), np.array([5, -3, 2000])
    others = [0, 2]
    slopes = np.linalg.solve(covariance[np.ix_(others, others)], covariance[others, 1])
    want = mean[1] + (whole[: n // 3, others] - mean[others]) @ slopes
    spread = np.sqrt(covariance[1, 1] - covariance[1, others] @ slopes)
    away = np.mean(drawn, axis=0) - want
    assert np.abs(away).max() < 5 * spread / np.sqrt(200) + 0.1 * spread
    np.testing.assert_allclose(np.std(drawn, axis=0).mean(), spread, rtol=0.05)


def test_a_correlation_is_not_attenuated():
    """40 % of both columns missing: draws keep the correlation, means in their place would take a third of it."""
    rng = np.random.default_rng(2)
    x = rng.normal(size=4000)
    y = 0.8 * x + 0.6 * rng.normal(size=4000)
    holes = with_holes(np.column_stack([x, y]), 0.4, 3)
    filler, rng = filler_of(NormalFiller, numbers(holes))
    found = []
    for turn in range(30):
        filler.draw(rng)
        if turn >= 10:
            found.append(np.corrcoef(filler.table().column("a").values, filler.table().column("b").values)[0, 1])
    assert np.mean(found) == pytest.approx(0.8, abs=0.03)
    means = np.where(np.isnan(holes), np.nanmean(holes, axis=0), holes)
    assert np.corrcoef(means.T)[0, 1] < 0.6


@pytest.mark.parametrize("kind", [NormalFiller, LevelFiller])
def test_recorded_cells_stay_and_the_others_are_filled(kind):
    rng = np.random.default_rng(4)
    holes = with_holes(rng.normal(size=(120, 4)) + rng.normal(size=(120, 1)), 0.3, 5)
    filler, rng = filler_of(kind, numbers(holes))
    filler.draw(rng)
    table = filler.table()
    assert table.is_complete
    for j, column in enumerate(table.columns):
        there = ~np.isnan(holes[:, j])
        np.testing.assert_array_equal(column.values[there], holes[there, j])
    whole = filler_of(kind, numbers(np.column_stack([holes, np.arange(120.0)])))[0]
    assert whole.table().column("e") is whole.table().column("e")  # a column without holes is never made anew


def test_numbers_come_from_those_recorded_in_their_level():
    rng = np.random.default_rng(6)
    level = rng.integers(0, 2, 400)
    holes = with_holes((10.0 * level + rng.random(400))[:, np.newaxis], 0.3, 7)
    codes = Column("z", Kind.DISCRETE, level.astype(np.uint8), ("low", "high"))
    data = Dataset((*numbers(holes).columns, codes))
    filler, rng = filler_of(LevelFiller, data)
    for _ in range(10):
        filler.draw(rng)
        filler.keep()
    drawn = filler.table().column("a").values
    assert set(drawn) <= set(holes[~np.isnan(holes)])
    assert np.mean((drawn > 5) == level) > 0.97  # what the other column says of them
    (filled,) = filler.columns()
    np.testing.assert_array_equal(filled.rows, np.isnan(holes[:, 0]).nonzero()[0])
    assert np.mean(np.abs(filled.values - (10.0 * level[filled.rows] + 0.5)) < 3) > 0.95


def test_probable_levels_are_those_that_the_others_point_at():
    rng = np.random.default_rng(8)
    level = rng.integers(0, 3, 500)
    columns = []
    for name in "abcd":
        codes = np.where(rng.random(500) < 0.1, rng.integers(0, 3, 500), level).astype(np.uint8)
        columns.append(Column(name, Kind.DISCRETE, codes, ("x", "y", "z")))
    gone = rng.random((4, 500)) < 0.2
    data = Dataset(tuple(replace(column, missing=mask) for column, mask in zip(columns, gone, strict=True)))
    filler, rng = filler_of(LevelFiller, data)
    for turn in range(15):
        filler.draw(rng)
        if turn >= 5:
            filler.keep()
    for filled, column in zip(filler.columns(), columns, strict=True):
        right = filled.values == column.values[filled.rows]
        assert right.mean() > 0.8
        assert filled.sure.min() > 1 / 3 - 1e-6
        assert filled.sure.max() <= 1 + 1e-6
        assert abs(filled.sure.mean() - right.mean()) < 0.1  # as sure as they are right


def test_numbers_and_levels_together():
    """Linear methods: numbers given levels, levels given the bins of numbers."""
    rng = np.random.default_rng(9)
    level = rng.integers(0, 2, 600)
    x = 3.0 * level + rng.normal(size=600)
    y = x + rng.normal(size=600)
    holes = with_holes(np.column_stack([x, y]), 0.3, 10)
    column = Column("z", Kind.DISCRETE, level.astype(np.uint8), ("no", "yes"), missing=rng.random(600) < 0.3)
    data = Dataset((*numbers(holes).columns, column))
    problem = Problem.of(data, rng=np.random.default_rng(0))
    order = np.arange(600)
    filler = LevelFiller(problem, Draws(), order, NormalFiller(problem, Draws(), order))
    found, right = [], []
    for turn in range(20):
        filler.draw(problem.rng)
        table = filler.table()
        assert table.is_complete
        if turn >= 8:
            found.append(np.corrcoef(table.column("a").values, table.column("b").values)[0, 1])
            right.append(np.mean(table.column("z").values == level))
    assert np.mean(found) == pytest.approx(np.corrcoef(x, y)[0, 1], abs=0.04)
    assert np.mean(right) > 0.9


def test_a_column_of_one_value_is_filled_with_it():
    holes = with_holes(np.column_stack([np.full(60, 2.5), np.random.default_rng(11).normal(size=60)]), 0.4, 12)
    for kind in (NormalFiller, LevelFiller):
        filler, rng = filler_of(kind, numbers(holes))
        for _ in range(3):
            filler.draw(rng)
            filler.keep()
        assert set(filler.table().column("a").values) == {2.5}
        assert set(filler.columns()[0].values) == {2.5}
        assert set(filler.columns()[0].sure) == {0.0}


@pytest.mark.parametrize("factor", [1e300, 1e-300, 1e-12, -1e8])
@pytest.mark.parametrize("kind", [NormalFiller, LevelFiller])
def test_units_change_nothing_but_the_numbers(kind, factor):
    values = np.random.default_rng(13).normal(size=(80, 3)) + np.random.default_rng(14).normal(size=(80, 1))
    found = []
    with np.errstate(all="raise", under="ignore"):
        for times in (1.0, abs(factor)):
            filler, rng = filler_of(kind, numbers(with_holes(values, 0.3, 15) * times))
            for _ in range(4):
                filler.draw(rng)
                filler.keep()
            found.append([column.values / times for column in filler.columns()])
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-9)


def test_centre_and_scale():
    values = np.array([3.0, 5.0, 10.0])
    assert centre_and_scale(values) == pytest.approx((values.mean(), values.std()))
    assert centre_and_scale(np.full(3, 0.1)) == (0.1, 0.0)
    assert centre_and_scale(values * 1e307) == pytest.approx((6e307, values.std() * 1e307))
    assert centre_and_scale(values * 1e-307) == pytest.approx((6e-307, values.std() * 1e-307))
