"""The information that suits the columns, and all pairs of discrete columns at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, prod
from typing import ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, FloatArray, Kind
from arcwise.data.reading.door import takes_table
from arcwise.errors import OptionError
from arcwise.independence.gaussian_information import GaussianInformation, GaussianInformationTest
from arcwise.independence.mutual_information import InformationTest, MutualInformation
from arcwise.independence.options import ANY_KIND
from arcwise.stats.threads import map_threads


@checked
@dataclass(frozen=True, kw_only=True)
class Information:
    """I(X; Y | Z) in nats: from counts where all columns are discrete, otherwise from partial correlations.

    Independent where I <= `threshold`. See MutualInformation and GaussianInformation.
    """

    kind: ClassVar[str] = "information"
    accepts: ClassVar[frozenset[Kind]] = ANY_KIND
    level: ClassVar[float] = 0.5
    reference: ClassVar[str] = MutualInformation.reference

    threshold: float = 0.01

    def __post_init__(self) -> None:
        if not (isfinite(self.threshold) and self.threshold > 0):
            raise OptionError(f"option 'threshold' must be a number above 0, not {self.threshold!r}")

    @takes_table
    def resolve(self, data: Dataset) -> Information | GaussianInformation:
        """The test for these columns."""
        return GaussianInformation(threshold=self.threshold) if Kind.CONTINUOUS in data.kinds else self

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
