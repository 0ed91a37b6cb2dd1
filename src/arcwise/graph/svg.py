"""A picture as SVG text, without any drawing library."""

from __future__ import annotations

from functools import partial
from html import escape as escape_all

from arcwise.graph.lettering import FONT_SIZE, LINE_HEIGHT
from arcwise.graph.scene import COLORS, Line, Scene

escape = partial(escape_all, quote=False)  # all text stands between tags, none in attributes
FONTS = "'Helvetica Neue', Helvetica, Arial, 'DejaVu Sans', sans-serif"


def to_svg(scene: Scene) -> str:
    """Self-contained SVG with a viewBox; every node and edge has a tooltip."""
    width, height = _number(scene.width), _number(scene.height)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" font-family="{FONTS}" font-size="{_number(FONT_SIZE)}">',
        f"<title>{escape(scene.title_text)}</title>",
        f'<rect width="{width}" height="{height}" fill="{COLORS["paper"]}"/>',
        f'<g fill="none" stroke="{COLORS["edge"]}" stroke-linecap="round">',
        *(_line(line) for line in scene.lines),
        f'</g>\n<g fill="{COLORS["box"]}" stroke="{COLORS["border"]}">',
    ]
    for box in scene.boxes:
        corner = f'x="{_number(box.x - box.width / 2)}" y="{_number(box.y - box.height / 2)}"'
        size = f'width="{_number(box.width)}" height="{_number(box.height)}" rx="7"'
        parts.append(f"<rect {corner} {size}><title>{escape(box.name)}</title></rect>")
    parts.append(f'</g>\n<g fill="{COLORS["ink"]}" text-anchor="middle" pointer-events="none">')
    for label in scene.labels:
        first = label.y - (len(label.lines) - 1) * LINE_HEIGHT / 2 + 0.35 * FONT_SIZE
        weight = ' font-weight="bold"' if label.bold else ""
        for i, text in enumerate(label.lines):
            place = f'x="{_number(label.x)}" y="{_number(first + i * LINE_HEIGHT)}"'
            parts.append(f"<text {place}{weight}>{escape(text)}</text>")
    return "\n".join([*parts, "</g>", "</svg>", ""])


def _line(line: Line) -> str:
    start, *rest = line.points
    path = f"M{_number(start[0])} {_number(start[1])}"
    for i in range(0, len(rest), 3):
        path += "C" + " ".join(f"{_number(x)} {_number(y)}" for x, y in rest[i : i + 3])
    color = f' stroke="{COLORS["conflict"]}"' if line.conflict else ""
    heads = "".join(
        f'<polygon points="{" ".join(f"{_number(x)},{_number(y)}" for x, y in head)}" stroke="none" '
        f'fill="{COLORS["conflict" if line.conflict else "edge"]}"/>'
        for head in line.heads
    )
    tooltip = f"<title>{escape(line.tooltip)}</title>"
    return f'<g{color}>{tooltip}<path d="{path}" stroke-width="{_number(line.thickness)}"/>{heads}</g>'


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
