"""Axes of charts: where a number stands along one, linear or logarithmic, and the round numbers written at it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10
from typing import TypeGuard

from arcwise.drawing.scene import width_of

MOST, LEAST = 8, 3  # numbers along an axis
NEAR_ZERO = 0.3  # of the largest: an axis of numbers that go down so far begins at zero
DIGITS = ((1, 2, 5), (1, 3), (1,))  # of the numbers at a logarithmic axis, from many to few
BEYOND = 0.35  # of a step: a linear axis goes on to a round number that is so near
ROOM = 12.0  # pixels between two numbers that stand beside each other


@dataclass(frozen=True, slots=True)
class Scale:
    """From `low` to `high`, both included; `ticks` are the numbers to write, with their text."""

    low: float
    high: float
    logarithmic: bool
    ticks: tuple[tuple[float, str], ...]

    def share(self, value: float) -> float:
        """How far along the axis a number is, 0 to 1."""
        low, high, at = (log10(x) if self.logarithmic else x for x in (self.low, self.high, value))
        return (at - low) / (high - low)

    @property
    def widest(self) -> float:
        """Characters do not count alike: the width of the widest number at size 1."""
        return max((width_of(text, 1.0) for _, text in self.ticks), default=0.0)


def scale_of(
    values: Iterable[float | None], *, logarithmic: bool, room: float | None = None, size: float = 10.0
) -> Scale:
    """Around these numbers. room: pixels for ticks of this size beside each other; none where they are in a column."""
    there = [x for x in values if shown(x, logarithmic)]
    low, high = (min(there), max(there)) if there else (0.1, 1.0)
    if low == high:
        low, high = (low / 2, high * 2) if logarithmic else (low - (abs(low) or 1.0) / 2, high + (abs(high) or 1.0) / 2)
    if not logarithmic:
        low = 0.0 if 0.0 < low < NEAR_ZERO * high else low
        high = 0.0 if NEAR_ZERO * low < high < 0.0 else high
    for ticks in _logarithmic(low, high) if logarithmic else _linear(low, high):
        needed = sum(width_of(text, size) + ROOM for _, text in ticks)
        if len(ticks) <= MOST and (room is None or needed <= room):
            ends = [x for x, _ in ticks]
            return Scale(min([low, *ends]), max([high, *ends]), logarithmic, tuple(ticks))
    return Scale(low, high, logarithmic, ())


def shown(value: float | None, logarithmic: bool) -> TypeGuard[float]:
    """Whether a number has a place: zero and what is below has none along a logarithmic axis."""
    return value is not None and isfinite(value) and (value > 0 or not logarithmic)


def _linear(low: float, high: float, beyond: float = BEYOND) -> Iterable[Sequence[tuple[float, str]]]:
    """From many to few: multiples of 1, 2 or 5 times a power of ten."""
    power = 10.0 ** floor(log10((high - low) / MOST))
    for step in (digit * power * ten for ten in (1, 10, 100) for digit in (1, 2, 5)):
        slack = max(beyond, 1e-9) * step
        multiples = range(ceil((low - slack) / step), floor((high + slack) / step) + 1)
        yield [(k * step, _text(k * step, step)) for k in multiples]


def _logarithmic(low: float, high: float) -> Iterable[Sequence[tuple[float, str]]]:
    """From many to few: several in each decade, one in each, one in every second, ..."""
    first, last = floor(log10(low)), ceil(log10(high))
    ways = [(digits, 1) for digits in DIGITS] + [((1,), every) for every in range(2, last - first + 2)]
    for k, (digits, every) in enumerate(ways):
        numbers = [d * 10.0**power for power in range(first, last + 1) if power % every == 0 for d in digits]
        ticks = [(x, _text(x, x)) for x in numbers if low * (1 - 1e-9) <= x <= high * (1 + 1e-9)]
        if k == 0 and len(ticks) < LEAST:  # less than a decade or so: multiples are rounder
            yield from _linear(low, high, beyond=0.0)
        yield ticks


def _text(value: float, step: float) -> str:
    if value == 0:
        return "0"
    if not 1e-4 <= abs(value) < 1e7:
        mantissa, _, power = f"{value:.2e}".partition("e")
        return f"{mantissa.rstrip('0').rstrip('.')}e{int(power)}"
    return f"{value:,.{max(0, -floor(log10(step) + 1e-9))}f}"
