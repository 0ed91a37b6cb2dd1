"""Levels of continuous columns that merge where it loses least mutual information with all other columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, log, log2

import numpy as np
from numpy.typing import NDArray

from arcwise._kernels.thresholds import merging
from arcwise.data.dataset import Column, Dataset, FloatArray, IntArray, Kind, code_dtype
from arcwise.data.discretization import Discretization
from arcwise.data.rows.room import room_for
from arcwise.discretize.bins.cuts import midpoints
from arcwise.parts.monitor import Monitor
from arcwise.parts.protocols import RELATIVE_TOLERANCE
from arcwise.stats.counts import Counts

TABLE_CELLS = 1 << 26  # of 4 bytes
STRETCH = 1 << 20  # numbers that are worked out at a time
VISITS = 20_000_000  # rows or cells that one call may look at, so that it lasts a fraction of a second


@dataclass(frozen=True, eq=False, slots=True)
class SortedColumn:
    """A continuous column in the order of its values. cuts: the first sorted row above each threshold, ascending."""

    values: FloatArray
    rows: NDArray[np.int32]
    cuts: IntArray

    def thresholds(self, cuts: IntArray) -> FloatArray:
        """Midway between the values on either side of each cut."""
        return midpoints(self.values[cuts - 1], self.values[cuts])

    def codes(self, cuts: IntArray) -> NDArray[np.int32]:
        """The level of every row, in the order of the data, for any cuts."""
        found, steps = np.empty((2, len(self.rows)), dtype=np.int32)
        steps[:] = 0
        steps[cuts] = 1
        found[self.rows] = steps.cumsum(dtype=np.int32)
        return found


def sort_column(column: Column, initial: Discretization | None) -> SortedColumn:
    """Cut as `initial` says, or else between all distinct values."""
    rows = np.argsort(column.values, kind="stable")
    values: FloatArray = column.values[rows]
    if initial is None:
        cuts = np.flatnonzero(values[1:] != values[:-1]) + 1
    else:
        cuts = np.searchsorted(values, initial.thresholds[column.name])
    return SortedColumn(values, rows.astype(np.int32), cuts.astype(np.intp))


def _as_column(codes: NDArray[np.int32], card: int) -> Column:
    levels = tuple(map(str, range(card)))
    return Column("", Kind.DISCRETE, codes.astype(code_dtype(card)), levels)


class Levels:
    """The levels of all columns, and for each two neighbouring ones the loss if they merged.

    Arrays (columns, numbers of levels), as _kernels/thresholds/merging.py describes them. While levels are many and
    small, losses are mended by rows; once they are few, by tables of counts. Both give the same whole numbers. A loss
    is counted in `unit`s a nat, and the largest possible one, below N max(n, ln N) nats, still fits in 62 bits.
    """

    def __init__(self, continuous: Sequence[SortedColumn], discrete: Sequence[Column]) -> None:
        c, n_rows = len(continuous), len((continuous or discrete)[0].values)
        self._begin(c + len(discrete), n_rows)
        self._rows = merging.Rows(np.empty((self.n, n_rows), dtype=np.int32), np.empty((c, n_rows), dtype=np.int32))
        self.codes = self._rows.codes
        self.live = np.array([len(column.cuts) + 1 for column in continuous], dtype=np.intp)
        self.cards = np.empty(len(discrete), dtype=np.intp)
        for x, ordered in enumerate(continuous):
            self._rows.order[x] = ordered.rows
            self.codes[x] = ordered.codes(ordered.cuts)
        for y, column in enumerate(discrete):
            levels, self.codes[c + y] = np.unique(column.values, return_inverse=True)
            self.cards[y] = len(levels)  # observed ones
        self._tables: merging.Tables | None = None
        self._number([ordered.cuts for ordered in continuous])
        self.cuts = np.full(c, -1, dtype=np.intp)
        self.costs = np.zeros(c, dtype=np.int64)
        self._first_losses()

    @classmethod
    def of_tables(cls, cuts: Sequence[IntArray], observed: IntArray, tables: merging.Tables, n_rows: int) -> Levels:
        """The same without rows. cuts: rows below each threshold; observed: levels of each discrete column; tables: as
        `_count` has them."""
        self = cls.__new__(cls)
        self._begin(len(tables.offsets) - 1, n_rows)
        self.live = np.array([len(places) + 1 for places in cuts], dtype=np.intp)
        self.cards = observed
        self._tables = tables
        self._number(cuts)
        self.cuts, self.costs = np.full(len(cuts), -1, dtype=np.intp), np.zeros(len(cuts), dtype=np.int64)
        for x in range(len(cuts)):
            merging.losses_by_tables(self._levels, x, self.n, tables, self.xlogx)
        return self

    def _begin(self, n: int, n_rows: int) -> None:
        self.n, self.n_rows = n, n_rows
        self.unit = 2.0 ** (61 - ceil(log2(n_rows * max(n, log(n_rows)))))
        self.xlogx: IntArray = room_for(n_rows + 1, np.int64)
        for start in range(0, n_rows + 1, STRETCH):
            counts = np.maximum(np.arange(start, min(start + STRETCH, n_rows + 1), dtype=np.float64), 1.0)
            self.xlogx[start : start + STRETCH] = np.rint(self.unit * counts * np.log(counts))

    @property
    def most(self) -> int:
        """Levels of the column that has most of them."""
        return int(self.live.max(initial=1))

    def few(self) -> bool:
        """Whether tables are faster, measured to be so from about sqrt(N) levels down, and not too large."""
        levels = int(self.live.sum())
        return self.most**2 <= self.n_rows and levels * (levels + int(self.cards.sum())) <= TABLE_CELLS

    def merge_down(self, monitor: Monitor) -> bool:
        """One merger in each column that has the most levels, in turn; False if the monitor stopped it half way.

        self.cuts[x], self.costs[x]: which cut column x lost (-1: none) and what that cost.
        """
        keep = self.most - 1
        batch = max(1, VISITS // self._visits(keep))
        for lo in range(0, len(self.live), batch):
            if monitor.should_stop():
                return False
            self._sweep(lo, min(lo + batch, len(self.live)), keep)
        if self._tables is None and (self.few() or 2 * self.most <= self._levels.loss.shape[1]):
            self._renumber()
        return True

    def _visits(self, keep: int) -> int:
        """Rows or cells looked at in one merger, roughly."""
        if self._tables is not None:
            return 4 * int(self._tables.counts.shape[1])
        return int(self._levels.loss.shape[1]) + 4 * self.n * (self.n_rows // keep)

    def _sweep(self, lo: int, hi: int, keep: int) -> None:
        units = merging.Units(self.xlogx, self.unit, RELATIVE_TOLERANCE)
        mergers = merging.Mergers(self.live, self.cuts, self.costs)
        if self._tables is not None:
            merging.sweep_by_tables(lo, hi, keep, self._levels, self.n, self._tables, units, mergers)
        else:
            merging.sweep_by_rows(lo, hi, keep, self._levels, self._rows, units, mergers, self._size())

    def _number(self, cuts: Sequence[IntArray]) -> None:
        """Levels 0, 1, ... of each column between its cuts; losses are left open."""
        shape = len(cuts), self.most
        start, stop, succ, pred = np.full((4, *shape), -1, dtype=np.int32)
        levels = merging.Levels(start, stop, succ, pred, np.full(shape, merging.NEVER))
        for x, places in enumerate(cuts):
            m = len(places) + 1
            levels.start[x, :m] = np.concatenate([[0], places])
            levels.stop[x, :m] = np.concatenate([places, [self.n_rows]])
            levels.succ[x, : m - 1] = np.arange(1, m)
            levels.pred[x, :m] = np.arange(-1, m - 1)
        self._levels = levels

    def _renumber(self) -> None:
        """Number the levels without gaps, keep their losses, and count the tables if it is time for them."""
        before = self._levels
        alive = [np.zeros(before.loss.shape[1], dtype=np.bool_) for _ in self.live]
        for x, used in enumerate(alive):
            used[self.codes[x]] = True
            self.codes[x] = (np.cumsum(used) - 1)[self.codes[x]]
        self._number([before.start[x, used][1:] for x, used in enumerate(alive)])
        for x, used in enumerate(alive):
            self._levels.loss[x, : self.live[x]] = before.loss[x, used]
        if self.few():
            self._count()

    def _first_losses(self) -> None:
        if self.few():
            self._count()
        for x in range(len(self.live)):
            if self._tables is not None:
                merging.losses_by_tables(self._levels, x, self.n, self._tables, self.xlogx)
            else:
                merging.losses_by_rows(self._levels, x, self._rows, self.xlogx, self._size())

    def _count(self) -> None:
        """The counts of every level of every continuous column with those of all other columns."""
        cards = np.concatenate([self.live, self.cards])
        offsets = np.concatenate([[0], np.cumsum(cards)])
        tables = np.zeros((int(self.live.sum()), int(offsets[-1])), dtype=np.int32)
        counts = Counts(Dataset(tuple(map(_as_column, self.codes, cards.tolist()))))
        for x, (first, last) in enumerate(pairwise(offsets[: len(self.live) + 1].tolist())):
            tables[first:last, last:] = counts.tables_with_later(x)
            tables[last:, first:last] = tables[first:last, last : len(tables)].T  # discrete columns have no rows
        self._tables = merging.Tables(offsets, tables)

    def _size(self) -> int:
        """One more than the largest level number of any column."""
        return max(int(self._levels.loss.shape[1]), int(self.cards.max(initial=1)))

    def information(self, codes: Sequence[NDArray[np.int32]]) -> float:
        """Total mutual information, in units, when the continuous columns have these levels."""
        columns = [column for column in [*codes, *self.codes[len(self.live) :]] if column.max() > 0]
        if not columns:
            return 0.0
        matrix = np.array(columns)
        cards = matrix.max(axis=1) + 1
        return float(sum(merging.pair_information(x, matrix, cards, self.xlogx) for x in range(len(matrix))))
