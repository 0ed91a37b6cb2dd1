"""Columns by their ranks: normal scores, orthogonal polynomials of ranks, and the moments of both.

A column with an order is cut into cells, one for each different value (of more than `MOST_CELLS` values that many
quantiles). A cell with n rows behind b others has the mid-rank b + n / 2, the share u of all rows that is below its
middle, and the normal score Phi^-1(u). Whatever increases with a column has the same cells, so nothing here changes
under an increasing transformation. The features of a column are functions of its cell,

    f_1 = z = Phi^-1(u),   f_k = P_k(2 u - 1), the Legendre polynomial of degree k = 2, 3, ...,

made orthonormal over the rows in this order; a column with m cells has at most m - 1. Levels without an order have
their contrasts, made orthonormal too. So a table is a matrix of features, and all that is ever asked of its rows are
the correlations of these: a sum over rows, the same wherever they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from scipy.special import eval_legendre, ndtri

from arcwise.data.complete import check_complete
from arcwise.data.dataset import Column, Dataset, FloatArray, IntArray, Kind, WeightArray
from arcwise.data.rows.elsewhere import asked
from arcwise.stats.dimensions import Extent
from arcwise.stats.ordered import ordered
from arcwise.stats.threads import map_threads

MOST_CELLS = 1 << 16
EXPLAINED = 1e-6  # a feature that the earlier ones of its column explain up to this share of its variance is left out


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of a column: `cuts` are the first values of all cells (None: the codes of levels), `rows` their sizes.

    nominal: levels without an order.
    """

    name: str
    cuts: FloatArray | None
    rows: WeightArray
    nominal: bool = False

    @property
    def shares(self) -> FloatArray:
        return self.rows / max(int(self.rows.sum()), 1)

    @property
    def n_values(self) -> int:
        """Cells with rows in them."""
        return int(np.count_nonzero(self.rows))

    @cached_property
    def quantiles(self) -> FloatArray:
        """u: the share of rows below the middle of each cell."""
        after = np.cumsum(self.rows)
        return (after - self.rows / 2) / max(int(after[-1]) if len(after) else 0, 1)

    @cached_property
    def normal_scores(self) -> FloatArray:
        """Phi^-1(u) for each cell; 0 for a level without rows at either end."""
        scores = ndtri(self.quantiles)
        return np.where(np.isfinite(scores), scores, 0.0)

    def places(self, values: NDArray[Any]) -> IntArray:
        """The cell of each value."""
        if self.cuts is None:
            return values.astype(np.intp, copy=False)
        return np.maximum(np.searchsorted(self.cuts, values, side="right") - 1, 0)

    def features(self, most: int) -> FloatArray:
        """(cells, at most `most`): orthonormal over the rows, normal scores first; of nominal levels all contrasts."""
        shares = self.shares
        if self.nominal:
            present = np.flatnonzero(self.rows)
            kept = present[np.argsort(-self.rows[present], kind="stable")][1:]  # the most frequent one is implied
            columns = (np.equal(np.arange(len(shares)), level).astype(np.float64) for level in np.sort(kept))
        else:
            t = 2.0 * self.quantiles - 1.0
            columns = (self.normal_scores if k == 1 else eval_legendre(k, t) for k in range(1, most + 1))
        found: list[FloatArray] = []
        for column in columns:
            feature = column - shares @ column
            before = shares @ feature**2
            for _ in range(2):  # once more, as the first pass leaves rounding errors behind
                for other in found:
                    feature = feature - (shares @ (feature * other)) * other
                feature = feature - shares @ feature
            left = float(shares @ feature**2)
            if left > EXPLAINED * before and left > 0.0:
                found.append(feature / sqrt(left))
        return np.column_stack(found) if found else np.zeros((len(shares), 0))


def cells_of(data: Dataset, *, by_codes: bool = False) -> list[Cells]:
    """Those of each column. O(N log N) a column; of long tables by counting, wherever the rows are.

    by_codes: levels are in the order of their codes, whether or not they are said to be in order. Those of the last
    table are kept while it lives.
    """
    check_complete(data, "a method by ranks")
    last = _last.get(data)
    if last is None or last[0] != by_codes:
        _last.clear()
        last = _last[data] = by_codes, _cells(data, by_codes)
    return last[1]


_last: WeakKeyDictionary[Dataset, tuple[bool, list[Cells]]] = WeakKeyDictionary()


def _cells(data: Dataset, by_codes: bool) -> list[Cells]:
    counts, _ = asked(data, Extent(by_codes=False))

    def cells(j: int) -> Cells:
        column = data.columns[j]
        if column.kind is Kind.DISCRETE:
            return Cells(column.name, None, counts[j].astype(np.int64), nominal=not (by_codes or is_ordered(column)))
        return _of_numbers(data, column.name)

    return map_threads(cells, range(data.n_columns))


def is_ordered(column: Column) -> bool:
    """Whether ranks are known: of numbers, of ordered levels, and of two levels, which have one contrast anyway."""
    return column.kind is Kind.CONTINUOUS or column.ordered or column.cardinality <= 2


def _of_numbers(data: Dataset, name: str) -> Cells:
    numbers = ordered(data, name)
    if not numbers.n:
        return Cells(name, np.empty(0), np.empty(0, dtype=np.int64))
    found = numbers.distinct(MOST_CELLS)
    if len(found) > MOST_CELLS:
        places = np.unique(np.linspace(0, numbers.n - 1, MOST_CELLS).astype(np.int64))
        found = np.unique(numbers.at(places).values)
    return Cells(name, found, numbers.rows_of_levels(found[1:]))


@dataclass(frozen=True, slots=True, eq=False)
class RankFeature:
    """A dimension (see `dimensions.Dimension`) that is a function of a column's cell: heights[cell]."""

    column: int
    cells: Cells
    heights: FloatArray

    level = -1
    exponent = 0
    is_centred = True

    @property
    def low(self) -> float:
        return float(self.heights.min())

    @property
    def high(self) -> float:
        return float(self.heights.max())


def rank_features(data: Dataset, most: int, *, by_codes: bool = False) -> list[list[RankFeature]]:
    """Those of each column, at most so many of a column with an order; all contrasts of levels without one."""
    return [
        [RankFeature(j, cells, np.ascontiguousarray(heights)) for heights in cells.features(most).T]
        for j, cells in enumerate(cells_of(data, by_codes=by_codes))
    ]
