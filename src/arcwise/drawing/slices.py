"""Two columns against each other within slices of the columns they are conditioned on: what a test looks at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from arcwise.checking import checked
from arcwise.data.dataset import Column, Dataset, IntArray, Kind
from arcwise.data.reading.door import takes_table
from arcwise.drawing.files import suffix_of, write
from arcwise.drawing.histogram import histogram
from arcwise.drawing.scene import COLORS, Box, Letters, Line, Scene, fitted, printable, width_of
from arcwise.errors import DataError
from arcwise.printing import counted, listed

MOST_SLICES = 4
MARGIN, GAP, GUTTER = 24.0, 26.0, 70.0  # the gutter, left of the plots, has the numbers of y
TITLE_SIZE, TEXT_SIZE, SMALL_SIZE = 16.0, 12.0, 10.0
TITLE_HEIGHT, HOW_HEIGHT, LABEL_HEIGHT, ROWS_HEIGHT, NUMBERS_HEIGHT = 28.0, 26.0, 17.0, 19.0, 18.0
SIDE = 230.0  # of a plot
CELLS = 46  # of a plot, a side
ROWS_WANTED = 200  # of a slice, if its quarter has so many
FEWEST_ROWS = 5  # a column of cells with fewer rows gets no median
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Scale:
    """One axis: what stands at its ends; `ordered` where the way along it means something."""

    name: str
    ends: tuple[str, str]
    ordered: bool


@dataclass(frozen=True, slots=True, eq=False)
class Slice:
    """One label for each column that was sliced; counts[i, j]: rows in cell i of x and cell j of y.

    `rows` counts those beyond the ends as well.
    """

    labels: tuple[str, ...]
    rows: int
    counts: IntArray

    @property
    def medians(self) -> list[int | None]:
        """For each cell of x the cell of y in which the median lies; None where there are few rows."""
        sums = self.counts.cumsum(axis=1)
        enough = sums[:, -1] >= FEWEST_ROWS
        middle = (2 * sums >= sums[:, -1:]).argmax(axis=1)
        return [int(cell) if one else None for cell, one in zip(middle, enough, strict=True)]


@dataclass(frozen=True, slots=True)
class Slices:
    """The same two axes in every slice. `how` the slices were chosen; `left_out`: rows beyond the ends, or empty."""

    x: Scale
    y: Scale
    how: str
    parts: tuple[Slice, ...]
    left_out: str


@takes_table
def slice_up(data: Dataset, x: str, y: str, given: Sequence[str], across: int, down: int) -> Slices:
    """Counts of x against y in at most across x down cells, within the quarters of a given column or halves of two."""
    whole = data.select(dict.fromkeys((x, y, *given[:2])))
    data = whole.complete_rows().repeated()
    if not data.n_rows and whole.n_rows:
        raise DataError(f"no row has a value of each of {listed([repr(name) for name in whole.names])}; draw others")
    scale_x, place_x = _scale(data.column(x), across)
    scale_y, place_y = _scale(data.column(y), down)
    shape = (int(place_x.max(initial=0)) + 1, int(place_y.max(initial=0)) + 1)
    shown = (place_x >= 0) & (place_y >= 0)
    parts = []
    how, masks = _masks(data, given)
    for labels, mask in masks:
        keys = place_x[mask & shown] * shape[1] + place_y[mask & shown]
        counts = np.bincount(keys, minlength=shape[0] * shape[1]).reshape(shape)
        parts.append(Slice(labels, int(mask.sum()), counts))
    beyond, missing = int((~shown).sum()), whole.n_rows - data.n_rows
    hidden = [f"{counted(beyond, 'row')} far beyond the ends"] * (beyond > 0)
    hidden += [f"{counted(missing, 'row')} with missing cells"] * (missing > 0)
    left_out = f"not shown: {'; '.join(hidden)}" if hidden else ""
    return Slices(scale_x, scale_y, how, tuple(parts), left_out)


def _scale(column: Column, most: int) -> tuple[Scale, IntArray]:
    """The axis of a column, and the cell of each row; -1 for outliers that would squeeze the others together."""
    name = printable(column.name)
    if column.kind is Kind.DISCRETE:
        cells = min(column.cardinality, most)
        places = column.values.astype(np.intp) * cells // max(column.cardinality, 1)
        ends = (printable(column.levels[0]), printable(column.levels[-1])) if column.levels else ("", "")
        return Scale(name, ends, column.ordered or column.cardinality == 2), places
    shape = histogram(column.values, most)
    cells = len(shape.counts)
    fractions = shape.place(column.values)
    places = np.minimum((np.clip(fractions, 0, 1) * cells).astype(np.intp), cells - 1)
    places[(fractions < 0) | (fractions > 1)] = -1
    low, high = short_numbers(*shape.shown)
    return Scale(name, (low, "" if low == high else high), True), places


def _masks(data: Dataset, given: Sequence[str]) -> tuple[str, list[tuple[tuple[str, ...], Mask]]]:
    """How the slices were chosen, and the labels and rows of each; of two columns, as more would leave few rows."""
    found: list[tuple[tuple[str, ...], Mask]] = [((), np.ones(data.n_rows, dtype=np.bool_))]
    if not given:
        return "all rows", found
    columns = [data.column(name) for name in given[:2]]
    most = MOST_SLICES if len(columns) == 1 else 2
    # Thin slices come nearer to holding the column fixed, but rows must be left to look at.
    share = min(1.0, max(ROWS_WANTED, data.n_rows / 32) / max(data.n_rows / MOST_SLICES, 1)) ** (1 / len(columns))
    for column in columns:
        cut = _split(column, most, share)
        found = [((*labels, label), mask & more) for labels, mask in found for label, more in cut]
    return _how(columns, most, share), [(labels, mask) for labels, mask in found if mask.any()]


def _how(columns: Sequence[Column], most: int, share: float) -> str:
    parts = []
    for column in columns:
        name = printable(column.name)
        if column.kind is Kind.DISCRETE:
            parts.append(f"by level of {name}")
        else:
            fraction = {2: "half", MOST_SLICES: "quarter"}[most]
            parts.append(f"in {'the middle of each' if share < 1 else 'each'} {fraction} of {name}")
    return " and ".join(parts)


def _split(column: Column, most: int, share: float) -> list[tuple[str, Mask]]:
    """Slices of a column: levels, or the middle `share` of each of `most` stretches with equally many rows."""
    name = printable(column.name)
    if column.kind is Kind.DISCRETE:
        return _split_levels(column, name, most)
    ordered, n = np.sort(column.values), len(column.values)
    found: dict[tuple[float, float], tuple[str, Mask]] = {}
    for k in range(most):
        first = min(round((k + 0.5 - share / 2) * n / most), n - 1)
        last = max(round((k + 0.5 + share / 2) * n / most) - 1, first)
        low, high = float(ordered[first]), float(ordered[last])
        texts = short_numbers(low, high)
        label = f"{name} = {texts[0]}" if low == high else f"{name} {texts[0]} to {texts[1]}"
        found[low, high] = label, (column.values >= low) & (column.values <= high)
    return list(found.values())


def short_numbers(low: float, high: float) -> tuple[str, str]:
    """Three significant digits, or as many more as it takes to tell the two apart."""
    for digits in range(3, 18):
        texts = f"{low:.{digits}g}", f"{high:.{digits}g}"
        if texts[0] != texts[1] or low == high:
            break
    return texts


def _split_levels(column: Column, name: str, most: int) -> list[tuple[str, Mask]]:
    counts = np.bincount(column.values, minlength=column.cardinality)
    present = np.flatnonzero(counts)
    kept = present
    if len(present) > most:
        kept = np.sort(present[np.argsort(-counts[present], kind="stable")][: most - 1])
    found = [(f"{name} = {printable(column.levels[k])}", column.values == k) for k in kept]
    if len(kept) < len(present):
        found.append((f"{name}: {len(present) - len(kept)} other levels", ~np.isin(column.values, kept)))
    return found


@takes_table
@checked
def draw_slices(
    data: Dataset, x: str, y: str, given: Sequence[str], path: str | Path, *, title: str | None = None
) -> None:
    """Write a .svg, .png or .pdf picture, whole or not at all: the density of x and y in every slice, side by side.

    A line marks the median of y along x: it is level where y does not depend on x in that slice.
    """
    suffix_of(path)
    slices = slice_up(data, x, y, given, CELLS, CELLS)
    write(_laid_out(slices, printable(title or "")), path)


def _laid_out(slices: Slices, title: str) -> Scene:
    n = len(slices.parts)
    room = max(n, 2) * (SIDE + GAP) - GAP  # a single plot leaves room for the title
    width = 2 * MARGIN + GUTTER + room
    sheet = Scene(width, title=title or "slices")
    top = MARGIN
    if title:
        text = fitted(title, width - 2 * MARGIN, 1.1 * TITLE_SIZE)
        sheet.letters.append(Letters(text, MARGIN, top + TITLE_SIZE, TITLE_SIZE, bold=True))
        top += TITLE_HEIGHT
    line = f"; the line is the median of {slices.y.name}" if slices.y.ordered else ""
    how = fitted(slices.how + line, width - 2 * MARGIN, TEXT_SIZE)
    sheet.letters.append(Letters(how, MARGIN, top + TEXT_SIZE, TEXT_SIZE, COLORS["edge"]))
    top += HOW_HEIGHT
    plot = top + LABEL_HEIGHT * len(slices.parts[0].labels) + ROWS_HEIGHT
    for k, part in enumerate(slices.parts):
        left = MARGIN + GUTTER + k * (SIDE + GAP)
        for i, label in enumerate(part.labels):
            text = _end_of(label, SIDE, 1.1 * TEXT_SIZE)  # bold letters are wider
            sheet.letters.append(Letters(text, left, top + TEXT_SIZE + i * LABEL_HEIGHT, TEXT_SIZE, bold=True))
        rows = counted(part.rows, "row")
        sheet.letters.append(Letters(rows, left, plot - 6.0, SMALL_SIZE, COLORS["edge"]))
        _add_plot(sheet, slices, part, left, plot)
        _add_row_of_names(sheet, slices.x, left, plot + SIDE + NUMBERS_HEIGHT - 4.0)
    _add_column_of_names(sheet, slices.y, plot)
    bottom = plot + SIDE + NUMBERS_HEIGHT
    if slices.left_out:
        bottom += NUMBERS_HEIGHT
        sheet.letters.append(Letters(slices.left_out, MARGIN + GUTTER, bottom - 4.0, SMALL_SIZE, COLORS["edge"]))
    sheet.height = bottom + MARGIN
    return sheet


def _end_of(label: str, room: float, size: float) -> str:
    """The label, or as much of its end as fits: there it says what tells the slices apart."""
    shorter = label
    while len(shorter) > 1 and width_of(shorter, size) > room:
        shorter = f"…{shorter[2:]}"
    return shorter


def _add_plot(sheet: Scene, slices: Slices, part: Slice, left: float, top: float) -> None:
    """The denser, the darker: the square root of the count, so that thin regions are seen."""
    across, down = part.counts.shape
    wide, high = SIDE / across, SIDE / down
    bottom = top + SIDE
    sheet.boxes.append(Box(left, top, left + SIDE, bottom, COLORS["box"]))
    most = int(part.counts.max(initial=0))
    for i, j in np.argwhere(part.counts).tolist():
        alpha = 0.12 + 0.88 * sqrt(part.counts[i, j] / most)
        x, y = left + i * wide, bottom - j * high
        sheet.boxes.append(Box(x, y - high, x + wide, y, COLORS["border"], alpha))
    if slices.y.ordered and down > 1:
        for i, cell in enumerate(part.medians):
            if cell is not None:
                x, y = left + i * wide, bottom - (cell + 0.5) * high
                sheet.lines.append(Line(((x, y), (x + wide, y)), COLORS["conflict"], 2.0))
    sheet.lines.append(Line(((left, top), (left, bottom), (left + SIDE, bottom)), COLORS["edge"]))


def _add_row_of_names(sheet: Scene, scale: Scale, left: float, baseline: float) -> None:
    """Below a plot: the ends of x, and its name between them."""
    low, high = (fitted(text, SIDE / 3, SMALL_SIZE) for text in scale.ends)
    taken = max(width_of(low, SMALL_SIZE), width_of(high, SMALL_SIZE))
    name = fitted(scale.name, SIDE - 2 * taken - 12.0, TEXT_SIZE)
    sheet.letters.append(Letters(low, left, baseline, SMALL_SIZE, COLORS["edge"]))
    sheet.letters.append(Letters(high, left + SIDE, baseline, SMALL_SIZE, COLORS["edge"], "right"))
    sheet.letters.append(Letters(name, left + SIDE / 2, baseline, TEXT_SIZE, align="center"))


def _add_column_of_names(sheet: Scene, scale: Scale, top: float) -> None:
    """Left of the first plot: the ends of y, and its name halfway."""
    right, room = MARGIN + GUTTER - 8.0, GUTTER - 8.0
    places = ((scale.ends[1], top + SMALL_SIZE), (scale.ends[0], top + SIDE))
    for text, baseline in places:
        short = fitted(text, room, SMALL_SIZE)
        sheet.letters.append(Letters(short, right, baseline, SMALL_SIZE, COLORS["edge"], "right"))
    name = fitted(scale.name, room, TEXT_SIZE)
    sheet.letters.append(Letters(name, right, top + SIDE / 2 + width_of("x", TEXT_SIZE) / 2, TEXT_SIZE, align="right"))
