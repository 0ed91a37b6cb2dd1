"""Sums of products over all rows of a table, the same to the last bit wherever the rows live.

Rounding makes a sum of numbers depend on the order in which they are added. So this order depends on the numbers of
rows and dimensions only: rows are cut into groups by their places in the table, a group into stretches that are added
one after another, and groups are added in pairs, pairs of pairs and so on. Whoever holds some whole groups can add up
the pairs among them, and hands on few matrices. The number of threads never changes a bit either.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from arcwise._kernels.gaussian.products import STRETCH, TILE, add_products
from arcwise.data.dataset import Block, Dataset, FloatArray
from arcwise.data.rows.elsewhere import GROUP_ROWS, asked, first_rows
from arcwise.stats.dimensions import Dimension, values_of
from arcwise.stats.ranks import RankFeature
from arcwise.stats.threads import map_threads, n_threads

STRETCH_NUMBERS = 1 << 18  # numbers in a stretch of rows, so that it stays in cache ...
LEAST_ROWS = 1 << 8  # ... unless so few rows would make adding up the products dearer than making them
STRIP = 64  # rows of a matrix that are worked on at a time: a multiple of TILE

Sums = tuple[
    FloatArray, FloatArray
]  # (sum of v, sum of v v') of some rows, d rounded up to whole tiles, below the diagonal
Groups = dict[tuple[int, int], Sums]  # by (how many times doubled, place among those so large)


def sums_of(data: Dataset, dims: Sequence[Dimension | RankFeature]) -> tuple[FloatArray, FloatArray, FloatArray]:
    """(shift c, sum of u - c, sum of (u - c)(u - c)' (d, d), which may be written into).

    c is the mean of the first rows, but 0 for indicators, whose sums are then whole numbers and so exact. Were these
    rows as far from the mean as rows can be, N / LEAST_ROWS would still be the most by which rounding errors grow.
    """
    shift = _shift(data, dims)
    groups = asked(data, GroupSums(tuple(dims), shift))
    total: Sums | None = None
    for key in sorted(groups, key=lambda key: key[1] << key[0], reverse=True):
        total = groups[key] if total is None else _added(groups[key], total)
    if total is None:
        total = np.zeros(_padded(dims)), np.zeros((_padded(dims), _padded(dims)))
    return shift, total[0][: len(dims)], _whole(total[1], len(dims))


@dataclass(frozen=True)
class GroupSums:
    """The sums of whole groups, added up as far as these are pairs."""

    dims: tuple[Dimension | RankFeature, ...]
    shift: FloatArray

    def of(self, rows: Dataset, first: int) -> Groups:
        found: Groups = {}
        for start in range(0, rows.n_stored, GROUP_ROWS):
            group = rows if rows.n_stored <= GROUP_ROWS else rows.take(slice(start, start + GROUP_ROWS))
            _put(found, (0, (first + start) // GROUP_ROWS), self._sums(group))
        return found

    def join(self, answers: Sequence[Groups]) -> Groups:
        found: Groups = {}
        for answer in answers:
            for key, sums in answer.items():
                _put(found, key, sums)
        return found

    def _sums(self, group: Dataset) -> Sums:
        padded = _padded(self.dims)
        length = max(STRETCH_NUMBERS // max(len(self.dims), 1), LEAST_ROWS)
        stretches = _stretches(group, length)
        sums, products = np.zeros(padded), np.zeros((padded, padded))

        def values_in(stretch: Block) -> tuple[FloatArray, FloatArray]:
            values = values_of(stretch, self.dims, padded)
            values[: len(self.dims)] -= self.shift[:, None]
            return values if stretch.weights is None else values * stretch.weights, values

        def apart(stretch: Block) -> Sums:
            counted, values = values_in(stretch)
            some = np.zeros((padded, padded))
            add_products(counted, values, 0, padded, some)
            return counted.sum(axis=1), some

        if length <= STRETCH:
            # A stretch's products are then added as one number each: the same bits without a matrix a thread.
            for stretch in stretches:
                _add_at_once(*values_in(stretch), sums, products)
            return sums, products
        while some := list(islice(stretches, n_threads())):
            for some_sums, some_products in map_threads(apart, some):
                sums += some_sums
                products += some_products
        return sums, products


def _add_at_once(counted: FloatArray, values: FloatArray, sums: FloatArray, products: FloatArray) -> None:
    """For wide tables: threads share the rows of the matrix."""
    sums += counted.sum(axis=1)
    n = len(products)

    def add(first: int) -> None:
        add_products(counted, values, first, min(first + STRIP, n), products)

    map_threads(add, range(0, n, STRIP))


def _shift(data: Dataset, dims: Sequence[Dimension | RankFeature]) -> FloatArray:
    for block in first_rows(data, LEAST_ROWS).blocks():
        values, times = values_of(block, dims, len(dims)), float(len(block.columns[0]))
        if block.weights is not None:
            values, times = values * block.weights, block.weights.sum()
        shift: FloatArray = values.sum(axis=1) / times
        shift[[dim.is_centred for dim in dims]] = 0.0
        return shift
    return np.zeros(len(dims))


def _padded(dims: Sequence[Dimension | RankFeature]) -> int:
    return -(-len(dims) // TILE) * TILE


def _put(groups: Groups, key: tuple[int, int], sums: Sums) -> None:
    """Added to its neighbour where both are there, and so on: the order of adding up is that of a tree of pairs."""
    level, place = key
    while (other := groups.pop((level, place ^ 1), None)) is not None:
        sums = _added(sums, other)
        level, place = level + 1, place // 2
    groups[level, place] = sums


def _added(one: Sums, other: Sums) -> Sums:
    return one[0] + other[0], one[1] + other[1]


def _whole(products: FloatArray, d: int) -> FloatArray:
    """The symmetric matrix of which the lower half was worked out, in the same memory."""
    n, products = len(products), products if products.flags.writeable else products.copy()
    for row in range(1, d) if d < n else ():  # rows move up to where rows of d numbers begin
        products.ravel()[row * d : (row + 1) * d] = products[row, :d]
    whole = products.ravel()[: d * d].reshape(d, d)
    for first in range(0, d, STRIP):
        last = min(first + STRIP, d)
        lower = np.tril(whole[first:last, first:last])
        whole[first:last, first:last] = lower + np.tril(lower, -1).T
        whole[first:last, last:] = whole[last:, first:last].T
    return whole


def _stretches(rows: Dataset, length: int) -> Iterator[Block]:
    """The rows in blocks of at most so many."""
    for block in rows.blocks():
        for first in range(0, len(block.columns[0]) if block.columns else 0, length):
            part = slice(first, first + length)
            weights = None if block.weights is None else block.weights[part]
            yield Block(tuple(values[part] for values in block.columns), weights)
