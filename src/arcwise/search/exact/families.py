"""The parent sets of a column that can be part of a best network."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from arcwise._kernels.graphs.exhaustive import combinations, undominated
from arcwise.data.dataset import FloatArray, IntArray
from arcwise.parts.monitor import Monitor
from arcwise.parts.protocols import RELATIVE_TOLERANCE, BoundScore

CHUNK = 1 << 12  # families scored between two looks at the monitor
FEW = 4  # sets that share all but one parent are worth a batch of their own from this number on


@dataclass(frozen=True, slots=True, eq=False)
class Useful:
    """Parent sets of one column, none with a subset that scores as well: fewest parents first, then by name.

    sets: (k, w), members in order, padded with -1; the first is the smallest there may be. scored: families looked at.
    """

    sets: NDArray[np.int16]
    scores: FloatArray
    scored: int


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """A column with the parents that it must have and those that it may have besides, at most `room` of them.

    cards: levels of every column (1 if continuous). max_table: most cells of the family's table (none: no limit);
    the parents that it must have are permitted whatever their table.
    """

    child: int
    required: IntArray
    optional: IntArray
    room: int
    cards: FloatArray
    max_table: int | None

    def n_sets(self, max_parents: int) -> int:
        """How many parent sets there are with no more than this many parents, if it is less than permitted."""
        room = max(0, min(self.room, max_parents - len(self.required)))
        return sum(comb(len(self.optional), size) for size in range(room + 1))


def useful_sets(bound: BoundScore, family: Family, monitor: Monitor) -> Useful | None:
    """Score every parent set and keep those that beat all their subsets; None when stopped.

    A set that does not score higher than a subset of it (by more than the tolerance of ties) is never needed: the
    subset can replace it in any network, and no cycle comes of that.
    """
    m = len(family.optional)
    binomials = np.array([[comb(a, b) for b in range(family.room + 1)] for a in range(m + 1)], dtype=np.intp)
    below: FloatArray = np.empty(0)
    kept, scores, scored = [], [], 0
    for size in range(family.room + 1):
        chosen = combinations(m, size, comb(m, size))
        sets = np.empty((len(chosen), size + len(family.required)), dtype=np.intp)
        sets[:, :size] = family.optional[chosen]
        sets[:, size:] = family.required
        level = _score(bound, family, sets, monitor, limited=size > 0)
        if level is None:
            return None
        if size:
            below, keep = undominated(chosen, level, below, binomials, RELATIVE_TOLERANCE)
        else:
            below, keep = level, np.ones(1, dtype=np.bool_)
        if keep.any():
            best = np.sort(sets[keep], axis=1)
            order = np.lexsort(best.T[::-1]) if best.shape[1] else np.arange(1)
            kept.append(best[order].astype(np.int16))
            scores.append(level[keep][order])
        scored += int(np.count_nonzero(level > -np.inf))
    return Useful(_padded(kept), np.concatenate(scores), scored)


def _score(bound: BoundScore, family: Family, sets: IntArray, monitor: Monitor, *, limited: bool) -> FloatArray | None:
    """Scores of these sets, -inf where the table would be too large; None when stopped."""
    scores = np.full(len(sets), -np.inf)
    places = np.arange(len(sets))
    if limited and family.max_table is not None:
        cells = family.cards[sets].prod(axis=1) * family.cards[family.child]
        places = np.flatnonzero(cells <= family.max_table)
    for first in range(0, len(places), CHUNK):
        if monitor.should_stop():
            return None
        some = places[first : first + CHUNK]
        for batch in _batches(sets[some]):
            scores[some[batch]] = bound.local_scores(family.child, sets[some[batch]])
    return scores


def _batches(sets: IntArray) -> Iterator[IntArray]:
    """Places of sets that go well together: those that differ in the first member only are counted in one pass."""
    if sets.shape[1] < 2:
        yield np.arange(len(sets))
        return
    ends = np.flatnonzero(np.any(sets[1:, 1:] != sets[:-1, 1:], axis=1)) + 1
    runs = np.split(np.arange(len(sets)), ends)
    yield from (run for run in runs if len(run) >= FEW)
    rest = [run for run in runs if len(run) < FEW]
    if rest:
        yield np.concatenate(rest)


def _padded(levels: list[NDArray[np.int16]]) -> NDArray[np.int16]:
    """The sets of all sizes in one array."""
    width = levels[-1].shape[1]
    return np.concatenate(
        [np.pad(level, ((0, 0), (0, width - level.shape[1])), constant_values=-1) for level in levels]
    )
