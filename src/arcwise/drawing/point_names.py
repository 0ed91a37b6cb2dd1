"""Names beside the points of a chart: each where it hides least, another name or a point least of all."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

from arcwise.drawing.scene import COLORS, Letters, Line, Point, Scene, width_of

SIZE = 10.0
TURNS = 4  # each name is placed again when all others have a place
AWAY = (6.0, 13.0, 22.0, 34.0)  # pixels from the point; further away a line leads to it
LEADS = 13.0
SIDES = ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1))  # the first are nicest
ON_POINT, ON_NAME, OUTSIDE = 40.0, 100.0, 400.0  # what hiding costs, beside the area
Area = tuple[float, float, float, float]  # left, top, right, bottom


def add_names(scene: Scene, names: Sequence[tuple[Point, str]], points: Sequence[Point], inside: Area) -> None:
    """names: with their points. points: all that should not be hidden."""
    ways = [_ways(point, text) for point, text in names]
    chosen = [options[0] for options in ways]
    for _ in range(TURNS):
        before = list(chosen)
        for i, ((point, _), options) in enumerate(zip(names, ways, strict=True)):
            others = [area for k, (area, _) in enumerate(chosen) if k != i]
            costs = [_cost(option, point, others, points, inside) for option in options]
            chosen[i] = options[costs.index(min(costs))]
        if chosen == before:
            break
    for ((x, y), text), (area, distance) in zip(names, chosen, strict=True):
        left, top, right, bottom = area
        if distance > LEADS:
            end = (min(max(x, left), right), min(max(y, top), bottom))
            scene.lines.append(Line(((x, y), end), COLORS["edge"], 0.6))
        scene.letters.append(Letters(text, left, bottom - 0.25 * SIZE, SIZE, COLORS["ink"]))


def _ways(point: Point, text: str) -> list[tuple[Area, float]]:
    """Areas for a name around its point, from near to far."""
    x, y = point
    wide, high = width_of(text, SIZE), 1.15 * SIZE
    found = []
    for away in AWAY:
        for across, down in SIDES:
            short = 0.7 if across and down else 1.0
            left = x + short * away * across + (0.0 if across > 0 else -wide if across < 0 else -wide / 2)
            top = y + short * away * down + (0.0 if down > 0 else -high if down < 0 else -high / 2)
            found.append(((left, top, left + wide, top + high), away))
    return found


def _cost(way: tuple[Area, float], own: Point, others: Sequence[Area], points: Sequence[Point], inside: Area) -> float:
    area, distance = way
    left, top, right, bottom = area
    outside = left < inside[0] or top < inside[1] or right > inside[2] or bottom > inside[3]
    cost = distance + OUTSIDE * outside
    for x, y in points:
        near = hypot(max(left - x, 0.0, x - right), max(top - y, 0.0, y - bottom))
        cost += ON_POINT * (near < 4.0) if (x, y) != own else 0.0
    for one in others:
        wide, high = min(right, one[2]) - max(left, one[0]), min(bottom, one[3]) - max(top, one[1])
        cost += ON_NAME + wide * high if wide > 0 and high > 0 else 0.0
    return cost
