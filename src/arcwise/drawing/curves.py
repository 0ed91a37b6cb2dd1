"""The curve of a descent as a picture: information by number of levels, its knee marked."""

from __future__ import annotations

from collections.abc import Callable
from math import floor, log, log10
from pathlib import Path

import numpy as np

from arcwise.data.dataset import FloatArray, IntArray
from arcwise.drawing.files import suffix_of, write
from arcwise.drawing.scene import COLORS, DASHED, Dot, Letters, Line, Point, Scene, width_of

MARGIN, GAP, GUTTER = 24.0, 30.0, 48.0  # the gutter, left of a plot, has the numbers of y
TITLE_SIZE, TEXT_SIZE, SMALL_SIZE = 14.0, 12.0, 10.0
LINE, KEYS_HEIGHT, NUMBERS_HEIGHT = 20.0, 30.0, 18.0
PLOT_WIDTH, PLOT_HEIGHT = 440.0, 280.0
MOST_NUMBERS = 8  # along y
FLAT = 1e-12  # nats: no more than rounding
ROUND = [digit * 10**power for power in range(6) for digit in (1, 2, 5)]  # levels along a logarithmic axis
Place = Callable[[float, float], Point]


def draw_descent(
    file: str | Path, levels: IntArray, tmi: FloatArray, chance: FloatArray, knee: int, within: int
) -> None:
    """Up to `within` levels; beside it, on a logarithmic axis, the whole way if it began higher."""
    suffix_of(file)
    high, near = int(levels[-1]) > within, levels <= max(within, levels[0])
    scene = Scene(2 * MARGIN + GUTTER + PLOT_WIDTH, title="total mutual information by number of levels")
    top = MARGIN + LINE * high
    first = _plot(scene, MARGIN + GUTTER, top, levels[near], np.array([tmi[near], chance[near]]), logarithmic=False)
    _add_curve(scene, first, levels[near], chance[near], dashed=True)
    _add_curve(scene, first, levels[near], tmi[near], dots=True)
    at = int(np.searchsorted(levels, knee))
    scene.dots.append(Dot(*first(levels[at], tmi[at]), 6.0, COLORS["conflict"]))
    _add_keys(scene, MARGIN + GUTTER, top, knee)
    if high:
        left = MARGIN + GUTTER + PLOT_WIDTH + GAP + GUTTER
        scene.width = left + PLOT_WIDTH + MARGIN
        _add_curve(scene, _plot(scene, left, top, levels, tmi, logarithmic=True), levels, tmi)
        for x, text in ((MARGIN + GUTTER, f"up to {within} levels"), (left, "the whole descent")):
            scene.letters.append(Letters(text, x, MARGIN + TITLE_SIZE, TITLE_SIZE, bold=True))
    scene.height = top + LINE + KEYS_HEIGHT + PLOT_HEIGHT + NUMBERS_HEIGHT + LINE + MARGIN
    write(scene, file)


def _plot(scene: Scene, left: float, top: float, levels: IntArray, values: FloatArray, *, logarithmic: bool) -> Place:
    """Axes, numbers and words; the place of a point (levels, value) inside."""
    top += KEYS_HEIGHT + LINE
    bottom, ends = top + PLOT_HEIGHT, (float(levels[0]), float(levels[-1]))
    highest = float(values.max()) if values.max() > FLAT else 1.0
    along: Callable[[float], float] = log if logarithmic else float
    width = along(ends[1]) - along(ends[0])

    def place(level: float, value: float) -> Point:
        share = (along(float(level)) - along(ends[0])) / width if width else 0.5
        return left + 8.0 + (PLOT_WIDTH - 16.0) * share, bottom - (PLOT_HEIGHT - 8.0) * value / highest

    edge = COLORS["edge"]
    for number in _round_numbers(highest):
        y = place(ends[0], number)[1]
        scene.lines.append(Line(((left, y), (left + PLOT_WIDTH, y)), COLORS["box"]))
        scene.letters.append(Letters(f"{number:.6g}", left - 6.0, y + 0.35 * SMALL_SIZE, SMALL_SIZE, edge, "right"))
    marked = [level for level in ROUND if ends[0] <= level <= ends[1]] if logarithmic else levels.tolist()
    for level in marked if len(marked) > 1 else (levels[0], levels[-1]):
        x = place(level, 0.0)[0]
        scene.lines.append(Line(((x, bottom), (x, bottom + 4.0)), edge))
        scene.letters.append(Letters(str(level), x, bottom + NUMBERS_HEIGHT - 3.0, SMALL_SIZE, edge, "center"))
    scene.lines.append(Line(((left, top), (left, bottom), (left + PLOT_WIDTH, bottom)), edge))
    scene.letters.append(Letters("total mutual information (nats a row)", left, top - 8.0, TEXT_SIZE))
    middle, below = left + PLOT_WIDTH / 2, bottom + NUMBERS_HEIGHT + LINE - 5.0
    scene.letters.append(Letters("levels of each column", middle, below, TEXT_SIZE, align="center"))
    return place


def _round_numbers(highest: float) -> list[float]:
    """0 and the multiples of 1, 2 or 5 times a power of ten up to `highest`."""
    power = 10.0 ** floor(log10(highest / MOST_NUMBERS))
    step = next(s * power for s in (1, 2, 5, 10) if highest / (s * power) < MOST_NUMBERS)
    return [k * step for k in range(floor(highest / step + 1e-9) + 1)]


def _add_curve(
    scene: Scene, place: Place, levels: IntArray, values: FloatArray, *, dashed: bool = False, dots: bool = False
) -> None:
    points = tuple(place(*point) for point in zip(levels.tolist(), values.tolist(), strict=True))
    color = COLORS["edge" if dashed else "border"]
    scene.lines.append(Line(points, color, 1.4 if dashed else 2.0, dashes=DASHED if dashed else ()))
    scene.dots += [Dot(x, y, 3.0, color) for x, y in points] if dots else []


def _add_keys(scene: Scene, left: float, top: float, knee: int) -> None:
    """What the lines and the dot are, in a row above the plot."""
    x, y = left, top + 0.5 * KEYS_HEIGHT
    for words, color, dashed in (("measured", "border", False), ("expected by chance", "edge", True)):
        scene.lines.append(
            Line(((x, y), (x + 24.0, y)), COLORS[color], 1.4 if dashed else 2.0, dashes=DASHED if dashed else ())
        )
        scene.letters.append(Letters(words, x + 30.0, y + 0.35 * TEXT_SIZE, TEXT_SIZE))
        x += 30.0 + width_of(words, TEXT_SIZE) + 12.0
    scene.dots.append(Dot(x + 6.0, y, 6.0, COLORS["conflict"]))
    scene.letters.append(Letters(f"knee: {knee} levels", x + 18.0, y + 0.35 * TEXT_SIZE, TEXT_SIZE))
