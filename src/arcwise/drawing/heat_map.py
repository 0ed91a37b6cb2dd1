"""A square of shares as a picture: the darker, the larger; the number stands in each field."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from arcwise.checking import checked
from arcwise.data.dataset import FloatArray
from arcwise.drawing.files import suffix_of, to_svg, write
from arcwise.drawing.scene import COLORS, Box, Letters, Scene, fitted, printable, width_of
from arcwise.errors import OptionError

MARGIN, GAP, LINE = 24.0, 10.0, 24.0
FIELD, SMALLEST_FIELD, MANY = 48.0, 26.0, 16  # smaller fields where there are many
TEXT_SIZE = 12.0
LONGEST_NAME = 220.0  # pixels
DARK = 0.72  # share above which letters are light


@checked
def draw_heat_map(
    shares: ArrayLike, names: Sequence[str], path: str | Path | None = None, *, title: str = ""
) -> str | None:
    """A field for each pair of names, shares[i, j] from 0 to 1: SVG text, or a .svg, .png or .pdf file at `path`."""
    if path is not None:
        suffix_of(path)
    found = _scene(_checked_shares(shares, len(names)), names, title)
    if path is None:
        return to_svg(found)
    write(found, path)
    return None


def _checked_shares(shares: ArrayLike, n: int) -> FloatArray:
    try:
        found = np.asarray(shares, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        found = np.empty(0)
    if found.shape != (n, n) or not ((found >= 0) & (found <= 1)).all():
        raise OptionError(f"a heat map of {n} names needs {n} times {n} shares from 0 to 1; give a square of them")
    return found


def _scene(shares: FloatArray, names: Sequence[str], title: str) -> Scene:
    n = len(names)
    field = FIELD if n <= MANY else SMALLEST_FIELD
    labels = [fitted(f"{k + 1}  {printable(name)}", LONGEST_NAME, TEXT_SIZE) for k, name in enumerate(names)]
    gutter = max((width_of(label, TEXT_SIZE) for label in labels), default=0.0) + GAP
    room = max(gutter + n * field, 1.1 * width_of(title, TEXT_SIZE))
    top = MARGIN + LINE * (1 + bool(title))
    scene = Scene(room + 2 * MARGIN, top + n * field + MARGIN, title=title or "heat map")
    if title:
        scene.letters.append(Letters(title, MARGIN, MARGIN + TEXT_SIZE, TEXT_SIZE, bold=True))
    left = MARGIN + gutter
    for i, label in enumerate(labels):
        middle, baseline = left + (i + 0.5) * field, top + (i + 0.5) * field + 0.35 * TEXT_SIZE
        scene.letters.append(Letters(label, left - GAP, baseline, TEXT_SIZE, align="right"))
        scene.letters.append(Letters(str(i + 1), middle, top - 0.6 * TEXT_SIZE, TEXT_SIZE, align="center"))
        for j in range(n):
            share, x = float(shares[i, j]), left + j * field
            sides = x, top + i * field, x + field, top + (i + 1) * field
            tooltip = printable(f"{names[i]}, {names[j]}: {share:.2f}")
            scene.boxes.append(Box(*sides, COLORS["border"], alpha=0.04 + 0.96 * share, tooltip=tooltip))
            color = COLORS["paper"] if share > DARK else COLORS["ink"]
            text = f"{share:.2f}" if n <= MANY else f"{share:.1f}"
            scene.letters.append(
                Letters(text, x + field / 2, baseline, TEXT_SIZE * min(1.0, field / 32), color, "center")
            )
    return scene
