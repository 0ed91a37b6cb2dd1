"""The levels of long columns, merged by tables of counts alone: rows are cut and counted once, wherever they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arcwise._kernels.thresholds import merging
from arcwise.data.dataset import Dataset, FloatArray, IntArray, Kind
from arcwise.data.discretization import Discretization
from arcwise.discretize.bins.cuts import midpoints
from arcwise.discretize.bins.equal_frequency import boundaries
from arcwise.discretize.hartemink.merge_levels import Levels
from arcwise.errors import DataError
from arcwise.stats.counts import counts_of
from arcwise.stats.levels import rows_of_levels
from arcwise.stats.ordered import ordered

MOST_ROWS = 1 << 28  # a table of n ln n for every n up to it takes 2 GiB


@dataclass(frozen=True, eq=False, slots=True)
class CutColumn:
    """A continuous column cut into equally frequent levels. cuts: rows below each threshold; at: the thresholds."""

    cuts: IntArray
    at: FloatArray

    def thresholds(self, cuts: IntArray) -> FloatArray:
        return self.at[np.searchsorted(self.cuts, cuts)]


def cut_column(data: Dataset, name: str, bins: int) -> CutColumn:
    values = ordered(data, name)
    if not values.n or values.lowest == values.highest:
        return CutColumn(np.empty(0, dtype=np.intp), np.empty(0))
    cuts = boundaries(values, bins)
    return CutColumn(cuts, midpoints(values.at(cuts - 1).values, values.at(cuts).values))


class Tabled:
    """The levels of all columns by the counts of every two of them."""

    def __init__(self, data: Dataset, columns: dict[str, CutColumn]) -> None:
        if data.n_rows > MOST_ROWS:
            raise DataError(
                f"the discretizer 'hartemink' takes at most {MOST_ROWS:,} rows, not {data.n_rows:,}; learn from some "
                f"of them with --sample-rows 1000000, or take 'equal-frequency'"
            )
        discrete = [column.name for column in data.columns if column.kind is Kind.DISCRETE]
        names = [*columns, *discrete]  # continuous ones first, as the kernels have it
        cut = Discretization({name: column.at for name, column in columns.items()}).apply(data.select(names))
        counts, cards = counts_of(cut), cut.cardinalities
        self._offsets = np.concatenate([[0], np.cumsum(cards)]).astype(np.intp)
        self._pairs = [counts.tables_with_later(x) for x in range(len(names))]
        self._cuts, self._n_rows = [column.cuts for column in columns.values()], data.n_rows
        own = rows_of_levels(data.select(discrete))
        observed = np.array([np.count_nonzero(rows) for rows in own], dtype=np.intp)
        tables = merging.Tables(self._offsets, self._both_ways(int(self._offsets[len(columns)])))
        self.levels = Levels.of_tables(self._cuts, observed, tables, data.n_rows)

    def _both_ways(self, size: int) -> NDArray[np.int32]:
        """Counts of the levels of continuous columns, those before `size`, with those of all other columns."""
        tables = np.zeros((size, int(self._offsets[-1])), dtype=np.int32)
        for x in range(len(self._cuts)):
            first, last = self._offsets[x], self._offsets[x + 1]
            tables[first:last, last:] = self._pairs[x]
            tables[last:, first:last] = tables[first:last, last:size].T
        return tables

    def information(self, cuts: Sequence[IntArray]) -> float:
        """Total mutual information, in units, when the continuous columns have these cuts."""
        starts = [np.append(0, np.searchsorted(own, kept) + 1) for own, kept in zip(self._cuts, cuts, strict=True)]
        n, total, whole = len(self._pairs), 0.0, int(self.levels.xlogx[self._n_rows])
        for x in range(n):
            table, of_x = self._pairs[x].astype(np.int64), 0.0
            if x < len(starts):
                table = np.add.reduceat(table, starts[x], axis=0)
            for y in range(x + 1, n):
                first, last = self._offsets[[y, y + 1]] - self._offsets[x + 1]
                joint = table[:, first:last]
                if y < len(starts):
                    joint = np.add.reduceat(joint, starts[y], axis=1)
                summed = [int(self.levels.xlogx[part].sum()) for part in (joint, joint.sum(axis=0), joint.sum(axis=1))]
                of_x += summed[0] - summed[1] - summed[2] + whole
            total += of_x
        return total
