"""Local scores for GES, worked out only where an operator asks for them.

As in cache.py, scores are kept as toggle rows: for a child v with parents P, row[u] is the score of v with u toggled in
P, row[v] the score with P as it is. Here a row fills up bit by bit: insertions and deletions want different parts.
"""

from __future__ import annotations

import numpy as np

from arcwise.data.dataset import BoolArray, FloatArray, IntArray
from arcwise.parts.protocols import BoundScore, ToggleScore


class ToggleRows:
    """Rows by (child, mask of parents), NaN where not yet known. Counts scores `asked` for and those `computed`."""

    def __init__(self, bound: BoundScore) -> None:
        self._bound = bound
        self._toggles = bound if isinstance(bound, ToggleScore) else None
        self._rows: dict[tuple[int, bytes], FloatArray] = {}
        self.asked = 0
        self.computed = 0

    def rows(self, child: int, bases: BoolArray, wanted: BoolArray) -> FloatArray:
        """The rows of these sets of parents, (k, n), right where wanted; wanted[:, child] is the set itself."""
        table = np.empty(bases.shape)
        for place, base in enumerate(bases):
            key = (child, base.tobytes())
            row = self._rows.get(key)
            if row is None:
                row = self._rows[key] = np.full(len(base), np.nan)
            missing = wanted[place] & np.isnan(row)
            if missing.any():
                self._work_out(child, base, missing, row)
            table[place] = row
        self.asked += int(np.count_nonzero(wanted))
        return table

    def score(self, child: int, parents: BoolArray) -> float:
        """The score of one family."""
        itself = np.zeros((1, len(parents)), dtype=np.bool_)
        itself[0, child] = True
        return float(self.rows(child, parents[None, :], itself)[0, child])

    def _work_out(self, child: int, base: BoolArray, missing: BoolArray, row: FloatArray) -> None:
        members = base.nonzero()[0]
        if self._toggles is not None:
            may_add = missing & ~base
            may_add[child] = False
            found = self._toggles.toggle_row(child, members, may_add)
            if found is not None:
                new = (found > -np.inf) & np.isnan(row)
                row[new] = found[new]
                self.computed += int(np.count_nonzero(new))
                return
        for u in (child, *members.tolist()):  # often part of another row
            if missing[u]:
                row[u] = self._known(child, base, u)
        additions = (missing & ~base & np.isnan(row)).nonzero()[0]
        if additions.size:
            sets = np.empty((len(additions), len(members) + 1), dtype=np.intp)
            sets[:, :-1], sets[:, -1] = members, np.where(additions == child, -1, additions)
            row[additions] = self._bound.local_scores(child, sets)
        deletions = (missing & base & np.isnan(row)).nonzero()[0]
        if deletions.size:
            row[deletions] = self._bound.local_scores(child, _without_each(members, deletions))
        self.computed += len(additions) + len(deletions)

    def _known(self, child: int, base: BoolArray, u: int) -> float:
        """The score with the parents `base` without u, if some row holds it, else NaN."""
        parents = bytearray(base.tobytes())
        parents[u] = False
        row = self._rows.get((child, bytes(parents)))
        if row is not None and row[child] == row[child]:  # not NaN
            return float(row[child])
        for v in base.nonzero()[0].tolist():
            if v != u:
                parents[v] = False
                row = self._rows.get((child, bytes(parents)))
                parents[v] = True
                if row is not None and row[v] == row[v]:
                    return float(row[v])
        return np.nan


def _without_each(members: IntArray, leaving: IntArray) -> IntArray:
    """The members without each of those leaving in turn: (k, w - 1)."""
    return np.array([[u for u in members if u != gone] for gone in leaving], dtype=np.intp).reshape(len(leaving), -1)
