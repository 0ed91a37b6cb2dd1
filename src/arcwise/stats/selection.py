"""What is asked of the numbers of a long column, wherever its rows are: counts of them, few of them, sums of them.

Each is a `Question` (data/rows/elsewhere.py), asked of a table with one continuous column. Answers are whole numbers,
or sums group by group, so that it does not matter how the rows are divided. Missing cells say nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from arcwise._kernels.ranks import cutting, selection
from arcwise._kernels.ranks.selection import EMPTY, SIGN, TOP_BITS, KeyArray, Prefixes
from arcwise.data.dataset import Dataset, FloatArray, WeightArray
from arcwise.data.rows.elsewhere import GROUP_ROWS
from arcwise.stats.threads import map_threads, threads_here

ONCE = np.empty(0, dtype=np.int64)
FEW_ROWS = 1 << 18  # not worth a thread of their own
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Tops:
    """Rows by the first bits of their keys."""

    def of(self, rows: Dataset, first: int) -> WeightArray:
        def count(values: FloatArray, weights: WeightArray) -> WeightArray:
            found = np.zeros(1 << TOP_BITS, dtype=np.int64)
            selection.tally_top(values.view(np.uint64), weights, found)
            return found

        return self.join(_shared(rows, count))

    def join(self, answers: Sequence[WeightArray]) -> WeightArray:
        return sum(answers[1:], answers[0])


@dataclass(frozen=True, slots=True, eq=False)
class Nexts:
    """Rows whose key begins with a prefix, by the `width` bits behind it: a row of counts for each prefix."""

    prefixes: KeyArray
    shift: int
    width: int

    def of(self, rows: Dataset, first: int) -> WeightArray:
        prefixes = prefixes_of(self.prefixes, self.shift)

        def count(values: FloatArray, weights: WeightArray) -> WeightArray:
            found = np.zeros((len(self.prefixes), 1 << self.width), dtype=np.int64)
            selection.tally_next(values.view(np.uint64), weights, prefixes, self.width, found)
            return found

        return self.join(_shared(rows, count))

    def join(self, answers: Sequence[WeightArray]) -> WeightArray:
        return sum(answers[1:], answers[0])


@dataclass(frozen=True, slots=True, eq=False)
class Gathered:
    """(keys, how often each counts) of the rows, at most `most`, whose key begins with a prefix; in order."""

    prefixes: KeyArray
    shift: int
    most: int

    def of(self, rows: Dataset, first: int) -> tuple[KeyArray, WeightArray]:
        prefixes = prefixes_of(self.prefixes, self.shift)

        def gather(values: FloatArray, weights: WeightArray) -> tuple[KeyArray, WeightArray]:
            room = min(self.most, len(values))
            keys, counts = np.empty(room, dtype=np.uint64), np.empty(room, dtype=np.int64)
            found = selection.gather_keys(values.view(np.uint64), weights, prefixes, keys, counts)
            return keys[:found], counts[:found]

        return self.join(_shared(rows, gather))

    def join(self, answers: Sequence[tuple[KeyArray, WeightArray]]) -> tuple[KeyArray, WeightArray]:
        keys, counts = (np.concatenate(some) for some in zip(*answers, strict=True))
        different, places = np.unique(keys, return_inverse=True)
        summed = np.zeros(len(different), dtype=np.int64)
        np.add.at(summed, places, counts)
        return different, summed


@dataclass(frozen=True, slots=True)
class Different:
    """The keys of the different numbers, in order; of more than `most` there are that many and one."""

    most: int

    def of(self, rows: Dataset, first: int) -> KeyArray:
        table = np.zeros(1 << (2 * self.most + 2).bit_length(), dtype=np.uint64)
        values = rows.columns[0].values
        selection.note_distinct(values.view(np.uint64), table, self.most)
        return np.sort(table[table != EMPTY])

    def join(self, answers: Sequence[KeyArray]) -> KeyArray:
        return np.unique(np.concatenate(answers))[: self.most + 1]


@dataclass(frozen=True, slots=True, eq=False)
class Below:
    """Rows of each level that these thresholds make."""

    cuts: FloatArray

    def of(self, rows: Dataset, first: int) -> WeightArray:
        def count(values: FloatArray, weights: WeightArray) -> WeightArray:
            found = np.zeros(len(self.cuts) + 1, dtype=np.int64)
            cutting.tally_levels(values, weights, self.cuts, found)
            return found

        return self.join(_shared(rows, count))

    def join(self, answers: Sequence[WeightArray]) -> WeightArray:
        return sum(answers[1:], answers[0])


@dataclass(frozen=True, slots=True)
class Powers:
    """For each group of rows the sum of (2^-exponent x - 2^-exponent origin - centre)^power."""

    origin: float
    exponent: int
    centre: float
    power: int

    def of(self, rows: Dataset, first: int) -> FloatArray:
        values, weights = rows.columns[0].values, rows.weights
        return np.array(
            map_threads(
                lambda start: self._group(
                    values[start : start + GROUP_ROWS],
                    None if weights is None else weights[start : start + GROUP_ROWS],
                ),
                range(0, len(values), GROUP_ROWS),
            )
        )

    def _group(self, values: FloatArray, weights: WeightArray | None) -> float:
        lowest = np.ldexp(self.origin, -self.exponent)
        terms = (np.ldexp(values, -self.exponent) - lowest - self.centre) ** self.power
        if weights is not None:
            terms *= weights
        return float(np.nansum(terms))

    def join(self, answers: Sequence[FloatArray]) -> FloatArray:
        return np.concatenate(answers)


def prefixes_of(first: KeyArray, shift: int) -> Prefixes:
    tops = first >> np.uint64(64 - TOP_BITS - shift)
    return Prefixes(first, np.searchsorted(tops, np.arange((1 << TOP_BITS) + 1)).astype(np.intp), shift)


def numbers_of(keys: KeyArray) -> FloatArray:
    """The numbers that have these keys."""
    return np.where(keys & SIGN, keys ^ SIGN, ~keys).view(np.float64)


def _shared(rows: Dataset, count: Callable[[NDArray[np.float64], WeightArray], Found]) -> list[Found]:
    """What is found in neighbouring parts of the rows, one for each thread."""
    values, weights = rows.columns[0].values, ONCE if rows.weights is None else rows.weights
    parts = max(1, min(threads_here(), len(values) // FEW_ROWS))
    ends = [len(values) * part // parts for part in range(parts + 1)]
    return map_threads(lambda part: count(values[part[0] : part[1]], weights[part[0] : part[1]]), list(pairwise(ends)))
