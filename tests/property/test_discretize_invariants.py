"""What no data may break: finite ascending thresholds, no empty level, and labels that ignore what they should."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise.data.dataset import Column, Dataset, FloatArray, Kind
from arcwise.discretize import EqualFrequency, EqualWidth, FreedmanDiaconis, Scott, Sturges

LARGEST = float(np.finfo(np.float64).max)
EXTREMES = [0.0, -0.0, 1.0, float(np.nextafter(1.0, 2.0)), 5e-324, -5e-324, 1e300, -1e300, LARGEST, -LARGEST]
extreme = st.sampled_from(EXTREMES) | st.floats(allow_nan=False, allow_infinity=False) | st.integers(-3, 3)
tied = st.integers(-6, 6).map(lambda i: i / 4)  # sums and differences of these are exact
columns = st.lists(extreme, min_size=1, max_size=40) | st.lists(tied, min_size=1, max_size=60)
parts: st.SearchStrategy[Any] = st.one_of(
    st.builds(EqualWidth, bins=st.integers(1, 12) | st.just(65_536)),
    st.builds(EqualFrequency, bins=st.integers(1, 12) | st.just(65_536)),
    st.just(Sturges()),
    st.builds(Scott, dimension=st.integers(1, 5)),
    st.builds(FreedmanDiaconis, dimension=st.integers(1, 5)),
)


def table(values: Any) -> Dataset:
    return Dataset((Column("x", Kind.CONTINUOUS, np.array(values, dtype=np.float64)),))


def thresholds(part: Any, values: Any) -> FloatArray:
    found: FloatArray = part.fit(table(values)).thresholds["x"]
    return found


def labels(part: Any, values: Any) -> list[int]:
    data = table(values)
    return part.fit(data).apply(data).columns[0].values.tolist()


@pytest.mark.filterwarnings("error")
@settings(max_examples=400, deadline=None)
@given(parts, columns)
def test_thresholds_are_finite_and_ascend_and_no_level_is_empty(part: Any, values: list[float]) -> None:
    cuts = thresholds(part, values)
    assert np.all(np.isfinite(cuts))
    assert np.all(cuts[1:] > cuts[:-1])
    levels = labels(part, values)
    assert set(levels) == set(range(len(cuts) + 1))
    assert len(cuts) < len(set(values))


@settings(max_examples=200, deadline=None)
@given(parts, columns)
def test_equal_values_share_a_level_and_larger_values_have_no_lower_one(part: Any, values: list[float]) -> None:
    pairs = sorted(zip(values, labels(part, values), strict=True))
    levels = [level for _, level in pairs]
    assert levels == sorted(levels)
    assert len({(float(value), level) for value, level in pairs}) == len({float(value) for value in values})


@settings(max_examples=200, deadline=None)
@given(parts, columns, st.randoms(use_true_random=False))
def test_the_order_of_the_rows_is_immaterial(part: Any, values: list[float], random: Any) -> None:
    shuffled = random.sample(values, len(values))
    assert np.array_equal(thresholds(part, values), thresholds(part, shuffled))


@settings(max_examples=200, deadline=None)
@given(st.integers(2, 12), columns)
def test_two_distinct_values_are_always_told_apart(bins: int, values: list[float]) -> None:
    for part in (EqualWidth(bins=bins), EqualFrequency(bins=bins)):
        assert (len(thresholds(part, values)) > 0) == (len(set(values)) > 1)


@settings(max_examples=200, deadline=None)
@given(st.integers(1, 10), st.lists(tied, min_size=1, max_size=50), st.integers(0, 2**32))
def test_equal_frequency_ignores_a_monotone_transform(bins: int, values: list[float], seed: int) -> None:
    distinct = sorted(set(values))
    images = np.sort(np.random.default_rng(seed).uniform(-1e6, 1e6, len(distinct)))
    image = dict(zip(distinct, images, strict=True))
    part = EqualFrequency(bins=bins)
    assert labels(part, [image[value] for value in values]) == labels(part, values)


@settings(max_examples=200, deadline=None)
@given(
    parts,
    st.lists(tied, min_size=1, max_size=50),
    st.integers(-900, 900),
    st.integers(-64, 64),
)
def test_a_change_of_unit_and_origin_is_immaterial(part: Any, values: list[float], power: int, shift: int) -> None:
    moved = np.ldexp(np.array(values) + shift / 4, power)  # exact: quarters times a power of two
    assert labels(part, moved) == labels(part, values)
