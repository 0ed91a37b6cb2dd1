"""Coordinates for a picture: boxes in layers, routes that keep clear of them, isolated nodes below."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

from arcwise.drawing.scene import LINE_HEIGHT, Point, lines_of, printable, text_width
from arcwise.drawing.sugiyama import BOX_GAP, CORNERS, Layered, layered
from arcwise.graph.adjacency import name_order, reachable
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag

PADDING = 12.0
MIN_WIDTH = 46.0
ARROW_STEP, LINE_STEP, MAX_PORTS_WIDTH = 9.5, 5.0, 400.0
STUB = 10.0  # room for an arrowhead
MIN_ROW_GAP, MAX_ROW_GAP = 52.0, 120.0
PART_GAP = 44.0
ASPECT = 1.5
BOW = 0.4  # share of a curve's height over which it stays near the vertical


@dataclass(frozen=True, slots=True)
class Box:
    """A node: its position in the graph, its name, also in lines, its centre and size in pixels, y downward."""

    node: int
    name: str
    lines: tuple[str, ...]
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Route:
    """The way of an edge from the border of box `start` to that of box `end`: a point, then three for each cubic piece.

    The first and the last piece are straight and at least STUB long, so that heads have room.
    """

    start: int
    end: int
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """All boxes (in the order of the graph's names) and routes inside width x height."""

    boxes: tuple[Box, ...]
    routes: tuple[Route, ...]
    width: float
    height: float

    def moved(self, dx: float, dy: float) -> Layout:
        boxes = tuple(replace(box, x=box.x + dx, y=box.y + dy) for box in self.boxes)
        routes = tuple(replace(r, points=tuple((x + dx, y + dy) for x, y in r.points)) for r in self.routes)
        return replace(self, boxes=boxes, routes=routes)


def layout(graph: Dag | Pdag) -> Layout:
    """Layered coordinates. Depends on names and edges only, not on the order of the names."""
    dag = graph if isinstance(graph, Dag) else graph.best_effort_extension()[0]
    boxes = [_box(dag, node) for node in range(dag.n_nodes)]
    components = _components(dag)
    parts = [_part(dag, nodes, boxes) for nodes in components if len(nodes) > 1]
    drawn = _shelves(parts)
    loose = _grid([boxes[nodes[0]] for nodes in components if len(nodes) == 1], drawn.width)
    both = _stacked([part for part in (drawn, loose) if part.boxes], PART_GAP)
    return replace(both, boxes=tuple(sorted(both.boxes, key=lambda box: box.node)))


def _box(dag: Dag, node: int) -> Box:
    """Wide enough for the name, and for arrowheads above and lines below that do not touch each other."""
    lines = lines_of(dag.names[node])
    n_in, n_out = len(dag.parent_positions[node]), len(dag.child_positions[node])
    ports = CORNERS + min(MAX_PORTS_WIDTH, max(ARROW_STEP * (n_in - 1), LINE_STEP * (n_out - 1)))
    width = max(MIN_WIDTH, ports, max(text_width(line) for line in lines) + 2 * PADDING)
    return Box(
        node, printable(dag.names[node]), tuple(lines), 0.0, 0.0, round(width, 1), LINE_HEIGHT * len(lines) + 14.0
    )


def _components(dag: Dag) -> list[list[int]]:
    """Connected components, the largest first; nodes and ties by name."""
    either = [
        [*parents, *children] for parents, children in zip(dag.parent_positions, dag.child_positions, strict=True)
    ]
    found: list[list[int]] = []
    seen: set[int] = set()
    order = name_order(dag.names).tolist()
    for start in order:
        if start not in seen:
            members = reachable(either, [start]) | {start}
            seen |= members
            found.append([node for node in order if node in members])
    return sorted(found, key=lambda nodes: -len(nodes))


def _part(dag: Dag, nodes: list[int], boxes: Sequence[Box]) -> Layout:
    """One connected component with its top left corner at the origin."""
    local = {node: i for i, node in enumerate(nodes)}
    edges = [(local[i], local[j]) for i in nodes for j in dag.child_positions[i]]
    edges.sort()
    found = layered([boxes[node].width for node in nodes], edges)
    rows = _rows(found, [boxes[node].height for node in nodes])
    left = min(found.x[i] - boxes[node].width / 2 for i, node in enumerate(nodes))
    x = found.x - min(left, found.x.min())
    placed = [replace(boxes[node], x=float(x[i]), y=sum(rows[found.layer[i]]) / 2) for i, node in enumerate(nodes)]
    routes = _routes(found, x.tolist(), placed, rows)
    right = max([*(box.x + box.width / 2 for box in placed), *x.tolist()])
    return Layout(tuple(placed), tuple(routes), right, rows[-1][1])


def _rows(found: Layered, heights: list[float]) -> list[tuple[float, float]]:
    """Top and bottom of each row; rows stand further apart where edges between them run far sideways."""
    n_rows = max(found.layer) + 1
    tallest, reach = [0.0] * n_rows, [0.0] * n_rows
    for layer, height in zip(found.layer, heights, strict=False):  # bends come last and have no height
        tallest[layer] = max(tallest[layer], height)
    for chain in found.chains:
        for u, v in pairwise(chain):
            reach[found.layer[v]] = max(reach[found.layer[v]], abs(float(found.x[u] - found.x[v])))
    rows, y = list[tuple[float, float]](), 0.0
    for row, height in enumerate(tallest):
        y += min(MAX_ROW_GAP, MIN_ROW_GAP + 0.12 * reach[row]) if row else 0.0
        rows.append((y, y + height))
        y += height
    return rows


def _routes(found: Layered, x: list[float], placed: list[Box], rows: list[tuple[float, float]]) -> list[Route]:
    """Curves stay between two rows and lines pass a row at a bend, so no edge runs through a box."""
    routes = []
    for chain, (leave, arrive) in zip(found.chains, found.ports, strict=True):
        upper, lower = placed[chain[0]], placed[chain[-1]]
        start, end = upper.x + leave, lower.x + arrive
        points = [(start, upper.y + upper.height / 2), (start, rows[found.layer[chain[0]]][1] + STUB)]
        for bend in chain[1:-1]:
            top, bottom = rows[found.layer[bend]]
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


def _shelves(parts: Sequence[Layout]) -> Layout:
    """Components side by side, on a new shelf whenever one would not fit."""
    area = sum((part.width + PART_GAP) * (part.height + PART_GAP) for part in parts)
    width = max([(ASPECT * area) ** 0.5, *(part.width for part in parts)])
    shelves: list[list[Layout]] = []
    used = math.inf
    for part in parts:
        if used + PART_GAP + part.width > width:
            shelves.append([])
            used = -PART_GAP
        shelves[-1].append(part)
        used += PART_GAP + part.width
    return _stacked([_side_by_side(shelf, PART_GAP) for shelf in shelves], PART_GAP)


def _grid(boxes: Sequence[Box], width: float) -> Layout:
    """Isolated nodes in equal columns, about as wide as the rest of the picture."""
    cell = max((box.width for box in boxes), default=0.0)
    area = sum((cell + BOX_GAP) * (box.height + BOX_GAP) for box in boxes)
    n_columns = max(1, int((max(width, (ASPECT * area) ** 0.5) + BOX_GAP) // (cell + BOX_GAP)))
    cells = [Layout((replace(box, x=cell / 2, y=box.height / 2),), (), cell, box.height) for box in boxes]
    rows = [_side_by_side(cells[i : i + n_columns], BOX_GAP) for i in range(0, len(cells), n_columns)]
    widest = max((row.width for row in rows), default=0.0)
    return _stacked([replace(row, width=widest) for row in rows], BOX_GAP)


def _side_by_side(parts: Sequence[Layout], gap: float) -> Layout:
    """From left to right, tops aligned."""
    lefts = accumulate((part.width + gap for part in parts), initial=0.0)
    moved = [part.moved(left, 0.0) for part, left in zip(parts, lefts, strict=False)]
    width = sum(part.width for part in parts) + gap * (len(parts) - 1)
    return _joined(moved, width, max(part.height for part in parts))


def _stacked(parts: Sequence[Layout], gap: float) -> Layout:
    """One below the other, all centred."""
    width = max((part.width for part in parts), default=0.0)
    tops = accumulate((part.height + gap for part in parts), initial=0.0)
    moved = [part.moved((width - part.width) / 2, top) for part, top in zip(parts, tops, strict=False)]
    return _joined(moved, width, sum(part.height for part in parts) + gap * max(0, len(parts) - 1))


def _joined(parts: Sequence[Layout], width: float, height: float) -> Layout:
    boxes = tuple(box for part in parts for box in part.boxes)
    return Layout(boxes, tuple(route for part in parts for route in part.routes), width, height)
