"""What was seen in some rows of a long table, tried on all of them, stretch by stretch and wherever they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import BoolArray, Dataset, FloatArray, IntArray, WeightArray
from arcwise.data.rows.elsewhere import GROUP_ROWS, asked
from arcwise.stats.threads import map_threads

SEEN_ROWS = 1 << 15  # rows of a long table that are looked at first
STRETCH = 1 << 16  # rows at a time; whoever holds rows holds whole groups, and so whole stretches
assert GROUP_ROWS % STRETCH == 0
MOST_STATES = 1 << 20  # joint states of columns that are kept apart


def seen_rows(data: Dataset) -> Dataset:
    """Some rows of a long table, evenly over all of it, in memory."""
    some = min(SEEN_ROWS, data.n_stored)
    return data.take(np.arange(some) * (data.n_stored - 1) // max(some - 1, 1))


class Following(NamedTuple):
    """n_rows: with all these cells. n_states: joint states that occur. variety: share of pairs of rows that differ in
    the first column. None of it where the column does not follow."""

    follows: bool
    n_rows: int = 0
    n_states: int = 0
    variety: float = 0.0


def following(data: Dataset) -> Following | None:
    """Whether rows that agree in all columns but the first, which are discrete, agree in that too; missing cells aside.

    None: there are too many states to keep apart.
    """
    if np.prod([float(card) for card in data.cardinalities[1:]]) > MOST_STATES:
        return None
    differs, value, counts = asked(data, _Follows())
    if differs:
        return Following(False)
    occurs = np.flatnonzero(counts)
    _, group = np.unique(value[occurs], return_inverse=True)
    of_value = np.bincount(group, counts[occurs])
    n_rows = int(counts.sum())
    return Following(True, n_rows, len(occurs), 1.0 - float(np.sum((of_value / max(n_rows, 1)) ** 2)))


@dataclass(frozen=True, slots=True)
class _Follows:
    """(whether some state has different values, the value of each state, rows of each state)."""

    def of(self, rows: Dataset, first: int) -> tuple[bool, NDArray[np.generic], WeightArray]:
        own, sources = rows.columns[0], rows.columns[1:]
        n_states = int(np.prod(rows.cardinalities[1:]))
        value, counts = np.zeros(n_states, dtype=own.values.dtype), np.zeros(n_states, dtype=np.int64)
        for stretch in _stretches(rows.n_stored):
            there = _there(rows, stretch)
            states: IntArray = np.zeros(stretch.stop - stretch.start, dtype=np.intp)
            for source in sources:
                states = states * source.cardinality + source.values[stretch]
            states, values = states[there], own.values[stretch][there]
            if bool(((counts[states] > 0) & (value[states] != values)).any()):
                return True, value, counts
            value[states] = values
            if bool((value[states] != values).any()):
                return True, value, counts
            times = None if rows.weights is None else rows.weights[stretch][there]
            counts += np.bincount(states, times, n_states).astype(np.int64)
        return False, value, counts

    def join(
        self, answers: Sequence[tuple[bool, NDArray[np.generic], WeightArray]]
    ) -> tuple[bool, NDArray[np.generic], WeightArray]:
        differs, value, counts = answers[0]
        for also, other, more in answers[1:]:
            both = (counts > 0) & (more > 0)
            differs = differs or also or bool((value[both] != other[both]).any())
            value, counts = np.where(more > 0, other, value), counts + more
        return differs, value, counts


@dataclass(frozen=True, slots=True, eq=False)
class Remainder:
    """What is left of the first column without `offset` and the others times `factors`: for each stretch of rows the
    sums (1, y - centre, (y - centre)^2, rest, rest^2, numbers that are not finite), y being the first column.

    labels: of discrete columns the number that each level stands for. logs: all of it of the logarithms of sizes.
    """

    factors: FloatArray
    offset: float
    centre: float
    labels: tuple[FloatArray | None, ...]
    logs: bool

    def of(self, rows: Dataset, first: int) -> FloatArray:
        return np.array(map_threads(lambda stretch: self._sums(rows, stretch), list(_stretches(rows.n_stored))))

    def _sums(self, rows: Dataset, stretch: slice) -> FloatArray:
        there = _there(rows, stretch)
        numbers = np.array(
            [
                column.values[stretch][there] if labels is None else labels[column.values[stretch][there]]
                for column, labels in zip(rows.columns, self.labels, strict=True)
            ]
        )
        with np.errstate(all="ignore"):
            scaled = np.log(np.abs(numbers)) if self.logs else numbers
            own = scaled[0] - self.centre
            rest = scaled[0] - self.offset - np.einsum("i,ij->j", self.factors, scaled[1:])
            sums = [np.ones(len(own)), own, own * own, rest, rest * rest, ~np.isfinite(rest)]
            return np.array([one.sum() for one in sums], dtype=np.float64)

    def join(self, answers: Sequence[FloatArray]) -> FloatArray:
        return np.concatenate(answers)


def share_left(data: Dataset, question: Remainder) -> float:
    """The share of the first column's variance that the others leave; NaN where a number is not finite."""
    n, own, own_squares, rest, rest_squares, odd = (fsum(sums) for sums in asked(data, question).T.tolist())
    if odd or not n:
        return float("nan")
    whole = own_squares - own * own / n
    return (rest_squares - rest * rest / n) / whole if whole > 0.0 else float("nan")


def _stretches(n_stored: int) -> Sequence[slice]:
    return [slice(start, min(start + STRETCH, n_stored)) for start in range(0, n_stored, STRETCH)]


def _there(rows: Dataset, stretch: slice) -> BoolArray | slice:
    """The rows of a stretch that have all cells."""
    gaps = [column.missing[stretch] for column in rows.columns if column.missing is not None]
    return ~np.logical_or.reduce(gaps) if gaps else slice(None)
