"""Scores of an order from a correlation matrix, for tables of so many columns that each has a list of candidates."""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt
from typing import Any

import numpy as np

from arcwise._kernels.gaussian.families import Factored
from arcwise._kernels.orders import by_candidates, by_factor
from arcwise.data.dataset import BoolArray, FloatArray
from arcwise.search.orders.walk import path_for
from arcwise.stats.threads import map_threads

MOST_ROUNDS = 10  # of adding columns to lists
STEPS = 20  # of forward selection, at most
FILLED = 128  # columns that a list has at least
WIDEST = 256  # most columns of a list, itself among them
MOST_CELLS = 1 << 26  # 512 MB: of the correlations of all lists


class ByCandidates:
    """Parents of a column are looked for on its list.

    On it are columns that raise its score alone, or beside those that forward selection among all columns has taken. A
    list may lack a column that raises the score only beside other parents: `missed` looks for those when there is a
    graph, and adds them, and the walk goes on. Where nobody is missed any more, no column that is not on a list could
    join the parents of somebody and raise the score, wherever it stood in the order.
    """

    restarts = 200_000  # walks around one column, for all columns together: they take the longer the more there are

    def __init__(self, factored: Factored, allowed: BoolArray, required: BoolArray, max_parents: int) -> None:
        n = len(factored.own)
        self._required, self._may = required, allowed | required
        most = max(min(factored.most_rank - 1, max_parents), int(required.sum(axis=0).max(initial=0)), 0)
        width = min(max(min(WIDEST, isqrt(MOST_CELLS // n)), 1 + int(required.sum(axis=0).max(initial=0))), n)
        self._most = min(most, width - 1)
        self._columns = np.zeros((n, width), dtype=np.int32)
        self._sizes = np.zeros(n, dtype=np.int64)
        self._lists = by_candidates.Lists(
            score=factored,
            columns=self._columns,
            sizes=self._sizes,
            correlations=np.zeros((n, width, width)),
            floors=np.ones((n, width)),
            costs=np.zeros((n, 1, width)),
        )
        self._local = by_candidates.Local(
            path=path_for(width, self._most),
            roles=np.zeros(width, dtype=np.uint8),
            before=np.zeros(width, dtype=np.bool_),
            near=np.full(width, by_factor.NEVER, dtype=np.int32),
            parents=np.zeros(width, dtype=np.bool_),
        )
        self.kernel = by_candidates.grow_and_shrink
        self._each(lambda screen, v: self._list(v, self._promising(screen, v)))
        self.ask(0.0)

    def _each(self, work: Callable[[by_candidates.Screen, int], int]) -> int:
        """The sum of what is done for each column, shared by the threads."""
        n, parts = len(self._sizes), 2

        def some(part: int) -> int:
            screen = by_candidates.Screen(
                may=np.zeros(n, dtype=np.bool_),
                rows=np.empty((max(self._most, STEPS), n)),
                left=np.empty(n),
                shared=np.empty(n),
                shares=np.empty(n),
                merits=np.empty(n),
            )
            return sum(work(screen, v) for v in range(part, n, parts))

        return sum(map_threads(some, range(parts)))

    def _promising(self, screen: by_candidates.Screen, child: int) -> FloatArray:
        """Merits of columns: those that forward selection comes upon, the earlier the higher."""
        score = self._lists.score
        screen.may[:] = self._may[:, child]
        by_candidates.regress(score, child, min(STEPS, score.most_rank - 1), screen)
        alone = np.where(self._may[:, child] & (screen.merits == 0.0), np.abs(score.correlations[child]), 0.0)
        fill = FILLED - np.count_nonzero(screen.merits)
        if fill > 0:
            filling = np.argsort(-alone, kind="stable")[:fill]
            screen.merits[filling] += alone[filling]  # which is 0 for those that have merits
        return screen.merits

    def _list(self, child: int, merits: FloatArray) -> int:
        """Put those with the highest merits on a list, and whoever is required; of those tied the first."""
        room = self._columns.shape[1] - 1
        merits = np.where(self._required[:, child], np.inf, merits)
        merits[child] = 0.0
        best = np.argsort(-merits, kind="stable")[:room]
        best = np.sort(best[merits[best] > 0.0])
        self._sizes[child] = 1 + len(best)
        self._columns[child, 0] = child
        self._columns[child, 1 : 1 + len(best)] = best
        by_candidates.gather(self._lists, child)
        return 1

    def ask(self, price: float) -> None:
        """Let each arc cost so much more than the score asks for it."""
        dearer = self._lists._replace(costs=self._lists.costs + price)
        self.sources: list[Any] = [(dearer, self._local)]

    def missed(self, parents: BoolArray) -> int:
        """Let columns onto lists that would raise somebody's score, given its parents (a row for each); how many lists.

        Where a list is full they take the places of the weakest who are no parents.
        """

        def work(screen: by_candidates.Screen, child: int) -> int:
            members, score = parents[child].nonzero()[0], self._lists.score
            listed = self._columns[child, : self._sizes[child]]
            screen.may[:] = self._may[:, child]
            screen.may[listed] = False
            if len(members) >= self._most or not by_candidates.outside(score, child, members, screen):
                return 0
            merits = screen.shares + (screen.shares > 0.0)
            merits[listed] = np.abs(score.correlations[child, listed])
            merits[members] = np.inf
            return self._list(child, merits)

        return self._each(work)

    def supply(self) -> None:
        raise AssertionError("nothing is ever lacking")  # pragma: no cover

    @property
    def asked(self) -> int:
        return self._local.path.counts[by_factor.FAMILIES].item()

    computed = asked
