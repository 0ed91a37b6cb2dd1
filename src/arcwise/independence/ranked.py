"""Columns as ranks: all that Margaritis's tests know of the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from arcwise.data.complete import check_complete
from arcwise.data.dataset import Dataset, FloatArray, Kind
from arcwise.independence.copies import without_copies
from arcwise.printing import counted

if TYPE_CHECKING:
    from arcwise._kernels.ranks.resolutions import Bins, Space


@dataclass(frozen=True, slots=True, eq=False)
class RankedColumns:
    """ranks[c, row]: number of the row's value among the distinct values of column c; orders[c]: rows by rank.

    Rows that are copies of others are left out: `copies` of them. log_factorials: ln k! for the counts of these rows.
    O(columns x rows log rows) to make.
    """

    names: tuple[str, ...]
    ranks: NDArray[np.int32]
    orders: NDArray[np.int32]
    is_discrete: NDArray[np.bool_]
    has_ties: NDArray[np.bool_]
    log_factorials: FloatArray
    copies: int

    @staticmethod
    def of(data: Dataset) -> RankedColumns:
        from arcwise._kernels.ranks.resolutions import log_factorials

        check_complete(data, "a test by ranks")
        data = data.repeated()
        shape = (data.n_columns, data.n_rows)
        ranks, orders = np.empty(shape, dtype=np.int32), np.empty(shape, dtype=np.int32)
        for c, column in enumerate(data.columns):
            ranks[c] = np.unique(column.values, return_inverse=True)[1]
            orders[c] = np.argsort(ranks[c], kind="stable")
        is_discrete = np.array([kind is Kind.DISCRETE for kind in data.kinds])
        rows = without_copies(ranks, orders, is_discrete)
        if rows is not None:  # of copies one is left, so no value is missing
            ranks = ranks[:, rows]
            orders = np.argsort(ranks, axis=1, kind="stable").astype(np.int32)
        n = ranks.shape[1]
        has_ties = ranks.max(axis=1, initial=0) < n - 1
        # Two times: a table has at most as many cells as rows, or few.
        factorials = log_factorials(2 * n + 64)
        return RankedColumns(data.names, ranks, orders, is_discrete, has_ties, factorials, data.n_rows - n)

    @property
    def n_rows(self) -> int:
        return int(self.ranks.shape[1])

    def by_name(self, columns: Sequence[int]) -> list[int]:
        """In the order of their names: an answer must not depend on the order in which columns are given."""
        return sorted(columns, key=self.names.__getitem__)

    def log_bayes_factor(self, x: int, y: int, resolutions: int) -> float:
        """ln BF of dependence between two columns on quantile grids."""
        from arcwise._kernels.ranks.median_test import Variables, pair_log_bayes_factor

        both = [x, y]
        variables = Variables(self.orders[both], self.ranks[both], self.is_discrete[both], self.has_ties[both])
        workspace = self.workspace(both, resolutions)
        return pair_log_bayes_factor(variables, resolutions, self.log_factorials, *workspace)

    def is_constant(self, column: int) -> bool:
        return not self.ranks[column].any()

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the data make doubtful, one sentence each."""
        if not self.copies:
            return ()
        return (f"{counted(self.copies, 'row')} of {self.copies + self.n_rows:,} repeat others and count once",)

    def most_levels(self, columns: Sequence[int]) -> int:
        """Distinct values of the richest discrete column among these."""
        return max((int(self.ranks[c].max()) + 1 for c in columns if self.is_discrete[c]), default=1)

    def workspace(self, columns: Sequence[int], resolutions: int) -> tuple[Bins, Space]:
        """What the kernels work in, for one call at a time."""
        from arcwise._kernels.ranks.resolutions import Bins, Space

        size, n = len(columns), self.n_rows
        levels = max(2**resolutions, self.most_levels(columns))
        bins = Bins(
            labels=np.empty((size, n), dtype=np.int32),
            fold=np.empty((size, resolutions, levels), dtype=np.int32),
            counts=np.empty((size, resolutions, levels), dtype=np.int32),
            sizes=np.empty((size, resolutions), dtype=np.int64),
        )
        space = Space(
            ids=np.empty((2, n), dtype=np.int32),
            id_counts=np.empty((2, n), dtype=np.int32),
            cells=np.zeros(8 * n + 64, dtype=np.int32),
            found=np.empty(size),
            factors=np.empty((size, resolutions)),
            used=np.empty(size, dtype=np.int64),
        )
        return bins, space
