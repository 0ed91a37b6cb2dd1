"""The information that suits the columns, and all pairs of discrete columns at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, prod
from typing import ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.data.accepting import takes_table
from arcwise.data.dataset import CodeArray, Dataset, FloatArray, IntArray, Kind
from arcwise.errors import OptionError
from arcwise.independence.gaussian_information import GaussianInformation, GaussianInformationTest
from arcwise.independence.mutual_information import InformationTest, MutualInformation
from arcwise.independence.options import ANY_KIND
from arcwise.stats.threads import map_threads

CELLS_PER_ROW = 4  # a table with more is not laid out
CALL_WORK = 1 << 27  # rows times columns of one call of the kernel: some tenths of a second
NOTHING: IntArray = np.empty((1, 0), dtype=np.intp)


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

        cards = np.array(data.cardinalities, dtype=np.intp)
        return CountedInformation(CountedTest(data), self.threshold, data.codes(), cards, np.append(cards, 1.0))


@dataclass(frozen=True, slots=True, eq=False)
class CountedInformation(InformationTest):
    """Plug-in information from counts, given sets of any number of columns. codes: (n, N).

    sizes: the cardinalities as floats, which do not overflow, and a 1 for the -1 that sets are padded with.
    """

    codes: CodeArray
    cards: IntArray
    sizes: FloatArray

    def information(self, x: int, y: int, given_sets: IntArray) -> FloatArray:
        """I(x; y | S) in nats for each set. Tables with many more cells than rows are not laid out."""
        from arcwise._kernels.counts.strata import informations

        n_rows = self.codes.shape[1]
        large = self.sizes[x] * self.sizes[y] * self.sizes[given_sets].prod(axis=1) > CELLS_PER_ROW * n_rows
        if not large.any():
            return InformationTest.information(self, x, y, given_sets)
        values = np.empty(len(given_sets))
        if not large.all():
            values[~large] = InformationTest.information(self, x, y, given_sets[~large])
        where = large.nonzero()[0]
        most = max(1, CALL_WORK // (n_rows * (4 + given_sets.shape[1])))
        for first in range(0, len(where), most):
            some = where[first : first + most]
            values[some] = informations(self.codes, self.cards, x, y, given_sets[some])
        return values

    def pairwise_information(self) -> FloatArray:
        """I of all pairs given nothing, (n, n) and symmetric; 0 on the diagonal. O(n^2 N)."""
        from arcwise._kernels.counts.contingency import ADJUSTED, SPARSE, k_ln_k, test_pairs
        from arcwise.independence.counted import DENSE_CELLS, TABULATED

        n, n_rows = self.codes.shape
        f = k_ln_k(min(n_rows + 1, TABULATED))
        out = np.zeros((n, n))

        def row(x: int) -> FloatArray:
            """I of x with each of x + 1, ..., n - 1."""
            statistics, dfs = test_pairs(self.codes, self.cards, x, 0.0, DENSE_CELLS, False, ADJUSTED, f)
            values: FloatArray = statistics / (2.0 * n_rows)
            for i in (dfs == SPARSE).nonzero()[0]:
                values[i] = self.information(x, x + 1 + int(i), NOTHING)[0]
            return values

        for x, values in enumerate(map_threads(row, range(n))):
            out[x, x + 1 :] = out[x + 1 :, x] = values
        return out

    def degrees(self, x: int, y: int, given: Sequence[int]) -> float:
        """Of freedom: with N rows the information of independent columns is about this / 2N.

        At most one stratum a row.
        """
        strata = min(prod(map(self.cards.item, given)), self.codes.shape[1])
        return float((self.cards.item(x) - 1) * (self.cards.item(y) - 1) * strata)
