"""Local scores that a search has already paid for.

A search looks at a family and all its neighbours at once, so scores are kept as *toggle rows*: for a child v with
parents P, row[u] is the score of v with u toggled in P, and row[v] is the score with P as it is. One row is one batch.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from arcwise.contracts.protocols import BoundScore
from arcwise.data.dataset import FloatArray

Parents = frozenset[int]
FORBIDDEN = -np.inf


class ScoreCache:
    """Toggle rows by (child, parents). `asked` counts scores wanted, `computed` those that had to be worked out.

    candidates[u, v]: u may be a parent of v. `cards`: levels of each column (0 for continuous), for `max_table`,
    the largest number of cells of a family's table. Rows of different children may be asked for from several threads.
    """

    def __init__(
        self,
        bound: BoundScore,
        candidates: NDArray[np.bool_],
        *,
        cards: Iterable[int] = (),
        max_parents: int | None = None,
        max_table: int | None = None,
    ) -> None:
        self._bound = bound
        self._candidates = candidates
        self._cards = np.maximum(np.array(list(cards), dtype=np.float64), 1.0)
        self._max_parents = candidates.shape[0] if max_parents is None else max_parents
        self._max_table = np.inf if max_table is None else max_table
        self._rows: dict[tuple[int, Parents], FloatArray] = {}
        self._lock = threading.Lock()
        self.asked = 0
        self.computed = 0

    def row(self, child: int, parents: Parents) -> FloatArray:
        """The toggle row of a family; FORBIDDEN where a parent may not be added. Do not write into it."""
        row, computed = self._rows.get((child, parents)), 0
        if row is None:
            row, computed = self._work_out(child, parents)
            self._rows[child, parents] = row
        with self._lock:
            self.asked += int(np.count_nonzero(row > FORBIDDEN))
            self.computed += computed
        return row

    def _work_out(self, child: int, parents: Parents) -> tuple[FloatArray, int]:
        """The row, and how many of its scores were not known yet."""
        row = np.full(self._candidates.shape[0], FORBIDDEN)
        members = sorted(parents)
        additions = self._permitted(child, members)
        if additions.size:
            sets = np.empty((len(additions), len(members) + 1), dtype=np.intp)
            sets[:, :-1] = members
            sets[:, -1] = additions
            row[additions] = self._bound.local_scores(child, sets)
        # The family itself and its deletions were usually part of an earlier row.
        rest = [(u, parents - {u}) for u in members]
        unknown = []
        for u, family in [(child, parents), *rest]:
            known = self._known(child, family)
            if known is None:
                unknown.append((u, family))
            else:
                row[u] = known
        if unknown:
            sets = np.full((len(unknown), max(len(members), 1)), -1, dtype=np.intp)
            for s, (_, family) in enumerate(unknown):
                sets[s, : len(family)] = sorted(family)
            row[[u for u, _ in unknown]] = self._bound.local_scores(child, sets)
        row.setflags(write=False)
        return row, len(additions) + len(unknown)

    def _known(self, child: int, parents: Parents) -> float | None:
        row = self._rows.get((child, parents))
        if row is not None:
            return float(row[child])
        for u in parents:
            row = self._rows.get((child, parents - {u}))
            if row is not None and row[u] > FORBIDDEN:
                return float(row[u])
        return None

    def _permitted(self, child: int, members: list[int]) -> NDArray[np.intp]:
        if len(members) >= self._max_parents:
            return np.empty(0, dtype=np.intp)
        mask = self._candidates[:, child].copy()
        mask[members] = False
        if self._cards.size and np.isfinite(self._max_table):
            mask &= self._cards * (self._cards[members].prod() * self._cards[child]) <= self._max_table
        return np.flatnonzero(mask)
