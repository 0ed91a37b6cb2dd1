"""Margaritis's conditional test: slices of Z found by cutting at medians, a test of X against Y in every slice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, FloatArray, IntArray, Kind
from arcwise.data.reading.door import takes_table
from arcwise.errors import check_least
from arcwise.independence.multi_resolution import answer, check_grids, grids, pair_result
from arcwise.independence.options import ANY_KIND
from arcwise.parts.protocols import TestResult
from arcwise.stats.threads import map_threads

if TYPE_CHECKING:
    from arcwise.independence.ranked import RankedColumns

BUDGET = 10_000_000  # row visits of one call of the kernel: some tenths of a second


@checked
@dataclass(frozen=True, kw_only=True)
class RecursiveMedian:
    """I = Pr(X indep. Y) U + P (1 - U) with U = Pr({X, Y} indep. Z), both by the multi-resolution test, in slices of Z.

    A slice is cut at the median of Z if that does not lower U; of slices, I = prod I_s^(n_s / n), and U likewise. U
    says whether {X, Y} is the same all over a slice, so that testing X against Y there is testing them given Z. Rows
    that are copies of others count once. prior: P. resolutions: see MultiResolution. min_leaf: slices of so many rows
    are not cut. O(|Z| N log N).
    """

    kind: ClassVar[str] = "recursive-median"
    accepts: ClassVar[frozenset[Kind]] = ANY_KIND
    reference: ClassVar[str] = "Margaritis 2005"

    prior: float = 0.5
    resolutions: int | None = None
    min_leaf: int = 1

    def __post_init__(self) -> None:
        check_grids(self.prior, self.resolutions)
        check_least(self, min_leaf=1)

    @property
    def level(self) -> float:
        return self.prior

    @takes_table
    def bind(self, data: Dataset) -> BoundRecursiveMedian:
        from arcwise.independence.ranked import RankedColumns

        return BoundRecursiveMedian(self, RankedColumns.of(data))


@dataclass(frozen=True, slots=True, eq=False)
class BoundRecursiveMedian:
    """Any number of conditioning columns; without any it is the multi-resolution test."""

    no_answer: ClassVar[tuple[str, str]] = (
        "learned nothing (in every slice one of the two columns is constant)",
        "use more rows, or leave out columns that others determine",
    )
    first_batch: ClassVar[int] = 1

    options: RecursiveMedian
    ranked: RankedColumns

    @property
    def warnings(self) -> tuple[str, ...]:
        return self.ranked.warnings

    def test(self, x: int, y: int, given: Sequence[int]) -> TestResult:
        """I, and NaN where no slice told anything; details: ln I, U, and into how many slices Z was cut."""
        options, ranked = self.options, self.ranked
        if not len(given) or ranked.is_constant(x) or ranked.is_constant(y):
            return pair_result(ranked, x, y, options.prior, options.resolutions)
        return self._recursion([*ranked.by_name([x, y]), *ranked.by_name(given)])

    def p_values(self, x: int, y: int, given_sets: IntArray) -> FloatArray:
        return np.exp(self.log_p_values(x, y, given_sets))

    def log_p_values(self, x: int, y: int, given_sets: IntArray) -> FloatArray:
        """ln I, finite also where I itself is below the smallest float: for comparing strong dependences."""

        def value(row: IntArray) -> float:
            return self.test(x, y, row[row >= 0].tolist()).details["log_I"]

        return np.array(map_threads(value, list(given_sets)), dtype=np.float64)

    def _recursion(self, columns: Sequence[int]) -> TestResult:
        from arcwise._kernels.ranks.median_test import Rules, Tree, Variables, combine, gather, grow

        options, ranked, chosen = self.options, self.ranked, np.array(columns, dtype=np.intp)
        n, size = ranked.n_rows, len(columns)
        orders, ranks = np.empty((2, size, n), dtype=np.int32), np.empty((size, n), dtype=np.int32)
        gather(ranked.orders, ranked.ranks, chosen, orders[0], ranks)
        variables = Variables(orders, ranks, ranked.is_discrete[chosen], ranked.has_ties[chosen])
        most = grids(n, options.resolutions)
        fewest = 1 if options.resolutions is None else most
        rules = Rules(fewest, most, options.min_leaf, options.prior, ranked.log_factorials)
        tree = Tree(
            nodes=np.empty((n, 5), dtype=np.intp),
            values=np.empty((n, 5)),
            stack=np.zeros(n, dtype=np.intp),
            progress=np.array([1, 1]),
        )
        tree.nodes[0] = (0, n, 0, -1, -1)  # all rows
        workspace = ranked.workspace(columns, most)
        while not grow(variables, rules, tree, *workspace, BUDGET):
            pass  # between calls the program can be interrupted
        log_i, log_u, slices = combine(tree)
        return answer(log_i, options.prior, None, u=exp(log_u), slices=slices)
