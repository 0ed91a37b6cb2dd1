"""The bound form of the likelihood ratio: a correlation matrix in which a column is a block of dimensions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arcwise._kernels.gaussian.families import Factored, family_scores
from arcwise._kernels.tails import log_chi_squared_tails
from arcwise.data.dataset import Dataset, FloatArray, IntArray
from arcwise.data.rows import rows_of
from arcwise.independence.correlated import linear_doubts
from arcwise.parts.protocols import TestResult
from arcwise.stats.moments import Moments
from arcwise.stats.redundant import NEGLIGIBLE


class BlockCorrelatedTest:
    """ln|C_x given S| - ln|C_x given y, S| from the correlation matrix alone, O((a + k)^2) for each set of a batch.

    sizes: dimensions of each column. warnings: what the data make doubtful, one sentence each.
    """

    first_batch = 256  # a call costs about as much as this many answers

    def __init__(self, data: Dataset) -> None:
        found = Moments.of(rows_of(data))
        d, n = len(found.log_sds), data.n_columns
        self.n_rows = data.n_rows
        self.sizes: IntArray = found.sizes
        of_dimension = [name for name, size in zip(data.names, found.sizes, strict=True) for _ in range(size)]
        self.warnings = tuple(linear_doubts(of_dimension, data.n_rows, found.correlations))
        # Of a Gaussian family's score only minus the log determinant of the child given its parents is left.
        factored = Factored(
            correlations=found.correlations,
            starts=found.starts,
            floors=np.full(d, NEGLIGIBLE),
            own=np.zeros(n),
            base=np.zeros(d + 1),
            power=np.ones(d + 1),
            det_weight=0.0,
            costs=np.zeros((n, n)),
            most_rank=max(data.n_rows - 1, 0),
        )
        self._factored = tuple(factored)

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

    def statistics(self, x: int, y: int, given_sets: IntArray) -> tuple[FloatArray, FloatArray]:
        """Statistic and degrees of freedom for each set; NaN where there are too few rows for its dimensions."""
        factor = self.n_rows - 1 - self._given(given_sets) - (self.sizes[x] + self.sizes[y] + 1) / 2
        return factor * self.log_ratios(x, y, given_sets), np.full(len(given_sets), self.degrees(x, y))

    def degrees(self, x: int, y: int) -> float:
        return float(self.sizes[x] * self.sizes[y])

    def log_ratios(self, x: int, y: int, given_sets: IntArray) -> FloatArray:
        """ln(|C_x given S| / |C_x given y, S|) = 2 I for each set; NaN where there are too few rows."""
        x, y = min(x, y), max(x, y)  # the ratio is the same either way, but for rounding
        if self.degrees(x, y) == 0:
            return np.zeros(len(given_sets))
        sets = np.full((len(given_sets), given_sets.shape[1] + 1), y, dtype=np.intp)
        sets[:, :-1] = given_sets
        without = family_scores(self._factored, x, np.ascontiguousarray(sets[:, :-1]))
        ratios: FloatArray = np.maximum(family_scores(self._factored, x, sets) - without, 0.0)
        both = int(self.sizes[x] + self.sizes[y])
        left = self.n_rows - 1 - self._given(given_sets)
        ratios[(left <= (both + 1) / 2) | (left < both)] = np.nan
        return ratios

    def pairwise_log_ratios(self) -> FloatArray:
        """The same for all pairs given nothing, (n, n) and symmetric; 0 on the diagonal."""
        n = len(self.sizes)
        out, nothing = np.zeros((n, n)), np.empty((1, 0), dtype=np.intp)
        for x in range(n):
            for y in range(x + 1, n):
                out[x, y] = out[y, x] = self.log_ratios(x, y, nothing)[0]
        return out

    def _given(self, given_sets: IntArray) -> IntArray:
        """Dimensions of each set."""
        k: IntArray = np.where(given_sets >= 0, self.sizes[given_sets], 0).sum(axis=1)
        return k
