"""Tables of numbers as pictures: the darker, the larger; the number stands in each field."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, isfinite, log10
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from arcwise.checking import checked
from arcwise.data.dataset import FloatArray
from arcwise.drawing.files import suffix_of, to_svg, write
from arcwise.drawing.scene import COLORS, Box, Letters, Point, Scene, fitted, printable, width_of
from arcwise.errors import OptionError

MARGIN, GAP, LINE = 24.0, 10.0, 24.0
APART = 36.0  # between matrices beside each other
FIELD, SMALLEST_FIELD, MANY = 48.0, 26.0, 16  # smaller fields where there are many
TEXT_SIZE, TITLE_SIZE = 12.0, 14.0
LONGEST_NAME, WIDEST_FIELD = 220.0, 110.0  # pixels
NAME_LINE, MOST_LINES = 15.0, 3  # names of columns
DARKEST = "#2c4f7c"
DARK = 0.56  # share above which light letters are read better than dark ones


@dataclass(frozen=True)
class Matrix:
    """values[i][j] belongs to rows[i] and columns[j]; None where there is no number."""

    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    values: Sequence[Sequence[float | None]]


@checked
def draw_heat_map(
    shares: ArrayLike, names: Sequence[str], path: str | Path | None = None, *, title: str = ""
) -> str | None:
    """A field for each pair of names, shares[i, j] from 0 to 1: SVG text, or a .svg, .png or .pdf file at `path`."""
    if path is not None:
        suffix_of(path)
    found = _square(_checked_shares(shares, len(names)), names, title)
    if path is None:
        return to_svg(found)
    write(found, path)
    return None


def draw_matrices(
    path: str | Path,
    matrices: Sequence[Matrix],
    *,
    title: str = "",
    scale: tuple[float, float] | None = None,
    columns: int = 4,
) -> None:
    """Matrices beside each other, `columns` in a row. scale: the lightest and the darkest number; else the least and
    the largest that there are. Numbers beyond it are as dark as its ends."""
    suffix_of(path)
    numbers = [x for one in matrices for row in one.values for x in row if x is not None and isfinite(x)]
    low, high = scale or (min(numbers, default=0.0), max(numbers, default=1.0))
    digits = 0 if all(x == int(x) for x in numbers) else max(0, 2 - floor(log10(max(abs(low), abs(high)) or 1.0)))
    blocks = [_block(one, (low, high), digits) for one in matrices]
    scene = Scene(title=printable(title) or "matrices")
    wide = 1.1 * width_of(title, TITLE_SIZE)
    y = MARGIN
    if title:
        scene.letters.append(Letters(printable(title), MARGIN, y + TITLE_SIZE, TITLE_SIZE, bold=True))
        y += 1.5 * LINE
    for first in range(0, len(blocks), columns):
        x = MARGIN
        for block in blocks[first : first + columns]:
            block.add_to(scene, x, y)
            x += block.size[0] + APART
        wide = max(wide, x - APART - MARGIN)
        y += max(block.size[1] for block in blocks[first : first + columns]) + APART
    scene.width, scene.height = wide + 2 * MARGIN, y - APART * bool(blocks) + MARGIN
    write(scene, path)


@dataclass(frozen=True, slots=True)
class _Block:
    """A matrix with what is written around and in it. shares: how dark each field is, None for those without a number.

    names: of rows and columns, in full.
    """

    title: str
    labels: tuple[Sequence[str], Sequence[Sequence[str]]]  # those of columns in lines
    names: tuple[Sequence[str], Sequence[str]]
    shares: Sequence[Sequence[float | None]]
    texts: Sequence[Sequence[str]]
    field: Point

    @property
    def gutter(self) -> float:
        return max((width_of(label, TEXT_SIZE) for label in self.labels[0]), default=0.0) + GAP

    @property
    def size(self) -> Point:
        rows, columns = (len(labels) for labels in self.labels)
        wide = max(self.gutter + columns * self.field[0], 1.1 * width_of(self.title, TEXT_SIZE))
        return wide, self.above + rows * self.field[1]

    @property
    def above(self) -> float:
        """What the title and the names of the columns need."""
        most = max((len(lines) for lines in self.labels[1]), default=1)
        return LINE * (1 + bool(self.title)) + NAME_LINE * (most - 1)

    def add_to(self, scene: Scene, left: float, top: float) -> None:
        if self.title:
            scene.letters.append(Letters(printable(self.title), left, top + TEXT_SIZE, TEXT_SIZE, bold=True))
        top, left = top + self.above, left + self.gutter
        (wide, high), (rows, columns) = self.field, self.labels
        for j, lines in enumerate(columns):
            for k, line in enumerate(reversed(lines)):
                x, y = left + (j + 0.5) * wide, top - 0.6 * TEXT_SIZE - k * NAME_LINE
                scene.letters.append(Letters(line, x, y, TEXT_SIZE, align="center"))
        for i, label in enumerate(rows):
            baseline = top + (i + 0.5) * high + 0.35 * TEXT_SIZE
            scene.letters.append(Letters(label, left - GAP, baseline, TEXT_SIZE, align="right"))
            for j in range(len(columns)):
                share, text, x = self.shares[i][j], self.texts[i][j], left + j * wide
                tooltip = printable(f"{self.names[0][i]}, {self.names[1][j]}: {text}")
                alpha = 0.0 if share is None else 0.04 + 0.96 * share
                sides = x, top + i * high, x + wide, top + (i + 1) * high
                scene.boxes.append(Box(*sides, DARKEST, alpha=alpha, tooltip=tooltip))
                color = COLORS["edge"] if share is None else COLORS["paper"] if share > DARK else COLORS["ink"]
                size = TEXT_SIZE * min(1.0, wide / 32)
                scene.letters.append(Letters(text, x + wide / 2, baseline, size, color, "center"))


def _block(one: Matrix, scale: tuple[float, float], digits: int) -> _Block:
    low, high = scale
    there = [[x if x is not None and isfinite(x) else None for x in row] for row in one.values]
    texts = [["–" if x is None else f"{x:,.{digits}f}" for x in row] for row in there]
    shares = [
        [None if x is None else min(max((x - low) / (high - low), 0.0), 1.0) if high > low else 0.0 for x in row]
        for row in there
    ]
    rows = [fitted(printable(name), LONGEST_NAME, TEXT_SIZE) for name in one.rows]
    columns = [_lines(printable(name)) for name in one.columns]
    needed = max((width_of(text, TEXT_SIZE) for line in (*columns, *texts) for text in line), default=0.0) + GAP
    high_field = 0.7 * FIELD if len(rows) <= MANY else SMALLEST_FIELD
    return _Block(one.title, (rows, columns), (one.rows, one.columns), shares, texts, (max(FIELD, needed), high_field))


def _lines(name: str) -> list[str]:
    """Words below each other, as many in a line as fit into a wide field; what is too long is cut."""
    lines = [""]
    for word in name.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if width_of(longer, TEXT_SIZE) <= WIDEST_FIELD or not lines[-1]:
            lines[-1] = longer
        elif len(lines) < MOST_LINES:
            lines.append(word)
        else:
            lines[-1] = longer
    return [fitted(line, WIDEST_FIELD, TEXT_SIZE) for line in lines]


def _checked_shares(shares: ArrayLike, n: int) -> FloatArray:
    try:
        found = np.asarray(shares, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        found = np.empty(0)
    if found.shape != (n, n) or not ((found >= 0) & (found <= 1)).all():
        raise OptionError(f"a heat map of {n} names needs {n} times {n} shares from 0 to 1; give a square of them")
    return found


def _square(shares: FloatArray, names: Sequence[str], title: str) -> Scene:
    """Rows have names and numbers, columns the numbers only."""
    n = len(names)
    field = FIELD if n <= MANY else SMALLEST_FIELD
    rows = [fitted(f"{k + 1}  {printable(name)}", LONGEST_NAME, TEXT_SIZE) for k, name in enumerate(names)]
    columns = [[str(k + 1)] for k in range(n)]
    texts = [[f"{share:.2f}" if n <= MANY else f"{share:.1f}" for share in row] for row in shares.tolist()]
    block = _Block(title, (rows, columns), (names, names), shares.tolist(), texts, (field, field))
    scene = Scene(block.size[0] + 2 * MARGIN, block.size[1] + 2 * MARGIN, title=title or "heat map")
    block.add_to(scene, MARGIN, MARGIN)
    return scene
