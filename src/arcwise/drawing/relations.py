"""How a column follows each of its parents: a curve for each parent, over the rows that it is fitted to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from arcwise.data.dataset import Dataset, FloatArray, Kind
from arcwise.data.reading.door import takes_table
from arcwise.drawing.files import suffix_of, write
from arcwise.drawing.scene import COLORS, Box, Dot, Letters, Line, Point, Scene, fitted, printable, width_of
from arcwise.drawing.slices import short_numbers

MARGIN, GAP, GUTTER = 24.0, 30.0, 70.0  # the gutter, left of the plots, has the numbers of y
TITLE_SIZE, TEXT_SIZE, SMALL_SIZE = 16.0, 12.0, 10.0
TITLE_HEIGHT, HOW_HEIGHT, LABEL_HEIGHT, KEY_HEIGHT = 28.0, 26.0, 20.0, 18.0
SIDE, PAD = 220.0, 10.0
ACROSS = 4  # plots in a row
MOST_DOTS = 400
ENDS = 0.005  # share of the rows beyond either end of y
DOT, STEP = "#b9c7d6", 3.0
LINES = ("#c2562d", "#2f6f9f", "#4a8c4f", "#8a5aa8", "#b08a1e", "#5f6f80")  # of levels; the last one of all others


@dataclass(frozen=True, slots=True, eq=False)
class Relation:
    """What is expected of `child` where `parent` has the values `at`, the other parents being as in the rows.

    at: numbers, or the parent's levels. expected: the mean of a number at each of them, (points,), or the probabilities
    of the child's `levels`, (points, levels).
    """

    child: str
    parent: str
    at: tuple[float, ...] | tuple[str, ...]
    expected: FloatArray
    levels: tuple[str, ...] = ()


@takes_table
def draw_relations(found: Sequence[Relation], data: Dataset, path: str | Path) -> None:
    """Write a .svg, .png or .pdf picture, whole or not at all: a plot for each parent. found: of one child."""
    suffix_of(path)
    child = found[0].child
    levels = found[0].levels
    n_rows = -(-len(found) // ACROSS)
    across = max(min(len(found), ACROSS), 2)  # a single plot leaves room for the title
    width = 2 * MARGIN + GUTTER + across * (SIDE + GAP) - GAP
    scene = Scene(width, title=f"{printable(child)} by its parents")
    top = MARGIN
    title = fitted(f"{printable(child)} by its parents", width - 2 * MARGIN, 1.1 * TITLE_SIZE)
    scene.letters.append(Letters(title, MARGIN, top + TITLE_SIZE, TITLE_SIZE, bold=True))
    top += TITLE_HEIGHT
    what = "probability of each level" if levels else "expected value"
    how = f"{what}, averaged over the rows of the other parents" if len(found) > 1 else what
    scene.letters.append(
        Letters(fitted(how, width - 2 * MARGIN, TEXT_SIZE), MARGIN, top + TEXT_SIZE, TEXT_SIZE, COLORS["edge"])
    )
    top += HOW_HEIGHT
    if levels:
        top = _add_keys(scene, levels, top, width)
    low, high = (0.0, 1.0) if levels else _ends(found, data)
    height = SIDE + 2 * LABEL_HEIGHT + GAP
    for k, relation in enumerate(found):
        left = MARGIN + GUTTER + k % ACROSS * (SIDE + GAP)
        _add_plot(scene, relation, data, left, top + k // ACROSS * height, (low, high), first=k % ACROSS == 0)
    scene.height = top + n_rows * height - GAP + MARGIN
    write(scene, path)


def _ends(found: Sequence[Relation], data: Dataset) -> tuple[float, float]:
    """Of y: nearly all values, and every curve."""
    values = data.column(found[0].child).recorded
    ends = np.quantile(values, [ENDS, 1.0 - ENDS]).tolist() if len(values) else []
    ends += [float(end) for one in found for end in (one.expected.min(), one.expected.max())]
    return (min(ends), max(ends)) if min(ends) < max(ends) else (min(ends) - 1.0, max(ends) + 1.0)


def _add_keys(scene: Scene, levels: Sequence[str], top: float, width: float) -> float:
    """The colour of each level; what is left below."""
    x = MARGIN
    for k, level in enumerate(levels):
        words = fitted(printable(level), 160.0, TEXT_SIZE)
        room = 30.0 + width_of(words, TEXT_SIZE) + 14.0
        if x + room > width - MARGIN and x > MARGIN:
            x, top = MARGIN, top + KEY_HEIGHT
        y = top + 0.5 * KEY_HEIGHT
        scene.lines.append(Line(((x, y), (x + 22.0, y)), _color(k), 2.0))
        scene.letters.append(Letters(words, x + 28.0, y + 0.35 * TEXT_SIZE, TEXT_SIZE))
        x += room
    return top + KEY_HEIGHT + 6.0


def _color(level: int) -> str:
    return LINES[min(level, len(LINES) - 1)]


def _add_plot(
    scene: Scene, one: Relation, data: Dataset, left: float, top: float, ends: tuple[float, float], *, first: bool
) -> None:
    column = data.column(one.parent)
    name = fitted(printable(one.parent), SIDE, 1.1 * TEXT_SIZE)
    top += LABEL_HEIGHT
    scene.boxes.append(Box(left, top, left + SIDE, top + SIDE, COLORS["box"]))
    scene.letters.append(
        Letters(name, left + SIDE / 2, top + SIDE + 2 * LABEL_HEIGHT - 6.0, TEXT_SIZE, align="center", bold=True)
    )
    low, high = ends

    def down(values: FloatArray) -> FloatArray:
        return top + SIDE - PAD - (SIDE - 2 * PAD) * (np.clip(values, low, high) - low) / (high - low)

    if first:
        for value, text in zip(ends, short_numbers(low, high), strict=True):
            y = float(down(np.array([value]))[0])
            scene.letters.append(Letters(text, left - 6.0, y + 0.35 * SMALL_SIZE, SMALL_SIZE, COLORS["edge"], "right"))
    along = _along(one, left)
    if column.kind is Kind.DISCRETE:
        _add_levels(scene, one, top, along)
    else:
        x_ends = (float(one.at[0]), float(one.at[-1]))
        texts, y = short_numbers(*x_ends), top + SIDE + SMALL_SIZE + 3.0
        scene.letters.append(Letters(texts[0], along(x_ends[0]), y, SMALL_SIZE, COLORS["edge"]))
        scene.letters.append(Letters(texts[1], along(x_ends[1]), y, SMALL_SIZE, COLORS["edge"], "right"))
    if not one.levels:
        _add_rows(scene, one, data, along, down)
    for k in range(one.expected.shape[1] if one.expected.ndim > 1 else 1):
        heights = down(one.expected[:, k] if one.expected.ndim > 1 else one.expected)
        points: list[Point] = [(along(at), float(y)) for at, y in zip(list[float | str](one.at), heights, strict=True)]
        scene.lines.append(Line(tuple(points), _color(k), 2.2))
        if column.kind is Kind.DISCRETE:
            scene.dots += [Dot(x, y, 4.0, _color(k)) for x, y in points]


def _along(one: Relation, left: float) -> Callable[[float | str], float]:
    """The place of a value or a level on the axis."""
    if isinstance(one.at[0], str):
        places: dict[float | str, float] = {level: (k + 0.5) / len(one.at) for k, level in enumerate(one.at)}
        return lambda level: left + SIDE * places[level]
    low, high = float(one.at[0]), float(one.at[-1])
    return lambda value: left + PAD + (SIDE - 2 * PAD) * ((float(value) - low) / (high - low) if high > low else 0.5)


def _add_levels(scene: Scene, one: Relation, top: float, along: Callable[[float | str], float]) -> None:
    room = SIDE / len(one.at) - 4.0
    for level in map(str, one.at):
        text = fitted(printable(level), room, SMALL_SIZE)
        scene.letters.append(
            Letters(text, along(level), top + SIDE + SMALL_SIZE + 3.0, SMALL_SIZE, COLORS["edge"], "center")
        )


def _add_rows(
    scene: Scene,
    one: Relation,
    data: Dataset,
    along: Callable[[float | str], float],
    down: Callable[[FloatArray], FloatArray],
) -> None:
    """Some rows as dots; those of one level beside each other."""
    rows = data.select([one.parent, one.child]).complete_rows()
    some = rows.take(np.unique(np.linspace(0, max(rows.n_stored - 1, 0), MOST_DOTS).astype(np.intp)))
    column = some.column(one.parent)
    heights = down(some.column(one.child).values)
    if column.kind is Kind.DISCRETE:
        spread = (np.arange(len(heights)) * 0.618034 % 1.0 - 0.5) * 0.5 * SIDE / len(one.at)
        xs = [along(column.levels[code]) + float(by) for code, by in zip(column.values, spread, strict=True)]
        inside = np.ones(len(xs), dtype=np.bool_)
    else:
        inside = (column.values >= float(one.at[0])) & (column.values <= float(one.at[-1]))
        xs = [along(value) for value in column.values]
    scene.dots += [Dot(x, float(y), 1.6, DOT) for x, y, here in zip(xs, heights, inside, strict=True) if here]
