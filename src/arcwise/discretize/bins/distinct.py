"""Every distinct value a level of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, FloatArray, Kind
from arcwise.data.discretization import Discretization
from arcwise.data.reading.door import takes_table
from arcwise.discretize.bins.cuts import cut_columns, midpoints
from arcwise.errors import DataError

MOST_VALUES = 1000  # tables of two columns with this many levels still fit in memory


@checked
@dataclass(frozen=True, kw_only=True)
class Distinct:
    """A threshold midway between any two neighbouring values: the full resolution from which Tran starts.

    For columns with few distinct values: tables of counts grow with the product of the levels. O(N log N) a column.
    """

    kind: ClassVar[str] = "distinct"
    reference: ClassVar[str] = "Tran 2013"

    @takes_table
    def fit(self, data: Dataset) -> Discretization:
        for column in data.columns:
            n_distinct = len(np.unique(column.recorded)) if column.kind is Kind.CONTINUOUS else 0
            if n_distinct > MOST_VALUES:
                raise DataError(
                    f"column {column.name!r} has {n_distinct:,} distinct values, more than the {MOST_VALUES:,} that "
                    f"can each be a level; put several into one, as the discretizer 'equal-frequency' does"
                )
        return cut_columns(data, _cuts)


def _cuts(values: FloatArray) -> FloatArray:
    distinct = np.unique(values)
    return midpoints(distinct[:-1], distinct[1:])
