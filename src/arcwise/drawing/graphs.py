"""Pictures of graphs: boxes in layers, and edges with heads between them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import overload

from arcwise.checking import checked
from arcwise.drawing.files import suffix_of, to_svg, write
from arcwise.drawing.layout import STUB, Route, layout
from arcwise.drawing.scene import (
    COLORS,
    FONT_SIZE,
    LINE_HEIGHT,
    Box,
    Letters,
    Line,
    Point,
    Scene,
    lines_of,
    printable,
    text_width,
)
from arcwise.errors import GraphError
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag

Weights = Mapping[tuple[str, str], float]
MARGIN = 20.0
TITLE_HEIGHT = 34.0
THIN, THICK = 1.3, 4.3
BOW = 0.4  # share of a curve's height over which it stays near the vertical


@overload
def draw(
    graph: Dag | Pdag, path: None = None, *, title: str | None = None, edge_weights: Weights | None = None
) -> str: ...


@overload
def draw(
    graph: Dag | Pdag, path: str | Path, *, title: str | None = None, edge_weights: Weights | None = None
) -> None: ...


@checked
def draw(
    graph: Dag | Pdag, path: str | Path | None = None, *, title: str | None = None, edge_weights: Weights | None = None
) -> str | None:
    """Write a .svg, .png or .pdf picture; without a path, return the SVG text.

    Arrows run downward; undirected edges have no head, bidirected ones two. `edge_weights` (pairs of names
    to numbers of at least 0, such as bootstrap confidence) makes edges thicker and appears as a tooltip.
    """
    if path is None:
        return to_svg(scene(graph, title, edge_weights))
    suffix_of(path)
    write(scene(graph, title, edge_weights), path)
    return None


def scene(graph: Dag | Pdag, title: str | None = None, edge_weights: Weights | None = None) -> Scene:
    """Lay the graph out and turn it into shapes; an edge is the thicker the larger its weight."""
    pdag = Pdag.from_dag(graph) if isinstance(graph, Dag) else graph
    weights = _by_pair(pdag, edge_weights or {})
    found = layout(graph)
    heading = " ".join(lines_of(title)) if title else ""
    room = max(found.width, 1.1 * text_width(heading))
    dx, dy = MARGIN + (room - found.width) / 2, MARGIN + TITLE_HEIGHT * bool(heading)
    result = Scene(room + 2 * MARGIN, found.height + dy + MARGIN, title=heading or "graph")
    for box in found.boxes:
        x, y, half, tall = box.x + dx, box.y + dy, box.width / 2, box.height / 2
        sides = x - half, y - tall, x + half, y + tall
        result.boxes.append(Box(*sides, COLORS["box"], border=COLORS["border"], tooltip=box.name))
        first = y - (len(box.lines) - 1) * LINE_HEIGHT / 2 + 0.35 * FONT_SIZE
        for i, text in enumerate(box.lines):
            result.letters.append(Letters(text, x, first + i * LINE_HEIGHT, FONT_SIZE, align="center"))
    if heading:
        baseline = MARGIN + 8.0 + 0.35 * FONT_SIZE
        result.letters.append(Letters(heading, MARGIN + room / 2, baseline, FONT_SIZE, align="center", bold=True))
    moved = (replace(r, points=tuple((x + dx, y + dy) for x, y in r.points)) for r in found.routes)
    result.lines += [_line(pdag, route, weights) for route in moved]
    return result


def _by_pair(pdag: Pdag, weights: Weights) -> dict[frozenset[str], float]:
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
    color = COLORS["conflict" if conflict else "edge"]
    return Line(_bezier(points), color, thickness, curved=True, heads=tuple(heads), tooltip=tooltip)


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
