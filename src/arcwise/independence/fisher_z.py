"""Fisher's Z: is the partial correlation zero?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.reading.door import takes_table
from arcwise.independence.options import ANY_KIND

if TYPE_CHECKING:
    from arcwise.independence.correlated import CorrelatedTest


@checked
@dataclass(frozen=True, kw_only=True)
class FisherZ:
    """z = sqrt(N - |S| - 3) atanh |rho(x, y | S)|, p two-sided from N(0, 1). Discrete columns by their codes (Fu 2005).

    Exact for Gaussian columns in large samples; sees linear dependence only.
    """

    kind: ClassVar[str] = "fisher-z"
    accepts: ClassVar[frozenset[Kind]] = ANY_KIND
    level: ClassVar[float] = 0.05
    reference: ClassVar[str] = "Fisher 1924; Spirtes, Glymour and Scheines 2000"

    @takes_table
    def bind(self, data: Dataset) -> CorrelatedTest:
        from arcwise.independence.correlated import CorrelatedTest

        return CorrelatedTest(data)
