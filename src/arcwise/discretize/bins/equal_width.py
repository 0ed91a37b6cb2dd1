"""Bins of equal width: their number given, or by the rules of Sturges, Scott, and Freedman and Diaconis."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, ldexp, pow
from typing import ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import MAX_LEVELS, Dataset, FloatArray
from arcwise.data.discretization import Discretization
from arcwise.data.reading.door import takes_table
from arcwise.discretize.bins.cuts import cut_columns, require_whole_number
from arcwise.stats.ordered import Ordered, Sorted


@checked
@dataclass(frozen=True, kw_only=True)
class EqualWidth:
    """t_j = min + j (max - min) / bins. O(N) a column.

    bins: levels of each column; empty ones are dropped, so fewer may remain.
    """

    kind: ClassVar[str] = "equal-width"
    reference: ClassVar[str] = "Dougherty, Kohavi and Sahami 1995; Fu 2005"

    bins: int = 3

    def __post_init__(self) -> None:
        require_whole_number("bins", self.bins, at_most=MAX_LEVELS)

    @takes_table
    def fit(self, data: Dataset) -> Discretization:
        return cut_columns(data, lambda values: _even_cuts(values, self.bins))


@checked
@dataclass(frozen=True, kw_only=True)
class Sturges:
    """ceil(1 + log2 N) bins of equal width, at most one a distinct value; empty ones dropped. O(N log N)."""

    kind: ClassVar[str] = "sturges"
    reference: ClassVar[str] = "Sturges 1926; Margaritis 2005"

    @takes_table
    def fit(self, data: Dataset) -> Discretization:
        return _cut_by_rule(data, lambda values: sturges_bins(values.n))


def sturges_bins(n_rows: int) -> int:
    """ceil(1 + log2 N) in whole numbers: ceil(log2 N) is the bit length of N - 1."""
    return 1 + (n_rows - 1).bit_length()


@checked
@dataclass(frozen=True, kw_only=True)
class Scott:
    """Equal-width bins of width h = 3.5 s N^(-1/(2+d)), d the `dimension`. O(N log N) a column.

    dimension: that of the histogram whose error the rule keeps small, 2 for pairs of columns. s divides by N - 1. The
    number of bins is ceil((max - min) / h), at most one a distinct value; they share the range evenly, and empty ones
    are dropped.
    """

    kind: ClassVar[str] = "scott"
    reference: ClassVar[str] = "Scott 1979; Margaritis 2005"

    dimension: int = 1

    def __post_init__(self) -> None:
        require_whole_number("dimension", self.dimension)

    @takes_table
    def fit(self, data: Dataset) -> Discretization:
        return _cut_by_rule(data, lambda values: scott_ratio(values, self.dimension))


def scott_ratio(values: Ordered, dimension: int) -> float:
    """(max - min) / h for a column that is not constant; the ratio has no unit."""
    full_range, deviation = values.scaled_deviation()
    return full_range / (3.5 * deviation) * pow(values.n, 1 / (2 + dimension))


@checked
@dataclass(frozen=True, kw_only=True)
class FreedmanDiaconis:
    """Equal-width bins of width h = 2 IQR N^(-1/(2+d)), d the `dimension`. O(N log N) a column.

    dimension: that of the histogram whose error the rule keeps small, 2 for pairs of columns. The number of bins is
    ceil((max - min) / h), at most one a distinct value; empty ones are dropped. Where the interquartile range is 0,
    Scott's rule takes over.
    """

    kind: ClassVar[str] = "freedman-diaconis"
    reference: ClassVar[str] = "Freedman and Diaconis 1981; Margaritis 2005"

    dimension: int = 1

    def __post_init__(self) -> None:
        require_whole_number("dimension", self.dimension)

    @takes_table
    def fit(self, data: Dataset) -> Discretization:
        return _cut_by_rule(data, self._ratio)

    def _ratio(self, values: Ordered) -> Fraction | float:
        """(max - min) / h."""
        spread = _quartile(values, 3) - _quartile(values, 1)
        if spread == 0:
            return scott_ratio(values, self.dimension)
        full_range = Fraction(values.highest) - Fraction(values.lowest)
        return full_range / (2 * spread) * Fraction(pow(values.n, 1 / (2 + self.dimension)))


def _quartile(values: Ordered, quarter: int) -> Fraction:
    """Interpolated between the cases around position (N - 1) quarter / 4 of the column in order.

    Exact: next to an outlier of 1e300 a tiny interquartile range must not round to 0, nor a huge one overflow.
    """
    position, remainder = divmod(quarter * (values.n - 1), 4)
    low, high = map(Fraction, values.at(np.array([position, min(position + 1, values.n - 1)])).values.tolist())
    return low + (high - low) * Fraction(remainder, 4)


def equal_width_cuts(values: FloatArray, bins: int) -> FloatArray:
    """t_j = min + j (max - min) / bins for j = 1..bins-1, without the empty bins. O(N log bins).

    `values` must not be constant. With two bins or more the lowest and the highest hold a value each.
    """
    return _even_cuts(Sorted(values), bins)


def _even_cuts(values: Ordered, bins: int) -> FloatArray:
    return _without_empty_bins(_grid(values.lowest, values.highest, bins), values)


def _cut_by_rule(data: Dataset, ratio: Callable[[Ordered], float | Fraction]) -> Discretization:
    """ceil(ratio) bins, where ratio(column) = (max - min) / width, at most one a distinct value.

    A ratio that exceeds a whole number by less than the rounding of N^(1/(2+d)) is that whole number.
    """

    def cuts(values: Ordered) -> FloatArray:
        wanted = ratio(values)
        most = min(len(values.distinct(ceil(min(wanted, MAX_LEVELS)))), MAX_LEVELS)
        return _even_cuts(values, most if wanted >= most else max(1, ceil(float(wanted) * (1 - 1e-12))))

    return cut_columns(data, cuts)


def _grid(low: float, high: float, bins: int) -> FloatArray:
    """The thresholds with empty bins still in: ascending, all in (low, high].

    j (max - min) is divided by `bins` last: from 0 to 1 in ten bins the third threshold is 0.3 itself, not
    three times a rounded 0.1, and the value 0.3 is in the bin it opens.
    """
    # j (max - min) can exceed the largest float; scaled by a power of two it keeps every digit.
    shift = 32 if max(abs(low), abs(high)) > 2.0**990 else 0
    start, span = ldexp(low, -shift), ldexp(high, -shift) - ldexp(low, -shift)
    cuts = np.ldexp(start + np.arange(1, bins) * span / bins, shift)
    # The exact thresholds lie strictly inside; rounding may carry one onto `low`, whose level would be empty.
    return np.clip(cuts, np.nextafter(low, high), high)


def _without_empty_bins(cuts: FloatArray, values: Ordered) -> FloatArray:
    """Thresholds with the same values below them bound empty bins: of each such run the middle one stays."""
    below = np.cumsum(values.rows_of_levels(cuts))[:-1]
    _, first, length = np.unique(below, return_index=True, return_counts=True)
    return cuts[first + (length - 1) // 2]
