"""Quantiles of more numbers than one wants to keep: a deterministic sketch that knows how far off it may be.

Level h holds values that stand for 2^h numbers each. A level that overflows is sorted and every second value goes up to
the next level; which of two, alternates. For any x this moves the number of values up to x by at most 2^h, upward where
the first of each pair is kept and downward where the second is, so that turns cancel. Both sums are kept: they bound
the error of every rank. As long as nothing overflowed the sketch is exact. (A compactor as that of Manku, Rajagopalan
and Lindsay, 1998, with the alternation of Agarwal et al., 2013, but without their random start.)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from arcwise.data.dataset import FloatArray
from arcwise.errors import DataError

CAPACITY = 2048  # values of a level


@dataclass(frozen=True, slots=True, eq=False)
class Sketch:
    """Some of n numbers. levels: sorted values; turns: how often each level overflowed.

    over, under: by how much the number of values up to any x may be too high or too low.
    """

    n: int = 0
    levels: tuple[FloatArray, ...] = ()
    turns: tuple[int, ...] = ()
    over: int = 0
    under: int = 0
    low: float = field(default=np.inf)
    high: float = field(default=-np.inf)
    capacity: int = CAPACITY

    @property
    def error(self) -> int:
        """By how many numbers a rank may be off, at most; 0: it is exact."""
        return max(self.over, self.under)

    def add(self, values: ArrayLike) -> Sketch:
        """With more numbers, none of them NaN."""
        more = np.sort(np.asarray(values, dtype=np.float64))
        if not len(more):
            return self
        return self.merge(
            Sketch(len(more), (more,), (0,), 0, 0, float(more[0]), float(more[-1]), capacity=self.capacity)
        )

    def merge(self, other: Sketch) -> Sketch:
        """The sketch of the numbers of both."""
        if self.capacity != other.capacity:
            raise DataError("sketches of different capacities cannot be merged; make both with the same")
        height = max(len(self.levels), len(other.levels))
        levels = [np.concatenate([_at(self, h), _at(other, h)]) for h in range(height)]
        turns = [_turns(self, h) + _turns(other, h) for h in range(height)]
        both = replace(
            self,
            n=self.n + other.n,
            over=self.over + other.over,
            under=self.under + other.under,
            low=min(self.low, other.low),
            high=max(self.high, other.high),
        )
        return _compacted(both, levels, turns)

    def rank(self, x: float) -> int:
        """About how many of the numbers are at most x, off by `error` at most."""
        return sum(int(np.searchsorted(values, x, "right")) << h for h, values in enumerate(self.levels))

    def quantiles(self, shares: ArrayLike) -> FloatArray:
        """For each share q the smallest value kept of which at least q n numbers are not above it.

        Its rank is off by `error` at most, beyond what ties do.
        """
        if not self.n:
            raise DataError("a sketch of no numbers has no quantiles")
        values = np.concatenate(self.levels)
        weights = np.repeat([1 << h for h in range(len(self.levels))], [len(level) for level in self.levels])
        order = np.argsort(values, kind="stable")
        ranks = np.cumsum(weights[order])
        wanted = np.clip(np.ceil(np.asarray(shares, dtype=np.float64) * self.n), 1, ranks[-1])
        return values[order][np.minimum(np.searchsorted(ranks, wanted), len(order) - 1)]

    def to_dict(self) -> dict[str, Any]:
        return {
            "n": self.n,
            "levels": [level.tolist() for level in self.levels],
            "turns": list(self.turns),
            "over": self.over,
            "under": self.under,
            "low": self.low if self.n else None,
            "high": self.high if self.n else None,
            "capacity": self.capacity,
        }

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> Sketch:
        """The inverse of `to_dict`."""
        low, high = (np.inf, -np.inf) if not content["n"] else (content["low"], content["high"])
        levels = tuple(np.array(level, dtype=np.float64) for level in content["levels"])
        return Sketch(
            content["n"], levels, tuple(content["turns"]), content["over"], content["under"], low, high,
            content["capacity"],
        )  # fmt: skip


def merged(sketches: Iterable[Sketch]) -> Sketch:
    """One sketch of all, in their order."""
    found: Sketch | None = None
    for sketch in sketches:
        found = sketch if found is None else found.merge(sketch)
    return Sketch() if found is None else found


def _at(sketch: Sketch, h: int) -> FloatArray:
    return sketch.levels[h] if h < len(sketch.levels) else np.zeros(0)


def _turns(sketch: Sketch, h: int) -> int:
    return sketch.turns[h] if h < len(sketch.turns) else 0


def _compacted(sketch: Sketch, levels: list[FloatArray], turns: list[int]) -> Sketch:
    """Levels that overflow go up, from the lowest on."""
    over, under, h = sketch.over, sketch.under, 0
    while h < len(levels):
        values = np.sort(levels[h], kind="stable")  # runs that are sorted are only merged
        if len(values) > sketch.capacity:
            if h + 1 == len(levels):
                levels.append(np.zeros(0))
                turns.append(0)
            even = len(values) - len(values) % 2  # one that is left over stays where it is
            second = turns[h] % 2
            levels[h + 1] = np.concatenate([levels[h + 1], values[second:even:2]])
            values = values[even:]
            over, under = (over, under + (1 << h)) if second else (over + (1 << h), under)
            turns[h] += 1
        levels[h] = values
        h += 1
    return replace(sketch, levels=tuple(levels), turns=tuple(turns), over=over, under=under)
