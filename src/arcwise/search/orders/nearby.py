"""An order of many columns on its way through best order score search."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from arcwise._kernels.by_address import address_of
from arcwise._kernels.graphs.rows import WORD
from arcwise._kernels.orders import moves, nearby, tucks
from arcwise._kernels.orders.by_factor import NEVER
from arcwise.data.dataset import BoolArray, IntArray
from arcwise.parts.knowledge import BoundKnowledge
from arcwise.parts.protocols import tolerance
from arcwise.search.orders.walk import NOWHERE_ELSE, ByRows, Move, obeying, roles_of

if TYPE_CHECKING:
    from arcwise.search.orders.candidates import ByCandidates

WIDE = 200  # columns from which on most of them have nothing to do with each other
AT_ONCE = 16  # turns of columns, or columns of the first order, before somebody may stop the walk


class NearbyWalk:
    """As OrderWalk, for more columns: a turn is taken only where something has changed, and a walk can be taken back.

    Invariants between calls: `place` is the inverse of `order`; `local`, `near` and `parents` are those of the order;
    no column that is not due has a better place.
    """

    def __init__(self, known: BoundKnowledge, scores: ByRows | ByCandidates) -> None:
        n, words = len(known.required), -(-len(known.required) // WORD)
        self._scores, self._required, self._n = scores, known.required, n
        self._state = moves.Order(
            order=np.arange(n),
            place=np.arange(n),
            local=np.full(n, -np.inf),
            near=np.full((n, n), NEVER, dtype=np.int32),
            parents=np.zeros((n, n), dtype=np.bool_),
            roles=roles_of(known),
            others=np.empty((0, 0)),
            matters=np.empty((0, 0, 0), dtype=np.uint64),
        )
        self._heed = nearby.Heed(
            heeds=_bits(n, words),
            reach=_bits(n, words),
            beyond=_bits(n, words),
            due=np.zeros(n, dtype=np.bool_),
            queue=np.zeros(n, dtype=np.int64),
            waiting=np.zeros(n, dtype=np.int64),
            cursor=np.zeros(6, dtype=np.int64),
        )
        self._journal = nearby.Journal(
            moves=np.empty((n, 4), dtype=np.int64),
            scores=np.empty(n),
            touched=np.zeros(n, dtype=np.int64),
            is_touched=np.zeros(n, dtype=np.bool_),
            local=np.empty(n),
            near=np.empty((n, n), dtype=np.int32),
            parents=np.empty((n, n), dtype=np.bool_),
            beyond=_bits(n, words),
            turned=np.zeros(n, dtype=np.int64),
            is_turned=np.zeros(n, dtype=np.bool_),
            reach=_bits(n, words),
        )
        room = moves.Room(np.zeros(n, dtype=np.bool_), np.full(n, NEVER, dtype=np.int32), np.zeros(n, dtype=np.bool_))
        required = bool(known.required.any())
        bits = _bits(2, words)
        self._space = nearby.Space(room, np.zeros(n), np.zeros(n), bits[0], bits[1], required)
        self._address = address_of(
            scores.kernel, *scores.sources[0], self._state.roles[0], 0, room.before, room.near, 0, 0.0, room.parents
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

    @property
    def asked(self) -> int:
        """Families that a score was asked for."""
        return self._scores.asked

    def begin(self, order: IntArray, scored: Callable[[int], bool], price: float = 0.0) -> bool:
        """As OrderWalk."""
        state, heed = self._state, self._heed
        self._scores.ask(price)
        state.order[:] = obeying(self._required, order)
        state.place[state.order] = np.arange(self._n)
        self.rest()
        for first in range(0, self._n, AT_ONCE):
            some = state.order[first : first + AT_ONCE]
            heed.waiting[: len(some)] = some[::-1]
            heed.cursor[nearby.WAITING] = len(some)
            if not scored(first):
                heed.cursor[nearby.WAITING] = 0
                return False
            self._walk(NOWHERE_ELSE, 0)
        heed.due[:] = True
        self.tie = tolerance(self.score)
        return True

    def rest(self) -> None:
        """Let columns that are due have their turns, the first of the order first."""
        nearby.begin_journal(self._heed, self._journal)
        self._heed.cursor[nearby.NEXT] = self._n

    def go_on(self) -> list[Move] | None:
        """Some more turns: the moves; None: it ends."""
        if not self._heed.due.any():
            return None
        nearby.begin_journal(self._heed, self._journal)
        self._walk(NOWHERE_ELSE, AT_ONCE)
        return self.moved()

    def moved(self) -> list[Move]:
        """The moves of the last walk."""
        made = self._heed.cursor.item(nearby.MOVED)
        told, scores = self._journal.moves[:made, [0, 3]].tolist(), self._journal.scores[:made].tolist()
        return [(x, behind, score) for (x, behind), score in zip(told, scores, strict=True)]

    def attempt(self, away: IntArray, stop: Callable[[], bool]) -> float:
        """What is gained when columns are sent to these places and walk on. Where that is nothing all is as before."""
        nearby.begin_journal(self._heed, self._journal)
        stopped = False
        while not stopped and self._walk(away, AT_ONCE) == nearby.PAUSED:
            stopped = stop()
            self._make_room()
        gain = 0.0 if stopped else nearby.gained(self._state, self._heed, self._journal)
        if gain > self.tie:
            return gain
        nearby.take_back(self._state, self._heed, self._journal)
        return 0.0

    def around(self, x: int) -> IntArray:
        """The columns whose places matter to x, or to which x matters, and x itself."""
        bits = np.unpackbits(self._heed.reach[x].view(np.uint8), bitorder="little")
        return np.union1d(bits[: self._n].nonzero()[0], [x])

    def random_moves(self, rng: np.random.Generator, x: int, size: int) -> IntArray:
        """Columns around x to places of others around it; none where there are no others."""
        some = self.around(x)
        drawn = rng.integers(len(some), size=(size if len(some) > 1 else 0, 2))
        return np.stack([some[drawn[:, 0]], self._state.place[some[drawn[:, 1]]]], axis=1)

    def tuck(self, y: int) -> IntArray | None:
        """Moves that bring y and its ancestors before one of its parents, if they are several and that gains."""
        n, span = self._n, np.zeros(2, dtype=np.int64)
        tuck, found = tucks.Tuck(np.zeros(n, dtype=np.int64), span, np.zeros(n, dtype=np.bool_)), tucks.LACKING
        while found == tucks.LACKING:
            source, room = self._scores.sources[0], self._space.room
            found = tucks.first_tuck(self._state, source, self._address, room, y, self.tie, tuck)
            if found == tucks.LACKING:
                self._scores.supply()
        if found == tucks.NONE:
            return None
        block = tuck.block[: span[1] - span[0] + 1]
        forward = block[tuck.along[block]]
        return np.stack([forward, span[0] + np.arange(len(forward))], axis=1)

    def save(self) -> tuple[Any, ...]:
        """All that belongs to the present order, but for the journal."""
        nearby.begin_journal(self._heed, self._journal)
        return tuple(array.copy() for array in (*self._state, *self._heed))

    def restore(self, saved: tuple[Any, ...]) -> None:
        """Go back to an order."""
        nearby.begin_journal(self._heed, self._journal)
        for array, old in zip((*self._state, *self._heed), saved, strict=True):
            array[:] = old

    def _walk(self, away: IntArray, most: int) -> int:
        """ENDED or PAUSED."""
        state, heed, journal, space = self._state, self._heed, self._journal, self._space
        while True:
            source = self._scores.sources[0]
            found: int = nearby.walk(state, source, self._address, heed, journal, space, away, most, self.tie)
            if found != nearby.LACKING:
                return found
            self._scores.supply()

    def _make_room(self) -> None:
        """For more moves in the journal."""
        old = self._journal
        if self._heed.cursor[nearby.MOVED] == len(old.moves):
            self._journal = old._replace(
                moves=np.append(old.moves, np.empty_like(old.moves), axis=0),
                scores=np.append(old.scores, np.empty_like(old.scores)),
            )


def _bits(n: int, words: int) -> Any:
    return np.zeros((n, words), dtype=np.uint64)
