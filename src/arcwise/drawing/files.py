"""Scenes as files: SVG without any drawing library, PNG and PDF through matplotlib without pyplot and its global state.

In the latter everything stands on one pair of axes, like shapes in one collection, so that hundreds of panels are one
drawing.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from functools import partial
from html import escape as escape_all
from io import BytesIO
from pathlib import Path
from typing import Any, Literal
from unicodedata import east_asian_width

from arcwise.data.text_files import write_whole
from arcwise.drawing.scene import COLORS, Box, Dot, Group, Letters, Line, Scene
from arcwise.errors import FileError
from arcwise.machine import import_matplotlib

SUFFIXES = (".svg", ".png", ".pdf")
escape = partial(escape_all, quote=False)  # all text stands between tags, none in attributes
FONTS = "'Helvetica Neue', Helvetica, Arial, 'DejaVu Sans', sans-serif"
ANCHORS = {"left": "", "center": ' text-anchor="middle"', "right": ' text-anchor="end"'}
HALO = 5.0  # pixels around letters, half of them behind the letters themselves
PIXELS_PER_INCH = 96.0
SCALE = 2.0  # PNG pixels for each pixel of the scene
MAX_SIDE = 16_000.0
MAX_PIXELS = 50e6  # four bytes each
EAST_ASIAN_FONTS = (
    *("Noto Sans CJK JP", "Noto Sans CJK SC", "Hiragino Sans", "PingFang SC"),
    *("Yu Gothic", "Microsoft YaHei", "Malgun Gothic", "Arial Unicode MS"),
)


def suffix_of(path: str | Path) -> str:
    """The suffix in small letters, which must be that of a picture."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise FileError(f"{path}: unknown suffix {suffix!r} for a picture; use .svg, .png or .pdf")
    return suffix


def write(scene: Scene, path: str | Path) -> None:
    """A .svg, .png or .pdf file, whole or not at all; the same scene gives the same bytes."""
    suffix = suffix_of(path)
    if suffix == ".svg":
        write_whole(path, to_svg(scene).encode("utf-8"))
    else:
        write_whole(path, to_bytes(scene, "png" if suffix == ".png" else "pdf"))


def to_svg(scene: Scene) -> str:
    """Self-contained SVG with a viewBox; every group is one element, with its tooltip."""
    width, height = _number(scene.width), _number(scene.height)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" font-family="{FONTS}">',
        f"<title>{escape(scene.title)}</title>",
        f'<rect width="{width}" height="{height}" fill="{COLORS["paper"]}"/>',
        *(_box(box) for box in scene.boxes),
        *(_line(line) for line in scene.lines),
        *(
            f'<circle cx="{_number(dot.x)}" cy="{_number(dot.y)}" r="{_number(dot.radius)}" fill="{dot.color}"/>'
            for dot in scene.dots
        ),
        *(_group(group) for group in scene.groups),
        '<g pointer-events="none">',
        *(_letters(letters) for letters in scene.letters),
    ]
    return "\n".join([*parts, "</g>", "</svg>", ""])


def _box(box: Box) -> str:
    # Sides that touch must do so after rounding, too.
    left, top, right, bottom = (round(side, 2) for side in (box.left, box.top, box.right, box.bottom))
    place = f'x="{_number(left)}" y="{_number(top)}" width="{_number(right - left)}" height="{_number(bottom - top)}"'
    alpha = f' fill-opacity="{box.alpha:.3g}"' if box.alpha < 1.0 else ""
    looks = 'shape-rendering="crispEdges"'
    if box.border:
        looks = f'rx="{_number(box.radius)}" stroke="{box.border}" stroke-width="{_number(box.border_width)}"'
    inside = f"><title>{escape(box.tooltip)}</title></rect>" if box.tooltip else "/>"
    return f'<rect {place} fill="{box.color}"{alpha} {looks}{inside}'


def _line(line: Line) -> str:
    start, *rest = (f"{_number(x)} {_number(y)}" for x, y in line.points)
    pieces = (
        (f"C{' '.join(rest[i : i + 3])}" for i in range(0, len(rest), 3)) if line.curved else (f"L{p}" for p in rest)
    )
    dashes = f' stroke-dasharray="{" ".join(map(_number, line.dashes))}"' if line.dashes else ""
    alpha = f' opacity="{line.alpha:.3g}"' if line.alpha < 1.0 else ""
    looks = f'stroke="{line.color}" stroke-width="{_number(line.width)}"{dashes}{alpha}'
    path = f'<path fill="none" d="M{start}{"".join(pieces)}" {looks}/>'
    heads = "".join(
        f'<polygon points="{" ".join(f"{_number(x)},{_number(y)}" for x, y in head)}" fill="{line.color}"{alpha}/>'
        for head in line.heads
    )
    return path + heads


def _letters(letters: Letters) -> str:
    looks = f'font-size="{_number(letters.size)}" fill="{letters.color}"{ANCHORS[letters.align]}'
    bold = ' font-weight="bold"' if letters.bold else ""
    halo = f' stroke="{letters.halo}" stroke-width="{HALO:g}" paint-order="stroke"' if letters.halo else ""
    place = f'x="{_number(letters.x)}" y="{_number(letters.y)}"'
    return f"<text {place} {looks}{bold}{halo}>{escape(letters.text)}</text>"


def _group(group: Group) -> str:
    data = "".join(f' data-{key}="{value}"' for key, value in group.data)
    title = [f"<title>{escape(group.tooltip)}</title>"] if group.tooltip else []
    shapes = [*map(_line, group.lines), *map(_box, group.boxes), *map(_letters, group.letters)]
    return f'<g class="{group.marks}"{data}>{"".join([*title, *shapes])}</g>'


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def to_bytes(scene: Scene, kind: Literal["png", "pdf"]) -> bytes:
    """The finished file. A very large picture gets fewer PNG pixels, at most MAX_PIXELS in all and MAX_SIDE a side."""
    import_matplotlib()
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    width, height = scene.width, scene.height
    everything = [*scene.letters, *(letters for group in scene.groups for letters in group.letters)]
    fonts = font_families("".join(letters.text for letters in everything))
    settings: Any = {"font.family": fonts, "pdf.fonttype": 42, "text.usetex": False, "lines.scale_dashes": False}
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
    lines = [line for group in scene.groups for line in group.lines]
    boxes = [box for group in scene.groups for box in group.boxes]
    layers = [
        *_of_boxes(scene.boxes),
        *_of_lines(scene.lines),
        *_of_dots(scene.dots),
        *_of_lines(lines),
        *_of_boxes(boxes),
    ]
    for order, layer in enumerate(layers, start=1):
        layer.set_zorder(order)
        axes.add_collection(layer, autolim=False)
    for letters in [*(letters for group in scene.groups for letters in group.letters), *scene.letters]:
        _add_letters(axes, letters, len(layers) + 1)


def _of_boxes(boxes: Sequence[Box]) -> list[Any]:
    """Rectangles, then those with borders above them."""
    from matplotlib.collections import PatchCollection, PolyCollection
    from matplotlib.colors import to_rgba
    from matplotlib.patches import FancyBboxPatch

    plain, framed = ([box for box in boxes if bool(box.border) is bordered] for bordered in (False, True))
    corners = [((b.left, b.top), (b.right, b.top), (b.right, b.bottom), (b.left, b.bottom)) for b in plain]
    frames = [
        FancyBboxPatch(
            (b.left, b.top),
            b.right - b.left,
            b.bottom - b.top,
            f"round,pad=0,rounding_size={b.radius}" if b.radius else "square,pad=0",
        )
        for b in framed
    ]
    fills, inner = ([to_rgba(box.color, box.alpha) for box in some] for some in (plain, framed))
    widths = [_points(box.border_width) for box in framed]
    return [
        PolyCollection(corners, facecolors=fills, edgecolors="none"),
        PatchCollection(frames, facecolors=inner, edgecolors=[box.border for box in framed], linewidths=widths),
    ]


def _of_lines(lines: Sequence[Line]) -> list[Any]:
    from matplotlib.collections import PathCollection, PolyCollection
    from matplotlib.colors import to_rgba

    heads = [(head, to_rgba(line.color, line.alpha)) for line in lines for head in line.heads]
    looks: Any = {"edgecolors": [to_rgba(line.color, line.alpha) for line in lines]}
    looks["linewidths"] = [_points(line.width) for line in lines]
    looks["linestyles"] = [(0, tuple(map(_points, line.dashes))) if line.dashes else "-" for line in lines] or "-"
    return [
        PathCollection([_path(line) for line in lines], facecolors="none", **looks),
        PolyCollection([head for head, _ in heads], facecolors=[color for _, color in heads], edgecolors="none"),
    ]


def _of_dots(dots: Sequence[Dot]) -> list[Any]:
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Circle

    circles = [Circle((dot.x, dot.y), dot.radius) for dot in dots]
    return [PatchCollection(circles, facecolors=[dot.color for dot in dots], edgecolors="none")]


def _add_letters(axes: Any, letters: Letters, order: int) -> None:
    from matplotlib.patheffects import withStroke

    place = {"ha": letters.align, "va": "baseline", "zorder": order}
    font = {"fontsize": _points(letters.size), "fontweight": "bold" if letters.bold else "normal"}
    text = axes.text(letters.x, letters.y, letters.text, color=letters.color, parse_math=False, **place, **font)
    if letters.halo:
        text.set_path_effects([withStroke(linewidth=_points(HALO), foreground=letters.halo)])


def _path(line: Line) -> Any:
    from matplotlib.path import Path

    return Path(line.points, [Path.MOVETO, *[Path.CURVE4 if line.curved else Path.LINETO] * (len(line.points) - 1)])


def _points(pixels: float) -> float:
    return pixels * 72.0 / PIXELS_PER_INCH
