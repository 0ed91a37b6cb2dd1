"""A column's histogram on the terminal, with its thresholds below and its levels in alternating colours."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.text import Text

    from arcwise.data.dataset import FloatArray
    from arcwise.drawing.histogram import Histogram

MOST_CELLS = 48
WIDEST_BAR = 12  # cells of a bar, when there are few bars
HEIGHT = 4  # lines
EIGHTHS = " ▁▂▃▄▅▆▇█"
COLOURS = ("cyan", "magenta")
SHIFTS = (0, 1, -1, 2, -2)  # how far from its tick a number may stand when another one is in the way
BARELY = 1e-9  # a threshold on the border of two cells belongs to the right one, whatever rounding does


def level_colour(level: int) -> str:
    return COLOURS[level % len(COLOURS)]


def draw_histogram(values: FloatArray, cuts: FloatArray, room: int) -> list[Text]:
    """Lines of at most `room` cells: bars, an axis with a mark at every threshold, numbers, and what is left out."""
    from rich.text import Text

    from arcwise.drawing.histogram import histogram

    most = max(1, min(room, MOST_CELLS))
    shape = histogram(values, most)
    bar = max(1, min(most // len(shape.counts), WIDEST_BAR))
    cells = bar * len(shape.counts)
    places = shape.place(cuts)
    levels = [int((places <= (cell + 0.5) / cells).sum()) for cell in range(cells)]
    tallest = int(shape.counts.max())
    heights = [_eighths(int(count), tallest) for count in shape.counts for _ in range(bar)]
    lines = [_coloured("".join(_block(height, row) for height in heights), levels) for row in reversed(range(HEIGHT))]
    marks = [(text, min(int(place * cells + BARELY), cells - 1)) for text, place in shape.marks(cuts)]
    lines.append(Text(_axis(cells, [cell for _, cell in marks])))
    lines.append(Text(_numbers(cells, room, shape, marks), "dim"))
    rest = shape.left_out(values, cuts)
    return [*lines, Text(rest, "dim")] if rest else lines


def _eighths(count: int, tallest: int) -> int:
    """Height of a bar; a bin with one row in it is never empty."""
    return max(round(8 * HEIGHT * count / tallest), count > 0)


def _block(height: int, row: int) -> str:
    """What a bar of this height fills of a line; row 0 is the lowest."""
    return EIGHTHS[min(max(height - 8 * row, 0), 8)]


def _coloured(text: str, levels: Sequence[int]) -> Text:
    from rich.text import Text

    pieces = groupby(zip(levels, text, strict=True), key=lambda pair: pair[0])
    return Text.assemble(*(("".join(block for _, block in run), level_colour(level)) for level, run in pieces))


def _axis(cells: int, marks: Sequence[int]) -> str:
    """A tick where a level begins, a double one where several begin in one cell."""
    ticks = {0: "─", 1: "┴"}
    return "".join(ticks.get(marks.count(cell), "╨") for cell in range(cells))


def _numbers(cells: int, room: int, shape: Histogram, marks: Sequence[tuple[str, int]]) -> str:
    """The thresholds below their ticks, then the ends of the range: as many as there is room for."""
    line = [" "] * room
    wanted = [(text, cell - (len(text) - 1) // 2) for text, cell in marks]
    wanted += [(text, int(place * (cells - len(text)))) for text, place in shape.ends]
    for text, start in wanted:
        for shift in SHIFTS:
            begin = max(0, min(start + shift, room - len(text)))
            end = begin + len(text)
            if end <= room and not "".join(line[max(begin - 1, 0) : end + 1]).strip():
                line[begin:end] = text
                break
    return "".join(line).rstrip()
