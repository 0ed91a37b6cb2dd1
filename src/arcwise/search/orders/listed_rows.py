"""Scores by counts where there are many columns: each has a list of those that may be its parents."""

from __future__ import annotations

from typing import Any

import numpy as np

from arcwise.data.dataset import BoolArray, FloatArray, IntArray
from arcwise.parts.protocols import BoundScore, Score, tolerance
from arcwise.problem import Problem
from arcwise.search.greedy.cache import ScoreCache

LISTED = 64  # columns on a list: the best alone
ADDED = 16  # in later rounds of a loop: those that are best alone by then


class ListedRows:
    """`cache`: toggle rows for arcs between columns of which one is on the list of the other.

    On the list of a column are the best parents that it could have alone; in a loop lists grow from round to round, as
    levels that are cut for present neighbours show others less well. limits: max_parents and max_table.

    alone[v, u]: the score of v with the only parent u, -inf where that is not permitted; alone[v, v]: without parents.
    passed[u, v]: u would not raise the score of v beside its parents beside[v]. walked: a graph beside which walks
    around every column were in vain, in an earlier round; stirred: the columns that were cut anew since.
    """

    def __init__(
        self, problem: Problem, bound: BoundScore, score: Score, limits: tuple[int | None, int | None]
    ) -> None:
        data, known = problem.data, problem.known
        self._bound, self._permitted = bound, known.allowed | known.required
        self._limits: dict[str, Any] = {"cards": data.cardinalities, "max_parents": limits[0], "max_table": limits[1]}
        self._cards = np.maximum(data.cardinalities, 1)
        self._alone: FloatArray = np.full(self._permitted.shape, -np.inf)
        self._passed = np.zeros_like(self._permitted)
        self._beside: list[tuple[int, ...]] = [()] * data.n_columns
        self._walked: BoolArray | None = None
        self._stirred = np.zeros(data.n_columns, dtype=np.bool_)
        before = None
        if problem.memory is not None:
            before = problem.memory.exchange((score, limits, self._permitted.tobytes()), self, data)
        if before is None:
            self._score_alone(set(range(data.n_columns)))
            self.cache = self._cache(self._best_alone(LISTED) | known.required)
        else:
            last, changed = before
            self._take_over(last, changed)
            self._score_alone(changed)
            self.cache = self._cache(self._best_alone(ADDED) | last.candidates)
            self.cache.inherit(last.cache, changed)

    @property
    def candidates(self) -> BoolArray:
        """[u, v]: u may be a parent of v."""
        found: BoolArray = self.cache.limits.candidates
        return found

    def _cache(self, on: BoolArray) -> ScoreCache:
        return ScoreCache(self._bound, (on | on.T) & self._permitted, **self._limits, few=True)

    def _take_over(self, last: ListedRows, changed: set[int]) -> None:
        """What another table has shown of columns that have not changed."""
        anew = list(changed)
        self._alone, self._beside, self._passed = last._alone.copy(), list(last._beside), last._passed.copy()
        self._walked, self._stirred = last._walked, last._stirred.copy()
        self._passed[anew], self._stirred[anew] = False, True
        for child, parents in enumerate(self._beside):
            if child in changed or not changed.isdisjoint(parents):
                self._passed[:, child] = False

    def _score_alone(self, changed: set[int]) -> None:
        """The scores of columns with one parent, where one of the two has changed."""
        every, some = range(len(self._alone)), sorted(changed)
        for child in every:
            others = np.array(every if child in changed else some, dtype=np.intp)
            others = others[(self._permitted[:, child] & self._room(child, ()))[others] | (others == child)]
            if len(others):
                sets = np.where(others == child, -1, others)[:, None]
                self._alone[child, others] = self._bound.local_scores(child, sets)

    def _best_alone(self, size: int) -> BoolArray:
        """[u, v]: u is one of so many that are best for v alone; of those tied the first. Having none counts as one."""
        alone, n = self._alone, len(self._alone)
        least = np.partition(alone, max(n - size - 1, 0), axis=1)[:, max(n - size - 1, 0), None]
        above, tied = alone > least, alone == least
        left = size + 1 - np.count_nonzero(above, axis=1)[:, None]
        on = (above | (tied & (np.cumsum(tied, axis=1) <= left))) & (alone > -np.inf)
        np.fill_diagonal(on, False)
        return np.ascontiguousarray(on.T)

    def look_beyond(self, place: IntArray, adj: BoolArray) -> ScoreCache | None:
        """A cache that also permits the arcs which no list does and which would raise the score of a graph; None: none.

        place: of each column in an order, which arcs must not go against.
        """
        missed = np.zeros_like(self._permitted)
        for child in range(len(adj)):
            parents = tuple(adj[:, child].nonzero()[0].tolist())
            if parents != self._beside[child]:
                self._beside[child], self._passed[:, child] = parents, False
            barred = self.candidates[:, child] | self._passed[:, child] | (place >= place[child])
            others = (self._permitted[:, child] & ~barred & self._room(child, parents)).nonzero()[0]
            if len(others):
                sets = np.column_stack([np.tile(parents, (len(others), 1)), others]).astype(np.intp)
                own = self._bound.local_score(child, parents)
                gains = self._bound.local_scores(child, sets) > own + tolerance(own)
                missed[others, child], self._passed[others, child] = gains, ~gains
        if not missed.any():
            return None
        last, self.cache = self.cache, self._cache(self.candidates | missed)
        self.cache.inherit(last, set())
        self.cache.asked, self.cache.computed = last.asked, last.computed
        return self.cache

    def stirred(self, adj: BoolArray) -> BoolArray:
        """The columns that are cut anew, or have other parents, since walks around every column were in vain."""
        if self._walked is None:
            return np.ones(len(adj), dtype=np.bool_)
        found: BoolArray = self._stirred | (self._walked != adj).any(axis=0)
        return found

    def walked(self, adj: BoolArray) -> None:
        """Walks around every column, or around those that something stirred, have ended with this graph."""
        self._walked, self._stirred = adj, np.zeros(len(adj), dtype=np.bool_)

    def _room(self, child: int, parents: tuple[int, ...]) -> BoolArray:
        """Which columns the limits permit as one more parent."""
        most_parents, most_cells = self._limits["max_parents"], self._limits["max_table"]
        if most_parents is not None and len(parents) >= most_parents:
            return np.zeros(len(self._cards), dtype=np.bool_)
        cells = float(self._cards[child] * np.prod(self._cards[list(parents)], dtype=np.float64))
        fits: BoolArray = cells * self._cards <= (np.inf if most_cells is None else most_cells)
        return fits
