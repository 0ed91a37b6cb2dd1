"""How two columns lie against each other, slice by slice, in shades on the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.text import Text

    from arcwise.drawing.slices import Slice, Slices

SHADES = " ·░▒▓█"
WIDEST, LINES = 24, 9  # of a plot, in characters
NARROWEST = 14
WIDEST_GUTTER = 13  # left of the plots: the name and the ends of y
GAP = 3  # between two plots


def draw_maps(slices: Slices, room: int) -> list[Text]:
    """The slices side by side as shades, in lines of at most `room` characters, with their axes."""
    from rich.text import Text

    longest = max(len(text) for text in (*slices.y.ends, slices.y.name))
    gutter = min(longest + 1, WIDEST_GUTTER, room // 4)
    n = len(slices.parts)
    fit = max(1, min(n, (room - gutter + GAP) // (NARROWEST + GAP)))
    width = max(min((room - gutter + GAP) // fit - GAP, WIDEST), 1)
    lines: list[Text] = []
    for start in range(0, n, fit):
        lines += [Text("")] if start else []
        lines += _row_of_maps(slices, slices.parts[start : start + fit], gutter, width)
    return [*lines, Text(slices.left_out, "dim")] if slices.left_out else lines


def _row_of_maps(slices: Slices, parts: Sequence[Slice], gutter: int, width: int) -> list[Text]:
    from rich.text import Text

    def beside(left: str, cells: Sequence[str], style: str = "") -> Text:
        line = f"{_cut(left, gutter - 1):>{gutter - 1}} " + (" " * GAP).join(f"{c:<{width}}" for c in cells)
        return Text(line.rstrip(), style)

    maps = [_shaded(part, width) for part in parts]
    names = {0: slices.y.ends[1], LINES // 2: slices.y.name, LINES - 1: slices.y.ends[0]}
    labels = zip(*(part.labels for part in parts), strict=True)
    lines = [beside("", [_end_of(label, width) for label in line], "bold") for line in labels]
    lines += [beside(names.get(i, ""), [one[i] for one in maps]) for i in range(LINES)]
    return [*lines, beside("", [_ends(slices, width)] * len(parts), "dim")]


def _shaded(part: Slice, width: int) -> list[str]:
    """LINES lines of `width` shades, the highest y first; a cell of the counts may take several characters."""
    across, down = part.counts.shape
    most = max(int(part.counts.max(initial=0)), 1)
    lines = []
    for i in range(LINES):
        j = (LINES - 1 - i) * down // LINES
        counts = [int(part.counts[c * across // width, j]) for c in range(width)]
        lines.append("".join(SHADES[_shade(count, most)] for count in counts))
    return lines


def _shade(count: int, most: int) -> int:
    """By the square root, so that thin regions are seen; a cell with a row in it is never blank."""
    steps = len(SHADES) - 1
    return max(round(steps * sqrt(count / most)), int(count > 0))


def _ends(slices: Slices, width: int) -> str:
    """The ends of x with its name between them, as far as there is room."""
    low, high = slices.x.ends
    middle = slices.x.name
    if len(low) + len(high) + len(middle) + 2 <= width:
        return f"{low}{middle:^{width - len(low) - len(high)}}{high}"
    return f"{low}{high:>{width - len(low)}}" if len(low) + len(high) < width else _cut(middle, width)


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: max(room - 1, 0)]}…"


def _end_of(label: str, room: int) -> str:
    """The label, or its end: there it says what tells the slices apart."""
    return label if len(label) <= room else f"…{label[len(label) - room + 1 :]}"
