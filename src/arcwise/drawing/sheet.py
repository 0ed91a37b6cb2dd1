"""A page around a graph: title and notes above it, the legend below."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arcwise.drawing.legend import LEAST_WIDTH, MOST_WIDTH, Entry, legend
from arcwise.drawing.places import Layout
from arcwise.drawing.scene import COLORS, Group, Letters, Scene, fitted, printable, width_of

MARGIN = 20.0
TITLE_SIZE, NOTE_SIZE = 15.0, 11.5
TITLE_HEIGHT, NOTE_HEIGHT, LEGEND_GAP = 30.0, 18.0, 26.0


def sheet(
    title: str | None,
    notes: Sequence[str],
    body: Layout,
    shapes: Callable[[Layout], list[Group]],
    keys: Sequence[Entry],
) -> Scene:
    """Everything from top to bottom, the graph in the middle; `shapes` draws it where it comes to stand."""
    whole = printable(title or "")
    heading = fitted(whole, max(MOST_WIDTH, body.width), 1.1 * TITLE_SIZE)
    room = min(MOST_WIDTH, max(LEAST_WIDTH, body.width))
    _, (legend_width, legend_height) = legend(keys, 0.0, 0.0, room)
    texts = [1.1 * width_of(heading, TITLE_SIZE), *(width_of(note, NOTE_SIZE) for note in notes)]
    width = max(body.width, legend_width, *texts)
    top = MARGIN
    picture = Scene(width + 2 * MARGIN, title=whole or "graph")
    middle = MARGIN + width / 2
    if heading:
        letters = Letters(heading, middle, top + TITLE_SIZE - 2.0, TITLE_SIZE, align="center", bold=True)
        picture.letters.append(letters)
        top += TITLE_HEIGHT
    for note in notes:
        picture.letters.append(Letters(note, middle, top + NOTE_SIZE - 3.0, NOTE_SIZE, COLORS["edge"], "center"))
        top += NOTE_HEIGHT
    top += NOTE_HEIGHT / 2 * bool(notes)
    picture.groups += shapes(body.moved(middle - body.width / 2, top))
    bottom = top + body.height
    if keys:
        picture.groups += legend(keys, MARGIN, bottom + LEGEND_GAP, room)[0]
        bottom += LEGEND_GAP + legend_height - MARGIN / 2
    picture.height = bottom + MARGIN
    return picture
