"""Restarts on several threads at once, as if they were made one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from arcwise.data.dataset import IntArray
from arcwise.search.orders.walk import Move, OrderWalk
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

    def take(self, walk: OrderWalk, best: tuple[Any, ...], strays: Sequence[int]) -> list[Move]:
        """Bring a walk to where the next one has ended: its moves. strays: random moves of that one, the next, ..."""
        if not self._waiting:
            self._waiting = self._made(walk.tie, best, strays[: len(self._walks)])
        walked = self._waiting.pop(0)
        walk.restore(walked.end)
        self._rng.bit_generator.state = walked.random
        self.asked += walked.asked
        return walked.moves

    def forget(self) -> None:
        """The best order is another one now."""
        self._waiting = []

    def _made(self, tie: float, best: tuple[Any, ...], strays: Sequence[int]) -> list[Walked]:
        drawn = []
        for walk, size in zip(self._walks, strays, strict=False):
            drawn.append((walk, walk.some_moves(self._rng, size), self._rng.bit_generator.state))

        def made(one: tuple[OrderWalk, IntArray, Any]) -> Walked:
            walk, away, random = one
            before = walk.asked
            walk.tie = tie
            walk.restore(best)
            walk.stray(away)
            moves = walk.to_its_end()
            return Walked(moves, walk.save(), random, walk.asked - before)

        return map_threads(made, drawn)
