"""A sheet of boxes, lines and letters in pixels with y downward, and the file that matplotlib makes of it.

Everything stands on one pair of axes, in two collections and single lines of text, so that hundreds of panels are one
drawing with the places of all its parts known.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, Literal

from arcwise.environment import import_matplotlib
from arcwise.graph.lettering import FONT_SIZE, text_width
from arcwise.graph.raster import MAX_SIDE, PIXELS_PER_INCH, SCALE, font_families
from arcwise.graph.scene import COLORS

MAX_PIXELS = 50e6  # four bytes each
Align = Literal["left", "center", "right"]


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle from (left, top) to (right, bottom)."""

    left: float
    top: float
    right: float
    bottom: float
    color: str
    alpha: float = 1.0


@dataclass(frozen=True, slots=True)
class Stroke:
    """A straight line."""

    x0: float
    y0: float
    x1: float
    y1: float
    color: str
    width: float = 1.0


@dataclass(frozen=True, slots=True)
class Letters:
    """One line of text on the baseline y."""

    text: str
    x: float
    y: float
    size: float
    color: str = COLORS["ink"]
    align: Align = "left"
    bold: bool = False


@dataclass(slots=True)
class Sheet:
    """Shapes in the order in which they cover each other; strokes lie above boxes, letters above both."""

    boxes: list[Box] = field(default_factory=list)
    strokes: list[Stroke] = field(default_factory=list)
    letters: list[Letters] = field(default_factory=list)


def width_of(text: str, size: float) -> float:
    """Pixels that a line of text needs, rather too many than too few."""
    return text_width(text) * size / FONT_SIZE


def fitted(text: str, room: float, size: float) -> str:
    """The text, or as much of it as fits in `room` pixels."""
    if width_of(text, size) <= room:
        return text
    while text and width_of(f"{text}…", size) > room:
        text = text[:-1]
    return f"{text}…"


def to_bytes(sheet: Sheet, width: float, height: float, kind: Literal["svg", "png", "pdf"]) -> bytes:
    """The finished file. A very large sheet gets fewer PNG pixels, at most MAX_PIXELS in all and MAX_SIDE a side."""
    import_matplotlib()
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    fonts = font_families("".join(letters.text for letters in sheet.letters))
    settings: Any = {
        "font.family": "sans-serif",  # so that an SVG also names the viewer's own sans-serif font
        "font.sans-serif": fonts,
        "pdf.fonttype": 42,
        "svg.fonttype": "none",
        "svg.hashsalt": "arcwise",  # the same picture is the same file
        "text.usetex": False,
    }
    scale = min(SCALE, MAX_SIDE / max(width, height), math.sqrt(MAX_PIXELS / (width * height)))
    metadata: dict[str, Any] = {"png": {"Software": None}, "pdf": {"CreationDate": None}, "svg": {"Date": None}}[kind]
    buffer = BytesIO()
    with rc_context(settings), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")  # the font's own box stands for it
        figure = Figure(figsize=(width / PIXELS_PER_INCH, height / PIXELS_PER_INCH), facecolor=COLORS["paper"])
        canvas = FigureCanvasAgg(figure)
        axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        axes.set_axis_off()
        axes.set_xlim(0.0, width)
        axes.set_ylim(height, 0.0)
        _fill(axes, sheet)
        canvas.print_figure(
            buffer, format=kind, dpi=PIXELS_PER_INCH * scale, facecolor=COLORS["paper"], metadata=metadata
        )
    return buffer.getvalue()


def _fill(axes: Any, sheet: Sheet) -> None:
    from matplotlib.collections import LineCollection, PolyCollection
    from matplotlib.colors import to_rgba

    corners = [((b.left, b.top), (b.right, b.top), (b.right, b.bottom), (b.left, b.bottom)) for b in sheet.boxes]
    colors = [to_rgba(box.color, box.alpha) for box in sheet.boxes]
    axes.add_collection(PolyCollection(corners, facecolors=colors, edgecolors="none"), autolim=False)
    ends = [((line.x0, line.y0), (line.x1, line.y1)) for line in sheet.strokes]
    strokes = LineCollection(
        ends,
        colors=[line.color for line in sheet.strokes],
        linewidths=[_points(line.width) for line in sheet.strokes],
        capstyle="butt",
    )
    axes.add_collection(strokes, autolim=False)
    for letters in sheet.letters:
        axes.text(
            letters.x,
            letters.y,
            letters.text,
            ha=letters.align,
            va="baseline",
            fontsize=_points(letters.size),
            fontweight="bold" if letters.bold else "normal",
            color=letters.color,
            parse_math=False,
        )


def _points(pixels: float) -> float:
    return pixels * 72.0 / PIXELS_PER_INCH
