"""Numbers beside edges: where each has room, clear of boxes, of other numbers and as far as possible of other edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arcwise.drawing.places import Box
from arcwise.drawing.scene import COLORS, Letters, Point, width_of

FloatArray = NDArray[np.float64]
SIZE = 10.5
MOST_EDGES = 60
STEPS = 8  # points on each cubic piece
ALONG = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.2, 0.8)  # shares of the way, the best first
CROSSED, MOVED = 1.0, 0.15  # what a point of another edge below the number costs, and a step away from the middle


@dataclass(frozen=True, slots=True)
class Number:
    """A text around (x, y)."""

    text: str
    x: float
    y: float

    @property
    def half(self) -> Point:
        return width_of(self.text, SIZE) / 2 + 1.0, SIZE / 2 + 1.0

    def letters(self) -> Letters:
        return Letters(self.text, self.x, self.y + 0.35 * SIZE, SIZE, COLORS["ink"], "center", halo=COLORS["paper"])


def placed_numbers(
    curves: Sequence[tuple[Point, ...]], texts: Sequence[str], boxes: Sequence[Box]
) -> list[Number | None]:
    """A place on each curve that has a text; None where there is none, or where there are too many edges."""
    found: list[Number | None] = [None] * len(curves)
    if not any(texts) or len(curves) > MOST_EDGES:
        return found
    ways = [sampled(curve) for curve in curves]
    owner = np.repeat(np.arange(len(ways)), [len(way) for way in ways])
    points = np.concatenate(ways)
    taken = [(box.x, box.y, box.width / 2 + 1.0, box.height / 2 + 1.0) for box in boxes]
    shortest_first = sorted(range(len(ways)), key=lambda k: (_length(ways[k]), k))
    for k in shortest_first:
        if texts[k]:
            number = _best(ways[k], texts[k], points[owner != k], taken)
            if number is not None:
                found[k] = number
                taken.append((number.x, number.y, *number.half))
    return found


def sampled(curve: tuple[Point, ...]) -> FloatArray:
    """Points along the cubic pieces of a curve, (n, 2)."""
    t = np.linspace(0.0, 1.0, STEPS + 1)[:, None]
    nodes = np.array(curve)
    pieces = [
        (1 - t) ** 3 * nodes[i]
        + 3 * (1 - t) ** 2 * t * nodes[i + 1]
        + 3 * (1 - t) * t**2 * nodes[i + 2]
        + t**3 * nodes[i + 3]
        for i in range(0, len(nodes) - 1, 3)
    ]
    return np.concatenate([pieces[0], *(piece[1:] for piece in pieces[1:])])


def _length(way: FloatArray) -> float:
    return round(float(np.hypot(*np.diff(way, axis=0).T).sum()), 3)


def _best(
    way: FloatArray, text: str, others: FloatArray, taken: Sequence[tuple[float, float, float, float]]
) -> Number | None:
    steps = np.hypot(*np.diff(way, axis=0).T)
    reached = np.concatenate([[0.0], np.cumsum(steps)])
    best: tuple[float, Number] | None = None
    for rank, share in enumerate(ALONG):
        x, y = (float(np.interp(share * reached[-1], reached, way[:, axis])) for axis in (0, 1))
        number = Number(text, x, y)
        wide, high = number.half
        if any(abs(x - bx) < wide + bw and abs(y - by) < high + bh for bx, by, bw, bh in taken):
            continue
        crossed = np.count_nonzero((np.abs(others[:, 0] - x) < wide + 2.0) & (np.abs(others[:, 1] - y) < high + 2.0))
        cost = CROSSED * float(crossed) + MOVED * rank
        if best is None or cost < best[0]:
            best = cost, number
    return None if best is None else best[1]
