"""What a picture consists of, in pixels with y downward: boxes, labels and lines with heads."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from arcwise.errors import GraphError
from arcwise.graph.dag import Dag
from arcwise.graph.layout import STUB, Box, Point, Route, layout
from arcwise.graph.lettering import lines_of, printable, text_width
from arcwise.graph.pdag import Pdag

COLORS = {
    "paper": "#ffffff",
    "box": "#eef4fb",
    "border": "#5b7fa6",
    "ink": "#1b2733",
    "edge": "#5f6f80",
    "conflict": "#c2562d",
}
MARGIN = 20.0
TITLE_HEIGHT = 34.0
THIN, THICK = 1.3, 4.3
BOW = 0.4  # share of a curve's height over which it stays near the vertical


@dataclass(frozen=True, slots=True)
class Label:
    """Lines of text centred at (x, y)."""

    lines: tuple[str, ...]
    x: float
    y: float
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """An edge: `points` is a start and three points for each cubic Bezier piece; `heads` are triangles."""

    points: tuple[Point, ...]
    heads: tuple[tuple[Point, Point, Point], ...]
    thickness: float
    conflict: bool
    tooltip: str


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything to be drawn inside width x height."""

    boxes: tuple[Box, ...]
    labels: tuple[Label, ...]
    lines: tuple[Line, ...]
    width: float
    height: float
    title_text: str


def scene(
    graph: Dag | Pdag, title: str | None = None, edge_weights: Mapping[tuple[str, str], float] | None = None
) -> Scene:
    """Lay the graph out and turn it into shapes; an edge is the thicker the larger its weight."""
    pdag = Pdag.from_dag(graph) if isinstance(graph, Dag) else graph
    weights = _by_pair(pdag, edge_weights or {})
    found = layout(graph)
    heading = " ".join(lines_of(title)) if title else ""
    room = max(found.width, 1.1 * text_width(heading))
    dx, dy = MARGIN + (room - found.width) / 2, MARGIN + TITLE_HEIGHT * bool(heading)
    boxes = tuple(replace(box, x=box.x + dx, y=box.y + dy) for box in found.boxes)
    labels = [Label(box.lines, box.x, box.y) for box in boxes]
    if heading:
        labels.append(Label((heading,), MARGIN + room / 2, MARGIN + 8.0, bold=True))
    moved = (replace(r, points=tuple((x + dx, y + dy) for x, y in r.points)) for r in found.routes)
    lines = tuple(_line(pdag, route, weights) for route in moved)
    return Scene(boxes, tuple(labels), lines, room + 2 * MARGIN, found.height + dy + MARGIN, heading or "graph")


def _by_pair(pdag: Pdag, weights: Mapping[tuple[str, str], float]) -> dict[frozenset[str], float]:
    """Weights by unordered pair, checked: known edges, each once, finite and not negative."""
    result: dict[frozenset[str], float] = {}
    for (a, b), weight in weights.items():
        if not pdag.adjacent(a, b):
            raise GraphError(f"edge_weights has {a!r}, {b!r}, which is no edge of the graph; leave it out")
        if frozenset((a, b)) in result:
            raise GraphError(f"edge_weights has the edge between {a!r} and {b!r} twice; give it once")
        if not (math.isfinite(weight) and weight >= 0):
            raise GraphError(f"the weight {weight} of {a!r}, {b!r} must be a finite number of at least 0")
        result[frozenset((a, b))] = float(weight)
    return result


def _line(pdag: Pdag, route: Route, weights: dict[frozenset[str], float]) -> Line:
    i, j = route.upper, route.lower
    a, b = pdag.names[i], pdag.names[j]
    conflict = bool(pdag.bidirected_matrix[i, j])
    into_upper, into_lower = (conflict or bool(pdag.directed_matrix[pair]) for pair in ((j, i), (i, j)))
    weight = weights.get(frozenset((a, b)))
    largest = max(weights.values(), default=0.0) or 1.0
    thickness = THIN + (THICK - THIN) * (weight or 0.0) / largest
    heads, points = [], list(route.points)
    for at_end, place, outward in ((into_upper, 0, 1.0), (into_lower, -1, -1.0)):
        if at_end:
            heads.append(_head(points[place], outward, thickness))
            points[place] = (points[place][0], points[place][1] + outward * (STUB - 2.0))
    mark = {(True, True): "\u2194", (False, True): "\u2192", (True, False): "\u2190"}.get(
        (into_upper, into_lower), "\u2013"
    )
    tooltip = printable(f"{a} {mark} {b}" + (f": {weight:.3g}" if weight is not None else ""))
    return Line(_bezier(points), tuple(heads), thickness, conflict, tooltip)


def _head(tip: Point, outward: float, thickness: float) -> tuple[Point, Point, Point]:
    """A triangle with its tip on the border of the box; `outward` is -1 above a box and 1 below it."""
    half, base = 3.2 + 0.7 * thickness, tip[1] + outward * STUB
    return tip, (tip[0] - half, base), (tip[0] + half, base)


def _bezier(points: list[Point]) -> tuple[Point, ...]:
    """Lines and S-curves in turn, all as cubic pieces; both have vertical ends, so they join smoothly."""
    result = [points[0]]
    for (x0, y0), (x1, y1) in pairwise(points):
        bow = BOW * (y1 - y0)
        result += [(x0, y0 + bow), (x1, y1 - bow), (x1, y1)]
    return tuple(result)
