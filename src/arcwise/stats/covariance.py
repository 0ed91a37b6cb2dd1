"""Means, spreads and correlations of a table: the sufficient statistics of every Gaussian score.

A continuous column is one dimension. A discrete column is a block of indicators, one for each level that occurs but the
most frequent, which the others imply. A constant column is an empty block. Sums of products are additive over rows, so
the table is read in blocks whose size depends on the number of dimensions only and which are added up in their order:
the number of threads never changes a bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import frexp

import numpy as np

from arcwise._kernels.gaussian.products import TILE, add_products
from arcwise.data.dataset import Column, Dataset, FloatArray, IntArray, Kind
from arcwise.errors import DataError
from arcwise.stats.threads import map_threads, n_threads

BLOCK_NUMBERS = 1 << 18  # numbers in a block of rows, so that it stays in cache ...
LEAST_ROWS = 1 << 8  # ... unless so few rows would make adding up the products dearer than making them
MOST_DIMENSIONS = 10_000  # a correlation matrix of 0.8 GB
LEAST_EXPONENT = -1000  # 2^1000 is still a number, and squares of what it scales up do not vanish


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """Moments of d dimensions, maximum likelihood (divided by N).

    starts (n + 1,): column j has the dimensions starts[j]..starts[j + 1] - 1. means, log_sds (d,) are in the units of
    the data, log_sds as logarithms so that no unit is too large or too small. correlations (d, d) has ones on its
    diagonal. top_shares (d,): the share of a column's variance that its most extreme row has, 0 for indicators.
    """

    names: tuple[str, ...]
    n_rows: int
    starts: IntArray
    means: FloatArray
    log_sds: FloatArray
    correlations: FloatArray
    top_shares: FloatArray

    @property
    def sizes(self) -> IntArray:
        """Dimensions of each column."""
        return np.diff(self.starts)


@dataclass(frozen=True, slots=True, eq=False)
class _Dimension:
    """A continuous column x as u = 2^-exponent x, so that |u| <= 1, or the indicator of a level of a discrete column.

    Scaling by a power of two is exact. low and high: the extreme values of u.
    """

    column: Column
    level: int = -1
    exponent: int = 0
    low: float = 0.0
    high: float = 1.0

    def values(self, stretch: slice, out: FloatArray) -> None:
        if self.level >= 0:
            np.equal(self.column.values[stretch], self.level, out=out)
        else:
            np.multiply(self.column.values[stretch], 2.0**-self.exponent, out=out)


def moments(data: Dataset) -> Moments:
    """One pass over the rows, O(N d^2).

    The scatter is sum (u - c)(u - c)' - N m m', c a shift near the mean of u, m the mean of u - c: what cancels is
    small, and squares can neither overflow nor vanish.
    """
    blocks = [_dimensions(column) for column in data.columns]
    dims = [dim for block in blocks for dim in block]
    starts = np.zeros(len(blocks) + 1, dtype=np.intp)
    np.cumsum([len(block) for block in blocks], out=starts[1:])
    _refuse_too_many(data, starts)
    shift, sums, products = _sums(dims, data.n_rows)
    n_rows = max(data.n_rows, 1)
    scatter = products - np.outer(sums, sums) / n_rows
    squares = scatter.diagonal().copy()
    inverse = 1.0 / np.sqrt(squares)
    correlations = scatter * np.outer(inverse, inverse)
    np.fill_diagonal(correlations, 1.0)
    centre = shift + sums / n_rows
    exponents = np.array([dim.exponent for dim in dims], dtype=np.intp)
    reach = np.maximum(np.array([dim.high for dim in dims]) - centre, centre - np.array([dim.low for dim in dims]))
    return Moments(
        names=data.names,
        n_rows=data.n_rows,
        starts=starts,
        means=np.ldexp(centre, exponents),
        log_sds=0.5 * np.log(squares / n_rows) + exponents * np.log(2.0),
        correlations=correlations,
        top_shares=np.where([dim.level >= 0 for dim in dims], 0.0, reach**2 / squares),
    )


def _dimensions(column: Column) -> list[_Dimension]:
    if column.kind is Kind.DISCRETE:
        counts = np.bincount(column.values, minlength=1)
        # Without the most frequent level the indicators are as far from collinear as they can be.
        return [_Dimension(column, int(v)) for v in np.flatnonzero(counts) if v != counts.argmax()]
    low, high = (float(column.values.min()), float(column.values.max())) if len(column.values) else (0.0, 0.0)
    if low == high:
        return []
    exponent = max(frexp(max(-low, high))[1], LEAST_EXPONENT)
    unit = 2.0**-exponent
    return [_Dimension(column, -1, exponent, low * unit, high * unit)]


def _refuse_too_many(data: Dataset, starts: IntArray) -> None:
    if starts[-1] > MOST_DIMENSIONS:
        widest = data.columns[int(np.diff(starts).argmax())]
        what = f"column {widest.name!r} with its {widest.cardinality} levels" if widest.cardinality else "some columns"
        raise DataError(
            f"the table has {starts[-1]} dimensions (each level of a discrete column is one), more than the "
            f"{MOST_DIMENSIONS} that a correlation matrix may have; leave out {what}"
        )


def _sums(dims: list[_Dimension], n_rows: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """(shift c, sum of u - c, sum of (u - c)(u - c)').

    c is the mean of the first rows, but 0 for indicators, whose sums are then whole numbers and so exact. Were these
    rows as far from the mean as rows can be, N / LEAST_ROWS would still be the most by which rounding errors grow.
    """
    d = len(dims)
    padded = -(-d // TILE) * TILE
    length = max(BLOCK_NUMBERS // max(d, 1), LEAST_ROWS)
    stretches = [slice(first, min(first + length, n_rows)) for first in range(0, n_rows, length)]
    shift, sums, products = np.zeros((d, 1)), np.zeros(d), np.zeros((padded, padded))

    def block(stretch: slice) -> FloatArray:
        values = np.zeros((padded, stretch.stop - stretch.start))
        for dim, row in zip(dims, values, strict=False):  # the rest is padding
            dim.values(stretch, row)
        return values

    def sums_of(stretch: slice) -> tuple[FloatArray, FloatArray]:
        values, some_products = block(stretch), np.zeros((padded, padded))
        values[:d] -= shift
        add_products(values, 0, padded, some_products)
        return values[:d].sum(axis=1), some_products

    if n_rows:
        shift = block(slice(0, min(n_rows, LEAST_ROWS)))[:d].mean(axis=1, keepdims=True)
        shift[[dim.level >= 0 for dim in dims]] = 0.0
    for first in range(0, len(stretches), n_threads()):
        for some_sums, some_products in map_threads(sums_of, stretches[first : first + n_threads()]):
            sums += some_sums
            products += some_products
    lower = np.tril(products[:d, :d])
    return shift[:, 0], sums, lower + np.tril(lower, -1).T
