"""A connected part of a graph laid out freely, by distances in the graph; arrows among its edges still lead down.

Higher up means nothing here but along arrows. Edges are straight, or bend around boxes in their way.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from arcwise.drawing.overlaps import separated
from arcwise.drawing.places import ROUNDEST, STUB, Box, Layout, Route, enclosed
from arcwise.drawing.scene import Point
from arcwise.drawing.stress import stressed

FloatArray = NDArray[np.float64]
Edges = Sequence[tuple[int, int]]
GAP, DROP = (34.0, 26.0), 46.0  # between boxes across and down, and from the bottom of a tail to the top of its head
LENGTH = 40.0  # of an edge, beside the sizes of its boxes ...
FEW, CROWD, MOST_CROWD = 6, 9.0, 500.0  # ... and more for each neighbour of one of its ends alone, beyond a few
DENSE = 0.4  # how much longer all edges are for each further edge a node
FLAT = 0.7  # boxes are wider than high, so distances down may be shorter than those across
BENDS = tuple(side * far for far in (24.0, 48.0, 80.0, 120.0, 170.0, 230.0, 300.0) for side in (1, -1))
ALONG = (0.5, 0.25, 0.75, 0.12, 0.88)  # of the way, where a bend may be
CLEAR = 5.0  # between an edge and the boxes that it passes
SAMPLES = 40


def free_part(boxes: Sequence[Box], down: Edges, level: Edges) -> Layout:
    """Boxes with all routes; the top left corner is at the origin. Pairs are places among the boxes."""
    widths, heights = np.array([box.width for box in boxes]), np.array([box.height for box in boxes])
    lengths = _lengths(boxes, sorted([*down, *level]))
    below = [(i, j, DROP + (boxes[i].height + boxes[j].height) / 2) for i, j in down]
    places = stressed(lengths, len(boxes), [(i, j, least / FLAT) for i, j, least in below])
    x, y = separated(places[:, 0], FLAT * places[:, 1], widths + GAP[0], heights + GAP[1], below)
    placed = [replace(box, x=float(x[i]), y=float(y[i])) for i, box in enumerate(boxes)]
    return enclosed(placed, routed(placed, down, level))


def routed(boxes: Sequence[Box], down: Edges, level: Edges) -> list[Route]:
    """A way for each edge between boxes that stand in their places."""
    sides = np.array([[b.x - b.width / 2, b.y - b.height / 2, b.x + b.width / 2, b.y + b.height / 2] for b in boxes])
    return [_route(boxes, sides, i, j, i_above=k < len(down)) for k, (i, j) in enumerate((*down, *level))]


def _lengths(boxes: Sequence[Box], edges: Edges) -> list[tuple[int, int, float]]:
    """Wished lengths: longer where boxes are wide, and where many edges need room."""
    near: list[set[int]] = [set() for _ in boxes]
    for i, j in edges:
        near[i].add(j)
        near[j].add(i)
    stretch = 1.0 + DENSE * max(0.0, len(edges) / len(boxes) - 1.0)
    crowds = [min(MOST_CROWD, CROWD * max(0, len(near[i] ^ near[j]) - FEW)) for i, j in edges]
    return [
        (i, j, stretch * (LENGTH + crowd + (boxes[i].width + boxes[j].width) / 2))
        for (i, j), crowd in zip(edges, crowds, strict=True)
    ]


def _route(boxes: Sequence[Box], sides: FloatArray, i: int, j: int, *, i_above: bool) -> Route:
    """The straightest way that passes through no other box, or else through the fewest; no arrow arrives from below."""
    reach = np.array([sides[[i, j], :2].min(axis=0) - max(BENDS), sides[[i, j], 2:].max(axis=0) + max(BENDS)])
    near = (sides[:, :2] < reach[1]).all(axis=1) & (sides[:, 2:] > reach[0]).all(axis=1)
    near[[i, j]] = False
    others = sides[near] + np.array([-CLEAR, -CLEAR, CLEAR, CLEAR])
    best = _bent(boxes[i], boxes[j], 0.5, 0.0)
    fewest = _crossed(best, others)
    for bend, along in product(BENDS, ALONG):
        if not fewest:
            break
        way = _bent(boxes[i], boxes[j], along, bend)
        crossed = _crossed(way, others)
        from_below = i_above and way[-1][1] < way[-4][1]
        if crossed < fewest and not from_below:
            fewest, best = crossed, way
    return Route(boxes[i].node, boxes[j].node, best)


def _bent(one: Box, other: Box, along: float, bend: float) -> tuple[Point, ...]:
    """From border to border by way of a point beside the straight line; straight where it leaves and arrives."""
    dx, dy = other.x - one.x, other.y - one.y
    length = float(np.hypot(dx, dy))
    (ax, ay), (bx, by) = _border(one, (other.x, other.y)), _border(other, (one.x, one.y))
    via = ax + along * (bx - ax) - bend * dy / length, ay + along * (by - ay) + bend * dx / length
    start, end = _border(one, via), _border(other, via)
    leave, arrive = _toward(start, via), _toward(end, via)
    first, second = (tuple(p + 2 / 3 * (v - p) for p, v in zip(point, via, strict=True)) for point in (leave, arrive))
    return start, start, leave, leave, (first[0], first[1]), (second[0], second[1]), arrive, arrive, end, end


def _border(box: Box, to: Point) -> Point:
    """Where an edge to a point outside of the box leaves it: not in a corner, which may be round."""
    dx, dy, wide, high = to[0] - box.x, to[1] - box.y, box.width / 2, box.height / 2
    round_ = min(ROUNDEST, high)
    if abs(dx) * high > abs(dy) * wide:
        straight = high - round_
        return box.x + math.copysign(wide, dx), box.y + min(max(wide * dy / abs(dx), -straight), straight)
    straight = wide - round_
    return box.x + min(max(high * dx / abs(dy), -straight), straight), box.y + math.copysign(high, dy)


def _toward(start: Point, to: Point) -> Point:
    dx, dy = to[0] - start[0], to[1] - start[1]
    length = max(float(np.hypot(dx, dy)), 1e-9)
    return start[0] + dx * STUB / length, start[1] + dy * STUB / length


def _crossed(way: tuple[Point, ...], sides: FloatArray) -> int:
    """Boxes that the way runs through."""
    points = _sampled(way)
    x, y = points[:, 0, None], points[:, 1, None]
    inside = (sides[:, 0] < x) & (x < sides[:, 2]) & (sides[:, 1] < y) & (y < sides[:, 3])
    return int(np.count_nonzero(inside.any(axis=0)))


def _sampled(way: tuple[Point, ...]) -> FloatArray:
    """Points along the middle piece; the others are too short to reach another box."""
    t = np.linspace(0.0, 1.0, SAMPLES)[:, None]
    a, b, c, d = (np.array(point) for point in way[3:7])
    return (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t**2 * c + t**3 * d
