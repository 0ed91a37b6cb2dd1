"""A scene as PNG or PDF through matplotlib's own canvases, without pyplot and its global state.

Everything stands on one pair of axes, like shapes in one collection, so that hundreds of panels are one drawing.
"""

from __future__ import annotations

import math
import warnings
from io import BytesIO
from typing import Any, Literal
from unicodedata import east_asian_width

from arcwise.drawing.scene import COLORS, Line, Scene
from arcwise.drawing.svg import RADIUS
from arcwise.machine import import_matplotlib

PIXELS_PER_INCH = 96.0
SCALE = 2.0  # PNG pixels for each pixel of the scene
MAX_SIDE = 16_000.0
MAX_PIXELS = 50e6  # four bytes each
EAST_ASIAN_FONTS = (
    *("Noto Sans CJK JP", "Noto Sans CJK SC", "Hiragino Sans", "PingFang SC"),
    *("Yu Gothic", "Microsoft YaHei", "Malgun Gothic", "Arial Unicode MS"),
)


def to_bytes(scene: Scene, kind: Literal["png", "pdf"]) -> bytes:
    """The finished file. A very large picture gets fewer PNG pixels, at most MAX_PIXELS in all and MAX_SIDE a side."""
    import_matplotlib()
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    width, height = scene.width, scene.height
    fonts = font_families("".join(letters.text for letters in scene.letters))
    settings: Any = {"font.family": fonts, "pdf.fonttype": 42, "text.usetex": False}
    scale = min(SCALE, MAX_SIDE / max(width, height), math.sqrt(MAX_PIXELS / (width * height)))
    # Neither a date nor a program's name is written: the same picture is the same file.
    metadata = {"CreationDate": None} if kind == "pdf" else {"Software": None}
    buffer = BytesIO()
    with rc_context(settings), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")  # the font's own box stands for it
        figure = Figure(figsize=(width / PIXELS_PER_INCH, height / PIXELS_PER_INCH), facecolor=COLORS["paper"])
        canvas = FigureCanvasAgg(figure)
        axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        axes.set_axis_off()
        axes.set_xlim(0.0, width)
        axes.set_ylim(height, 0.0)
        _fill(axes, scene)
        canvas.print_figure(
            buffer, format=kind, dpi=PIXELS_PER_INCH * scale, facecolor=COLORS["paper"], metadata=metadata
        )
    return buffer.getvalue()


def font_families(text: str) -> list[str]:
    """DejaVu Sans, which matplotlib brings along, and an installed font for East Asian scripts when needed."""
    from matplotlib.font_manager import get_font_names

    if all(east_asian_width(letter) not in "WF" for letter in text):
        return ["DejaVu Sans"]
    installed = set(get_font_names())
    return ["DejaVu Sans", *[name for name in EAST_ASIAN_FONTS if name in installed][:1]]


def _fill(axes: Any, scene: Scene) -> None:
    from matplotlib.collections import PatchCollection, PathCollection, PolyCollection
    from matplotlib.colors import to_rgba
    from matplotlib.patches import Circle, FancyBboxPatch

    plain, framed = ([box for box in scene.boxes if bool(box.border) is bordered] for bordered in (False, True))
    corners = [((b.left, b.top), (b.right, b.top), (b.right, b.bottom), (b.left, b.bottom)) for b in plain]
    fills = [to_rgba(box.color, box.alpha) for box in plain]
    round_corners = f"round,pad=0,rounding_size={RADIUS}"
    frames = [FancyBboxPatch((b.left, b.top), b.right - b.left, b.bottom - b.top, round_corners) for b in framed]
    circles = [Circle((dot.x, dot.y), dot.radius) for dot in scene.dots]
    heads = [(head, line.color) for line in scene.lines for head in line.heads]
    looks: Any = {"edgecolors": [line.color for line in scene.lines]}
    looks["linewidths"] = [_points(line.width) for line in scene.lines]
    dashes = ["--" if line.dashed else "-" for line in scene.lines] or "-"
    colors, borders = [box.color for box in framed], [box.border for box in framed]
    layers = [
        PolyCollection(corners, facecolors=fills, edgecolors="none"),
        PatchCollection(frames, facecolors=colors, edgecolors=borders, linewidths=_points(1.0)),
        PathCollection([_path(line) for line in scene.lines], facecolors="none", linestyles=dashes, **looks),
        PolyCollection([head for head, _ in heads], facecolors=[color for _, color in heads], edgecolors="none"),
        PatchCollection(circles, facecolors=[dot.color for dot in scene.dots], edgecolors="none"),
    ]
    for order, layer in enumerate(layers, start=1):
        layer.set_zorder(order)
        axes.add_collection(layer, autolim=False)
    for letters in scene.letters:
        place = {"ha": letters.align, "va": "baseline", "zorder": len(layers) + 1}
        font = {"fontsize": _points(letters.size), "fontweight": "bold" if letters.bold else "normal"}
        axes.text(letters.x, letters.y, letters.text, color=letters.color, parse_math=False, **place, **font)


def _path(line: Line) -> Any:
    from matplotlib.path import Path

    return Path(line.points, [Path.MOVETO, *[Path.CURVE4 if line.curved else Path.LINETO] * (len(line.points) - 1)])


def _points(pixels: float) -> float:
    return pixels * 72.0 / PIXELS_PER_INCH
