"""Bins for a picture: nothing is lost, outliers and grids are seen."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwise.drawing.histogram import histogram

FINITE = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(FINITE, min_size=1, max_size=60), st.integers(1, 60))
def test_every_row_is_counted_once(values, most):
    found = histogram(np.array(values), most)
    assert found.counts.sum() + found.below + found.above == len(values)
    assert len(found.counts) <= max(most, 3)
    assert max(found.below, found.above) <= max(1, len(values) // 200)
    low, high = found.shown
    inside = np.array([value for value in values if low <= value <= high])
    places = found.place(inside)
    assert len(inside) == found.counts.sum()
    assert np.all((places >= 0) & (places <= 1))
    assert np.all(np.diff(found.place(np.sort(inside))) >= 0)


@given(st.lists(st.tuples(FINITE, st.integers(1, 300)), min_size=1, max_size=40), st.integers(1, 60))
def test_weights_are_values_repeated(pairs, most):
    values, weights = np.array([value for value, _ in pairs]), np.array([n for _, n in pairs])
    one, other = histogram(values, most, weights), histogram(np.repeat(values, weights), most)
    assert one.counts.tolist() == other.counts.tolist()
    assert (one.low, one.high, one.below, one.above, one.shown) == (
        other.low,
        other.high,
        other.below,
        other.above,
        other.shown,
    )


@given(st.integers(1, 40), st.integers(0, 10_000), st.sampled_from([0.005, 0.1, 0.25, 1.0, 1e6]))
def test_grid_points_share_bins_evenly(points, seed, step):
    """Each grid point once: without the grid some bins would hold one point more than others."""
    values = step * np.random.default_rng(seed).permutation(np.arange(points))
    found = histogram(values, 20)
    counts = found.counts[found.counts > 0]
    assert np.all(counts[:-1] == counts[0])
    assert counts[-1] <= counts[0]


def test_thresholds_between_integers_lie_on_the_edges_of_bins():
    values = np.repeat(np.arange(1.0, 30.0), 40)
    found = histogram(values, 48)
    assert found.counts.tolist() == [40] * 29
    np.testing.assert_allclose(found.place(np.array([0.5, 1.5, 29.5])), [0, 1 / 29, 1], atol=1e-12)


@pytest.mark.parametrize("far", [1e3, 1e300, -1e300])
def test_an_outlier_does_not_squeeze_the_rest(far):
    values = np.append(np.random.default_rng(1).normal(size=400), far)
    found = histogram(values, 48)
    assert (found.below, found.above) == ((1, 0) if far < 0 else (0, 1))
    assert np.count_nonzero(found.counts) > 20
    words = found.left_out(values, np.array([0.0, far / 2]))
    assert words == f"not shown: 1 row {'below, down' if far < 0 else 'above, up'} to {far:.6g}; 1 threshold"


def test_nothing_is_left_out_without_need():
    rng = np.random.default_rng(2)
    for values in (rng.normal(size=500), rng.random(7), np.array([1.0, 2, 3, 4, 10]), np.array([0.0] * 99 + [5.0])):
        found = histogram(values, 48)
        assert (found.below, found.above) == (0, 0)
        assert found.left_out(values, np.array([values.mean()])) == ""


def test_a_single_value_stands_in_the_middle():
    found = histogram(np.full(9, 7.0), 48)
    assert found.counts.tolist() == [0, 9, 0]
    assert found.ends == [("7", 0.5)]
    assert found.marks(np.array([6.0, 7.0, 8.0])) == [("7", 0.5)]


def test_numbers_that_six_digits_cannot_tell_apart():
    found = histogram(1e15 + np.arange(5.0), 48)
    assert found.ends == [("1000000000000000", 0.0), ("1000000000000004", 1.0)]


def test_the_whole_range_of_floats():
    found = histogram(np.array([-1.7e308, 0.0, 1.7e308]), 10)
    assert found.counts.sum() == 3
    np.testing.assert_allclose(found.place(np.array([-1.7e308, 0.0, 1.7e308])), [0, 0.5, 1])
