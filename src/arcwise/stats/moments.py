"""Means, spreads and correlations of a table: all that Gaussian scores and tests of correlation know of it.

A continuous column is one dimension. A discrete column is a block of indicators, one for each level that occurs but the
most frequent, which the others imply; or one dimension, its codes. A constant column is an empty block. Sums of
products are additive over rows, so the table is read in stretches whose length depends on the number of dimensions
only and which are added up in their order: the number of threads never changes a bit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from math import frexp, inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcwise._kernels.gaussian.products import TILE, add_products
from arcwise.data.dataset import Block, Dataset, FloatArray, IntArray, Kind, Rows
from arcwise.errors import DataError
from arcwise.stats.threads import map_threads, n_threads

STRETCH_NUMBERS = 1 << 18  # numbers in a stretch of rows, so that it stays in cache ...
LEAST_ROWS = 1 << 8  # ... unless so few rows would make adding up the products dearer than making them
MOST_DIMENSIONS = 10_000  # a correlation matrix of 0.8 GB
LEAST_EXPONENT = -1000  # 2^1000 is still a number, and squares of what it scales up do not vanish


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """Moments of d dimensions, maximum likelihood (divided by N). Rows count as often as their weights say.

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

    def of_columns(self) -> FloatArray:
        """Correlations (n, n) of columns of one dimension each; a constant column correlates with nothing."""
        corr, present = np.eye(len(self.names)), self.sizes > 0
        corr[np.ix_(present, present)] = self.correlations
        return corr

    @staticmethod
    def of(data: Dataset, *, by_codes: bool = False) -> Moments:
        """O(N d^2). by_codes: levels are the numbers 0, 1, 2, ... instead of indicators.

        The scatter is sum (u - c)(u - c)' - N m m', c a shift near the mean of u, m the mean of u - c: what cancels is
        small, and squares can neither overflow nor vanish.
        """
        rows: Rows = data
        columns = _dimensions(rows, by_codes)
        dims = [dim for of_column in columns for dim in of_column]
        starts = np.zeros(len(columns) + 1, dtype=np.intp)
        np.cumsum([len(of_column) for of_column in columns], out=starts[1:])
        _refuse_too_many(rows, starts)
        shift, sums, products = _sums(rows, dims)
        n_rows = max(rows.n_rows, 1)
        scatter = products - np.outer(sums, sums) / n_rows
        squares = scatter.diagonal().copy()
        inverse = 1.0 / np.sqrt(squares)
        correlations = np.clip(scatter * np.outer(inverse, inverse), -1.0, 1.0)
        np.fill_diagonal(correlations, 1.0)
        centre = shift + sums / n_rows
        exponents = np.array([dim.exponent for dim in dims], dtype=np.intp)
        reach = np.maximum(np.array([dim.high for dim in dims]) - centre, centre - np.array([dim.low for dim in dims]))
        return Moments(
            names=rows.names,
            n_rows=rows.n_rows,
            starts=starts,
            means=np.ldexp(centre, exponents),
            log_sds=0.5 * np.log(squares / n_rows) + exponents * np.log(2.0),
            correlations=correlations,
            top_shares=np.where([dim.level >= 0 for dim in dims], 0.0, reach**2 / squares),
        )


@dataclass(frozen=True, slots=True)
class _Dimension:
    """A column x as u = 2^-exponent x, so that |u| <= 1, or the indicator of one of its levels.

    Scaling by a power of two is exact. low and high: the extreme values of u.
    """

    column: int
    level: int = -1
    exponent: int = 0
    low: float = 0.0
    high: float = 1.0

    def fill(self, values: NDArray[Any], out: FloatArray) -> None:
        if self.level >= 0:
            np.equal(values, self.level, out=out)
        else:
            np.multiply(values, 2.0**-self.exponent, out=out)


def _dimensions(rows: Rows, by_codes: bool) -> list[list[_Dimension]]:
    """Those of each column, by its extreme values or the levels that occur."""
    levels = enumerate(zip(rows.kinds, rows.cardinalities, strict=True))
    counts = {j: np.zeros(max(n, 1)) for j, (kind, n) in levels if kind is Kind.DISCRETE and not by_codes}
    ends = {j: (inf, -inf) for j in range(len(rows.kinds)) if j not in counts}
    for block in rows.blocks():
        for j, found in counts.items():
            np.add(found, np.bincount(block.columns[j], block.weights, minlength=len(found)), out=found)
        for j, (low, high) in ends.items():
            values = block.columns[j]
            ends[j] = (min(low, float(values.min())), max(high, float(values.max())))
    return [_indicators(j, counts[j]) if j in counts else _number(j, *ends[j]) for j in range(len(rows.kinds))]


def _indicators(column: int, counts: FloatArray) -> list[_Dimension]:
    """Without the most frequent level the indicators are as far from collinear as they can be."""
    return [_Dimension(column, int(v)) for v in np.flatnonzero(counts) if v != counts.argmax()]


def _number(column: int, low: float, high: float) -> list[_Dimension]:
    if low >= high:  # also where there are no rows
        return []
    exponent = max(frexp(max(-low, high))[1], LEAST_EXPONENT)
    unit = 2.0**-exponent
    return [_Dimension(column, -1, exponent, low * unit, high * unit)]


def _refuse_too_many(rows: Rows, starts: IntArray) -> None:
    if starts[-1] > MOST_DIMENSIONS:
        widest = int(np.diff(starts).argmax())
        levels = rows.cardinalities[widest]
        what = f"column {rows.names[widest]!r} with its {levels} levels" if levels else "some columns"
        raise DataError(
            f"the table has {starts[-1]} dimensions (each level of a discrete column is one), more than the "
            f"{MOST_DIMENSIONS} that a correlation matrix may have; leave out {what}"
        )


def _sums(rows: Rows, dims: list[_Dimension]) -> tuple[FloatArray, FloatArray, FloatArray]:
    """(shift c, sum of u - c, sum of (u - c)(u - c)').

    c is the mean of the first rows, but 0 for indicators, whose sums are then whole numbers and so exact. Were these
    rows as far from the mean as rows can be, N / LEAST_ROWS would still be the most by which rounding errors grow.
    """
    d = len(dims)
    padded = -(-d // TILE) * TILE
    shift, sums, products = np.zeros((d, 1)), np.zeros(d), np.zeros((padded, padded))

    def values_in(stretch: Block) -> FloatArray:
        values = np.zeros((padded, len(stretch.columns[0])))
        for dim, row in zip(dims, values, strict=False):  # the rest is padding
            dim.fill(stretch.columns[dim.column], row)
        return values

    def sums_of(stretch: Block) -> tuple[FloatArray, FloatArray]:
        values = begun if len(stretch.columns[0]) == rows.n_stored else values_in(stretch)
        some_products = np.zeros((padded, padded))
        values[:d] -= shift
        counted = values if stretch.weights is None else values * stretch.weights
        add_products(counted, values, 0, padded, some_products)
        return counted[:d].sum(axis=1), some_products

    length = max(STRETCH_NUMBERS // max(d, 1), LEAST_ROWS)
    for first in islice(_stretches(rows, length if rows.n_stored <= length else LEAST_ROWS), 1):
        begun = values_in(first)
        values, times = begun[:d, :LEAST_ROWS], float(min(len(first.columns[0]), LEAST_ROWS))
        if first.weights is not None:
            values, times = values * first.weights[:LEAST_ROWS], first.weights[:LEAST_ROWS].sum()
        shift = values.sum(axis=1, keepdims=True) / times
        shift[[dim.level >= 0 for dim in dims]] = 0.0
    stretches = _stretches(rows, length)
    while some := list(islice(stretches, n_threads())):
        for some_sums, some_products in map_threads(sums_of, some):
            sums += some_sums
            products += some_products
    lower = np.tril(products[:d, :d])
    return shift[:, 0], sums, lower + np.tril(lower, -1).T


def _stretches(rows: Rows, length: int) -> Iterator[Block]:
    """The rows in blocks of at most so many."""
    for block in rows.blocks():
        for first in range(0, len(block.columns[0]) if block.columns else 0, length):
            part = slice(first, first + length)
            weights = None if block.weights is None else block.weights[part]
            yield Block(tuple(values[part] for values in block.columns), weights)
