"""Tests of linear effects: Fisher's Z, and for any mix of columns the likelihood ratio of linear-Gaussian models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.reading.door import takes_table
from arcwise.independence.options import ANY_KIND
from arcwise.parts.spec import later
from arcwise.stats.dimensions import Transform

if TYPE_CHECKING:  # it brings the compiled kernels along
    from arcwise.independence.correlated import BlockCorrelatedTest, CorrelatedTest


@checked
@dataclass(frozen=True, kw_only=True)
class FisherZ:
    """z = sqrt(N - |S| - 3) atanh |rho(x, y | S)|, p two-sided from N(0, 1). Discrete columns by their codes (Fu 2005).

    Exact for Gaussian columns in large samples; sees linear dependence only. transform: normal-scores for
    Phi^-1((rank - 1/2) / N) in place of each value or code, so that relations need only be monotone (none: the values).
    """

    kind: ClassVar[str] = "fisher-z"
    accepts: ClassVar[frozenset[Kind]] = ANY_KIND
    level: ClassVar[float] = 0.05
    linear: ClassVar[bool] = True
    model: ClassVar[str] = "gaussian"
    reference: ClassVar[str] = "Fisher 1924; Spirtes, Glymour and Scheines 2000"

    transform: Transform = later("none")

    @takes_table
    def bind(self, data: Dataset) -> CorrelatedTest:
        from arcwise.independence.correlated import CorrelatedTest

        return CorrelatedTest(data, self.transform)


@checked
@dataclass(frozen=True, kw_only=True)
class LikelihoodRatio:
    """-(N - 1 - k - (a + b + 1) / 2) ln(|C_x given y, S| / |C_x given S|), p from chi-squared with a b degrees.

    a, b and k are the dimensions of x, y and S: one for a continuous column, one less than its levels for a discrete
    one. The factor is Bartlett's. Sees effects that add up only. transform: normal-scores for Phi^-1((rank - 1/2) / N)
    in place of each number or ordered level, one dimension each (none: as they are).
    """

    kind: ClassVar[str] = "likelihood-ratio"
    accepts: ClassVar[frozenset[Kind]] = ANY_KIND
    level: ClassVar[float] = 0.05
    linear: ClassVar[bool] = True
    model: ClassVar[str] = "gaussian"
    reference: ClassVar[str] = "Bartlett 1938; Andrews, Ramsey and Cooper 2019"

    transform: Transform = later("none")

    @takes_table
    def bind(self, data: Dataset) -> BlockCorrelatedTest:
        from arcwise.independence.correlated import BlockCorrelatedTest

        return BlockCorrelatedTest(data, self.transform)
