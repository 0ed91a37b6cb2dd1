"""An order on its way through best order score search."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from arcwise._kernels.by_address import NOWHERE, address_of
from arcwise._kernels.gaussian.families import Factored
from arcwise._kernels.graphs.rows import WORD
from arcwise._kernels.orders import by_factor, by_rows, moves, tucks
from arcwise._kernels.orders.by_factor import BARRED, CANDIDATE, NEVER, REQUIRED
from arcwise.data.dataset import BoolArray, IntArray
from arcwise.graph.adjacency import topological_sort
from arcwise.parts.knowledge import BoundKnowledge
from arcwise.parts.protocols import tolerance
from arcwise.search.greedy.cache import ScoreCache
from arcwise.stats.threads import map_threads

if TYPE_CHECKING:
    from arcwise.search.orders.listed_rows import ListedRows

MOST_WORDS = 1 << 25  # 256 MB: what is kept about columns on the other side of others
# Columns from which on turns are taken one by one: slow scores may be stopped between two, and threads may share one.
# What sharing costs, in seconds on random Gaussian networks: 60 columns with 8 neighbours 0.31, and 0.15 where threads
# have restarts of their own; without restarts 200 columns with 8 neighbours 0.98, and 0.73 on one thread; but 200
# columns with 20 neighbours 32, and 44 on one.
ONE_BY_ONE, SHARED = 40, 100
VECTOR = 16  # numbers that a loop of a kernel takes at a time
TURNS, REPORTED = 32, 16  # at once: turns of columns, moves


NOWHERE_ELSE: IntArray = np.zeros((0, 2), dtype=np.int64)
Move = tuple[int, int, float]  # a column, the one that it went behind (or -1), the score then


class ByRows:
    """Scores from a cache of toggle rows, worked out in Python where no kernel can. listed: whose cache it is."""

    n_rooms = 1
    one_by_one = ONE_BY_ONE
    restarts = 400  # in vain, for all columns together: families that were met before cost nothing

    def __init__(self, cache: ScoreCache, listed: ListedRows | None = None) -> None:
        self.listed = listed
        self._bits = np.zeros(cache.rows.parents.shape[1], dtype=np.uint64)
        self._take(cache)
        self._cursor = np.zeros(4, dtype=np.int64)
        self.kernel = by_rows.grow_and_shrink
        self.has_bounds, self.bounds = False, _bounds(0)
        self.ask(0.0)

    def _take(self, cache: ScoreCache) -> None:
        n = len(cache.limits.cards)
        self._cache = cache
        self._lists = _lists(len(cache.rows.scores), n)
        self._roots = np.full(n, by_rows.NO_ROW, dtype=np.int32)

    def ask(self, price: float) -> None:
        """Let each arc cost so much more than the score asks for it."""
        self._price = price
        self._renew()

    def missed(self, place: IntArray, adj: BoolArray) -> bool:
        """Whether parents were missed that were not permitted; from now on they are."""
        larger = None if self.listed is None else self.listed.look_beyond(place, adj)
        if larger is None:
            return False
        self._take(larger)
        self._renew()
        return True

    def _renew(self) -> None:
        cache, lists = self._cache, self._lists
        if len(cache.rows.scores) > len(lists.heads):
            self._lists = _lists(len(cache.rows.scores), len(self._roots))
            self._lists.heads[: len(lists.heads)] = lists.heads
            self._lists.used[0] = used = lists.used.item()
            for new, old in (self._lists.columns, lists.columns), (self._lists.steps, lists.steps):
                new[:used] = old[:used]
        tree = by_rows.Tree(
            cache.rows, cache.limits, self._lists, self._roots, self._cursor, cache.families, cache.address, self._price
        )
        self.sources: list[Any] = [(tree, self._bits)]

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


def _lists(room: int, n: int) -> by_rows.Lists:
    """Room for lists of all columns, of which most will be short: pages that nobody writes to take no memory."""
    return by_rows.Lists(
        heads=np.full((room, 4), by_rows.NO_ROW, dtype=np.int64),
        columns=np.empty(room * n, dtype=np.int32),
        steps=np.empty(room * n, dtype=np.int32),
        used=np.zeros(1, dtype=np.int64),
    )


class ByFactor:
    """Scores from a correlation matrix, worked out as they are needed."""

    n_rooms = 2  # one for each thread
    one_by_one = SHARED
    restarts = 150

    def __init__(self, factored: Factored, required: BoolArray, max_parents: int) -> None:
        n = len(factored.own)
        most = max(min(n - 1, factored.most_rank - 1, max_parents), int(required.sum(axis=0).max(initial=0)), 0)
        self.kernel = by_factor.grow_and_shrink
        self.sources: list[Any] = [(factored, path_for(n, most)) for _ in range(self.n_rooms)]
        powers_differ = bool(np.ptp(factored.power)) or bool(factored.base.any()) or factored.det_weight > 0.0
        self.has_bounds = not powers_differ and bool((factored.costs >= 0.0).all())
        self.bounds = _bounds(n)
        self._factored = factored

    def ask(self, price: float) -> None:
        """Let each arc cost so much more than the score asks for it."""
        dearer = self._factored._replace(costs=self._factored.costs + price)
        self.sources = [(dearer, path) for _, path in self.sources]

    def supply(self) -> None:
        raise AssertionError("nothing is ever lacking")  # pragma: no cover

    @property
    def asked(self) -> int:
        return sum(path.counts[by_factor.FAMILIES].item() for _, path in self.sources)

    computed = asked


def _bounds(n: int) -> by_factor.Bounds:
    return by_factor.Bounds(np.empty((n, n)), np.empty((3, n)), np.zeros(1, dtype=np.bool_))


def path_for(n: int, most: int) -> by_factor.Path:
    width = -(-n // VECTOR) * VECTOR
    return by_factor.Path(
        members=np.empty(most, dtype=np.int64),
        taken=np.full(n, NEVER, dtype=np.int32),
        rows=np.empty((most, width)),
        left=np.empty((most + 1, width)),
        shared=np.empty((most + 1, width)),
        inverse=np.empty((most, most)),
        hopeful=np.empty(n, dtype=np.int64),
        merits=np.empty(n),
        shrinking=np.empty((3, most)),
        leavers=np.empty((most, most)),
        counts=np.zeros(2, dtype=np.int64),
    )


def some_moves(rng: np.random.Generator, n: int, size: int) -> IntArray:
    """(columns, places), both random."""
    return rng.integers(n, size=(size if n > 1 else 0, 2))


def roles_of(known: BoundKnowledge) -> NDArray[np.uint8]:
    """What each column may be to another: of each child a row."""
    roles = np.full(known.required.shape, BARRED, dtype=np.uint8)
    roles[known.allowed.T] = CANDIDATE
    roles[known.required.T] = REQUIRED
    return roles


def obeying(required: BoolArray, order: IntArray) -> IntArray:
    """The order, changed as little as required edges need."""
    if not required.any():
        return order
    return order[topological_sort(required[np.ix_(order, order)])]


class OrderWalk:
    """An order, and the parents of each column among those before it.

    Invariants between calls: `place` is the inverse of `order`; `local`, `near` and `parents` are those of the order.
    """

    def __init__(self, known: BoundKnowledge, scores: ByRows | ByFactor) -> None:
        n = len(known.required)
        words = -(-n // WORD)
        roles = roles_of(known)
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
        self._rooms = [
            moves.Room(np.zeros(n, dtype=np.bool_), np.full(n, NEVER, dtype=np.int32), np.zeros(n, dtype=np.bool_))
            for _ in range(scores.n_rooms)
        ]
        self._spans = moves.Spans(np.zeros(n), np.full(n, np.inf), np.zeros(n))
        self._turns = moves.Turns(
            queue=np.zeros(n, dtype=np.int64),
            cursor=np.zeros(5, dtype=np.int64),
            waiting=np.zeros(n, dtype=np.int64),
            crossed=np.zeros(words, dtype=np.uint64),
            moved=np.zeros((REPORTED, 2), dtype=np.int64),
            scores=np.zeros(REPORTED),
        )
        room = self._rooms[0]
        self._address = address_of(
            scores.kernel, *scores.sources[0], roles[0], 0, room.before, room.near, 0, 0.0, room.parents
        )
        self.tie = 0.0

    @property
    def order(self) -> IntArray:
        return self._state.order.copy()

    @property
    def place(self) -> IntArray:
        return self._state.place.copy()

    @property
    def adjacency(self) -> BoolArray:
        return self._state.parents.T.copy()

    @property
    def score(self) -> float:
        return float(self._state.local.sum())

    def begin(self, order: IntArray, scored: Callable[[int], bool], price: float = 0.0) -> bool:
        """Take another order, in which required parents come first; False when stopped.

        scored(i): told that i columns have their parents; False: stop. price: of each arc, besides what the score asks.
        """
        self._scores.ask(price)
        self._state.order[:] = obeying(self._required, order)
        self._state.place[self._state.order] = np.arange(len(order))
        self._state.others[:] = np.nan
        self._scores.bounds.there[0] = False
        if not self._settle_all(scored):
            return False
        self.tie = tolerance(self.score)
        return True

    def _settle_all(self, scored: Callable[[int], bool]) -> bool:
        """Give all columns the parents that they have in the order; False when stopped."""
        state, cursor, waiting = self._state, self._turns.cursor, self._turns.waiting
        n = len(state.order)
        at_once = n if n < self._scores.one_by_one else 1

        def going() -> bool:
            return scored(state.place.item(waiting.item(cursor[moves.WAITING] - 1)))

        for first in range(0, n, max(at_once, 1)):
            some = state.order[first : first + at_once]
            waiting[: len(some)] = some[::-1]
            cursor[moves.WAITING] = len(some)
            if not (going() and self._take_turns(NOWHERE_ELSE, 0, going)):
                cursor[moves.WAITING] = 0
                return False
        return True

    def rest(self) -> None:
        """Let all columns have their turns again, the first of the order first."""
        self._turns.cursor[:] = len(self._state.order), 0, 0, 0, 0

    def go_on(self) -> list[Move] | None:
        """Some more turns: the moves; None: it ends."""
        cursor, turns, n = self._turns.cursor, self._turns, len(self._state.order)
        if cursor[moves.SETTLED] >= n:
            return None
        if n >= self._scores.one_by_one:
            return self._next_turn()
        self._take_turns(NOWHERE_ELSE, TURNS)
        made = cursor.item(moves.MOVED)
        return [
            (x, behind, score)
            for (x, behind), score in zip(turns.moved[:made].tolist(), turns.scores[:made].tolist(), strict=True)
        ]

    def _next_turn(self) -> list[Move]:
        """The turn of one column."""
        state, cursor, queue = self._state, self._turns.cursor, self._turns.queue
        if cursor[moves.NEXT] == len(queue):
            queue[:] = state.order
            cursor[moves.NEXT] = 0
        x = queue.item(cursor[moves.NEXT])
        place = self.improve(x)
        cursor[moves.NEXT] += 1
        cursor[moves.SETTLED] += 1
        if place is None:
            return []
        cursor[moves.SETTLED] = 0
        return [(x, state.order.item(place - 1) if place else -1, self.score)]

    @cached_property
    def _kernels(self) -> moves.Kernels:
        state, source, grow, room, spans = (
            self._state,
            self._scores.sources[0],
            self._address,
            self._rooms[0],
            self._spans,
        )
        bounds, turns, bound = self._scores.bounds, self._turns, NOWHERE
        if self._scores.has_bounds:
            bound = address_of(by_factor.most_at_places, source[0], bounds, state.order, 0, spans.most)
        return moves.Kernels(
            grow_and_shrink=grow,
            others=address_of(moves.of_others, state, source, grow, room, 0, 0, 1, 0.0, spans.gains),
            bounds=bound,
            places=address_of(moves.best_place, state, source, grow, room, 0, 0.0, spans),
            moving=address_of(moves.move, state, bounds, 0, 0, turns.waiting, turns.crossed),
            settling=address_of(moves.settle, state, source, grow, room, 0, 0.0),
        )

    def improve(self, x: int) -> int | None:
        """Move x to its best place, and say where that is; None where no place is better than its own."""
        state, rooms, tie, spans = self._state, self._rooms, self.tie, self._spans
        parts = len(rooms) if len(state.order) >= SHARED else 1

        def others(part: int) -> None:
            room = rooms[part]
            self._whole(
                lambda: moves.of_others(
                    state, self._scores.sources[part], self._address, room, x, part, parts, tie, spans.gains
                )
            )

        map_threads(others, range(parts))
        if self._scores.has_bounds:
            at = state.place.item(x)
            by_factor.most_at_places(self._scores.sources[0][0], self._scores.bounds, state.order, at, spans.most)
        place, gain = -1, 0.0
        while place < 0:
            place, gain = moves.best_place(state, self._scores.sources[0], self._address, rooms[0], x, tie, spans)
            if place < 0:
                self._scores.supply()
        if gain <= tie:
            return None
        self.stray(np.array([[x, place]]))
        return place

    def tuck(self, y: int) -> IntArray | None:
        """The order with y and its ancestors before one of its parents, if they are several and that gains."""
        state, n = self._state, len(self._state.order)
        span, along = np.zeros(2, dtype=np.int64), np.zeros(n, dtype=np.bool_)
        tuck, found = tucks.Tuck(np.zeros(n, dtype=np.int64), span, along), tucks.LACKING
        while found == tucks.LACKING:
            source, room = self._scores.sources[0], self._rooms[0]
            found = tucks.first_tuck(state, source, self._address, room, y, self.tie, tuck)
            if found == tucks.LACKING:
                self._scores.supply()
        if found == tucks.NONE:
            return None
        first, last = span.tolist()
        order = self.order
        order[first : last + 1] = tuck.block[: last - first + 1]
        return order

    def stray(self, away: IntArray) -> None:
        """Move columns to these places, whatever that loses, or as near as required edges permit."""
        self._take_turns(away, 0)

    def _take_turns(self, away: IntArray, most: int, going: Callable[[], bool] = lambda: True) -> bool:
        """going: asked whenever something is lacking; False: stop. Whether it was not stopped."""
        state, kernels, room, spans, turns = self._state, self._kernels, self._rooms[0], self._spans, self._turns
        turns.cursor[moves.MOVED] = turns.cursor[moves.STRAYED] = 0
        return self._whole(
            lambda: moves.take_turns(
                state, self._scores.sources[0], kernels, self._scores.bounds, room, spans, turns, away, most, self.tie
            ),
            going,
        )

    @property
    def asked(self) -> int:
        """Families that a score was asked for."""
        return self._scores.asked

    def save(self) -> tuple[Any, ...]:
        """All that belongs to the present order."""
        return tuple(array.copy() for array in self._state)

    def restore(self, saved: tuple[Any, ...]) -> None:
        """Go back to an order."""
        for array, old in zip(self._state, saved, strict=True):
            array[:] = old
        self._scores.bounds.there[0] = False

    def _whole(self, call: Callable[[], bool], going: Callable[[], bool] = lambda: True) -> bool:
        """Call a kernel until nothing is lacking; False when stopped."""
        while not call():
            if not going():
                return False
            self._scores.supply()
        return True
