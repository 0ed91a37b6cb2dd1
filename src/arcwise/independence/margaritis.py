"""Margaritis's tests: grids of growing resolution with a Bayes factor on each, and slices of what is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, frexp, log, log1p, nan
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, FloatArray, IntArray, Kind
from arcwise.data.reading.door import takes_table
from arcwise.errors import OptionError, check_least
from arcwise.independence.options import ANY_KIND
from arcwise.parts.protocols import TestResult, tolerance
from arcwise.printing import listed
from arcwise.stats.threads import map_threads

if TYPE_CHECKING:  # it brings the compiled kernels along
    from arcwise.independence.ranked import RankedColumns

Boundaries = Literal["quantile", "average", "max"]
SliceWeights = Literal["rows", "range"]
MOST_RESOLUTIONS = 12
BUDGET = 10_000_000  # row visits of one call of the kernel: some tenths of a second


@checked
@dataclass(frozen=True, kw_only=True)
class MultiResolution:
    """Pr(independent) = 1 / (1 + (1 - P) / P BF), BF the mean Bayes factor of dependence on grids of 2, 4, 8, ... bins.

    prior: P, and what the answer is compared with. resolutions: how many grids, each twice as fine as the last (none:
    while bins^2 <= rows). boundaries: bins of equally many rows, the average over 16 shifted grids, or where they make
    BF largest (which finds dependence everywhere). O(N).
    """

    kind: ClassVar[str] = "multi-resolution"
    accepts: ClassVar[frozenset[Kind]] = ANY_KIND
    model: ClassVar[str] = "kernel"
    reads_rows: ClassVar[frozenset[Kind]] = ANY_KIND
    reference: ClassVar[str] = "Margaritis and Thrun 2001"

    prior: float = 0.5
    resolutions: int | None = None
    boundaries: Boundaries = "quantile"

    def __post_init__(self) -> None:
        check_grids(self.prior, self.resolutions)

    @property
    def level(self) -> float:
        return self.prior

    @takes_table
    def bind(self, data: Dataset) -> BoundMultiResolution:
        from arcwise.independence.ranked import RankedColumns

        return BoundMultiResolution(self, RankedColumns.of(data))


@dataclass(frozen=True, slots=True, eq=False)
class BoundMultiResolution:
    """Answers for pairs only: a conditioning column is refused."""

    first_batch: ClassVar[int] = 1

    options: MultiResolution
    ranked: RankedColumns

    @property
    def warnings(self) -> tuple[str, ...]:
        return self.ranked.warnings

    def test(self, x: int, y: int, given: Sequence[int]) -> TestResult:
        """The probability of independence; `statistic` is ln BF, above 0 for dependence. details: ln I."""
        if len(given):
            names = listed([repr(self.ranked.names[z]) for z in given])
            raise OptionError(
                f"the test {self.options.kind!r} is for pairs and cannot condition on {names}; use 'recursive-median'"
            )
        return pair_result(self.ranked, x, y, self.options.prior, self.options.resolutions, self.options.boundaries)

    def p_values(self, x: int, y: int, given_sets: IntArray) -> FloatArray:
        return np.exp(self.log_p_values(x, y, given_sets))

    def log_p_values(self, x: int, y: int, given_sets: IntArray) -> FloatArray:
        return _log_values(self, x, y, given_sets)


def pair_result(
    ranked: RankedColumns, x: int, y: int, prior: float, resolutions: int | None, boundaries: Boundaries = "quantile"
) -> TestResult:
    """X against Y given nothing. What is constant depends on nothing: certainly independent."""
    x, y = ranked.by_name([x, y])
    if ranked.is_constant(x) or ranked.is_constant(y):
        return answer(0.0, prior, 0.0)
    factor = _log_bayes_factor(ranked, x, y, grids(ranked.n_rows, resolutions), boundaries)
    odds = log1p(-prior) - log(prior) + factor
    return answer(-odds - log1p(exp(-odds)) if odds > 0 else -log1p(exp(odds)), prior, factor)


def _log_bayes_factor(ranked: RankedColumns, x: int, y: int, resolutions: int, boundaries: Boundaries) -> float:
    discrete = ranked.is_discrete
    if boundaries == "quantile" or (discrete[x] and discrete[y]):
        return ranked.log_bayes_factor(x, y, resolutions)
    from arcwise.independence.boundaries import Axis, average, largest

    place = average if boundaries == "average" else largest
    return place(Axis.of(ranked.ranks[x], discrete[x]), Axis.of(ranked.ranks[y], discrete[y]), resolutions)


def grids(rows: int, resolutions: int | None) -> int:
    """How many: as told, or 2, 4, 8, ... bins while two columns have no more cells than there are rows."""
    return resolutions or max(1, min((rows.bit_length() - 1) // 2, MOST_RESOLUTIONS))


def answer(
    log_i: float, prior: float, log_bayes_factor: float | None, *, u: float = 1.0, slices: float = 1.0
) -> TestResult:
    """I as `value`; NaN where it is P, for then nothing was learned. details: ln I, U and the number of slices."""
    if abs(log_i - log(prior)) <= tolerance(0.0):
        log_i = nan
    return TestResult(exp(log_i), log_bayes_factor, {"log_I": log_i, "U": u, "slices": slices})


def _log_values(test: BoundMultiResolution | BoundRecursiveMedian, x: int, y: int, given_sets: IntArray) -> FloatArray:
    """ln I, finite also where I itself is below the smallest float: for comparing strong dependences."""

    def value(row: IntArray) -> float:
        return test.test(x, y, row[row >= 0].tolist()).details["log_I"]

    return np.array(map_threads(value, list(given_sets)), dtype=np.float64)


def check_grids(prior: float, resolutions: int | None) -> None:
    if not 0 < prior < 1:
        raise OptionError(f"option 'prior' must lie between 0 and 1, not {prior!r}")
    if resolutions is not None and not 1 <= resolutions <= MOST_RESOLUTIONS:
        raise OptionError(
            f"option 'resolutions' must be an int from 1 to {MOST_RESOLUTIONS}, or none, not {resolutions!r}"
        )


@checked
@dataclass(frozen=True, kw_only=True)
class RecursiveMedian:
    """I = Pr(X indep. Y) U + P (1 - U) with U = Pr({X, Y} indep. Z), both by the multi-resolution test, in slices of Z.

    A slice is cut at the median of Z if that does not lower U; of slices, I = prod I_s^(n_s / n), and U likewise. U
    says whether {X, Y} is the same all over a slice, so that testing X against Y there is testing them given Z. Rows
    that are copies of others count once. prior: P, and what the answer is compared with. resolutions: how many grids of
    a pair. min_leaf: slices of so many rows are not cut. slice_weights: n_s / n as in the paper's equations, or its
    Figure 2's share of the range of Z (levels have no range and keep n_s / n). O(|Z| N log N).
    """

    kind: ClassVar[str] = "recursive-median"
    accepts: ClassVar[frozenset[Kind]] = ANY_KIND
    model: ClassVar[str] = "kernel"
    reads_rows: ClassVar[frozenset[Kind]] = ANY_KIND
    reference: ClassVar[str] = "Margaritis 2005"

    prior: float = 0.5
    resolutions: int | None = None
    min_leaf: int = 1
    slice_weights: SliceWeights = "rows"

    def __post_init__(self) -> None:
        check_grids(self.prior, self.resolutions)
        check_least(self, min_leaf=1)

    @property
    def level(self) -> float:
        return self.prior

    @takes_table
    def bind(self, data: Dataset) -> BoundRecursiveMedian:
        from arcwise.independence.ranked import RankedColumns

        return BoundRecursiveMedian(self, RankedColumns.of(data), self._numbers(data))

    def _numbers(self, data: Dataset) -> tuple[FloatArray, ...]:
        """The distinct values of each column by rank, where their range counts; else nothing."""
        if self.slice_weights == "rows":
            return ()
        return tuple(_scaled(np.unique(one.values)) for one in data.repeated().columns)


def _scaled(values: FloatArray) -> FloatArray:
    """Times a power of two, which shares of a range do not see: below 1, so that no difference overflows."""
    values = values.astype(np.float64)
    _, exponent = frexp(max(abs(float(values[0])), abs(float(values[-1]))))
    return np.ldexp(values, -exponent - 1)


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
    numbers: tuple[FloatArray, ...]

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
        return _log_values(self, x, y, given_sets)

    def _recursion(self, columns: Sequence[int]) -> TestResult:
        from arcwise._kernels.ranks.median_test import Rules, Tree, Variables, combine, gather, grow

        options, ranked, chosen = self.options, self.ranked, np.array(columns, dtype=np.intp)
        n, size = ranked.n_rows, len(columns)
        orders, ranks = np.empty((2, size, n), dtype=np.int32), np.empty((size, n), dtype=np.int32)
        gather(ranked.orders, ranked.ranks, chosen, orders[0], ranks)
        variables = Variables(orders, ranks, ranked.is_discrete[chosen], ranked.has_ties[chosen])
        most = grids(n, options.resolutions)
        fewest = 1 if options.resolutions is None else most
        rules = Rules(fewest, most, options.min_leaf, options.prior, ranked.log_factorials, self._numbers(columns[2:]))
        tree = Tree(
            nodes=np.empty((n, 5), dtype=np.intp),
            values=np.empty((n, 6)),
            stack=np.zeros(n, dtype=np.intp),
            progress=np.array([1, 1]),
        )
        tree.nodes[0] = (0, n, 0, -1, -1)  # all rows
        workspace = ranked.workspace(columns, most)
        while not grow(variables, rules, tree, *workspace, BUDGET):
            pass  # between calls the program can be interrupted
        log_i, log_u, slices = combine(tree)
        return answer(log_i, options.prior, None, u=exp(log_u), slices=slices)

    def _numbers(self, given: Sequence[int]) -> FloatArray:
        """Those of the columns that are given, by rank, one below the other."""
        longest = max(len(self.numbers[z]) for z in given) if self.numbers else 0
        found = np.zeros((len(given), longest))
        for row, z in zip(found, given, strict=True):
            if self.numbers:
                row[: len(self.numbers[z])] = self.numbers[z]
        return found
