"""The bound form of every test that is computed from counts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arcwise._kernels.counts.bit_strata import Columns
from arcwise._kernels.tails import log_chi_squared_tails
from arcwise.data.dataset import Dataset, FloatArray, IntArray
from arcwise.independence.options import RULES, DegreesOfFreedom
from arcwise.parts.protocols import TestResult
from arcwise.stats.counts import TEST_CELLS_PER_ROW, counts_of
from arcwise.stats.threads import map_threads

LEAST_PER_CELL = 1 / TEST_CELLS_PER_ROW  # with so many rows a cell every table can be laid out
STRATA_ROWS = 1 << 20


class CountedTest:
    """Counts x, y and the given columns in one table and compares it with independence in every stratum. O(N |S|)."""

    first_batch = 4
    warnings: tuple[str, ...] = ()

    def __init__(
        self, data: Dataset, *, pearson: bool = False, df: DegreesOfFreedom = "adjusted", min_per_cell: float = 0.0
    ) -> None:
        self.counts = counts_of(data)
        self.n_rows = data.n_rows
        self._rules = self.counts.rules(pearson=pearson, rule=RULES.index(df), min_per_cell=min_per_cell)
        self._plain_rules = tuple(self._rules)

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

    def pairwise(self) -> FloatArray:
        """p-values of all pairs given nothing, (n, n) and symmetric."""
        n = len(self.counts.names)
        out = np.ones((n, n))
        for x, (statistics, dfs) in enumerate(map_threads(self.pairs, range(n))):
            out[x, x + 1 :] = out[x + 1 :, x] = np.exp(log_chi_squared_tails(statistics, dfs))
        return out

    def pairs(self, x: int) -> tuple[FloatArray, FloatArray]:
        """Statistic and degrees of freedom of x with each later column, given nothing."""
        return self.counts.pairs(x, self._plain_rules)

    def statistics(self, x: int, y: int, given_sets: IntArray) -> tuple[FloatArray, FloatArray]:
        """Statistic and degrees of freedom for each set; NaN where there are fewer than `min_per_cell` rows a cell."""
        return self.counts.tests(x, y, given_sets, self._plain_rules)

    def kernel_facts(self) -> Columns | None:
        """What _kernels/max_min works on.

        None where tables could be too large to lay out, rows have weights or are not here, or there are so many rows
        that the strata of a set, 28 bytes a row in each thread, are better counted block by block.
        """
        rules, here = self._rules, self.counts.here
        if rules.min_per_cell < LEAST_PER_CELL or here is None or len(here.weights) or here.n_counted > STRATA_ROWS:
            return None
        return Columns(
            codes=here.codes,
            cards=here.cards,
            planes=here.packed.blocks[0].planes,
            first_plane=here.shape.plane_of,
            f=rules.f,
            pearson=rules.pearson,
            rule=rules.rule,
            n_rows=rules.n_rows,
            min_per_cell=rules.min_per_cell,
            constant=self.counts.constant,
        )
