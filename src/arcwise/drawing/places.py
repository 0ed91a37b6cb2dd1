"""Where things stand in a picture of a graph: boxes for nodes, routes for edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from arcwise.drawing.scene import LINE_HEIGHT, Point, lines_of, printable, text_width

PADDING = 12.0
MIN_WIDTH = 46.0
MOST_LINES = 5  # of a name
STUB = 10.0  # room for an arrowhead
ROUNDEST = 24.0  # radius of a corner: more would leave no room for the letters of three lines


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


def box_of(node: int, name: str, least_width: float = MIN_WIDTH) -> Box:
    """Wide enough for the name, or for the beginning of a very long one, with its centre at the origin."""
    lines = lines_of(name if name.strip() else repr(name))  # blanks in quotes can be seen
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES - 1], f"{lines[MOST_LINES - 1]}…"]
    width = max(least_width, MIN_WIDTH, max(text_width(line) for line in lines) + 2 * PADDING)
    return Box(node, printable(name), tuple(lines), 0.0, 0.0, round(width, 1), LINE_HEIGHT * len(lines) + 14.0)


def enclosed(boxes: Sequence[Box], routes: Sequence[Route]) -> Layout:
    """With the top left corner of all that there is at the origin. Curves stay inside of their points."""
    corners = [(box.x + side * box.width / 2, box.y + side * box.height / 2) for box in boxes for side in (-1, 1)]
    points = [*corners, *(point for route in routes for point in route.points)]
    left, top = min(x for x, _ in points), min(y for _, y in points)
    right, bottom = max(x for x, _ in points), max(y for _, y in points)
    return Layout(tuple(boxes), tuple(routes), right - left, bottom - top).moved(-left, -top)
