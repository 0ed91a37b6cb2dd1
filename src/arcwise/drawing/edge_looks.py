"""How an edge looks: its colour, its line, its heads and its number.

Kinds and differences are told apart by line style as well as by colour, so that a print without colours says the same.
The colours are Okabe and Ito's, or as far apart for those who see few colours.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from arcwise.drawing.places import STUB
from arcwise.drawing.scene import COLORS, DASHED, Line, Point
from arcwise.drawing.subject import Edge, Measure

THIN, THICK = 1.3, 4.2
FAINTEST = 0.6
BROAD = 2.4  # width from which dashes are longer, in proportion
PLAIN = 1.6  # width where nothing is known of strength
DOTTED, DASH_DOTTED = (1.5, 3.5), (9.0, 3.0, 2.0, 3.0)


@dataclass(frozen=True, slots=True)
class Pen:
    """How a line is drawn."""

    color: str
    dashes: tuple[float, ...] = ()
    width: float = PLAIN


KINDS = {
    "directed": Pen(COLORS["edge"]),
    "undirected": Pen("#748291", DASHED),
    "bidirected": Pen(COLORS["conflict"]),
}
DIFFERENCES = {
    "same": Pen("#748291"),
    "added": Pen("#0072b2", width=3.4),
    "missing": Pen("#d55e00", DOTTED, 2.6),
    "turned": Pen("#8a2f86", DASH_DOTTED, 2.2),
}


@dataclass(frozen=True, slots=True)
class Scale:
    """From the weight of an edge to how strong it looks: a share as it is, nats by their root, others in proportion."""

    measure: Measure | None
    largest: float

    @staticmethod
    def of(edges: Iterable[Edge], measure: Measure | None) -> Scale:
        return Scale(measure, max((edge.weight or 0.0 for edge in edges), default=0.0))

    def level(self, weight: float) -> float:
        """Between 0 and 1."""
        if self.measure == "share":
            return weight
        part = max(0.0, weight) / self.largest if self.largest > 0 else 0.0
        return math.sqrt(part) if self.measure == "nats" else part

    def words(self, weight: float) -> str:
        """The number at the edge: "87%", or three significant digits."""
        if self.measure == "share":
            return f"{weight:.0%}"
        return f"{weight:,.0f}" if abs(weight) >= 999.5 else f"{weight:.3g}"


def pen_of(edge: Edge, scale: Scale) -> tuple[Pen, float]:
    """The pen and how opaque it is. Where graphs are compared, width tells the difference and not the strength."""
    if edge.difference:
        return DIFFERENCES[edge.difference], 1.0
    pen = KINDS[edge.kind]
    if edge.weight is None:
        return pen, 1.0
    level = scale.level(edge.weight)
    width = THIN + (THICK - THIN) * level
    dashes = tuple(dash * max(1.0, width / BROAD) for dash in pen.dashes)
    return Pen(pen.color, dashes, width), FAINTEST + (1.0 - FAINTEST) * level


def line_of(points: tuple[Point, ...], heads: tuple[bool, bool], pen: Pen, alpha: float = 1.0) -> Line:
    """Along cubic pieces, the first and the last of them straight where there is a head (start, end)."""
    path, triangles = list(points), []
    for there, tip, beside, before in ((heads[0], 0, 1, 3), (heads[1], -1, -2, -4)):
        if there:
            (x, y), (bx, by) = path[tip], path[before]
            length = math.hypot(bx - x, by - y)
            along = ((bx - x) / length, (by - y) / length)
            triangles.append(_head((x, y), along, pen.width))
            path[tip] = path[beside] = (x + along[0] * (STUB - 2.0), y + along[1] * (STUB - 2.0))
    return Line(tuple(path), pen.color, pen.width, curved=True, dashes=pen.dashes, heads=tuple(triangles), alpha=alpha)


def _head(tip: Point, along: Point, thickness: float) -> tuple[Point, Point, Point]:
    """A triangle with its tip at the box; `along` leads away from it."""
    half, (x, y), (ax, ay) = 3.2 + 0.7 * thickness, tip, along
    base = x + ax * STUB, y + ay * STUB
    return tip, (base[0] - ay * half, base[1] + ax * half), (base[0] + ay * half, base[1] - ax * half)


def tooltip_of(names: tuple[str, ...], edge: Edge, scale: Scale) -> str:
    mark = {(True, True): "\u2194", (False, True): "\u2192", (True, False): "\u2190"}.get(edge.heads, "\u2013")
    words = f"{names[edge.i]} {mark} {names[edge.j]}"
    return words if edge.weight is None else f"{words}: {scale.words(edge.weight)}"
