"""The thresholds of every cut column over its histogram, as one picture of small panels."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, FloatArray
from arcwise.data.discretization import Discretization
from arcwise.data.reading.door import takes_table
from arcwise.data.states import States
from arcwise.drawing.files import suffix_of, write
from arcwise.drawing.histogram import Histogram, histogram
from arcwise.drawing.scene import COLORS, Box, Letters, Line, Scene, fitted, printable, width_of
from arcwise.errors import DataError

MARGIN, GAP = 24.0, 34.0
TITLE_SIZE, NAME_SIZE, TEXT_SIZE, SMALL_SIZE = 16.0, 13.0, 11.0, 10.0
TITLE_HEIGHT, NAME_HEIGHT, NUMBERS_HEIGHT, NOTE_HEIGHT, LINE_HEIGHT = 34.0, 22.0, 18.0, 15.0, 16.0
PLOT_WIDTH, PLOT_HEIGHT = 300.0, 120.0
HEADROOM = 8.0  # of a panel, above the tallest bar
COUNT_RIGHT, SHORTEST_BAR = 206.0, 30.0  # where the rows of a level end unless the labels are long, and their bar
INDENT = 16.0  # of the words behind the colour of a level
MOST_BINS, MOST_LEVELS = 50, 24
CURVE_POINTS, FLAT = 151, 0.3  # of a density, and a height of it that does not show
MOST_SHIFT = 40.0  # of a number away from its line
FAINT = 0.55  # every other level


@dataclass(frozen=True, slots=True, eq=False)
class _Panel:
    """All that a panel shows."""

    name: str
    levels: tuple[str, ...]
    rows: tuple[int, ...]
    cuts: FloatArray
    shape: Histogram
    note: str  # below the name
    left_out: str  # below the histogram
    curves: tuple[FloatArray, ...] = ()  # of each state: rows that a bin would have, along the width


@takes_table
@checked
def draw_thresholds(
    data: Dataset,
    discretization: Discretization,
    path: str | Path,
    *,
    title: str | None = None,
    notes: Mapping[str, str] | None = None,
    states: Mapping[str, States] | None = None,
) -> None:
    """Write a .svg, .png or .pdf picture, whole or not at all: one panel for each column with thresholds.

    A panel has the histogram of the column (`data` before it was cut), a line at each threshold, and the levels with
    their rows. The columns stand in the order of `data`; `notes` are words below the names of some of them. `states`:
    of columns that were read as states, whose densities are drawn over the bars. Missing cells are not drawn.
    """
    suffix_of(path)
    panels = _panels(data.repeated(), discretization, notes or {}, states or {})
    if not panels:
        raise DataError(f"cannot draw {path}: there are no continuous columns, so there are no thresholds to show")
    write(_laid_out(panels, printable(title or "")), path)


def _panels(
    data: Dataset, cuts: Discretization, notes: Mapping[str, str], states: Mapping[str, States]
) -> list[_Panel]:
    found = []
    for before, after in zip(data.columns, cuts.apply(data).columns, strict=True):
        if before.name in cuts.thresholds and len(before.recorded):
            places = cuts.thresholds[before.name]
            shape = histogram(before.recorded, MOST_BINS)
            rows = tuple(np.bincount(after.recorded, minlength=after.cardinality).tolist())
            name, note = printable(before.name), printable(notes.get(before.name, ""))
            left_out = shape.left_out(before.recorded, places)
            own = states.get(before.name)
            curves = () if own is None else _curves(own, shape, len(before.recorded))
            found.append(_Panel(name, after.levels, rows, places, shape, note, left_out, curves))
    return found


def _curves(states: States, shape: Histogram, n_rows: int) -> tuple[FloatArray, ...]:
    """Of each state the rows that a bin at each place would have."""
    values = np.linspace(shape.low, shape.high, CURVE_POINTS)
    width = (shape.high - shape.low) / len(shape.counts)
    densities = np.exp(states.log_densities(values)) * np.array(states.shares) * n_rows * width
    return tuple(densities.T)


def _laid_out(panels: list[_Panel], title: str) -> Scene:
    """The panels in a grid somewhat wider than high; a row of it is as high as its highest panel."""
    n = len(panels)
    most_square = range(math.ceil(math.sqrt(n)), math.ceil(math.sqrt(1.7 * n)) + 1)
    across = min(most_square, key=lambda columns: -n % columns)  # the fewest empty places
    sheet = Scene(2 * MARGIN + across * PLOT_WIDTH + (across - 1) * GAP, title=title or "thresholds")
    top = MARGIN
    if title:
        text = fitted(title, sheet.width - 2 * MARGIN, TITLE_SIZE)
        sheet.letters.append(Letters(text, MARGIN, top + TITLE_SIZE, TITLE_SIZE, bold=True))
        top += TITLE_HEIGHT
    for start in range(0, n, across):
        top = _add_row(sheet, panels[start : start + across], top) + GAP
    sheet.height = top - GAP + MARGIN
    return sheet


def _add_row(sheet: Scene, row: list[_Panel], top: float) -> float:
    """Panels side by side, their parts at the same heights; the bottom of the highest."""
    plot = top + NAME_HEIGHT + NOTE_HEIGHT * any(panel.note for panel in row)
    numbers = plot + PLOT_HEIGHT
    levels = numbers + NUMBERS_HEIGHT + NOTE_HEIGHT * any(panel.left_out for panel in row)
    for k, panel in enumerate(row):
        left = MARGIN + k * (PLOT_WIDTH + GAP)
        name = fitted(panel.name, PLOT_WIDTH, 1.1 * NAME_SIZE)  # bold letters are wider
        sheet.letters.append(Letters(name, left, top + NAME_SIZE, NAME_SIZE, bold=True))
        for text, above in ((panel.note, top + NAME_HEIGHT - 3.0), (panel.left_out, numbers + NUMBERS_HEIGHT)):
            if text:
                short = fitted(text, PLOT_WIDTH, SMALL_SIZE)
                sheet.letters.append(Letters(short, left, above + SMALL_SIZE, SMALL_SIZE, COLORS["edge"]))
        _add_plot(sheet, panel, left, plot)
        _add_numbers(sheet, panel, left, numbers + NUMBERS_HEIGHT - 5.0)
        _add_levels(sheet, panel, left, levels)
    return levels + LINE_HEIGHT * max(min(len(panel.levels), MOST_LEVELS + 1) for panel in row)


def _add_plot(sheet: Scene, panel: _Panel, left: float, top: float) -> None:
    """Bands, bars that change colour exactly at the thresholds, and the thresholds as lines."""
    bottom = top + PLOT_HEIGHT
    bins, counts = len(panel.shape.counts), panel.shape.counts
    places = panel.shape.place(panel.cuts)
    inside = np.array([place for _, place in panel.shape.marks(panel.cuts)])
    borders = np.concatenate([[0.0], inside, [1.0]])
    for start, end in pairwise(borders):
        shade = COLORS["box"] if _level(places, start, end) % 2 == 0 else COLORS["paper"]
        sheet.boxes.append(Box(left + PLOT_WIDTH * start, top, left + PLOT_WIDTH * end, bottom, shade))
    edges = np.union1d(np.arange(bins + 1) / bins, inside)
    for start, end in pairwise(edges):
        count = counts[min(int((start + end) / 2 * bins), bins - 1)]
        if count:
            height = max((PLOT_HEIGHT - HEADROOM) * count / counts.max(), 1.0)
            sides = left + PLOT_WIDTH * start, left + PLOT_WIDTH * end
            alpha = _alpha(_level(places, start, end))
            sheet.boxes.append(Box(sides[0], bottom - height, sides[1], bottom, COLORS["border"], alpha))
    for curve in panel.curves:
        heights = np.minimum((PLOT_HEIGHT - HEADROOM) * curve / counts.max(), PLOT_HEIGHT)
        seen = np.flatnonzero(heights > FLAT)
        along = left + PLOT_WIDTH * np.linspace(0.0, 1.0, len(curve))
        points = tuple((float(along[i]), float(bottom - heights[i])) for i in seen)
        if len(points) > 1:
            sheet.lines.append(Line(points, COLORS["ink"], 1.2))
    sheet.lines.append(Line(((left, bottom), (left + PLOT_WIDTH, bottom)), COLORS["edge"]))
    for place in inside:
        x = left + PLOT_WIDTH * place
        width = 1.3 if len(inside) < 8 else 0.8
        sheet.lines.append(Line(((x, top), (x, bottom + 4.0)), COLORS["conflict"], width))


def _level(places: FloatArray, start: float, end: float) -> int:
    return int(np.searchsorted(places, (start + end) / 2, side="right"))


def _alpha(level: int) -> float:
    return FAINT if level % 2 else 1.0


def _add_numbers(sheet: Scene, panel: _Panel, left: float, baseline: float) -> None:
    """The thresholds below their lines, then the ends of the range, as far as there is room."""
    marks, ends = panel.shape.marks(panel.cuts), panel.shape.ends
    halves = [width_of(text, SMALL_SIZE) / 2 for text, _ in (*marks, *ends)]
    wishes = [PLOT_WIDTH * place for _, place in (*marks, *ends)]
    wishes[: len(marks)] = _apart(wishes[: len(marks)], halves[: len(marks)])
    colors = ["conflict"] * len(marks) + ["edge"] * len(ends)
    taken: list[tuple[float, float]] = []
    for (text, _), wish, half, color in zip((*marks, *ends), wishes, halves, colors, strict=True):
        x = min(max(wish, half), PLOT_WIDTH - half)
        if all(x + half < start or end < x - half for start, end in taken):
            taken.append((x - half, x + half))
            sheet.letters.append(Letters(text, left + x, baseline, SMALL_SIZE, COLORS[color], "center"))


def _apart(centers: list[float], halves: list[float]) -> list[float]:
    """The centres of texts moved until none covers its neighbour; as they were when that moves one too far."""
    moved, border = list(centers), 0.0
    for i, half in enumerate(halves):  # to the right as far as needed
        moved[i] = max(moved[i], border + half)
        border = moved[i] + half + 3.0
    border = PLOT_WIDTH
    for i, half in reversed(list(enumerate(halves))):  # and back from the right end
        moved[i] = min(moved[i], border - half)
        border = moved[i] - half - 3.0
    farthest = max((abs(a - b) for a, b in zip(moved, centers, strict=True)), default=0.0)
    return moved if farthest <= MOST_SHIFT else centers


def _add_levels(sheet: Scene, panel: _Panel, left: float, top: float) -> None:
    """One line a level: its colour, what it means, its rows as a number and as a bar."""
    shown = [(label, f"{rows:,}", rows) for label, rows in zip(panel.levels, panel.rows, strict=True)][:MOST_LEVELS]
    longest = max(width_of(label + count, TEXT_SIZE) for label, count, _ in shown)
    right = min(max(COUNT_RIGHT, INDENT + longest + 12.0), PLOT_WIDTH - SHORTEST_BAR - 10.0)
    for k, (label, count, rows) in enumerate(shown):
        baseline = top + k * LINE_HEIGHT + TEXT_SIZE
        upper, lower, alpha = baseline - 0.75 * TEXT_SIZE, baseline + 0.05 * TEXT_SIZE, _alpha(k)
        bar = left + right + 10.0
        end = bar + (PLOT_WIDTH - right - 10.0) * rows / max(panel.rows)
        sheet.boxes.append(Box(left, upper, left + 9.0, lower, COLORS["border"], alpha))
        sheet.boxes.append(Box(bar, upper, end, lower, COLORS["border"], alpha))
        text = fitted(label, right - INDENT - 10.0 - width_of(count, TEXT_SIZE), TEXT_SIZE)
        sheet.letters.append(Letters(text, left + INDENT, baseline, TEXT_SIZE))
        sheet.letters.append(Letters(count, left + right, baseline, TEXT_SIZE, align="right"))
    if len(panel.levels) > MOST_LEVELS:
        baseline = top + MOST_LEVELS * LINE_HEIGHT + TEXT_SIZE
        text = f"and {len(panel.levels) - MOST_LEVELS:,} more levels"
        sheet.letters.append(Letters(text, left + INDENT, baseline, TEXT_SIZE, COLORS["edge"]))
