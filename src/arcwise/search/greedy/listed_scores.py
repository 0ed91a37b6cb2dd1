"""Scores of families among lists of candidates, each worked out once."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

import numpy as np

from arcwise._kernels.graphs.listed import Slots, Walk
from arcwise.data.dataset import FloatArray, IntArray
from arcwise.parts.protocols import BoundScore, ToggleScore
from arcwise.search.greedy.cache import FORBIDDEN

Members = tuple[int, ...]


class ListedScores:
    """Toggle rows as in cache.py, but with the slots of a child only. `asked` and `computed` count as there.

    may_add: of every slot, whether its arc may be added, and not only be taken away.
    """

    def __init__(
        self,
        bound: BoundScore,
        slots: Slots,
        may_add: np.ndarray,
        *,
        cards: Iterable[int],
        max_parents: int | None = None,
        max_table: int | None = None,
    ) -> None:
        self.slots = slots
        self._bound, self._may_add = bound, may_add
        self._toggles = bound if isinstance(bound, ToggleScore) else None
        self._cards = np.maximum(np.fromiter(cards, dtype=np.int64), 1).astype(np.float64)
        self._max_parents = len(self._cards) if max_parents is None else max_parents
        self._max_table = inf if max_table is None or self._toggles is not None else float(max_table)
        self._wanted = np.zeros(len(self._cards), dtype=np.bool_)
        self._rows: dict[tuple[int, bytes], tuple[FloatArray, float]] = {}
        self._known: dict[tuple[int, Members], float] = {}  # single families, where a row is not one call
        self.asked = 0
        self.computed = 0

    def look_up(self, walk: Walk, child: int) -> None:
        """Bring the gains of a child up to date with the arcs of a walk."""
        here = slice(self.slots.first.item(child), self.slots.first.item(child + 1))
        inside = walk.present[here]
        key = (child, inside.tobytes())
        if key not in self._rows:
            self._rows[key] = self._row(child, here, inside)
        scores, now = self._rows[key]
        self.asked += 1 + int(np.count_nonzero(scores > FORBIDDEN))
        walk.local[child] = now
        np.subtract(scores, now, out=walk.gains[here])

    def fits(self, child: int, parents: list[int]) -> bool:
        """Whether the table of this family is within `max_table`."""
        return float(np.prod(self._cards[[child, *parents]])) <= self._max_table

    def _row(self, child: int, here: slice, inside: np.ndarray) -> tuple[FloatArray, float]:
        """(the score with each slot toggled, the score as it is)."""
        near = self.slots.parent[here]
        parents = near[inside]
        joins = ~inside & self._may_add[here]
        if len(parents) >= self._max_parents:
            joins[:] = False
        elif self._max_table < inf:
            joins &= np.prod(self._cards[[child, *parents]]) * self._cards[near] <= self._max_table
        row = self._by_one_call(child, near, parents, joins)
        return self._by_families(child, near, inside, joins) if row is None else row

    def _by_one_call(
        self, child: int, near: IntArray, parents: IntArray, joins: np.ndarray
    ) -> tuple[FloatArray, float] | None:
        """By a score that gives whole rows; None where there is none, or it does not."""
        if self._toggles is None:
            return None
        self._wanted[near[joins]] = True
        row = self._toggles.toggle_row(child, parents, self._wanted)
        self._wanted[near[joins]] = False
        if row is None:
            return None
        scores: FloatArray = row[near]
        self.computed += 1 + int(np.count_nonzero(scores > FORBIDDEN))
        return scores, float(row[child])

    def _by_families(
        self, child: int, near: IntArray, inside: np.ndarray, joins: np.ndarray
    ) -> tuple[FloatArray, float]:
        """By batches of those families that are not known yet: one of larger ones, one of smaller ones."""
        parents: Members = tuple(near[inside].tolist())
        larger = {u: (*parents, u) for u in near[joins].tolist()}
        smaller = {u: tuple(p for p in parents if p != u) for u in parents}
        self._work_out(child, [*larger.values(), parents], len(parents) + 1)
        self._work_out(child, [*smaller.values()], len(parents) - 1)
        scores = np.full(len(near), FORBIDDEN)
        for place, u in enumerate(near.tolist()):
            members = larger.get(u) or smaller.get(u)
            if members is not None:
                scores[place] = self._known[child, tuple(sorted(members))]
        return scores, self._known[child, parents]

    def _work_out(self, child: int, families: list[Members], width: int) -> None:
        lacking = [one for one in families if (child, tuple(sorted(one))) not in self._known]
        if not lacking:
            return
        sets = np.full((len(lacking), width), -1, dtype=np.intp)
        for row, members in zip(sets, lacking, strict=True):
            row[: len(members)] = members
        for members, score in zip(lacking, self._bound.local_scores(child, sets).tolist(), strict=True):
            self._known[child, tuple(sorted(members))] = score
        self.computed += len(lacking)
