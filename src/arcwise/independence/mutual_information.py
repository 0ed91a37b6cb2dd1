"""Conditional mutual information against a threshold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, FloatArray, IntArray, Kind
from arcwise.data.reading.door import takes_table
from arcwise.errors import OptionError
from arcwise.independence.options import DISCRETE_ONLY, check_counting
from arcwise.parts.protocols import TestResult

if TYPE_CHECKING:
    from arcwise.independence.counted import CountedTest


@checked
@dataclass(frozen=True, kw_only=True)
class MutualInformation:
    """I(X; Y | Z) in nats; independent where I < `threshold`. As a value above or below a level: 2^(-I / threshold).

    min_per_cell: with fewer rows for each cell of the table the set is not tested.
    """

    kind: ClassVar[str] = "mutual-information"
    accepts: ClassVar[frozenset[Kind]] = DISCRETE_ONLY
    level: ClassVar[float] = 0.5
    reference: ClassVar[str] = "Cheng, Greiner, Kelly, Bell and Liu 2002"

    threshold: float = 0.01
    min_per_cell: float = 0.0

    def __post_init__(self) -> None:
        if not (isfinite(self.threshold) and self.threshold > 0):
            raise OptionError(f"option 'threshold' must be a number above 0, not {self.threshold!r}")
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
