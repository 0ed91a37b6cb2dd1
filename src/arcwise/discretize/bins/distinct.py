"""Every distinct value a level of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, FloatArray, Kind
from arcwise.data.discretization import Discretization
from arcwise.data.reading.door import takes_table
from arcwise.discretize.bins.cuts import midpoints
from arcwise.errors import DataError
from arcwise.stats.ordered import ordered

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
        return Discretization({c.name: _cuts(data, c.name) for c in data.columns if c.kind is Kind.CONTINUOUS})


def _cuts(data: Dataset, name: str) -> FloatArray:
    distinct = ordered(data, name).distinct(MOST_VALUES)
    if len(distinct) > MOST_VALUES:
        raise DataError(
            f"column {name!r} has more than {MOST_VALUES:,} distinct values, too many for each to be a level; put "
            f"several into one, as the discretizer 'equal-frequency' does"
        )
    return midpoints(distinct[:-1], distinct[1:])
