"""The bound forms of tests of correlation: a matrix and a number of rows, a column one dimension or a block of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from arcwise._kernels.gaussian import partial_correlation as kernels
from arcwise._kernels.gaussian.families import Factored, family_scores
from arcwise._kernels.tails import log_chi_squared_tails
from arcwise.data.dataset import Dataset, FloatArray, IntArray, Kind
from arcwise.parts.protocols import TestResult
from arcwise.printing import listed
from arcwise.stats.dimensions import Transform
from arcwise.stats.moments import Moments
from arcwise.stats.relations import NEGLIGIBLE, linear_words, redundant_columns

if TYPE_CHECKING:  # it brings the compiled kernels along
    from arcwise._kernels.gaussian.residuals import Correlations

SMALLEST_REST = 1e-12  # of a column's variance: less left by the other, and rounding alone decides how much


class CorrelatedTest:
    """Answers from the correlation matrix alone; O(|S|^2) for each set of a batch in lexicographic order.

    warnings: what the data make doubtful, one sentence each.
    """

    first_batch = 256  # a call costs about as much as this many answers

    def __init__(self, data: Dataset, transform: Transform = "none") -> None:
        self.n_rows = data.n_rows
        self.corr = Moments.transformed(data, transform, by_codes=True).of_columns()
        self.warnings = tuple(_doubts(data, self.corr))

    def test(self, x: int, y: int, given: Sequence[int]) -> TestResult:
        """statistic: z. details: the partial correlation and the logarithm of the p-value."""
        sets = np.array([list(given)], dtype=np.intp)
        rho = float(kernels.partial_correlations(self.corr, x, y, sets, NEGLIGIBLE)[0])
        log_p = float(self.log_p_values(x, y, sets)[0])
        z = float(kernels.fisher_z(rho, self.n_rows, len(given)))
        return TestResult(float(np.exp(log_p)), z, {"partial_correlation": rho, "log_p": log_p})

    def p_values(self, x: int, y: int, given_sets: IntArray) -> FloatArray:
        return np.exp(self.log_p_values(x, y, given_sets))

    def log_p_values(self, x: int, y: int, given_sets: IntArray) -> FloatArray:
        """ln p, finite also where p itself is below the smallest float: for comparing strong dependences."""
        return kernels.fisher_log_p_values(self.corr, self.n_rows, x, y, given_sets, NEGLIGIBLE)

    def pairwise(self) -> FloatArray:
        """p-values of all pairs given nothing, (n, n) and symmetric."""
        log_p: FloatArray = kernels.fisher_log_p_matrix(self.corr, self.n_rows)
        return np.exp(log_p)

    def log_ratios(self, x: int, y: int, given_sets: IntArray) -> FloatArray:
        """-ln(1 - rho^2) = 2 I for each set; NaN where there are too few rows."""
        rho = kernels.partial_correlations(self.corr, x, y, given_sets, NEGLIGIBLE)
        spare = self.n_rows - np.count_nonzero(given_sets >= 0, axis=1) - 3
        return np.where(spare > 0, _log_ratios(rho), np.nan)

    def pairwise_log_ratios(self) -> FloatArray:
        """The same for all pairs given nothing, (n, n) and symmetric; 0 on the diagonal."""
        values = _log_ratios(self.corr - np.eye(len(self.corr)))
        return values if self.n_rows > 3 else np.full_like(values, np.nan)

    def degrees(self, x: int, y: int) -> float:
        return 1.0

    def kernel_facts(self) -> Correlations:
        """What _kernels/associations.py works on: no table, columns as if of one level each."""
        from arcwise._kernels.gaussian.residuals import Correlations

        n = len(self.corr)
        constant = np.zeros(n, dtype=np.bool_)  # a constant column's correlations are 0, so its z is, too
        return Correlations(self.corr, NEGLIGIBLE, self.n_rows, np.ones(n, dtype=np.intp), 0.0, constant)


def _log_ratios(rho: FloatArray) -> FloatArray:
    return -np.log(np.maximum(1.0 - rho * rho, SMALLEST_REST))


def _doubts(data: Dataset, corr: FloatArray) -> list[str]:
    nominal = [repr(c.name) for c in data.columns if c.kind is Kind.DISCRETE and not c.ordered and c.cardinality > 2]
    warnings = []
    if nominal:
        warnings.append(
            f"fisher-z takes the levels of {listed(nominal)} for the numbers 0, 1, 2, ... although nothing says that "
            "they are in order; use g-squared, or leave such columns out"
        )
    return [*warnings, *linear_doubts(data.names, data.n_rows, corr)]


def linear_doubts(names: Sequence[str], n_rows: int, corr: FloatArray) -> list[str]:
    """One sentence for each column that others determine. names: the column of each dimension of `corr`."""
    if n_rows <= len(corr):
        what = f"{n_rows} rows for {len(corr)} {'columns' if len(set(names)) == len(corr) else 'dimensions'}"
        return [f"{what}: any column can look like a linear function of others"]
    found = {
        names[dim]: list(dict.fromkeys(names[u] for u in others if names[u] != names[dim]))
        for dim, others in redundant_columns(corr).items()
    }
    return [linear_words(name, others) for name, others in found.items()]


class BlockCorrelatedTest:
    """ln|C_x given S| - ln|C_x given y, S| from the correlation matrix alone, O((a + k)^2) for each set of a batch.

    sizes: dimensions of each column. warnings: what the data make doubtful, one sentence each.
    """

    first_batch = 256  # a call costs about as much as this many answers

    def __init__(self, data: Dataset, transform: Transform = "none") -> None:
        found = Moments.transformed(data, transform)
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
        return log_chi_squared_tails(*self.statistics(x, y, given_sets))

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
        return np.where(given_sets >= 0, self.sizes[given_sets], 0).sum(axis=1)
