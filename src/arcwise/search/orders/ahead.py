"""Restarts on several threads at once, as if they were made one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

import numpy as np

from arcwise.parts.protocols import tolerance
from arcwise.search.orders.walk import Move, OrderWalk, some_moves
from arcwise.stats.threads import map_threads

EACH = 4  # walks of one thread before others wait for it: its last one is then a small part of them


@dataclass(frozen=True)
class Walked:
    """A walk that has ended, and what it took: random numbers, up to `random`, and families asked for."""

    moves: list[Move]
    end: tuple[Any, ...]
    random: Any
    asked: int


class Ahead:
    """Walks from near one order, made before it is known whether they will be wanted.

    Each draws its random numbers behind those of the one before it. When one is taken the generator stands behind its
    own, and its families are counted: nothing tells that there were others.
    """

    def __init__(self, walks: Sequence[OrderWalk], rng: np.random.Generator, stop: Callable[[], bool]) -> None:
        self._walks, self._rng, self._stop = walks, rng, stop
        self._waiting: list[Walked] = []
        self.asked = 0

    def take(self, walk: OrderWalk, best: tuple[Any, ...], score: float, strays: Sequence[int]) -> list[Move] | None:
        """Bring a walk to where the next one has ended: its moves; None when stopped.

        score: of the best order. strays: random moves of the next walk, of the one after it, ...
        """
        if not self._waiting:
            self._waiting = self._made(walk.tie, best, score, strays[: EACH * len(self._walks)])
            if not self._waiting:
                return None
        walked = self._waiting.pop(0)
        walk.restore(walked.end)
        self._rng.bit_generator.state = walked.random
        self.asked += walked.asked
        return walked.moves

    def forget(self) -> None:
        """The best order is another one now."""
        self._waiting = []

    def _made(self, tie: float, best: tuple[Any, ...], score: float, strays: Sequence[int]) -> list[Walked]:
        """The walks up to the first that ends higher, one after the other for whoever is free."""
        rng, n, made = self._rng, len(best[0]), dict[int, Walked]()
        drawn = [(some_moves(rng, n, size), rng.bit_generator.state) for size in strays]
        numbers, last = iter(range(len(drawn))), len(drawn)  # last: behind it none is wanted

        def work(walk: OrderWalk) -> None:
            nonlocal last
            walk.tie = tie
            for i in numbers:
                before, moves, (away, random) = walk.asked, list[Move](), drawn[i]
                walk.restore(best)
                walk.stray(away)
                walk.rest()
                while (more := walk.go_on()) is not None:
                    moves += more
                    if walk is self._walks[0] and self._stop():  # which is the caller's: monitors know one thread
                        last = -1
                    if i > last:
                        return
                made[i] = Walked(moves, walk.save(), random, walk.asked - before)
                if walk.score > score + tolerance(walk.score):
                    last = min(last, i)
                if last < len(drawn):
                    return

        map_threads(work, self._walks)
        # Whoever writes `last` at the same time as another one may bring back a walk that is not there, or not wanted.
        return [made[i] for i in takewhile(made.__contains__, range(last + 1))]
