"""How a node looks: the shape by the kind of its column, colour and border by its part in the picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from arcwise.drawing.places import ROUNDEST
from arcwise.drawing.places import Box as Place
from arcwise.drawing.scene import COLORS, FONT_SIZE, LINE_HEIGHT, Box, Group, Letters

ColumnKind = Literal["", "continuous", "discrete"]
Role = Literal["", "target", "blanket", "centre"]
FILLS = {"": COLORS["box"], "centre": COLORS["box"], "blanket": "#fff1d1", "target": "#ffd166"}
BORDERS = {
    "": (COLORS["border"], 1.0),
    "centre": (COLORS["ink"], 2.2),
    "blanket": ("#8a6a1f", 1.6),
    "target": (COLORS["ink"], 2.6),
}


@dataclass(frozen=True, slots=True)
class NodeLook:
    kind: ColumnKind = ""
    role: Role = ""


def shape_of(look: NodeLook, sides: tuple[float, float, float, float]) -> Box:
    """Continuous columns have round ends, discrete ones square corners, others something between."""
    half = (sides[3] - sides[1]) / 2
    radius = {"continuous": min(ROUNDEST, half), "discrete": 0.0, "": min(7.0, half)}[look.kind]
    border, width = BORDERS[look.role]
    return Box(*sides, FILLS[look.role], border=border, border_width=width, radius=radius)


def node_group(place: Place, look: NodeLook) -> Group:
    x, y, half, tall = place.x, place.y, place.width / 2, place.height / 2
    first = y - (len(place.lines) - 1) * LINE_HEIGHT / 2 + 0.35 * FONT_SIZE
    letters = tuple(
        Letters(text, x, first + i * LINE_HEIGHT, FONT_SIZE, align="center", bold=look.role == "target")
        for i, text in enumerate(place.lines)
    )
    marks = " ".join(word for word in ("node", look.kind, look.role) if word)
    shape = shape_of(look, (x - half, y - tall, x + half, y + tall))
    return Group(marks, (("node", str(place.node)),), place.name, boxes=(shape,), letters=letters)
