"""Local scores that a search has already paid for.

A search looks at a family and all its neighbours at once, so scores are kept as *toggle rows*: for a child v with
parents P, row[u] is the score of v with u toggled in P, and row[v] is the score with P as it is. One row is one batch.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

import numpy as np
from numpy.typing import NDArray

from arcwise._kernels.by_address import NOWHERE, address_of
from arcwise._kernels.counts.toggled import NO_FAMILIES, work_out
from arcwise._kernels.graphs import rows as kernels
from arcwise.data.dataset import FloatArray
from arcwise.parts.protocols import BoundScore, CompiledFamilies, Score, ToggleScore
from arcwise.problem import Problem
from arcwise.stats.packing import NEVER

FORBIDDEN = -inf
ROOM = 4  # rows for each column, to begin with


class ScoreCache:
    """Toggle rows by (child, parents). `asked` counts scores wanted, `computed` those that had to be worked out.

    candidates[u, v]: u may be a parent of v. `cards`: levels of each column (0 for continuous), for `max_table`,
    the largest number of cells of a family's table. few: a column has few candidates, so these are counted one by one.
    """

    def __init__(
        self,
        bound: BoundScore,
        candidates: NDArray[np.bool_],
        *,
        cards: Iterable[int],
        max_parents: int | None = None,
        max_table: int | None = None,
        few: bool = False,
    ) -> None:
        n = candidates.shape[0]
        self._bound = bound
        self._toggles = bound if isinstance(bound, ToggleScore) else None
        self.limits = kernels.Limits(
            candidates=np.ascontiguousarray(candidates),
            cards=np.maximum(np.fromiter(cards, dtype=np.int64), 1),
            max_parents=n if max_parents is None else max_parents,
            max_table=inf if max_table is None or self._toggles is not None else float(max_table),
            reuse=self._toggles is None,
        )
        self.rows = _room_for(ROOM * n, n)
        self._met: dict[tuple[int, frozenset[int]], tuple[int, int]] = {}  # rows that Python has asked for
        self._compiled, self._few = bound if isinstance(bound, CompiledFamilies) else None, few
        self.families = NO_FAMILIES
        self._find_families()
        self.asked = 0
        self.computed = 0

    def row(self, child: int, parents: frozenset[int]) -> FloatArray:
        """The toggle row of a family; FORBIDDEN where a parent may not be added."""
        place, size = self._met.get((child, parents)) or self._meet(child, parents)
        self.asked += size
        row: FloatArray = self.rows.scores[place]
        row.setflags(write=False)
        return row

    def _meet(self, child: int, parents: frozenset[int]) -> tuple[int, int]:
        """(where the row is, how many scores it has)."""
        self.make_room()
        members = np.array(sorted(parents), dtype=np.int64)
        place, lacking = kernels.find_or_begin(self.rows, self.limits, child, members)
        if lacking:
            self.work_out(child, place)
        met = self._met[child, parents] = place, int(np.count_nonzero(self.rows.scores[place] > FORBIDDEN))
        return met

    def make_room(self) -> None:
        """Room for at least one more row."""
        used, n = int(self.rows.used[0]), len(self.limits.cards)
        if used == len(self.rows.scores):
            larger = _room_for(2 * used, n)
            for new, old in zip(larger, self.rows, strict=True):
                new[: len(old)] = old
            self.rows = larger

    def work_out(self, child: int, place: int) -> None:
        """The scores that a row lacks."""
        row = self.rows.scores[place]
        near, sets, fewer, smaller = kernels.batches(self.rows, place, child)
        if self._toggles is not None and np.isnan(row[child]):
            found = self._toggles.toggle_row(child, sets[-1, :-1], np.isnan(row))
            if found is not None:
                row[:] = found
                self.computed += int(np.count_nonzero(found > FORBIDDEN))
                return
        if near.size:
            row[near] = self._bound.local_scores(child, sets)
        if fewer.size:
            row[fewer] = self._bound.local_scores(child, smaller)
        self.computed += len(near) + len(fewer)
        if self.address != NOWHERE:
            self._find_families()  # lanes may have been packed

    def _find_families(self) -> None:
        """What a kernel needs to work out rows, and its address; NOWHERE: Python has to."""
        found = None if self._compiled is None else self._compiled.families(self.families)
        if found is not None and self._few:
            found = found._replace(shape=(*found.shape[:-1], NEVER))
        self.families = NO_FAMILIES if found is None else found
        self.address = NOWHERE if found is None else address_of(work_out, found, self.rows, 0, 0)

    def fits(self, child: int, parents: list[int]) -> bool:
        """Whether the table of this family is within `max_table`."""
        return float(np.prod(self.limits.cards[[child, *parents]], dtype=np.float64)) <= self.limits.max_table

    def inherit(self, other: ScoreCache, changed: set[int]) -> None:
        """Take over the scores of another cache that touch no changed column; others are worked out when asked for."""
        n = len(self.limits.cards)
        self.rows = _room_for(len(other.rows.scores), n)
        mask = np.zeros(n, dtype=np.bool_)
        mask[list(changed)] = True
        kernels.inherit(other.rows, self.rows, self.limits, mask)


def cache_for(problem: Problem, bound: BoundScore, score: Score, limits: tuple[int | None, int | None]) -> ScoreCache:
    """A cache for the arcs that the problem permits, with what the last round of a loop left.

    limits: max_parents and max_table.
    """
    data, known = problem.data, problem.known
    permitted = known.allowed | known.required
    cache = ScoreCache(bound, permitted, cards=data.cardinalities, max_parents=limits[0], max_table=limits[1])
    if problem.memory is not None:
        before = problem.memory.exchange((score, limits, permitted.tobytes()), cache, data)
        if before is not None:
            cache.inherit(*before)
    return cache


def _room_for(size: int, n: int) -> kernels.Rows:
    return kernels.Rows(
        scores=np.empty((size, n)),
        parents=np.zeros((size, -(-n // kernels.WORD)), dtype=np.uint64),
        older=np.empty(size, dtype=np.int64),
        newest=np.full(n, -1, dtype=np.int64),
        used=np.zeros(1, dtype=np.int64),
    )
