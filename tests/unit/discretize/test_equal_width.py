from __future__ import annotations

import numpy as np
import pytest

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.discretize import EqualWidth


def table(values: list[float]) -> Dataset:
    return Dataset((Column("x", Kind.CONTINUOUS, np.array(values, dtype=np.float64)),))


def cuts(values: list[float], bins: int) -> list[float]:
    return EqualWidth(bins=bins).fit(table(values)).thresholds["x"].tolist()


def test_heights_from_five_to_six_feet_are_cut_at_five_and_a_half() -> None:
    data = table([5.0, 5.4, 5.5, 6.0])
    cut = EqualWidth(bins=2).fit(data)
    assert cut.thresholds["x"].tolist() == [5.5]
    assert cut.apply(data).columns[0].values.tolist() == [0, 0, 1, 1]


def test_three_bins_are_the_default() -> None:
    assert EqualWidth() == EqualWidth(bins=3)
    assert EqualWidth().fit(table([0.0, 3.0, 1.5, 6.0])).thresholds["x"].tolist() == [2.0, 4.0]


def test_one_bin_has_no_threshold() -> None:
    assert cuts([1.0, 2.0, 3.0], 1) == []


def test_a_value_on_a_decimal_grid_point_is_in_the_bin_it_opens() -> None:
    tenths = [i / 10 for i in range(11)]
    labels = EqualWidth(bins=10).fit(table(tenths)).apply(table(tenths)).columns[0].values
    assert labels.tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9]


def test_an_empty_bin_is_dropped() -> None:
    assert cuts([0.0, 1.0, 9.0], 3) == [3.0]  # [3, 6) is empty: of 3 and 6 the lower middle stays
    assert cuts([0.0, 1.0, 10.0], 5) == [4.0]  # 2, 4, 6 and 8 bound empty bins
    assert cuts([0.0, 10.0], 4) == [5.0]  # 2.5, 5 and 7.5: the middle one


def test_more_bins_than_values_leave_one_level_a_value() -> None:
    data = table([1.0, 2.0, 4.0, 8.0])
    cut = EqualWidth(bins=1000).fit(data)
    assert cut.apply(data).columns[0].values.tolist() == [0, 1, 2, 3]


def test_neighbouring_floats_are_told_apart() -> None:
    low, high = 1.0, float(np.nextafter(1.0, 2.0))
    assert cuts([low, high, low], 2) == [high]
    assert cuts([0.0, 5e-324], 3) == [5e-324]


def test_the_whole_range_of_floats() -> None:
    largest = float(np.finfo(np.float64).max)
    assert cuts([-largest, 0.0, largest], 2) == [0.0]
    assert cuts([-1e308, -1e307, 1e307, 1e308], 4) == [-5e307, 0.0, 5e307]


def test_sixty_five_thousand_bins_over_the_whole_range_stay_finite() -> None:
    largest = float(np.finfo(np.float64).max)
    found = cuts([-largest, -1.0, 0.0, 1.0, largest], 65_536)
    assert np.all(np.isfinite(found))
    assert len(found) == 3  # -1 shares no bin with 0, because 0 is a threshold; 0 and 1 share one
    assert 0.0 in found


@pytest.mark.parametrize("row_count", [1, 4])
def test_a_constant_column_gets_no_threshold(row_count: int) -> None:
    data = table([7.0] * row_count)
    cut = EqualWidth(bins=3).fit(data)
    assert cut.thresholds["x"].tolist() == []
    assert cut.apply(data).columns[0].levels == ("any",)
