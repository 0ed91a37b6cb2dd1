"""Means, spreads and correlations of a table: all that Gaussian scores and tests of correlation know of it.

What its dimensions are, `dimensions` says; how their products are summed, so that every bit is the same wherever the
rows live, `group_sums`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from arcwise.data.dataset import Dataset, FloatArray, IntArray, Kind
from arcwise.errors import DataError
from arcwise.stats.dimensions import Dimension, Transform, dimensions
from arcwise.stats.group_sums import STRIP, sums_of
from arcwise.stats.ranks import RankFeature, rank_features

MOST_DIMENSIONS = 10_000  # a correlation matrix of 0.8 GB


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
        present = self.sizes > 0
        if present.all():
            return self.correlations
        corr = np.eye(len(self.names))
        corr[np.ix_(present, present)] = self.correlations
        return corr

    @staticmethod
    def of(data: Dataset, *, by_codes: bool = False, ranks: int = 0) -> Moments:
        """O(N d^2). by_codes: levels are the numbers 0, 1, 2, ... instead of indicators.

        ranks: at most so many features of the ranks of each column that has an order (see `ranks`), by_codes of any
        column; 0: values. Those of the last table are kept while it lives, as a test and then a score may ask for them.
        """
        by_codes = by_codes and Kind.DISCRETE in data.kinds  # where there are no levels it makes no difference
        last = _last.get(data)
        if last is None or last[0] != (by_codes, ranks):
            _last.clear()
            columns = rank_features(data, ranks, by_codes=by_codes) if ranks else dimensions(data, by_codes)
            last = _last[data] = (by_codes, ranks), Moments._worked_out(data, columns)
        return last[1]

    @staticmethod
    def transformed(data: Dataset, transform: Transform, *, by_codes: bool = False) -> Moments:
        """Those of the values, or of what a transform makes of them."""
        return Moments.of(data, by_codes=by_codes, ranks=int(transform == "normal-scores"))

    @staticmethod
    def _worked_out(data: Dataset, columns: Sequence[Sequence[Dimension | RankFeature]]) -> Moments:
        """The scatter is sum (u - c)(u - c)' - N m m', c a shift near the mean of u, m the mean of u - c.

        What cancels is small, and squares can neither overflow nor vanish.
        """
        dims = [dim for of_column in columns for dim in of_column]
        starts = np.zeros(len(columns) + 1, dtype=np.intp)
        np.cumsum([len(of_column) for of_column in columns], out=starts[1:])
        _refuse_too_many(data, starts)
        shift, sums, products = sums_of(data, dims)
        n_rows = max(data.n_rows, 1)
        squares, correlations = _standardized(products, sums, n_rows)
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
            top_shares=np.where([dim.is_centred for dim in dims], 0.0, reach**2 / squares),
        )


_last: WeakKeyDictionary[Dataset, tuple[tuple[bool, int], Moments]] = WeakKeyDictionary()


def _refuse_too_many(data: Dataset, starts: IntArray) -> None:
    if starts[-1] > MOST_DIMENSIONS:
        widest = int(np.diff(starts).argmax())
        levels = data.cardinalities[widest]
        what = f"column {data.names[widest]!r} with its {levels} levels" if levels else "some columns"
        raise DataError(
            f"the table has {starts[-1]} dimensions (each level of a discrete column is one), more than the "
            f"{MOST_DIMENSIONS} that a correlation matrix may have; leave out {what}"
        )


def _standardized(products: FloatArray, sums: FloatArray, n_rows: int) -> tuple[FloatArray, FloatArray]:
    """(scatters of the dimensions, correlations), in the memory of the products: these may be most of what there is."""
    strips = [slice(first, first + STRIP) for first in range(0, len(sums), STRIP)]
    for strip in strips:
        products[strip] -= np.outer(sums[strip], sums) / n_rows
    squares = products.diagonal().copy()
    inverse = 1.0 / np.sqrt(squares)
    for strip in strips:
        products[strip] *= np.outer(inverse[strip], inverse)
        np.clip(products[strip], -1.0, 1.0, out=products[strip])
    np.fill_diagonal(products, 1.0)
    return squares, products
