"""Bins with the same number of cases, their number given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import MAX_LEVELS, Dataset, FloatArray, IntArray
from arcwise.data.discretization import Discretization
from arcwise.data.reading.door import takes_table
from arcwise.discretize.bins.cuts import cut_columns, midpoints, require_whole_number


@checked
@dataclass(frozen=True, kw_only=True)
class EqualFrequency:
    """Cuts after rank round(j N / bins), moved to the nearest rank that splits no tie. O(N log N) a column.

    bins: levels of each column; fewer remain when several cuts move to the same place.
    """

    kind: ClassVar[str] = "equal-frequency"
    reference: ClassVar[str] = "Dougherty, Kohavi and Sahami 1995; Fu 2005"

    bins: int = 3

    def __post_init__(self) -> None:
        require_whole_number("bins", self.bins, at_most=MAX_LEVELS)

    @takes_table
    def fit(self, data: Dataset) -> Discretization:
        return cut_columns(data, lambda values: _cuts(np.sort(values), self.bins))


def _cuts(ordered: FloatArray, bins: int) -> FloatArray:
    # A rank b is a boundary when the b lowest cases are all smaller than the rest.
    boundaries = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    ideal = np.rint(np.arange(1, bins) * len(ordered) / bins).astype(np.intp)  # halves go to the even rank
    ranks = np.unique(_nearest(boundaries, ideal))
    return midpoints(ordered[ranks - 1], ordered[ranks])


def _nearest(boundaries: IntArray, ranks: IntArray) -> IntArray:
    """For each rank the boundary with the fewest cases between them; of two equally near the lower."""
    right = np.searchsorted(boundaries, ranks)
    lower = boundaries[np.maximum(right - 1, 0)]
    upper = boundaries[np.minimum(right, len(boundaries) - 1)]
    return np.where(np.abs(ranks - lower) <= np.abs(upper - ranks), lower, upper)
