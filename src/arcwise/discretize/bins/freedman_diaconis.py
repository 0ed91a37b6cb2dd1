"""The rule of Freedman and Diaconis: the width of the bins from the interquartile range."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import pow
from typing import ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, FloatArray
from arcwise.data.discretization import Discretization
from arcwise.data.reading.door import takes_table
from arcwise.discretize.bins.cuts import cut_columns
from arcwise.discretize.bins.options import require_whole_number
from arcwise.discretize.bins.scott import scott_ratio
from arcwise.discretize.bins.widths import bins_within, count_distinct, equal_width_cuts


@checked
@dataclass(frozen=True, kw_only=True)
class FreedmanDiaconis:
    """Equal-width bins of width h = 2 IQR N^(-1/(2+d)), d the histogram's `dimension`. O(N log N) a column.

    The number of bins is ceil((max - min) / h), at most one a distinct value; empty ones are dropped. Where
    the interquartile range is 0, Scott's rule takes over.
    """

    kind: ClassVar[str] = "freedman-diaconis"
    reference: ClassVar[str] = "Freedman and Diaconis 1981; Margaritis 2005"

    dimension: int = 1

    def __post_init__(self) -> None:
        require_whole_number("dimension", self.dimension)

    @takes_table
    def fit(self, data: Dataset) -> Discretization:
        return cut_columns(data, self._cuts)

    def _cuts(self, values: FloatArray) -> FloatArray:
        ordered = np.sort(values)
        spread = interquartile_range(ordered)
        ratio = scott_ratio(ordered, self.dimension) if spread == 0 else self._ratio(ordered, spread)
        return equal_width_cuts(ordered, bins_within(ratio, count_distinct(ordered)))

    def _ratio(self, ordered: FloatArray, spread: Fraction) -> Fraction:
        """(max - min) / h."""
        full_range = Fraction(float(ordered[-1])) - Fraction(float(ordered[0]))
        return full_range / (2 * spread) * Fraction(pow(len(ordered), 1 / (2 + self.dimension)))


def interquartile_range(ordered: FloatArray) -> Fraction:
    """Q3 - Q1 of a sorted column, quartiles interpolated between the cases around position (N - 1) / 4.

    Exact: next to an outlier of 1e300 a tiny range must not round to 0, nor a huge one overflow.
    """
    return _quartile(ordered, 3) - _quartile(ordered, 1)


def _quartile(ordered: FloatArray, quarter: int) -> Fraction:
    position, remainder = divmod(quarter * (len(ordered) - 1), 4)
    low = Fraction(float(ordered[position]))
    if remainder == 0:
        return low
    return low + (Fraction(float(ordered[position + 1])) - low) * Fraction(remainder, 4)
