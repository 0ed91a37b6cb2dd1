"""An order on its way through best order score search."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from arcwise._kernels.by_address import address_of
from arcwise._kernels.gaussian.families import Factored
from arcwise._kernels.orders import by_factor, by_rows, moves
from arcwise._kernels.orders.by_factor import CANDIDATE, FREE, NEVER, REQUIRED
from arcwise.data.dataset import BoolArray, IntArray
from arcwise.graph.adjacency import topological_sort
from arcwise.parts.knowledge import BoundKnowledge
from arcwise.parts.protocols import tolerance
from arcwise.search.greedy.cache import ScoreCache
from arcwise.stats.threads import map_threads

THREADED = 40  # columns from which on two threads are quicker than one


class ByRows:
    """Scores from a cache of toggle rows, worked out in Python where no kernel can."""

    n_rooms = 1

    def __init__(self, cache: ScoreCache) -> None:
        self._cache = cache
        n = len(cache.limits.cards)
        self._bits = np.zeros(cache.rows.parents.shape[1], dtype=np.uint64)
        self._steps = np.full((len(cache.rows.scores), n), by_rows.NO_ROW, dtype=np.int32)
        self._roots = np.full(n, by_rows.NO_ROW, dtype=np.int32)
        self._cursor = np.zeros(4, dtype=np.int64)
        self.kernel = by_rows.grow_and_shrink
        self._renew()

    def _renew(self) -> None:
        cache = self._cache
        if len(cache.rows.scores) > len(self._steps):
            more = len(cache.rows.scores) - len(self._steps), self._steps.shape[1]
            self._steps = np.append(self._steps, np.full(more, by_rows.NO_ROW, dtype=np.int32), axis=0)
        tree = by_rows.Tree(
            cache.rows, cache.limits, self._steps, self._roots, self._cursor, cache.families, cache.address
        )
        self.sources = [(tree, self._bits)]

    def supply(self) -> None:
        """What the kernel was lacking."""
        child, place = self._cursor[by_rows.CHILD].item(), self._cursor[by_rows.PLACE].item()
        if place == by_rows.NO_ROW:
            self._cache.make_room()
        else:
            self._cache.work_out(child, place)
        self._renew()

    @property
    def asked(self) -> int:
        return self._cache.asked + self._cursor[by_rows.ASKED].item()

    @property
    def computed(self) -> int:
        return self._cache.computed + self._cursor[by_rows.COMPUTED].item()


class ByFactor:
    """Scores from a correlation matrix, worked out as they are needed."""

    n_rooms = 2  # one for each thread

    def __init__(self, factored: Factored, required: BoolArray, max_parents: int) -> None:
        n = len(factored.own)
        most = max(min(n - 1, factored.most_rank - 1, max_parents), int(required.sum(axis=0).max(initial=0)), 0)
        self.kernel = by_factor.grow_and_shrink
        self.sources: list[Any] = [(factored, _path(n, most)) for _ in range(self.n_rooms)]

    def supply(self) -> None:
        raise AssertionError("nothing is ever lacking")  # pragma: no cover

    @property
    def asked(self) -> int:
        return sum(path.counts[by_factor.FAMILIES].item() for _, path in self.sources)

    computed = asked


def _path(n: int, most: int) -> by_factor.Path:
    return by_factor.Path(
        members=np.empty(most, dtype=np.int64),
        taken=np.full(n, NEVER, dtype=np.int32),
        rows=np.empty((most, n)),
        left=np.empty((most + 1, n)),
        shared=np.empty((most + 1, n)),
        inverse=np.empty((most, most)),
        hopeful=np.empty(n, dtype=np.int64),
        merits=np.empty(n),
        shrinking=np.empty((3, most)),
        leavers=np.empty((most, most)),
        counts=np.zeros(2, dtype=np.int64),
    )


class OrderWalk:
    """An order, and the parents of each column among those before it.

    Invariants between calls: `place` is the inverse of `order`; `local`, `near` and `parents` are those of the order.
    """

    def __init__(self, known: BoundKnowledge, scores: ByRows | ByFactor) -> None:
        n = len(known.required)
        roles = np.full((n, n), FREE, dtype=np.uint8)
        roles[known.allowed.T] = CANDIDATE
        roles[known.required.T] = REQUIRED
        self._scores, self._required = scores, known.required
        self._state = moves.Order(
            order=np.arange(n),
            place=np.arange(n),
            local=np.full(n, -np.inf),
            near=np.full((n, n), NEVER, dtype=np.int32),
            parents=np.zeros((n, n), dtype=np.bool_),
            roles=roles,
        )
        self._rooms = [
            moves.Room(np.zeros(n, dtype=np.bool_), np.full(n, NEVER, dtype=np.int32), np.zeros(n, dtype=np.bool_))
            for _ in range(scores.n_rooms)
        ]
        self._gains, self._own, self._waiting = np.zeros(n), np.zeros(n), np.zeros(n, dtype=np.int64)
        room = self._rooms[0]
        self._address = address_of(
            scores.kernel, *scores.sources[0], roles[0], 0, room.before, room.near, 0, 0.0, room.parents
        )
        self.tie = 0.0

    @property
    def order(self) -> IntArray:
        return self._state.order.copy()

    @property
    def adjacency(self) -> BoolArray:
        return self._state.parents.T.copy()

    @property
    def score(self) -> float:
        return float(self._state.local.sum())

    def begin(self, order: IntArray, scored: Callable[[int], bool]) -> bool:
        """Take another order, in which required parents come first; False when stopped.

        scored(i): told that i columns have their parents; False: stop.
        """
        self._state.order[:] = self._obeying(order)
        self._state.place[self._state.order] = np.arange(len(order))
        for i, child in enumerate(self.order):
            if not scored(i):
                return False
            self._settle(child)
        self.tie = tolerance(self.score)
        return True

    def improve(self, x: int) -> int | None:
        """Move x to its best place, and say where that is; None where no place is better than its own."""
        state, rooms, tie = self._state, self._rooms, self.tie
        tasks = [(moves.of_itself, self._own), (moves.of_others, self._gains)]

        def work(task: int) -> None:
            kernel, out = tasks[task]
            room = task % len(rooms)
            self._whole(lambda: kernel(state, self._scores.sources[room], self._address, rooms[room], x, tie, out))

        if len(rooms) > 1 and len(self._own) >= THREADED:
            map_threads(work, range(2))
        else:
            work(0)
            work(1)
        place, gain = moves.best_place(state, x, tie, self._gains, self._own)
        if gain <= tie:
            return None
        size = moves.move(state, x, place, self._waiting)
        for child in self._waiting[:size].tolist():
            self._settle(child)
        return place

    def _settle(self, child: int) -> None:
        state, room, tie = self._state, self._rooms[0], self.tie
        self._whole(lambda: moves.settle(state, self._scores.sources[0], self._address, room, child, tie))

    def _whole(self, call: Callable[[], bool]) -> None:
        """Call a kernel until nothing is lacking."""
        while not call():
            self._scores.supply()

    def _obeying(self, order: IntArray) -> IntArray:
        """The order, changed as little as required edges need."""
        if not self._required.any():
            return order
        return order[topological_sort(self._required[np.ix_(order, order)])]
