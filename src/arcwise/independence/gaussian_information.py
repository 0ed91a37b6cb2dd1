"""Conditional mutual information of columns with linear relations and normal noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, log
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, FloatArray, IntArray, Kind
from arcwise.data.reading.door import takes_table
from arcwise.errors import OptionError
from arcwise.independence.options import ANY_KIND
from arcwise.parts.protocols import TestResult

if TYPE_CHECKING:
    from arcwise.independence.block_correlated import BlockCorrelatedTest
    from arcwise.independence.correlated import CorrelatedTest


@checked
@dataclass(frozen=True, kw_only=True)
class GaussianInformation:
    """I(X; Y | Z) = -1/2 ln(1 - rho^2) in nats, rho the partial correlation; independent where I <= `threshold`.

    As a value above or below a level: 2^(-I / threshold). Ordered and binary columns enter by their codes. Where some
    levels are in no order, levels are indicators and I = -1/2 ln(|C_x given y, Z| / |C_x given Z|). Exact for
    Gaussian columns; sees effects that add up only.
    """

    kind: ClassVar[str] = "gaussian-information"
    accepts: ClassVar[frozenset[Kind]] = ANY_KIND
    level: ClassVar[float] = 0.5
    reference: ClassVar[str] = "Cover and Thomas 2006"

    threshold: float = 0.01

    def __post_init__(self) -> None:
        if not (isfinite(self.threshold) and self.threshold > 0):
            raise OptionError(f"option 'threshold' must be a number above 0, not {self.threshold!r}")

    @takes_table
    def bind(self, data: Dataset) -> GaussianInformationTest:
        if any(c.kind is Kind.DISCRETE and not c.ordered and c.cardinality > 2 for c in data.columns):
            from arcwise.independence.block_correlated import BlockCorrelatedTest

            return GaussianInformationTest(BlockCorrelatedTest(data), self.threshold)
        from arcwise.independence.correlated import CorrelatedTest

        return GaussianInformationTest(CorrelatedTest(data), self.threshold)


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
