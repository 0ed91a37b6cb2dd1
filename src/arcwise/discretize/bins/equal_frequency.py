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
from arcwise.stats.ordered import Ordered


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
        return cut_columns(data, lambda values: _cuts(values, self.bins))


def _cuts(values: Ordered, bins: int) -> FloatArray:
    ranks = boundaries(values, bins)
    return midpoints(values.at(ranks - 1).values, values.at(ranks).values)


def boundaries(values: Ordered, bins: int) -> IntArray:
    """Where to cut: numbers of cases below the thresholds, ascending.

    A rank b is a boundary when the b lowest cases are all smaller than the rest. Of two equally near the lower is
    taken, so that what is nearest to an ideal rank begins or ends the run of equal cases that it falls into.
    """
    if bins == 1:
        return np.empty(0, dtype=np.intp)
    n = values.n
    ideal = np.rint(np.arange(1, bins) * n / bins).astype(np.intp)  # halves go to the even rank
    run = values.at(np.minimum(ideal, n - 1))
    lower, upper = run.first, run.after
    lower, upper = np.where(lower == 0, upper, lower), np.where(upper == n, lower, upper)
    return np.unique(np.where(np.abs(ideal - lower) <= np.abs(upper - ideal), lower, upper))
