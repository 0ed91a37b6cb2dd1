from __future__ import annotations

import numpy as np
import pytest

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.discretize import EqualFrequency


def table(values: list[float]) -> Dataset:
    return Dataset((Column("x", Kind.CONTINUOUS, np.array(values, dtype=np.float64)),))


def cuts(values: list[float], bins: int) -> list[float]:
    return EqualFrequency(bins=bins).fit(table(values)).thresholds["x"].tolist()


@pytest.mark.parametrize(
    ("values", "bins", "expected"),
    [
        ([1, 1, 1, 2, 3, 4], 2, [1.5]),
        ([0, 0, 0, 0, 1], 3, [0.5]),
        ([4, 3, 2, 1], 2, [2.5]),
        ([1, 2, 3, 4, 5, 6], 3, [2.5, 4.5]),
        ([1, 2, 3, 4, 5], 2, [2.5]),  # the ideal rank 2.5 is a half: it goes to the even 2
        ([1, 2, 3, 4, 5, 6, 7], 2, [4.5]),  # and 3.5 to the even 4
        ([1, 2, 2, 3], 2, [1.5]),  # ranks 1 and 3 are equally near to 2: the lower
        ([1, 2, 2, 2, 3, 4], 2, [2.5]),  # rank 4 is nearer to 3 than rank 1
        ([1, 2, 3, 3, 3, 4], 2, [2.5]),  # rank 2 is nearer to 3 than rank 5
        ([3, 3, 3, 3], 2, []),
        ([5], 3, []),
    ],
)
def test_placement(values: list[float], bins: int, expected: list[float]) -> None:
    assert cuts(values, bins) == expected


def test_twenty_patients_are_halved() -> None:
    heights = np.linspace(5.0, 6.0, 20).tolist()
    data = table(heights)
    labels = EqualFrequency(bins=2).fit(data).apply(data).columns[0].values
    assert np.bincount(labels).tolist() == [10, 10]


def test_three_bins_are_the_default() -> None:
    assert EqualFrequency() == EqualFrequency(bins=3)
    assert len(EqualFrequency().fit(table([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])).thresholds["x"]) == 2


def test_one_bin_has_no_threshold() -> None:
    assert cuts([1.0, 2.0, 3.0], 1) == []


@pytest.mark.parametrize("bins", [5, 6, 50, 65_536])
def test_fewer_cases_than_bins_give_one_level_a_value(bins: int) -> None:
    assert cuts([1.0, 2.0, 2.0, 4.0], bins) == [1.5, 3.0]


def test_large_columns_split_evenly() -> None:
    values = np.random.default_rng(0).standard_normal(100_003)
    data = Dataset((Column("x", Kind.CONTINUOUS, values),))
    counts = np.bincount(EqualFrequency(bins=7).fit(data).apply(data).columns[0].values)
    assert counts.sum() == 100_003
    assert counts.max() - counts.min() <= 1


def test_neighbouring_floats_and_huge_ones() -> None:
    above = float(np.nextafter(1.0, 2.0))
    assert cuts([1.0, above], 2) == [above]
    largest = float(np.finfo(np.float64).max)
    below = float(np.nextafter(largest, 0.0))
    assert cuts([below, largest], 2) == [largest]
    assert cuts([-largest, largest], 2) == [0.0]
    assert cuts([0.75 * largest, largest], 2) == [0.875 * largest]
