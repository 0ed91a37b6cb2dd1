"""The bound form of every test that is computed from counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from arcwise._kernels.counts import contingency as kernels
from arcwise._kernels.counts.counting import joint_codes
from arcwise._kernels.tails import log_chi_squared_tails
from arcwise.data.dataset import Dataset, FloatArray, IntArray
from arcwise.errors import DataError
from arcwise.independence.options import RULES, DegreesOfFreedom
from arcwise.parts.protocols import TestResult
from arcwise.stats.threads import map_threads

if TYPE_CHECKING:
    from arcwise._kernels.counts.bit_strata import Columns


DENSE_CELLS = 1 << 16  # a table up to this size is always dense ...
DENSE_PER_ROW = 4  # ... and a larger one while it has at most this many cells a row
BATCH_WORK = 1 << 27  # rows times sets counted in one call: some tenths of a second
TABULATED = 1 << 12  # counts below this have k ln k looked up
LARGEST_KEY = 1 << 62
NARROW = 16  # most levels of a column that has bit planes
LEAST_PER_CELL = 1 / DENSE_PER_ROW  # with so many rows a cell every table can be laid out
NOTHING: IntArray = np.empty(0, dtype=np.intp)


class CountedTest:
    """Counts x, y and the given columns in one table and compares it with independence in every stratum. O(N |S|)."""

    first_batch = 4
    warnings: tuple[str, ...] = ()

    def __init__(
        self, data: Dataset, *, pearson: bool = False, df: DegreesOfFreedom = "adjusted", min_per_cell: float = 0.0
    ) -> None:
        self.n_rows = data.n_rows
        self._names = data.names
        self._codes = data.codes()
        self._cards: IntArray = np.array(data.cardinalities, dtype=np.intp)
        self._constant = np.array([bool((c.values == c.values[:1]).all()) for c in data.columns], dtype=np.bool_)
        self._pearson, self._rule = pearson, RULES.index(df)
        dense_cells = max(DENSE_CELLS, DENSE_PER_ROW * self.n_rows)
        f = kernels.k_ln_k(min(self.n_rows + 1, TABULATED))
        self._options = (float(min_per_cell), dense_cells, pearson, self._rule, f)  # as the kernels take them

    def test(self, x: int, y: int, given: Sequence[int]) -> TestResult:
        """details: the degrees of freedom and the logarithm of the p-value."""
        statistics, dfs = self.statistics(x, y, np.array([list(given)], dtype=np.intp))
        log_p = float(log_chi_squared_tails(statistics, dfs)[0])
        return TestResult(float(np.exp(log_p)), float(statistics[0]), {"df": float(dfs[0]), "log_p": log_p})

    def p_values(self, x: int, y: int, given_sets: IntArray) -> FloatArray:
        return np.exp(self.log_p_values(x, y, given_sets))

    def log_p_values(self, x: int, y: int, given_sets: IntArray) -> FloatArray:
        """ln p, finite also where p itself is below the smallest float: for comparing strong dependences."""
        log_p: FloatArray = log_chi_squared_tails(*self.statistics(x, y, given_sets))
        return log_p

    def pairwise(self) -> FloatArray:
        """p-values of all pairs given nothing, (n, n) and symmetric."""
        n = len(self._cards)
        out = np.ones((n, n))
        for x, values in enumerate(map_threads(self._row, range(n))):
            out[x, x + 1 :] = out[x + 1 :, x] = values
        return out

    def kernel_facts(self) -> Columns | None:
        """What _kernels/associations.py works on; None where tables could be too large to lay out."""
        from arcwise._kernels.counts.bit_strata import Columns, bit_planes

        min_per_cell, _, _, _, f = self._options
        if min_per_cell < LEAST_PER_CELL:
            return None
        has_planes = (self._cards > 1) & (self._cards <= NARROW)
        levels = np.where(has_planes, self._cards, 0)
        first_plane = np.where(has_planes, np.cumsum(levels) - levels, -1)
        planes = bit_planes(self._codes, first_plane, int(levels.sum()))
        return Columns(
            codes=self._codes,
            cards=self._cards,
            planes=planes,
            first_plane=first_plane,
            f=f,
            pearson=self._pearson,
            rule=self._rule,
            n_rows=self.n_rows,
            min_per_cell=min_per_cell,
            constant=self._constant,
        )

    def _row(self, x: int) -> FloatArray:
        statistics, dfs = kernels.test_pairs(self._codes, self._cards, x, *self._options)
        constant = self._constant[x] | self._constant[x + 1 :]
        statistics[constant] = dfs[constant] = 0.0
        for i in (dfs == kernels.SPARSE).nonzero()[0]:
            statistics[i], dfs[i] = self._sparse(x, x + 1 + int(i), NOTHING)
        log_p: FloatArray = log_chi_squared_tails(statistics, dfs)
        return np.exp(log_p)

    def statistics(self, x: int, y: int, given_sets: IntArray) -> tuple[FloatArray, FloatArray]:
        """Statistic and degrees of freedom for each set; NaN where there are fewer than `min_per_cell` rows a cell."""
        if self._constant[x] or self._constant[y]:
            return np.zeros(len(given_sets)), np.zeros(len(given_sets))
        x, y = min(x, y), max(x, y)
        # How a set is written must not matter, not even in the last bit.
        sets = np.sort(given_sets, axis=1) if given_sets.shape[1] > 1 else given_sets
        most = max(1, BATCH_WORK // max(self.n_rows, 1))
        parts = [self._count(x, y, sets[first : first + most]) for first in range(0, len(sets), most)]
        if len(parts) == 1:
            return parts[0]
        empty = np.empty(0)
        return np.concatenate([empty, *(p[0] for p in parts)]), np.concatenate([empty, *(p[1] for p in parts)])

    def _count(self, x: int, y: int, sets: IntArray) -> tuple[FloatArray, FloatArray]:
        statistics: FloatArray
        dfs: FloatArray
        statistics, dfs = kernels.test_sets(self._codes, self._cards, x, y, sets, *self._options)
        for s in (dfs == kernels.SPARSE).nonzero()[0]:
            statistics[s], dfs[s] = self._sparse(x, y, sets[s][sets[s] >= 0])
        return statistics, dfs

    def _sparse(self, x: int, y: int, given: IntArray) -> tuple[float, float]:
        """A table too large to lay out: only its cells that are not empty. O(N log N)."""
        n_x, n_y = int(self._cards[x]), int(self._cards[y])
        cells = float(n_x * n_y) * float(np.prod(self._cards[given].astype(np.float64)))
        if cells > LARGEST_KEY:
            raise DataError(
                f"columns {self._names[x]!r} and {self._names[y]!r} given {len(given)} others have more joint states "
                "than can be counted; limit the given columns with max_given, or use fewer levels"
            )
        strata = np.unique(joint_codes(self._codes, self._cards, given), return_inverse=True)[1]
        a, b = self._codes[x].astype(np.int64), self._codes[y].astype(np.int64)
        keys, counts = np.unique((strata * n_x + a) * n_y + b, return_counts=True)
        z = keys // (n_x * n_y)
        of_x = _sums(keys // n_y, counts)
        of_y = _sums(z * n_y + keys % n_y, counts)
        of_z = _sums(z, counts)
        n, n_xz, n_yz, n_z = (np.asarray(v, dtype=np.float64) for v in (counts, of_x[0], of_y[0], of_z[0]))
        if self._pearson:
            statistic = float(np.sum(n * n * n_z / (n_xz * n_yz)) - self.n_rows)
        else:
            statistic = 2.0 * float(np.sum(n * np.log(n * n_z / (n_xz * n_yz))))
        rows, columns = np.bincount(of_x[1] // n_x), np.bincount(of_y[1] // n_y)
        adjusted = float(np.sum((rows - 1) * (columns - 1)))
        effective = float(len(keys) - len(of_x[1]) - len(of_y[1]) + len(of_z[1]))
        full = (n_x - 1) * (n_y - 1) * cells / (n_x * n_y)
        by_rule = (adjusted, full, effective if effective >= 1 else adjusted)
        return max(0.0, statistic), by_rule[self._rule]


def _sums(keys: NDArray[np.int64], counts: NDArray[np.intp]) -> tuple[FloatArray, NDArray[np.int64]]:
    """(total of each entry's key, distinct keys)."""
    distinct, where = np.unique(keys, return_inverse=True)
    totals = np.bincount(where, weights=counts).astype(np.float64)
    return totals[where], distinct
