"""Likelihood ratio of linear-Gaussian models in which levels are indicators: a test for any mix of columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.reading.door import takes_table
from arcwise.independence.options import ANY_KIND

if TYPE_CHECKING:
    from arcwise.independence.block_correlated import BlockCorrelatedTest


@checked
@dataclass(frozen=True, kw_only=True)
class LikelihoodRatio:
    """-(N - 1 - k - (a + b + 1) / 2) ln(|C_x given y, S| / |C_x given S|), p from chi-squared with a b degrees.

    a, b and k are the dimensions of x, y and S: one for a continuous column, one less than its levels for a discrete
    one. The factor is Bartlett's. Sees effects that add up only.
    """

    kind: ClassVar[str] = "likelihood-ratio"
    accepts: ClassVar[frozenset[Kind]] = ANY_KIND
    level: ClassVar[float] = 0.05
    reference: ClassVar[str] = "Bartlett 1938; Andrews, Ramsey and Cooper 2019"

    @takes_table
    def bind(self, data: Dataset) -> BlockCorrelatedTest:
        from arcwise.independence.block_correlated import BlockCorrelatedTest

        return BlockCorrelatedTest(data)
