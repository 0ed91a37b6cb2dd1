"""An order on its way through best order score search."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from arcwise._kernels.by_address import address_of
from arcwise._kernels.gaussian.families import Factored
from arcwise._kernels.graphs.rows import WORD
from arcwise._kernels.orders import by_factor, by_rows, moves
from arcwise._kernels.orders.by_factor import BARRED, CANDIDATE, NEVER, REQUIRED
from arcwise.data.dataset import BoolArray, FloatArray, IntArray
from arcwise.graph.adjacency import topological_sort
from arcwise.parts.knowledge import BoundKnowledge
from arcwise.parts.protocols import tolerance
from arcwise.search.greedy.cache import ScoreCache
from arcwise.stats.threads import map_threads

MOST_WORDS = 1 << 25  # 256 MB: what is kept about columns on the other side of others
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

    def moved(self, first: int) -> None:
        """The order has changed from this place on."""

    def bound(self, state: moves.Order, x: int, most: FloatArray) -> None:
        """The most that x can have at each place: here that is not known."""

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
        powers_differ = bool(np.ptp(factored.power)) or bool(factored.base.any()) or factored.det_weight > 0.0
        self._has_bound = not powers_differ and bool((factored.costs >= 0.0).all())
        self._factored, self._factor, self._room, self._right = factored, np.empty((n, n)), np.empty(n), 0

    def moved(self, first: int) -> None:
        """The order has changed from this place on."""
        self._right = min(self._right, first)

    def bound(self, state: moves.Order, x: int, most: FloatArray) -> None:
        """The most that x can have at each place."""
        if self._has_bound:
            if self._right < len(most):
                by_factor.factor_in_order(self._factored, state.order, self._right, self._factor)
                self._right = len(most)
            at = state.place.item(x)
            by_factor.most_at_places(self._factored, at, x, self._factor, self._room, most)

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
        words = -(-n // WORD)
        roles = np.full((n, n), BARRED, dtype=np.uint8)
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
            others=np.full((n, n), np.nan),
            matters=np.zeros((n, n, words if n * n * words <= MOST_WORDS else 0), dtype=np.uint64),
        )
        self._crossed = np.zeros(words, dtype=np.uint64)
        self._rooms = [
            moves.Room(np.zeros(n, dtype=np.bool_), np.full(n, NEVER, dtype=np.int32), np.zeros(n, dtype=np.bool_))
            for _ in range(scores.n_rooms)
        ]
        self._spans = moves.Spans(np.zeros(n), np.full(n, np.inf), np.zeros(n))
        self._waiting = np.zeros(n, dtype=np.int64)
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
        self._state.others[:] = np.nan
        self._scores.moved(0)
        for i, child in enumerate(self.order):
            if not scored(i):
                return False
            self._settle(child)
        self.tie = tolerance(self.score)
        return True

    def improve(self, x: int) -> int | None:
        """Move x to its best place, and say where that is; None where no place is better than its own."""
        state, rooms, tie, spans = self._state, self._rooms, self.tie, self._spans
        parts = len(rooms) if len(state.order) >= THREADED else 1

        def others(part: int) -> None:
            room = rooms[part]
            self._whole(
                lambda: moves.of_others(
                    state, self._scores.sources[part], self._address, room, x, part, parts, tie, spans.gains
                )
            )

        map_threads(others, range(parts))
        self._scores.bound(state, x, spans.most)
        place, gain = -1, 0.0
        while place < 0:
            place, gain = moves.best_place(state, self._scores.sources[0], self._address, rooms[0], x, tie, spans)
            if place < 0:
                self._scores.supply()
        if gain <= tie:
            return None
        self._move(x, place)
        return place

    def stray(self, x: int, place: int) -> None:
        """Move x to this place, whatever that loses, or as near as required edges permit."""
        lowest, highest = moves.span(self._state, x)
        self._move(x, min(max(place, lowest), highest))

    def save(self) -> tuple[Any, ...]:
        """All that belongs to the present order."""
        return tuple(array.copy() for array in self._state)

    def restore(self, saved: tuple[Any, ...]) -> None:
        """Go back to an order."""
        for array, old in zip(self._state, saved, strict=True):
            array[:] = old
        self._scores.moved(0)

    def _move(self, x: int, place: int) -> None:
        self._scores.moved(min(place, self._state.place.item(x)))
        size = moves.move(self._state, x, place, self._waiting, self._crossed)
        for child in self._waiting[:size].tolist():
            self._settle(child)

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
