"""Conditional mutual information against a threshold: from counts, from correlations, or whichever suits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, prod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, FloatArray, IntArray, Kind
from arcwise.data.reading.door import takes_table
from arcwise.errors import check_positive
from arcwise.independence.options import ANY_KIND, DISCRETE_ONLY, check_counting
from arcwise.parts.protocols import TestResult
from arcwise.parts.spec import later
from arcwise.stats.dimensions import Transform
from arcwise.stats.threads import map_threads

if TYPE_CHECKING:  # it brings the compiled kernels along
    from arcwise.independence.correlated import BlockCorrelatedTest, CorrelatedTest
    from arcwise.independence.counted import CountedTest


@checked
@dataclass(frozen=True, kw_only=True)
class MutualInformation:
    """I(X; Y | Z) in nats. As a value above or below a level: 2^(-I / threshold).

    threshold: independent where I is less. min_per_cell: with fewer rows for each cell of the table the set is not
    tested.
    """

    kind: ClassVar[str] = "mutual-information"
    accepts: ClassVar[frozenset[Kind]] = DISCRETE_ONLY
    model: ClassVar[str] = "cpt"
    level: ClassVar[float] = 0.5
    reference: ClassVar[str] = "Cheng, Greiner, Kelly, Bell and Liu 2002"

    threshold: float = 0.01
    min_per_cell: float = 0.0

    def __post_init__(self) -> None:
        check_positive(self, "threshold")
        check_counting(self.min_per_cell)

    @takes_table
    def bind(self, data: Dataset) -> InformationTest:
        from arcwise.independence.counted import CountedTest

        return InformationTest(CountedTest(data, min_per_cell=self.min_per_cell), self.threshold)


@dataclass(frozen=True, slots=True, eq=False)
class InformationTest:
    """I = G2 / 2N, from the same counts as G2."""

    counted: CountedTest
    threshold: float
    first_batch: ClassVar[int] = 4
    warnings: ClassVar[tuple[str, ...]] = ()

    def test(self, x: int, y: int, given: Sequence[int]) -> TestResult:
        """statistic: I in nats."""
        information = float(self.information(x, y, np.array([list(given)], dtype=np.intp))[0])
        return TestResult(float(self._value(information)), information)

    def p_values(self, x: int, y: int, given_sets: IntArray) -> FloatArray:
        return np.asarray(self._value(self.information(x, y, given_sets)))

    def information(self, x: int, y: int, given_sets: IntArray) -> FloatArray:
        """I(x; y | S) in nats for each set."""
        return self.counted.statistics(x, y, given_sets)[0] / (2.0 * self.counted.n_rows)

    def _value(self, information: FloatArray | float) -> FloatArray | float:
        return np.exp2(-np.asarray(information) / self.threshold)


@checked
@dataclass(frozen=True, kw_only=True)
class GaussianInformation:
    """I(X; Y | Z) = -1/2 ln(1 - rho^2) in nats, rho the partial correlation.

    threshold: independent where I is no more. As a value above or below a level: 2^(-I / threshold). Ordered and binary
    columns enter by their codes. Where some levels are in no order, levels are indicators and I = -1/2 ln(|C_x given y,
    Z| / |C_x given Z|). Exact for Gaussian columns; sees effects that add up only. transform: normal-scores for
    Phi^-1((rank - 1/2) / N) in place of each value or ordered level (none: the values).
    """

    kind: ClassVar[str] = "gaussian-information"
    accepts: ClassVar[frozenset[Kind]] = ANY_KIND
    level: ClassVar[float] = 0.5
    linear: ClassVar[bool] = True
    model: ClassVar[str] = "gaussian"
    reference: ClassVar[str] = "Cover and Thomas 2006"

    threshold: float = 0.01
    transform: Transform = later("none")

    def __post_init__(self) -> None:
        check_positive(self, "threshold")

    @takes_table
    def bind(self, data: Dataset) -> GaussianInformationTest:
        if any(c.kind is Kind.DISCRETE and not c.ordered and c.cardinality > 2 for c in data.columns):
            from arcwise.independence.correlated import BlockCorrelatedTest

            return GaussianInformationTest(BlockCorrelatedTest(data, self.transform), self.threshold)
        from arcwise.independence.correlated import CorrelatedTest

        return GaussianInformationTest(CorrelatedTest(data, self.transform), self.threshold)


@dataclass(frozen=True, slots=True, eq=False)
class GaussianInformationTest:
    """Answers from a correlation matrix alone; NaN where there are too few rows for the columns given."""

    source: CorrelatedTest | BlockCorrelatedTest
    threshold: float
    first_batch: ClassVar[int] = 256

    @property
    def warnings(self) -> tuple[str, ...]:
        return self.source.warnings

    def test(self, x: int, y: int, given: Sequence[int]) -> TestResult:
        """statistic: I in nats. details: the logarithm of the value."""
        sets = np.array([list(given)], dtype=np.intp)
        log_p = float(self.log_p_values(x, y, sets)[0])
        return TestResult(float(np.exp(log_p)), float(self.information(x, y, sets)[0]), {"log_p": log_p})

    def p_values(self, x: int, y: int, given_sets: IntArray) -> FloatArray:
        return np.exp(self.log_p_values(x, y, given_sets))

    def log_p_values(self, x: int, y: int, given_sets: IntArray) -> FloatArray:
        """ln of the value, finite also where the value itself is below the smallest float."""
        return -log(2.0) * self.information(x, y, given_sets) / self.threshold

    def information(self, x: int, y: int, given_sets: IntArray) -> FloatArray:
        """I(x; y | S) in nats for each set."""
        return 0.5 * self.source.log_ratios(min(x, y), max(x, y), given_sets)

    def pairwise_information(self) -> FloatArray:
        """I of all pairs given nothing, (n, n) and symmetric; 0 on the diagonal."""
        return 0.5 * self.source.pairwise_log_ratios()

    def degrees(self, x: int, y: int, given: Sequence[int]) -> float:
        """Of freedom: with N rows the information of independent columns is about this / 2N."""
        return self.source.degrees(x, y)


@checked
@dataclass(frozen=True, kw_only=True)
class Information:
    """I(X; Y | Z) in nats: from counts where all columns are discrete, otherwise from partial correlations.

    threshold: independent where I is no more. transform: normal-scores for the ranks of numbers (none: their values).
    See MutualInformation and GaussianInformation.
    """

    kind: ClassVar[str] = "information"
    accepts: ClassVar[frozenset[Kind]] = ANY_KIND
    level: ClassVar[float] = 0.5
    reference: ClassVar[str] = MutualInformation.reference

    threshold: float = 0.01
    transform: Transform = later("none")

    def __post_init__(self) -> None:
        check_positive(self, "threshold")

    @takes_table
    def resolve(self, data: Dataset) -> Information | GaussianInformation:
        """The test for these columns."""
        if Kind.CONTINUOUS in data.kinds:
            return GaussianInformation(threshold=self.threshold, transform=self.transform)
        return self

    @takes_table
    def bind(self, data: Dataset) -> CountedInformation | GaussianInformationTest:
        chosen = self.resolve(data)
        if isinstance(chosen, GaussianInformation):
            return chosen.bind(data)
        from arcwise.independence.counted import CountedTest

        return CountedInformation(CountedTest(data, df="full"), self.threshold)


@dataclass(frozen=True, slots=True, eq=False)
class CountedInformation(InformationTest):
    """Plug-in information from counts, given sets of any number of columns."""

    def pairwise_information(self) -> FloatArray:
        """I of all pairs given nothing, (n, n) and symmetric; 0 on the diagonal. O(n^2 N)."""
        n = len(self.counted.counts.names)
        out = np.zeros((n, n))
        for x, (statistics, _) in enumerate(map_threads(self.counted.pairs, range(n))):
            out[x, x + 1 :] = out[x + 1 :, x] = statistics / (2.0 * self.counted.n_rows)
        return out

    def degrees(self, x: int, y: int, given: Sequence[int]) -> float:
        """Of freedom: with N rows the information of independent columns is about this / 2N.

        At most one stratum a row.
        """
        cards = self.counted.counts.cards
        strata = min(prod(map(cards.item, given)), self.counted.n_rows)
        return float((cards.item(x) - 1) * (cards.item(y) - 1) * strata)
