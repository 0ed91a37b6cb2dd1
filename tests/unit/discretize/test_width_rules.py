from __future__ import annotations

import numpy as np
import pytest

from arcwise.data.dataset import Column, Dataset, FloatArray, Kind
from arcwise.discretize import FreedmanDiaconis, Scott, Sturges
from arcwise.discretize.bins.equal_width import sturges_bins
from arcwise.parts.protocols import Discretizer


def table(values: FloatArray) -> Dataset:
    return Dataset((Column("x", Kind.CONTINUOUS, np.array(values, dtype=np.float64)),))


def bins_of(part: Discretizer, values: FloatArray) -> int:
    """Bins by the rule, read off the grid: the width of the narrowest level, empty bins or not."""
    cuts = part.fit(table(values)).thresholds["x"]
    edges = np.array([values.min(), *cuts, values.max()])
    return round((values.max() - values.min()) / np.diff(edges).min())


def evenly_spread(rows: int) -> FloatArray:
    return np.arange(rows) / 8.0


def with_range_and_deviation(rows: int, full_range: float) -> FloatArray:
    """Distinct values, symmetric about 0, with standard deviation 1 and the range asked for."""
    inner = np.linspace(-1.0, 1.0, rows - 2)
    ends = full_range / 2
    inner *= np.sqrt((rows - 1 - 2 * ends**2) / np.sum(inner**2))
    values = np.concatenate([[-ends], inner, [ends]])
    assert np.isclose(values.std(ddof=1), 1.0, rtol=1e-12)
    return values


@pytest.mark.parametrize(
    ("rows", "expected"), [(1, 1), (2, 2), (3, 3), (4, 3), (5, 4), (1000, 11), (1024, 11), (1025, 12)]
)
def test_sturges_number_of_bins(rows: int, expected: int) -> None:
    assert sturges_bins(rows) == expected


def test_sturges_cuts_a_thousand_cases_into_eleven_equal_bins() -> None:
    values = evenly_spread(1000)
    cuts = Sturges().fit(table(values)).thresholds["x"]
    assert np.allclose(cuts, values.max() * np.arange(1, 11) / 11, rtol=1e-15)


def test_sturges_uses_no_more_bins_than_distinct_values() -> None:
    values = np.array([0.0, 1.0, 10.0] * 100)
    assert Sturges().fit(table(values)).thresholds["x"].tolist() == [pytest.approx(10 / 3)]


def test_scott_check_value() -> None:
    # s = 1, range 6, N = 1000, d = 1: h = 0.35 and 6 / 0.35 = 17.14, so 18 bins; the outermost hold one case each.
    values = with_range_and_deviation(1000, 6.0)
    cuts = Scott().fit(table(values)).thresholds["x"]
    places = (cuts + 3.0) / (6.0 / 18)
    assert np.allclose(places, np.round(places), atol=1e-9)
    assert bins_of(Scott(), values) == 18


@pytest.mark.parametrize(("dimension", "expected"), [(1, 10), (2, 6), (4, 4), (10, 2)])
def test_a_higher_dimension_makes_bins_wider(dimension: int, expected: int) -> None:
    # N = 1000 and range 3.46 with s = 1: 3.46 / 3.5 * 1000^(1/(2+d)) = 9.89, 5.56, 3.13 and 1.76.
    values = with_range_and_deviation(1000, 3.46)
    assert bins_of(Scott(dimension=dimension), values) == expected


def test_freedman_diaconis_on_an_even_spread() -> None:
    # 0..1000 in N = 1001 steps: IQR = 500, h = 1000 / 1001^(1/3), range / h = 10.003, so 11 bins.
    values = np.arange(1001.0)
    assert bins_of(FreedmanDiaconis(), values) == 11
    assert bins_of(FreedmanDiaconis(dimension=2), values) == 6  # 1001^(1/4) = 5.62


def test_a_whole_ratio_is_not_rounded_up_by_noise() -> None:
    # The IQR is half the range, so the ratio is N^(1/5) = 5; in floats it comes out a hair above.
    values = np.arange(3125.0)
    assert bins_of(FreedmanDiaconis(dimension=3), values) == 5


def test_interquartile_range_of_zero_uses_scott() -> None:
    values = np.array([0.0] * 80 + [1.0, 2.0, 3.0, 4.0, 5.0] * 4)
    assert FreedmanDiaconis(dimension=2).fit(table(values)) == Scott(dimension=2).fit(table(values))
    assert len(Scott(dimension=2).fit(table(values)).thresholds["x"]) > 0


def test_an_outlier_cannot_make_more_bins_than_distinct_values() -> None:
    values = np.concatenate([evenly_spread(100), [1e300]])
    cuts = FreedmanDiaconis().fit(table(values)).thresholds["x"]
    # 101 bins a hundredth of the range wide: all cases but the outlier are in the first.
    assert len(cuts) == 1
    assert cuts[0] == pytest.approx(50 * 1e300 / 101)


def test_a_tiny_interquartile_range_beside_a_huge_outlier_is_not_taken_for_zero() -> None:
    values = np.concatenate([evenly_spread(100) * 1e-300, [1e300, 1e300, 2e300]])
    cuts = FreedmanDiaconis().fit(table(values)).thresholds["x"]
    # 102 distinct values, hence 102 bins: between 0 and 1e300 the bounds 1..51, between 1e300 and 2e300 52..101.
    assert cuts == pytest.approx(np.array([26, 76]) * 2e300 / 102)


@pytest.mark.parametrize("part", [Sturges(), Scott(), FreedmanDiaconis()])
def test_rules_have_no_unit(part: Discretizer) -> None:
    values = np.random.default_rng(1).standard_normal(500)
    expected = part.fit(table(values)).apply(table(values)).columns[0].values
    for scale in (2.0**1020, 2.0**-1000):
        scaled = table(values * scale)
        assert np.array_equal(part.fit(scaled).apply(scaled).columns[0].values, expected)
    assert expected.max() >= 9


def test_two_values_as_far_apart_as_floats_go() -> None:
    largest = float(np.finfo(np.float64).max)
    data = table(np.array([-largest, largest]))
    assert Sturges().fit(data).thresholds["x"].tolist() == [0.0]
    assert FreedmanDiaconis().fit(data).thresholds["x"].tolist() == [0.0]  # range / h = 2^(1/3), so two bins
    assert Scott().fit(data).thresholds["x"].tolist() == []  # range / h = 2^(1/2 + 1/3) / 3.5, so one


def test_denormals() -> None:
    values = np.arange(64) * 5e-324
    plain = np.arange(64.0)
    for part in (Sturges(), Scott(), FreedmanDiaconis()):
        small = part.fit(table(values)).apply(table(values)).columns[0]
        assert small.cardinality == part.fit(table(plain)).apply(table(plain)).columns[0].cardinality


def test_no_more_than_sixteen_bits_of_levels() -> None:
    # All but a few of 100,000 distinct values are packed together, so the ratio is far above 65,536.
    values = np.concatenate([np.linspace(0.0, 1.0, 99_000), np.linspace(2.0, 1e9, 1_000)])
    cuts = FreedmanDiaconis().fit(table(values)).thresholds["x"]
    places = cuts / (1e9 / 65_536)
    assert len(cuts) == 999  # each of the outer thousand has a bin, but the lowest shares the crowd's
    assert np.allclose(places, np.round(places), atol=1e-6)
