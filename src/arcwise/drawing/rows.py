"""A connected part of a graph in rows: arrows run from row to row, edges without a direction inside of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from arcwise.drawing.places import STUB, Box, Layout, Route, enclosed
from arcwise.drawing.scene import Point
from arcwise.drawing.sugiyama import Edges, Layered, layered

MIN_ROW_GAP, MAX_ROW_GAP = 52.0, 120.0
BOW = 0.4  # share of a curve's height over which it stays near the vertical
ARC, ARC_STEP = 12.0, 9.0  # height of an arc over one box, and how much higher it is over each further one
FROM_CORNER = 16.0  # where an arc meets a box


def layered_part(boxes: Sequence[Box], down: Edges, level: Edges) -> Layout:
    """Boxes in their rows, with all routes; the top left corner is at the origin. Pairs are places among the boxes."""
    found = layered([box.width for box in boxes], down, level)
    rows = _rows(found, [box.height for box in boxes])
    placed = [replace(box, x=float(found.x[i]), y=sum(rows[found.layer[i]][1:]) / 2) for i, box in enumerate(boxes)]
    return enclosed(placed, [*_routes(found, placed, rows), *_ties(found, placed, rows)])


def _rows(found: Layered, heights: list[float]) -> list[tuple[float, float, float]]:
    """The top of the arcs over each row, the top of its boxes and their bottom.

    Rows stand further apart where edges between them run far sideways.
    """
    n_rows = max(found.layer) + 1
    tallest, reach, arcs = [0.0] * n_rows, [0.0] * n_rows, [0.0] * n_rows
    for layer, height in zip(found.layer, heights, strict=False):  # bends come last and have no height
        tallest[layer] = max(tallest[layer], height)
    for chain in found.chains:
        for u, v in pairwise(chain):
            reach[found.layer[v]] = max(reach[found.layer[v]], abs(float(found.x[u] - found.x[v])))
    for u, v, passed in found.ties:
        if passed:
            arcs[found.layer[u]] = max(arcs[found.layer[v]], STUB + _arc(passed))
    rows, y = list[tuple[float, float, float]](), 0.0
    for row, height in enumerate(tallest):
        y += min(MAX_ROW_GAP, MIN_ROW_GAP + 0.12 * reach[row]) if row else 0.0
        top = y + arcs[row]
        rows.append((y, top, top + height))
        y = top + height
    return rows


def _arc(passed: int) -> float:
    return ARC + ARC_STEP * passed


def _routes(found: Layered, placed: list[Box], rows: list[tuple[float, float, float]]) -> list[Route]:
    """Curves stay between two rows and lines pass a row at a bend, so no edge runs through a box."""
    routes, x = [], found.x.tolist()
    for chain, (leave, arrive) in zip(found.chains, found.ports, strict=True):
        upper, lower = placed[chain[0]], placed[chain[-1]]
        start, end = upper.x + leave, lower.x + arrive
        points = [(start, upper.y + upper.height / 2), (start, rows[found.layer[chain[0]]][2] + STUB)]
        for bend in chain[1:-1]:
            top, _, bottom = rows[found.layer[bend]]
            points += [(x[bend], top), (x[bend], bottom)]
        points += [(end, rows[found.layer[chain[-1]]][0] - STUB), (end, lower.y - lower.height / 2)]
        routes.append(Route(upper.node, lower.node, _bezier(points)))
    return routes


def _bezier(points: list[Point]) -> tuple[Point, ...]:
    """Vertical lines and S-curves in turn, all as cubic pieces; both have vertical ends, so they join smoothly."""
    result = [points[0]]
    for (x0, y0), (x1, y1) in pairwise(points):
        bow = BOW * (y1 - y0)
        result += [(x0, y0 + bow), (x1, y1 - bow), (x1, y1)]
    return tuple(result)


def _ties(found: Layered, placed: list[Box], rows: list[tuple[float, float, float]]) -> list[Route]:
    """A straight line between boxes that stand side by side, an arc over those between others."""
    routes = []
    for u, v, passed in found.ties:
        left, right = placed[u], placed[v]
        if passed:
            top = rows[found.layer[u]][1]
            points = _arched(left, right, top, _arc(passed))
        else:
            start, end = left.x + left.width / 2, right.x - right.width / 2
            step = (end - start) / 6
            points = tuple((start + k * step, left.y) for k in range(7))
        routes.append(Route(left.node, right.node, points))
    return routes


def _arched(left: Box, right: Box, top: float, height: float) -> tuple[Point, ...]:
    start = max(left.x, left.x + left.width / 2 - FROM_CORNER)
    end = min(right.x, right.x - right.width / 2 + FROM_CORNER)
    foot, apex = top - STUB, top - STUB - height * 4 / 3  # a cubic reaches three quarters of the way to its controls
    up, down = (start, left.y - left.height / 2), (end, right.y - right.height / 2)
    return up, up, (start, foot), (start, foot), (start, apex), (end, apex), (end, foot), (end, foot), down, down
