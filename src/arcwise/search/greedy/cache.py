"""Local scores that a search has already paid for.

A search looks at a family and all its neighbours at once, so scores are kept as *toggle rows*: for a child v with
parents P, row[u] is the score of v with u toggled in P, and row[v] is the score with P as it is. One row is one batch.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

import numpy as np
from numpy.typing import NDArray

from arcwise._kernels.counts.toggles import additions
from arcwise.data.dataset import FloatArray
from arcwise.parts.protocols import BoundScore, ToggleScore

Parents = frozenset[int]
FORBIDDEN = -inf


class ScoreCache:
    """Toggle rows by (child, parents). `asked` counts scores wanted, `computed` those that had to be worked out.

    candidates[u, v]: u may be a parent of v. `cards`: levels of each column (0 for continuous), for `max_table`,
    the largest number of cells of a family's table.
    """

    def __init__(
        self,
        bound: BoundScore,
        candidates: NDArray[np.bool_],
        *,
        cards: Iterable[int],
        max_parents: int | None = None,
        max_table: int | None = None,
    ) -> None:
        self._bound = bound
        self._toggles = bound if isinstance(bound, ToggleScore) else None
        self._candidates = candidates
        self._cards = np.maximum(np.fromiter(cards, dtype=np.int64), 1)
        self._max_parents = candidates.shape[0] if max_parents is None else max_parents
        self._max_table = inf if max_table is None or self._toggles is not None else float(max_table)
        self._none = np.zeros(candidates.shape[0], dtype=np.bool_)
        self._nothing = np.full(candidates.shape[0], FORBIDDEN)
        self._rows: dict[tuple[int, Parents], FloatArray] = {}
        self._sizes: dict[tuple[int, Parents], int] = {}  # scores in a row
        self._gaps: dict[tuple[int, Parents], list[int]] = {}  # inherited rows: columns whose entries are still missing
        self.asked = 0
        self.computed = 0

    def row(self, child: int, parents: Parents) -> FloatArray:
        """The toggle row of a family; FORBIDDEN where a parent may not be added. Do not write into it."""
        key = (child, parents)
        row = self._rows.get(key)
        if row is None:
            row = self._rows[key] = self._work_out(child, parents)
        elif key in self._gaps:
            row = self._rows[key] = self._fill(child, parents, row, self._gaps.pop(key))
        size = self._sizes.get(key)
        if size is None:
            size = self._sizes[key] = int(np.count_nonzero(row > FORBIDDEN))
        self.asked += size
        return row

    def fits(self, child: int, parents: list[int]) -> bool:
        """Whether the table of this family is within `max_table`."""
        return float(np.prod(self._cards[[child, *parents]], dtype=np.float64)) <= self._max_table

    def _work_out(self, child: int, parents: Parents) -> FloatArray:
        members = sorted(parents)
        row = self._at_once(child, members) if self._toggles is not None else None
        if row is None:
            row = self._one_by_one(child, parents, members)
        row.setflags(write=False)
        return row

    def _at_once(self, child: int, members: list[int]) -> FloatArray | None:
        assert self._toggles is not None
        may_add = self._candidates[:, child] if len(members) < self._max_parents else self._none
        row = self._toggles.toggle_row(child, np.array(members, dtype=np.intp), may_add)
        if row is not None:
            self.computed += int(np.count_nonzero(row > FORBIDDEN))
        return row

    def _one_by_one(self, child: int, parents: Parents, members: list[int]) -> FloatArray:
        row = self._nothing.copy()
        for u in (child, *members):  # the family itself and its deletions were often part of an earlier row
            row[u] = self._known(child, parents - {u})
        near, sets = self._additions(child, members, itself=row[child] == FORBIDDEN)
        if near.size:
            row[near] = self._bound.local_scores(child, sets)
        lacking = [u for u in members if row[u] == FORBIDDEN]
        if lacking:
            sets = np.array([sorted(parents - {u}) for u in lacking], dtype=np.intp)
            row[lacking] = self._bound.local_scores(child, sets)
        self.computed += len(near) + len(lacking)
        return row

    def inherit(self, other: ScoreCache, changed: set[int]) -> None:
        """Take over the scores of another cache that touch no changed column; others are worked out when asked for."""
        for (child, parents), row in other._rows.items():
            if child not in changed and changed.isdisjoint(parents):
                missing = sorted(changed.union(other._gaps.get((child, parents), ())))
                mine = row.copy()
                mine[missing] = FORBIDDEN
                mine.setflags(write=False)
                self._rows[child, parents] = mine
                if missing:
                    self._gaps[child, parents] = missing

    def _fill(self, child: int, parents: Parents, row: FloatArray, missing: list[int]) -> FloatArray:
        """The row with the entries of these columns, none of which is a parent."""
        members = sorted(parents)
        near, sets = self._additions(child, members)
        lacking = np.isin(near, missing)
        full = row.copy()
        if lacking.any():
            full[near[lacking]] = self._bound.local_scores(child, sets[lacking])
            self.computed += int(np.count_nonzero(lacking))
        full.setflags(write=False)
        return full

    def _known(self, child: int, parents: Parents) -> float:
        """The score of a family if some row holds it, else FORBIDDEN."""
        row = self._rows.get((child, parents))
        if row is not None:
            return float(row[child])
        for u in parents:
            row = self._rows.get((child, parents - {u}))
            if row is not None and row[u] > FORBIDDEN:
                return float(row[u])
        return FORBIDDEN

    def _additions(
        self, child: int, members: list[int], itself: bool = False
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Columns that may be added to these parents, and the sets with each: see the kernel."""
        parents = np.array(members, dtype=np.int64)
        limits = (self._max_parents, self._max_table)
        near, sets = additions(child, parents, self._candidates, self._cards, *limits, itself)
        return near, sets
