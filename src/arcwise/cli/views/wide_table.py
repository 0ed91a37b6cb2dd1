"""Tables with many columns, as lines of text: below each other in parts that fit the screen, no word broken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from rich.cells import cell_len

from arcwise.printing import printable

APART = 2  # spaces between columns


def lines_of(header: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> Iterator[str]:
    """The first column, which names the rows, stands in each part. What follows a comma in a header is below it."""
    titles = [printable(title).split(", ") for title in header]
    cells = [[printable(cell) for cell in row] for row in rows]
    widths = [max(cell_len(text) for text in (*title, *(row[at] for row in cells))) for at, title in enumerate(titles)]
    for part in _parts(widths, width):
        if part[0] > 1:
            yield ""
        shown = [0, *part]
        for line in zip_longest(*(titles[at] for at in shown), fillvalue=""):
            yield _line(line, [widths[at] for at in shown])
        for row in cells:
            yield _line([row[at] for at in shown], [widths[at] for at in shown])


def _parts(widths: Sequence[int], width: int) -> Iterator[list[int]]:
    """The columns of each part; one that is too wide by itself is alone."""
    part: list[int] = []
    room = width - widths[0]
    for at, own in enumerate(widths[1:], 1):
        if part and room < APART + own:
            yield part
            part, room = [], width - widths[0]
        part.append(at)
        room -= APART + own
    if part:
        yield part


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    """The first at the left, numbers at the right."""
    first = cells[0] + " " * (widths[0] - cell_len(cells[0]))
    others = (" " * (APART + wide - cell_len(cell)) + cell for cell, wide in zip(cells[1:], widths[1:], strict=True))
    return (first + "".join(others)).rstrip()
