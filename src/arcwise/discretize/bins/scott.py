"""Scott's rule: the width of the bins from the standard deviation."""

from __future__ import annotations

from dataclasses import dataclass
from math import frexp, pow
from typing import ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, FloatArray
from arcwise.data.discretization import Discretization
from arcwise.data.reading.door import takes_table
from arcwise.discretize.bins.cuts import cut_columns
from arcwise.discretize.bins.options import require_whole_number
from arcwise.discretize.bins.widths import bins_within, count_distinct, equal_width_cuts


@checked
@dataclass(frozen=True, kw_only=True)
class Scott:
    """Equal-width bins of width h = 3.5 s N^(-1/(2+d)), d the histogram's `dimension`. O(N log N) a column.

    s divides by N - 1. The number of bins is ceil((max - min) / h), at most one a distinct value; they share
    the range evenly, and empty ones are dropped.
    """

    kind: ClassVar[str] = "scott"
    reference: ClassVar[str] = "Scott 1979; Margaritis 2005"

    dimension: int = 1

    def __post_init__(self) -> None:
        require_whole_number("dimension", self.dimension)

    @takes_table
    def fit(self, data: Dataset) -> Discretization:
        return cut_columns(data, self._cuts)

    def _cuts(self, values: FloatArray) -> FloatArray:
        ordered = np.sort(values)
        ratio = scott_ratio(ordered, self.dimension)
        return equal_width_cuts(ordered, bins_within(ratio, count_distinct(ordered)))


def scott_ratio(ordered: FloatArray, dimension: int) -> float:
    """(max - min) / h for a sorted column that is not constant.

    The ratio has no unit, so a power of two first brings the largest magnitude near 1: no difference can
    overflow and no square vanish. Sorting makes the sums, to the last bit, independent of the row order.
    """
    _, exponent = frexp(max(abs(float(ordered[0])), abs(float(ordered[-1]))))
    scaled = np.ldexp(ordered, -exponent)
    from_lowest = scaled - scaled[0]
    deviation = float(np.std(from_lowest, ddof=1))
    return float(from_lowest[-1]) / (3.5 * deviation) * pow(len(ordered), 1 / (2 + dimension))
