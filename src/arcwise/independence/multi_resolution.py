"""Margaritis and Thrun's test of two columns: grids of growing resolution, a Bayes factor on each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, log1p
from typing import TYPE_CHECKING, ClassVar, Literal, get_args

import numpy as np

from arcwise.contracts.protocols import TestResult
from arcwise.contracts.ties import tolerance
from arcwise.data.accepting import takes_table
from arcwise.data.dataset import Dataset, FloatArray, IntArray, Kind
from arcwise.data.wording import listed
from arcwise.errors import OptionError
from arcwise.independence.options import ANY_KIND

if TYPE_CHECKING:
    from arcwise.independence.ranked import RankedColumns

Boundaries = Literal["quantile", "average", "max"]
MOST_RESOLUTIONS = 8


@dataclass(frozen=True, kw_only=True)
class MultiResolution:
    """Pr(independent) = 1 / (1 + (1 - P) / P BF), BF the mean Bayes factor of dependence on grids of 2, 4, 8, ... bins.

    prior: P. resolutions: how many grids, each twice as fine as the last. boundaries: bins of equally many rows, the
    average over 16 shifted grids, or where they make BF largest (which finds dependence everywhere). O(N).
    """

    kind: ClassVar[str] = "multi-resolution"
    accepts: ClassVar[frozenset[Kind]] = ANY_KIND
    level: ClassVar[float] = 0.5
    reference: ClassVar[str] = "Margaritis and Thrun 2001"

    prior: float = 0.5
    resolutions: int = 3
    boundaries: Boundaries = "quantile"

    def __post_init__(self) -> None:
        check_grids(self.prior, self.resolutions)
        if self.boundaries not in get_args(Boundaries):
            names = ", ".join(get_args(Boundaries))
            raise OptionError(f"option 'boundaries' must be one of {names}, not {self.boundaries!r}")

    @takes_table
    def bind(self, data: Dataset) -> BoundMultiResolution:
        from arcwise.independence.ranked import RankedColumns

        return BoundMultiResolution(self, RankedColumns.of(data))


@dataclass(frozen=True, slots=True, eq=False)
class BoundMultiResolution:
    """Answers for pairs only: a conditioning column is refused."""

    options: MultiResolution
    ranked: RankedColumns

    def test(self, x: int, y: int, given: Sequence[int]) -> TestResult:
        """The probability of independence; `statistic` is ln BF, above 0 for dependence."""
        if len(given):
            names = listed([repr(self.ranked.names[z]) for z in given])
            raise OptionError(
                f"the test {self.options.kind!r} is for pairs and cannot condition on {names}; use 'recursive-median'"
            )
        factor = self._log_bayes_factor(*self.ranked.by_name([x, y]))
        return TestResult(independence(self.options.prior, factor), factor)

    def p_values(self, x: int, y: int, given_sets: IntArray) -> FloatArray:
        return np.array([self.test(x, y, row[row >= 0].tolist()).value for row in given_sets], dtype=np.float64)

    def _log_bayes_factor(self, x: int, y: int) -> float:
        ranked, options = self.ranked, self.options
        discrete = ranked.is_discrete
        if options.boundaries == "quantile" or (discrete[x] and discrete[y]):
            return ranked.log_bayes_factor(x, y, options.resolutions)
        from arcwise.independence.boundaries import Axis, average, largest

        place = average if options.boundaries == "average" else largest
        return place(Axis.of(ranked.ranks[x], discrete[x]), Axis.of(ranked.ranks[y], discrete[y]), options.resolutions)


def check_grids(prior: float, resolutions: int) -> None:
    if not 0 < prior < 1:
        raise OptionError(f"option 'prior' must lie between 0 and 1, not {prior!r}")
    whole = isinstance(resolutions, int) and not isinstance(resolutions, bool)
    if not (whole and 1 <= resolutions <= MOST_RESOLUTIONS):
        raise OptionError(f"option 'resolutions' must be an int from 1 to {MOST_RESOLUTIONS}, not {resolutions!r}")


def independence(prior: float, log_bayes_factor: float) -> float:
    """1 / (1 + (1 - P) / P BF)."""
    odds = log1p(-prior) - log(prior) + log_bayes_factor
    return settled(exp(-odds) / (1.0 + exp(-odds)) if odds > 0 else 1.0 / (1.0 + exp(odds)))


def settled(probability: float) -> float:
    """Exactly a half where only rounding tells it from one: data that say nothing must not lean to a side."""
    return 0.5 if abs(probability - 0.5) <= tolerance(0.5) else probability
