"""What a picture consists of, in pixels with y downward: boxes, lines, dots and letters, some of them in groups.

Letters have room whatever sans-serif font the viewer has.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Literal
from unicodedata import combining, normalize

from arcwise.printing import UNPRINTABLE

COLORS = {
    "paper": "#ffffff",
    "box": "#eef4fb",
    "border": "#5b7fa6",
    "ink": "#1b2733",
    "edge": "#5f6f80",
    "conflict": "#c2562d",
}
Point = tuple[float, float]
DASHED = (5.0, 3.0)
FONT_SIZE = 13.0
LINE_HEIGHT = 16.0
MAX_CHARACTERS = 26
# Advance widths in em of DejaVu Sans, the widest of the usual sans-serif fonts, rounded up to six classes.
CLASSES = {
    " ',./:;IJ\\ijl|": 0.34,
    "!()-[]frt": 0.41,
    '"*?_`csz': 0.55,
    "$0123456789EFLPSTYabdeghknopquvxy{}": 0.64,
    "&ABCDGHKNOQRUVXZ": 0.79,
    "#%+<=>@MW^mw~": 1.0,
}
WIDTHS = {letter: width for letters, width in CLASSES.items() for letter in letters}
# A place to break a long name: behind a separator, or before a capital that follows a small letter.
BREAKS = re.compile(r"(?<=[\s_.:/,;-])(?=\S)|(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle from (left, top) to (right, bottom); one with a `border` has corners of this radius."""

    left: float
    top: float
    right: float
    bottom: float
    color: str
    alpha: float = 1.0
    border: str = ""
    tooltip: str = ""
    border_width: float = 1.0
    radius: float = 7.0


@dataclass(frozen=True, slots=True)
class Line:
    """Straight from point to point; or `curved`: a start and three points for each cubic Bezier piece.

    `dashes` are pixels of ink and of nothing in turn; none: a solid line. `heads` are triangles in the same colour.
    """

    points: tuple[Point, ...]
    color: str
    width: float = 1.0
    curved: bool = False
    dashes: tuple[float, ...] = ()
    heads: tuple[tuple[Point, Point, Point], ...] = ()
    alpha: float = 1.0


@dataclass(frozen=True, slots=True)
class Dot:
    """A filled circle around (x, y)."""

    x: float
    y: float
    radius: float
    color: str


@dataclass(frozen=True, slots=True)
class Letters:
    """One line of text on the baseline y; a `halo` in that colour keeps it apart from what lies behind."""

    text: str
    x: float
    y: float
    size: float
    color: str = COLORS["ink"]
    align: Literal["left", "center", "right"] = "left"
    bold: bool = False
    halo: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Shapes that are one thing, such as a node with its name: boxes lie above lines, letters above boxes.

    In an SVG file it is one element: style sheets find it by the classes `marks`, scripts by `data` (data-key="value").
    Both are words of this program, never names of a table.
    """

    marks: str
    data: tuple[tuple[str, str], ...] = ()
    tooltip: str = ""
    lines: tuple[Line, ...] = ()
    boxes: tuple[Box, ...] = ()
    letters: tuple[Letters, ...] = ()


@dataclass(slots=True)
class Scene:
    """Everything to be drawn inside width x height.

    Lines lie above boxes, dots above lines, then come the groups, each above those before it, and letters above all.
    `title` is what a viewer of an SVG may show for the whole.
    """

    width: float = 0.0
    height: float = 0.0
    boxes: list[Box] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    dots: list[Dot] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    letters: list[Letters] = field(default_factory=list)
    title: str = ""


def text_width(text: str) -> float:
    """Width in pixels at FONT_SIZE, rather too much than too little."""
    return FONT_SIZE * sum(_width(letter) for letter in text)


def width_of(text: str, size: float) -> float:
    """Pixels that a line of text of any size needs, rather too many than too few."""
    return text_width(text) * size / FONT_SIZE


def fitted(text: str, room: float, size: float) -> str:
    """The text, or as much of it as fits in `room` pixels."""
    if width_of(text, size) <= room:
        return text
    ends = accumulate(width_of(letter, size) for letter in text)
    kept = bisect_right(list(ends), room - width_of("…", size))
    return f"{text[:kept]}…"


def _width(letter: str) -> float:
    if combining(letter):
        return 0.0
    plain = normalize("NFD", letter)[0]  # an accent does not make a letter wider
    if plain in WIDTHS:
        return WIDTHS[plain]
    return 0.95 if letter.islower() else 1.1


def lines_of(name: str) -> list[str]:
    """The name as lines of at most MAX_CHARACTERS, broken between words where possible.

    Control characters, which no picture format can show, appear as a replacement character.
    """
    result: list[str] = []
    for line in re.split(r"\r\n|\r|\n", name):
        current = ""
        for word in BREAKS.split(printable(line)):
            pieces = [word[i : i + MAX_CHARACTERS] for i in range(0, len(word), MAX_CHARACTERS)]
            for piece in pieces:
                if current and len(current) + len(piece.rstrip()) > MAX_CHARACTERS:
                    result.append(current)
                    current = ""
                current += piece
        result.append(current)
    return [line.rstrip() for line in result]


def printable(text: str) -> str:
    """Tabs and line breaks as spaces, other characters without a shape as a replacement character."""
    return UNPRINTABLE.sub("\ufffd", re.sub("[\t\r\n]", " ", text))
