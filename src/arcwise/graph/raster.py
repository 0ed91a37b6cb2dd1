"""The same picture as PNG or PDF through matplotlib's own canvases, without pyplot and its global state."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Literal
from unicodedata import east_asian_width

from arcwise.environment import import_matplotlib
from arcwise.graph.lettering import FONT_SIZE, LINE_HEIGHT
from arcwise.graph.scene import COLORS, Line, Scene

if TYPE_CHECKING:
    from matplotlib.patches import Patch

PIXELS_PER_INCH = 96.0
SCALE = 2.0  # PNG pixels for each pixel of the scene
MAX_SIDE = 16_000.0
EAST_ASIAN_FONTS = (
    "Noto Sans CJK JP",
    "Noto Sans CJK SC",
    "Hiragino Sans",
    "PingFang SC",
    "Yu Gothic",
    "Microsoft YaHei",
    "Malgun Gothic",
    "Arial Unicode MS",
)


def to_bytes(scene: Scene, kind: Literal["png", "pdf"]) -> bytes:
    """The finished file. Very large graphs get fewer PNG pixels, so that no side exceeds MAX_SIDE."""
    import_matplotlib()
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.patches import FancyBboxPatch

    figure = Figure(figsize=(scene.width / PIXELS_PER_INCH, scene.height / PIXELS_PER_INCH), facecolor=COLORS["paper"])
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set_xlim(0.0, scene.width)
    axes.set_ylim(scene.height, 0.0)
    for line in scene.lines:
        for patch in _line_patches(line):
            axes.add_patch(patch)
    for box in scene.boxes:
        corner = (box.x - box.width / 2, box.y - box.height / 2)
        style = "round,pad=0,rounding_size=7"
        axes.add_patch(
            FancyBboxPatch(
                corner,
                box.width,
                box.height,
                boxstyle=style,
                fc=COLORS["box"],
                ec=COLORS["border"],
                lw=_points(1.0),
            )
        )
    fonts = font_families("".join(text for label in scene.labels for text in label.lines))
    for label in scene.labels:
        first = label.y - (len(label.lines) - 1) * LINE_HEIGHT / 2 + 0.35 * FONT_SIZE
        for i, text in enumerate(label.lines):
            axes.text(
                label.x,
                first + i * LINE_HEIGHT,
                text,
                ha="center",
                va="baseline",
                fontsize=_points(FONT_SIZE),
                fontfamily=fonts,
                fontweight="bold" if label.bold else "normal",
                color=COLORS["ink"],
                parse_math=False,
            )
    buffer = BytesIO()
    dpi = PIXELS_PER_INCH * min(SCALE, MAX_SIDE / max(scene.width, scene.height))
    metadata = {"CreationDate": None} if kind == "pdf" else {"Software": None}
    with rc_context({"pdf.fonttype": 42}):
        canvas.print_figure(buffer, format=kind, dpi=dpi, facecolor=COLORS["paper"], metadata=metadata)
    return buffer.getvalue()


def font_families(text: str) -> list[str]:
    """DejaVu Sans, which matplotlib brings along, and an installed font for East Asian scripts when needed."""
    from matplotlib.font_manager import get_font_names

    if all(east_asian_width(letter) not in "WF" for letter in text):
        return ["DejaVu Sans"]
    installed = set(get_font_names())
    return ["DejaVu Sans", *[name for name in EAST_ASIAN_FONTS if name in installed][:1]]


def _line_patches(line: Line) -> list[Patch]:
    from matplotlib.patches import PathPatch, Polygon
    from matplotlib.path import Path

    color = COLORS["conflict" if line.conflict else "edge"]
    codes = [Path.MOVETO, *[Path.CURVE4] * (len(line.points) - 1)]
    curve = PathPatch(Path(line.points, codes), fc="none", ec=color, lw=_points(line.thickness), capstyle="round")
    return [curve, *(Polygon(head, closed=True, fc=color, ec="none") for head in line.heads)]


def _points(pixels: float) -> float:
    return pixels * 72.0 / PIXELS_PER_INCH
