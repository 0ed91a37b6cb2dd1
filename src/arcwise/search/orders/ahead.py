"""Restarts on several threads at once, as if they were made one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from arcwise.parts.protocols import tolerance
from arcwise.search.orders.walk import Move, OrderWalk, some_moves
from arcwise.stats.threads import map_threads


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

    def __init__(self, walks: Sequence[OrderWalk], rng: np.random.Generator) -> None:
        self._walks, self._rng = walks, rng
        self._waiting: list[Walked] = []
        self.asked = 0

    def take(self, walk: OrderWalk, best: tuple[Any, ...], score: float, strays: Sequence[int]) -> list[Move]:
        """Bring a walk to where the next one has ended: its moves.

        score: of the best order. strays: random moves of the next walk, of the one after it, ...
        """
        if not self._waiting:
            self._waiting = self._made(walk.tie, best, score, strays)
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
        n, drawn = len(best[0]), []
        for size in strays:
            drawn.append((some_moves(self._rng, n, size), self._rng.bit_generator.state))
        numbers, made, last = iter(range(len(drawn))), dict[int, Walked](), len(drawn)

        def work(walk: OrderWalk) -> None:
            nonlocal last
            walk.tie = tie
            for i in numbers:
                away, random = drawn[i]
                before, moves = walk.asked, list[Move]()
                walk.restore(best)
                walk.stray(away)
                walk.rest()
                while i <= last and (more := walk.go_on()) is not None:
                    moves += more
                made[i] = Walked(moves, walk.save(), random, walk.asked - before)
                if i <= last and walk.score > score + tolerance(walk.score):
                    last = i
                if last < len(drawn):
                    return

        map_threads(work, self._walks)
        return [made[i] for i in range(min(last + 1, len(drawn)))]
