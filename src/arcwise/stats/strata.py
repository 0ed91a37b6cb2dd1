"""Moments of numbers within strata: the rows that have the same levels of some columns.

All strata of some columns with levels are worked out together, in two passes over the rows: the means, then the
squares about them, so that what cancels is small however far strata are apart. Sums are formed by groups of rows, which
are cut by their places in the table and added in their order: the same bits wherever the rows live.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod

import numpy as np

from arcwise._kernels.gaussian.strata import add_strata
from arcwise.data.dataset import Block, BoolArray, Dataset, FloatArray, IntArray, Kind
from arcwise.data.rows.elsewhere import GROUP_ROWS, asked
from arcwise.stats.counts import counts_of
from arcwise.stats.dimensions import Dimension, dimensions, values_of

STRETCH = 1 << 13  # rows at a time: their values stay in cache
MOST_STATES = 1 << 40  # configurations that could be, of which a code fits easily into 64 bits
LOOKED_UP = 1 << 16  # so many or fewer have a table of their strata
MOST_NUMBERS = 1 << 27  # in the moments of the strata of some columns: 1 GB
SMALL_PART = 3  # so many times the numbers that are wanted or more: the others would cost most of the time
KEPT_NUMBERS = 1 << 25  # numbers in all strata that are kept: 256 MB
CONSTANT = 1e-10  # a column with this share of its variance in a stratum, or less, is constant there

Sums = tuple[FloatArray, FloatArray]


@dataclass(frozen=True, slots=True, eq=False)
class Strata:
    """Strata with rows. possible: how many there could be. rows (q,): of each; fewest of them in a stratum.

    places: of each number among the m whose moments are here, -1 for others. log_variances (q, m) in the units of the
    data, divided by the rows; minus infinity where constant. correlations (q, m, m). Both are empty where some stratum
    has a single row, as nothing can be said of the spread there.
    """

    possible: float
    rows: FloatArray
    fewest: int
    places: IntArray
    log_variances: FloatArray = field(default_factory=lambda: np.empty((0, 0)))
    correlations: FloatArray = field(default_factory=lambda: np.empty((0, 0, 0)))


class StrataMoments:
    """Answers for one table, and keeps what was asked last.

    numbers: positions of the continuous columns that are not constant, in whose order the moments are. least_rows:
    strata with fewer rows than this count as one stratum, with the next larger ones if they have fewer together.
    """

    def __init__(self, data: Dataset, least_rows: int = 1) -> None:
        self._data, self._least_rows = data, least_rows
        self._levels = data.select([column.name for column in data.columns if column.kind is Kind.DISCRETE])
        continuous = [j for j, kind in enumerate(data.kinds) if kind is Kind.CONTINUOUS]
        table = data.select([data.names[j] for j in continuous])
        self.numbers: list[int] = []
        self._dims: list[Dimension] = []
        for j, found in zip(continuous, dimensions(table, by_codes=False), strict=True):
            if found:
                self.numbers.append(j)
                self._dims.append(Dimension(len(self._dims), -1, found[0].exponent))
        self._names = [data.names[j] for j in self.numbers]
        self._kept: dict[tuple[tuple[int, ...], tuple[int, ...]], Strata] = {}
        self._size = 0
        self._floors = np.zeros(len(self._dims))
        if self._dims and data.n_rows:
            nothing = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.intp)
            variances, _ = self._moments((), range(len(self._dims)), *nothing, np.array([float(data.n_rows)]))
            self._floors = CONSTANT * variances.ravel()

    def of(self, levels: Sequence[int], wanted: Sequence[int] = ()) -> Strata | None:
        """Strata of the columns at these positions, ascending; None: they are too many.

        wanted: which numbers the moments must be of, by their places in `numbers`, ascending; without it of all. Where
        these are a small part of them, others are left out: every sum is the same.
        """
        every = range(len(self._dims))
        chosen = tuple(wanted) if 0 < SMALL_PART * len(wanted) <= len(every) else tuple(every)
        key = tuple(levels), chosen
        found = self._kept.get((key[0], tuple(every))) or self._kept.get(key)
        if found is not None:
            return found
        possible = prod(self._data.columns[j].cardinality for j in levels)
        found = None if possible > MOST_STATES else self._worked_out(*key, possible)
        if found is None:
            return None
        self._kept[key] = found
        self._size += found.correlations.size
        while self._size > KEPT_NUMBERS and len(self._kept) > 1:
            self._size -= self._kept.pop(next(iter(self._kept))).correlations.size
        return found

    def _worked_out(self, levels: tuple[int, ...], chosen: tuple[int, ...], possible: int) -> Strata | None:
        states, counts = counts_of(self._levels).occurring([self._levels.index(self._data.names[j]) for j in levels])
        codes = np.zeros(len(counts), dtype=np.int64)
        for j, own in zip(levels, states, strict=True):
            codes = codes * self._data.columns[j].cardinality + own.astype(np.int64)
        few = _few(counts, self._least_rows)
        strata = np.where(few, np.count_nonzero(~few), np.cumsum(~few) - 1).astype(np.intp)
        rows = np.bincount(strata, counts).astype(np.float64)
        fewest = int(rows.min(initial=self._data.n_rows))
        places = np.full(len(self._dims), -1, dtype=np.intp)
        places[list(chosen)] = np.arange(len(chosen))
        if fewest < 2 or not chosen:
            return Strata(float(possible), rows, fewest, places)
        if len(rows) * len(chosen) ** 2 > MOST_NUMBERS:
            return None
        variances, products = self._moments(levels, chosen, codes, strata, rows)
        constant = variances <= self._floors[list(chosen)]
        inverse = np.where(constant, 0.0, 1.0 / np.sqrt(np.where(constant, 1.0, variances)))
        products *= inverse[:, :, None]
        products *= inverse[:, None, :]
        np.clip(products, -1.0, 1.0, out=products)
        np.einsum("cii->ci", products)[:] = 1.0
        exponents = np.array([self._dims[i].exponent for i in chosen])
        logs = np.log(np.where(constant, 1.0, variances)) + 2.0 * np.log(2.0) * exponents
        return Strata(float(possible), rows, fewest, places, np.where(constant, -np.inf, logs), products)

    def _moments(
        self, levels: tuple[int, ...], chosen: Sequence[int], codes: IntArray, strata: IntArray, rows: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """(variances (q, m), covariances (q, m, m)), in the units of the dimensions.

        codes: those that occur, ascending. strata: which stratum each of them belongs to.
        """
        table = self._data.select([*(self._names[i] for i in chosen), *(self._data.names[j] for j in levels)])
        dims = tuple(Dimension(place, -1, self._dims[i].exponent) for place, i in enumerate(chosen))
        centre = np.zeros((len(rows), len(dims)))
        asks = _StrataSums(dims, codes, strata, centre, squares=False)
        sums, _ = _added(asked(table, asks), asks)
        asks = _StrataSums(dims, codes, strata, sums / rows[:, None], squares=True)
        left, products = _added(asked(table, asks), asks)
        whole = products + products.transpose(0, 2, 1)
        np.einsum("cii->ci", whole)[:] = np.einsum("cii->ci", products)
        whole -= left[:, :, None] * left[:, None, :] / rows[:, None, None]
        whole /= rows[:, None, None]
        return np.diagonal(whole, axis1=1, axis2=2).copy(), whole


def _few(counts: IntArray, least: int) -> BoolArray:
    """Those with fewer rows than `least`, and if these have fewer together, the next larger ones, too."""
    n_few = int(np.count_nonzero(counts < least))
    if n_few:
        together = np.cumsum(np.sort(counts))
        n_few = max(n_few, 1 + int(np.searchsorted(together, min(least, together[-1]))))
    chosen = np.zeros(len(counts), dtype=np.bool_)
    chosen[np.argsort(counts, kind="stable")[:n_few]] = True
    return chosen


@dataclass(frozen=True)
class _StrataSums:
    """Sums of x - centre by stratum, with squares or without, of each group of rows by its place."""

    dims: tuple[Dimension, ...]
    codes: IntArray
    strata: IntArray
    centre: FloatArray
    squares: bool

    def empty(self) -> Sums:
        q, m = self.centre.shape
        return np.zeros((q, m)), np.zeros((q, m, m) if self.squares else (q, 0, 0))

    def of(self, rows: Dataset, first: int) -> dict[int, Sums]:
        found = {}
        for start in range(0, rows.n_stored, GROUP_ROWS):
            group = rows if rows.n_stored <= GROUP_ROWS else rows.take(slice(start, start + GROUP_ROWS))
            found[(first + start) // GROUP_ROWS] = self._sums(group)
        return found

    def join(self, answers: Sequence[dict[int, Sums]]) -> dict[int, Sums]:
        return {place: sums for answer in answers for place, sums in answer.items()}

    def _sums(self, group: Dataset) -> Sums:
        m, cards = len(self.dims), group.cardinalities[len(self.dims) :]
        sums, products = self.empty()
        possible = prod(cards)
        table = np.zeros(0, dtype=np.intp)
        if possible <= LOOKED_UP:
            table = np.zeros(possible, dtype=np.intp)
            table[self.codes] = self.strata
        for block in group.blocks():
            for start in range(0, len(block.columns[0]), STRETCH):
                part = slice(start, start + STRETCH)
                columns = tuple(values[part] for values in block.columns)
                codes = np.zeros(len(columns[0]), dtype=np.int64)
                for own, card in zip(columns[m:], cards, strict=True):
                    codes *= card
                    codes += own
                cells = table[codes] if len(table) else self.strata[np.searchsorted(self.codes, codes)]
                values = np.ascontiguousarray(values_of(Block(columns, None), self.dims, m).T)
                times = np.empty(0) if block.weights is None else block.weights[part].astype(np.float64)
                add_strata(cells, times, values, self.centre, sums, products)
        return sums, products


def _added(groups: dict[int, Sums], asks: _StrataSums) -> Sums:
    """In the order of their places."""
    sums, products = asks.empty()
    for place in sorted(groups):
        sums += groups[place][0]
        products += groups[place][1]
    return sums, products
