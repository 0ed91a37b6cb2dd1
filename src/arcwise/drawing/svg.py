"""A scene as SVG text, without any drawing library."""

from __future__ import annotations

from functools import partial
from html import escape as escape_all

from arcwise.drawing.scene import COLORS, Box, Letters, Line, Scene

escape = partial(escape_all, quote=False)  # all text stands between tags, none in attributes
FONTS = "'Helvetica Neue', Helvetica, Arial, 'DejaVu Sans', sans-serif"
ANCHORS = {"left": "", "center": ' text-anchor="middle"', "right": ' text-anchor="end"'}
RADIUS = 7  # of round corners


def to_svg(scene: Scene) -> str:
    """Self-contained SVG with a viewBox; every node and edge of a graph has a tooltip."""
    width, height = _number(scene.width), _number(scene.height)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" font-family="{FONTS}">',
        f"<title>{escape(scene.title)}</title>",
        f'<rect width="{width}" height="{height}" fill="{COLORS["paper"]}"/>',
        *(_box(box) for box in scene.boxes),
        '<g fill="none">',
        *(_line(line) for line in scene.lines),
        "</g>",
        *(
            f'<circle cx="{_number(dot.x)}" cy="{_number(dot.y)}" r="{_number(dot.radius)}" fill="{dot.color}"/>'
            for dot in scene.dots
        ),
        '<g pointer-events="none">',
        *(_letters(letters) for letters in scene.letters),
    ]
    return "\n".join([*parts, "</g>", "</svg>", ""])


def _box(box: Box) -> str:
    # Sides that touch must do so after rounding, too.
    left, top, right, bottom = (round(side, 2) for side in (box.left, box.top, box.right, box.bottom))
    place = f'x="{_number(left)}" y="{_number(top)}" width="{_number(right - left)}" height="{_number(bottom - top)}"'
    alpha = f' fill-opacity="{box.alpha:.3g}"' if box.alpha < 1.0 else ""
    looks = f'rx="{RADIUS}" stroke="{box.border}"' if box.border else 'shape-rendering="crispEdges"'
    inside = f"><title>{escape(box.tooltip)}</title></rect>" if box.tooltip else "/>"
    return f'<rect {place} fill="{box.color}"{alpha} {looks}{inside}'


def _line(line: Line) -> str:
    start, *rest = (f"{_number(x)} {_number(y)}" for x, y in line.points)
    pieces = (
        (f"C{' '.join(rest[i : i + 3])}" for i in range(0, len(rest), 3)) if line.curved else (f"L{p}" for p in rest)
    )
    dashes = ' stroke-dasharray="5 3"' if line.dashed else ""
    looks = f'stroke="{line.color}" stroke-width="{_number(line.width)}"{dashes}'
    path = f'<path d="M{start}{"".join(pieces)}" {looks}/>'
    heads = "".join(
        f'<polygon points="{" ".join(f"{_number(x)},{_number(y)}" for x, y in head)}" fill="{line.color}"/>'
        for head in line.heads
    )
    return f"<g><title>{escape(line.tooltip)}</title>{path}{heads}</g>" if line.tooltip else path + heads


def _letters(letters: Letters) -> str:
    looks = f'font-size="{_number(letters.size)}" fill="{letters.color}"{ANCHORS[letters.align]}'
    bold = ' font-weight="bold"' if letters.bold else ""
    return f'<text x="{_number(letters.x)}" y="{_number(letters.y)}" {looks}{bold}>{escape(letters.text)}</text>'


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
