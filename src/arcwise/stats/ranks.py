"""Columns by their ranks: normal scores, orthogonal polynomials of ranks, and the moments of both.

A column with an order is cut into cells, one for each different value (of more than `MOST_CELLS` values that many
quantiles). A cell with n rows behind b others has the mid-rank b + n / 2, the share u of all rows that is below its
middle, and the normal score Phi^-1(u). Whatever increases with a column has the same cells, so nothing here changes
under an increasing transformation. The features of a column are functions of its cell,

    f_1 = z = Phi^-1(u),   f_k = P_k(2 u - 1), the Legendre polynomial of degree k = 2, 3, ...,

made orthonormal over the rows in this order, and rounded to multiples of 2^-13, so that sums of their products are the
same in any order; a column with m cells has at most m - 1. Levels without an order have
their contrasts, made orthonormal too. So a table is a matrix of features, and all that is ever asked of its rows are
the correlations of these: a sum over rows, the same wherever they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf, sqrt
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from scipy.special import eval_legendre, ndtri

from arcwise.data.complete import check_complete
from arcwise.data.dataset import Column, Dataset, FloatArray, IntArray, Kind, WeightArray
from arcwise.data.rows.elsewhere import asked
from arcwise.stats.dimensions import Extent
from arcwise.stats.ordered import is_long, ordered
from arcwise.stats.threads import map_threads

# Features of a column by rows: a BIC of more pays for what few rows cannot show (docs/methods/smooth.md).
FEATURES_FROM_ROWS = ((0, 3), (400, 4), (800, 5), (2000, 6), (4000, 8))
MOST_CELLS = 1 << 16
PILE = 0.1  # share of the rows
GUIDED_CELLS = 64  # fewer are searched without a guide
GRID = 2.0**13  # heights are multiples of 1 / GRID: sums over 100 million rows are exact, in any order
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

    @property
    def is_piled(self) -> bool:
        """Whether so many rows have one value that they say little of the shape of a density."""
        return bool(self.rows.max(initial=0) > PILE * self.rows.sum())

    def places(self, values: NDArray[Any]) -> IntArray:
        """The cell of each value."""
        if self.cuts is None:
            return values.astype(np.intp, copy=False)
        if len(self.cuts) < GUIDED_CELLS or len(values) < len(self.cuts) // 16:
            return np.maximum(np.searchsorted(self.cuts, values, side="right") - 1, 0)
        from arcwise._kernels.ranks.places import find_places  # it brings the compiled kernels along

        values = np.ascontiguousarray(values, dtype=np.float64)
        out = np.empty(len(values), dtype=np.intp)
        find_places(values, values.view(np.uint64), self.cuts, *self._guide, out)
        return out

    @cached_property
    def _guide(self) -> tuple[float, float, np.uint64, np.uint64, NDArray[np.int32]]:
        """(lowest, scale, first, shift, guide) of `places`, in the way that leaves fewer cells to search."""
        from arcwise._kernels.ranks.places import fill_guide, key_of

        cuts = self.cuts
        assert cuts is not None
        bits, of_position = cuts.view(np.uint64), len(cuts).bit_length()
        positions = 1 << of_position
        first, last = (np.uint64(key_of(one)) for one in (bits[0], bits[-1]))
        shift = np.uint64(max((int(last) - int(first)).bit_length() - of_position, 0))
        lowest, width = float(cuts[0]), float(cuts[-1]) - float(cuts[0])
        scales = [0.0, *([positions / width] if 0.0 < width < inf and positions / width < inf else [])]
        guides = []
        for scale in scales:
            guide = np.zeros(positions + 1, dtype=np.int32)
            fill_guide(cuts, bits, lowest, scale, first, shift, guide)
            together = np.diff(guide).astype(np.float64)
            guides.append((float(together @ np.log2(together + 1.0)), (lowest, scale, first, shift, guide)))
        return min(guides, key=lambda one: one[0])[1]

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
        return np.rint(np.column_stack(found) * GRID) / GRID if found else np.zeros((len(shares), 0))


def features_for(n_rows: int) -> int:
    """Features of a column for so many rows."""
    return next(features for rows, features in reversed(FEATURES_FROM_ROWS) if n_rows >= rows)


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
    if not is_long(data):
        return _of_values(name, data.select([name]).repeated().columns[0].values)
    numbers = ordered(data, name)
    if not numbers.n:
        return Cells(name, np.empty(0), np.empty(0, dtype=np.int64))
    found = numbers.distinct(MOST_CELLS)
    if len(found) > MOST_CELLS:
        places = np.unique(np.linspace(0, numbers.n - 1, MOST_CELLS).astype(np.int64))
        found = np.unique(numbers.at(places).values)
    return Cells(name, found, numbers.rows_of_levels(found[1:]))


def _of_values(name: str, values: FloatArray) -> Cells:
    """The same by sorting."""
    if not len(values):
        return Cells(name, np.empty(0), np.empty(0, dtype=np.int64))
    values = values + 0.0  # a copy, and one zero of two
    values.sort()
    begins = np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1]]))
    if len(begins) > MOST_CELLS:
        found = values[np.unique(np.linspace(0, len(values) - 1, MOST_CELLS).astype(np.int64))]
        found = found[np.concatenate([[True], found[1:] != found[:-1]])]
        begins = np.searchsorted(values, found, side="left")
    begins = begins.astype(np.int64, copy=False)
    return Cells(name, values[begins], np.diff(begins, append=len(values)))


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
    every = cells_of(data, by_codes=by_codes)
    # Features depend on the rows of the cells alone, which are the same for all columns without equal values.
    keys = [(cells.nominal, cells.rows.tobytes()) for cells in every]
    different = dict(zip(keys, every, strict=True))
    features = map_threads(lambda cells: list(np.ascontiguousarray(cells.features(most).T)), list(different.values()))
    found = dict(zip(different, features, strict=True))
    return [[RankFeature(j, every[j], heights) for heights in found[key]] for j, key in enumerate(keys)]


def feature_matrix(data: Dataset, most: int) -> FloatArray:
    """A row for each of the features of `rank_features`, a number for each stored row. The rows must be in memory."""
    features = [feature for of_column in rank_features(data, most) for feature in of_column]
    matrix = np.empty((len(features), data.n_stored))
    column, places = -1, np.empty(0, dtype=np.intp)
    for feature, row in zip(features, matrix, strict=True):
        if feature.column != column:
            column, places = feature.column, feature.cells.places(data.columns[feature.column].values)
        np.take(feature.heights, places, out=row)
    return matrix
