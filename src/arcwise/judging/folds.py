"""Rows divided into folds: each fold is foretold by what was learned from all others."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from arcwise.data.dataset import BoolArray, Dataset, IntArray
from arcwise.data.row_order import sorted_rows
from arcwise.errors import OptionError
from arcwise.networks.streams import stream
from arcwise.printing import counted


@dataclass(frozen=True, eq=False)
class Folds:
    """The rows of a table, each in one of `n` folds.

    `table` has its columns sorted by name and its stored rows by what they say, so that nothing depends on how they
    came. Row i of the table with its rows repeated is a copy of the stored row owner[i]. Its place in a random order,
    rank[i], tells its fold, rank modulo n, and the first rows of that order are a sample of any size.
    """

    table: Dataset
    n: int
    owner: IntArray
    rank: IntArray

    @staticmethod
    def of(data: Dataset, n: int, seed: int) -> Folds:
        """n folds of equal size, up to one row."""
        table = data.by_name()
        table = table.take(sorted_rows(table))
        check_folds(n, table.n_rows)
        times = np.ones(table.n_stored, dtype=np.int64) if table.weights is None else table.weights
        owner = np.repeat(np.arange(table.n_stored), times)
        return Folds(table, n, owner, stream(seed, "folds").permutation(table.n_rows))

    def sample(self, most: int) -> IntArray:
        """So many of all rows, in order."""
        return self._first(np.ones(len(self.owner), dtype=np.bool_), most)

    def held_out(self, k: int, most: int | None = None) -> IntArray:
        """The rows of fold k, or so many of them, in order."""
        return self._first(self.rank % self.n == k, most)

    def train(self, k: int, most: int | None = None) -> Dataset:
        """All rows outside fold k, or a sample of so many of them."""
        times = np.bincount(self.owner[self._first(self.rank % self.n != k, most)], minlength=self.table.n_stored)
        if self.table.weights is None:
            return self.table.take(times > 0)
        return replace(self.table, weights=None).weighted(times)

    def _first(self, chosen: BoolArray, most: int | None) -> IntArray:
        rows = np.flatnonzero(chosen)
        if most is None or most >= len(rows):
            return rows
        return np.sort(rows[np.argsort(self.rank[rows])[:most]])


def check_folds(n: int, n_rows: int) -> None:
    """Refuse fewer than two folds, and folds without rows."""
    if n < 2:
        raise OptionError(f"option 'folds' must be at least 2, not {n}: rows are predicted from the others")
    if n > n_rows:
        raise OptionError(f"option 'folds' is {n}, but the table has {counted(n_rows, 'row')}; ask for fewer folds")
