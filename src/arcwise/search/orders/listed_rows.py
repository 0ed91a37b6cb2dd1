"""Scores by counts where there are many columns: each has a list of those that may be its parents."""

from __future__ import annotations

from typing import Any

import numpy as np

from arcwise.data.dataset import BoolArray, IntArray
from arcwise.parts.protocols import BoundScore, Score, tolerance
from arcwise.problem import Problem
from arcwise.search.greedy.cache import ScoreCache

LISTED = 64  # columns on a list: the best alone
ADDED = 16  # in later rounds of a loop: those that are best alone by then


class ListedRows:
    """`cache`: toggle rows for arcs between columns of which one is on the list of the other.

    On the list of a column are the best parents that it could have alone; in a loop lists grow from round to round, as
    levels that are cut for present neighbours show others less well. limits: max_parents and max_table.
    """

    def __init__(
        self, problem: Problem, bound: BoundScore, score: Score, limits: tuple[int | None, int | None]
    ) -> None:
        data, known = problem.data, problem.known
        self._bound, self._permitted = bound, known.allowed | known.required
        self._limits: dict[str, Any] = {"cards": data.cardinalities, "max_parents": limits[0], "max_table": limits[1]}
        self._alone = ScoreCache(bound, self._permitted, **self._limits)
        before = None
        if problem.memory is not None:
            before = problem.memory.exchange((score, limits, self._permitted.tobytes()), self, data)
        if before is None:
            self.cache = self._cache(self._listed(LISTED) | known.required)
        else:
            last, changed = before
            self._alone.inherit(last._alone, changed)
            self.cache = self._cache(self._listed(ADDED) | last.candidates)
            self.cache.inherit(last.cache, changed)

    @property
    def candidates(self) -> BoolArray:
        """[u, v]: u may be a parent of v."""
        found: BoolArray = self.cache.limits.candidates
        return found

    def _cache(self, on: BoolArray) -> ScoreCache:
        return ScoreCache(self._bound, (on | on.T) & self._permitted, **self._limits, few=True)

    def _listed(self, size: int) -> BoolArray:
        """[u, v]: u is one of so many that are best for v alone; of those tied the first."""
        on = np.zeros_like(self._permitted)
        for child in range(len(on)):
            row = self._alone.row(child, frozenset())
            best = np.argsort(-row, kind="stable")[: size + 1]
            on[best[(row[best] > -np.inf) & (best != child)], child] = True
        return on

    def look_beyond(self, place: IntArray, adj: BoolArray) -> ScoreCache | None:
        """A cache that also permits the arcs which no list does and which would raise the score of a graph; None: none.

        place: of each column in an order, which arcs must not go against.
        """
        missed = np.zeros_like(self._permitted)
        for child in range(len(adj)):
            others = np.flatnonzero(
                self._permitted[:, child] & ~self.candidates[:, child] & (place < place[child]) & self._room(child, adj)
            )
            parents = np.flatnonzero(adj[:, child])
            if len(others):
                sets = np.column_stack([np.tile(parents, (len(others), 1)), others])
                own = self._bound.local_score(child, parents.tolist())
                missed[others, child] = self._bound.local_scores(child, sets) > own + tolerance(own)
        if not missed.any():
            return None
        last, self.cache = self.cache, self._cache(self.candidates | missed)
        self.cache.inherit(last, set())
        self.cache.asked, self.cache.computed = last.asked, last.computed
        return self.cache

    def _room(self, child: int, adj: BoolArray) -> BoolArray:
        """Which columns the limits permit as one more parent."""
        limits = self.cache.limits
        cells = float(limits.cards[child] * np.prod(limits.cards[adj[:, child]], dtype=np.float64))
        few = np.count_nonzero(adj[:, child]) < limits.max_parents
        return few & (cells * limits.cards <= limits.max_table)
