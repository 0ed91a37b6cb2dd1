"""What a picture consists of, in pixels with y downward: boxes, lines, dots and letters."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

COLORS = {
    "paper": "#ffffff",
    "box": "#eef4fb",
    "border": "#5b7fa6",
    "ink": "#1b2733",
    "edge": "#5f6f80",
    "conflict": "#c2562d",
}
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle from (left, top) to (right, bottom); one with a `border` has round corners."""

    left: float
    top: float
    right: float
    bottom: float
    color: str
    alpha: float = 1.0
    border: str = ""
    tooltip: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """Straight from point to point; or `curved`: a start and three points for each cubic Bezier piece.

    `heads` are triangles in the same colour.
    """

    points: tuple[Point, ...]
    color: str
    width: float = 1.0
    curved: bool = False
    dashed: bool = False
    heads: tuple[tuple[Point, Point, Point], ...] = ()
    tooltip: str = ""


@dataclass(frozen=True, slots=True)
class Dot:
    """A filled circle around (x, y)."""

    x: float
    y: float
    radius: float
    color: str


@dataclass(frozen=True, slots=True)
class Letters:
    """One line of text on the baseline y."""

    text: str
    x: float
    y: float
    size: float
    color: str = COLORS["ink"]
    align: Literal["left", "center", "right"] = "left"
    bold: bool = False


@dataclass(slots=True)
class Scene:
    """Everything to be drawn inside width x height; lines lie above boxes, dots above lines, letters above all.

    `title` is what a viewer of an SVG may show for the whole.
    """

    width: float = 0.0
    height: float = 0.0
    boxes: list[Box] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    dots: list[Dot] = field(default_factory=list)
    letters: list[Letters] = field(default_factory=list)
    title: str = ""
