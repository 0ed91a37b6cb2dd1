"""Margaritis and Thrun's test of two columns: grids of growing resolution, a Bayes factor on each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, log1p, nan
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, FloatArray, IntArray, Kind
from arcwise.data.reading.door import takes_table
from arcwise.errors import OptionError
from arcwise.independence.options import ANY_KIND
from arcwise.parts.protocols import TestResult, tolerance
from arcwise.printing import listed

if TYPE_CHECKING:
    from arcwise.independence.ranked import RankedColumns

Boundaries = Literal["quantile", "average", "max"]
MOST_RESOLUTIONS = 12


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
        self._check(given)
        return pair_result(self.ranked, x, y, self.options.prior, self.options.resolutions, self.options.boundaries)

    def p_values(self, x: int, y: int, given_sets: IntArray) -> FloatArray:
        return np.exp(self.log_p_values(x, y, given_sets))

    def log_p_values(self, x: int, y: int, given_sets: IntArray) -> FloatArray:
        """ln I, finite also where I itself is below the smallest float: for comparing strong dependences."""
        found = [self.test(x, y, row[row >= 0].tolist()).details["log_I"] for row in given_sets]
        return np.array(found, dtype=np.float64)

    def _check(self, given: Sequence[int]) -> None:
        if len(given):
            names = listed([repr(self.ranked.names[z]) for z in given])
            raise OptionError(
                f"the test {self.options.kind!r} is for pairs and cannot condition on {names}; use 'recursive-median'"
            )


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


def check_grids(prior: float, resolutions: int | None) -> None:
    if not 0 < prior < 1:
        raise OptionError(f"option 'prior' must lie between 0 and 1, not {prior!r}")
    if resolutions is not None and not 1 <= resolutions <= MOST_RESOLUTIONS:
        raise OptionError(
            f"option 'resolutions' must be an int from 1 to {MOST_RESOLUTIONS}, or none, not {resolutions!r}"
        )
