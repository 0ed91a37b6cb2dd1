"""The parent sets of one column that can be worth having, among a few candidates, level by level of their size."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import inf

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import FloatArray, IntArray
from arcwise.parts.monitor import Monitor
from arcwise.parts.protocols import BoundScore, tolerance

Masks = NDArray[np.int64]
BATCH_WORK = 1 << 23  # rows times sets scored between two looks at the monitor


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """All scored sets of one size: bit b of a mask is candidate b. `best`: the best score of a set or its subsets."""

    masks: Masks  # increasing
    best: FloatArray
    undominated: Masks  # those that no subset equals


class ParentSets:
    """Sets that no subset of theirs equals in score: a subset leaves more children possible, so no other can be best.

    sets: (k, w) padded with -1, smaller ones first, then by the names of their members; every set has the columns
    `base` and some of `candidates`. Sets of up to `thorough` candidates are all scored, larger ones only where they
    extend by one a set that no subset equals. A set whose table has more than `max_table` cells is left out.
    """

    def __init__(
        self,
        bound: BoundScore,
        child: int,
        base: list[int],
        candidates: IntArray,
        *,
        cards: IntArray,
        max_table: int | None,
        thorough: int,
        n_rows: int,
    ) -> None:
        self._bound, self._child, self._base = bound, child, base
        self._candidates = np.sort(candidates)
        self._cells = np.append(cards[self._candidates], 1).astype(np.float64)
        cells = float(cards[child] * np.prod(cards[base], dtype=np.float64))
        self._max_table = inf if max_table is None else max_table / cells
        self._thorough = thorough
        self._batch = max(1, BATCH_WORK // max(n_rows, 1))
        self._level: Level | None = None
        self.size = -1  # of the largest sets looked at
        self.computed = 0
        self.sets: IntArray = np.empty((0, len(base)), dtype=np.intp)
        self.scores: FloatArray = np.empty(0)
        self.order: IntArray = np.empty(0, dtype=np.intp)

    def grow(self, size: int, monitor: Monitor) -> bool:
        """Look at all sets of up to `size` candidates; False when stopped before the end."""
        most = min(size, len(self._candidates))
        while self.size < most:
            masks = self._next_masks()
            scores = self._score(masks, monitor)
            if scores is None:
                return False
            self._add(masks, scores)
            self.size += 1
        return True

    def _next_masks(self) -> Masks:
        """Sets of one candidate more than the last level's, in increasing order."""
        n, size = len(self._candidates), self.size + 1
        if self._level is None or size <= self._thorough:
            masks = _all_masks(n, size)
        else:
            wider = self._level.undominated[:, None] | (1 << np.arange(n, dtype=np.int64))
            masks = np.unique(wider[wider != self._level.undominated[:, None]])
        members = _members(masks, n, size)
        return masks[np.prod(self._cells[members], axis=1) <= self._max_table] if size else masks

    def _score(self, masks: Masks, monitor: Monitor) -> FloatArray | None:
        sets = self._columns(masks)
        parts = [np.empty(0)]
        for first in range(0, len(sets), self._batch):
            if monitor.should_stop():
                return None
            parts.append(self._bound.local_scores(self._child, sets[first : first + self._batch]))
        self.computed += len(sets)
        return np.concatenate(parts)

    def _columns(self, masks: Masks) -> IntArray:
        members = self._candidates[_members(masks, len(self._candidates), self.size + 1)]
        base = np.tile(np.array(self._base, dtype=np.intp), (len(masks), 1))
        return np.concatenate([base, members], axis=1)

    def _add(self, masks: Masks, scores: FloatArray) -> None:
        below = _best_below(masks, self._level, len(self._candidates))
        least = tolerance(float(np.max(np.abs(scores), initial=0.0)))
        undominated = scores > below + least
        self._level = Level(masks, np.maximum(scores, below), masks[undominated])
        new = self._columns(masks[undominated])
        by_name = np.lexsort(new.T[::-1]) if new.shape[1] else np.arange(len(new))
        padded = np.full((len(self.sets), new.shape[1]), -1, dtype=np.intp)
        padded[:, : self.sets.shape[1]] = self.sets
        self.sets = np.concatenate([padded, new[by_name]])
        self.scores = np.concatenate([self.scores, scores[undominated][by_name]])
        self.order = np.argsort(-self.scores, kind="stable")


@cache
def _all_masks(n: int, size: int) -> Masks:
    masks = np.array([sum(1 << b for b in chosen) for chosen in combinations(range(n), size)], dtype=np.int64)
    masks.sort()
    masks.setflags(write=False)
    return masks


def _members(masks: Masks, n: int, size: int) -> IntArray:
    """The set bits of masks that have `size` of them, (k, size)."""
    bits = (masks[:, None] >> np.arange(n)) & 1
    return bits.nonzero()[1].reshape(len(masks), size)


def _best_below(masks: Masks, level: Level | None, n: int) -> FloatArray:
    """The best score among the scored proper subsets of each set; -inf where there is none."""
    best = np.full(len(masks), -np.inf)
    if level is None or not len(level.masks):
        return best
    for b in range(n):
        has = (masks >> b & 1).nonzero()[0]
        smaller = masks[has] ^ (1 << b)
        at = np.minimum(np.searchsorted(level.masks, smaller), len(level.masks) - 1)
        found = level.masks[at] == smaller
        best[has[found]] = np.maximum(best[has[found]], level.best[at[found]])
    return best
