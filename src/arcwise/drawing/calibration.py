"""Shares held against what was true: small plots beside each other, a curve for each of several ways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from arcwise.drawing.files import suffix_of, write
from arcwise.drawing.scene import COLORS, DASHED, Dot, Letters, Line, Point, Scene, width_of

MARGIN, GAP, GUTTER = 24.0, 30.0, 34.0
PLOT, TITLE, NUMBERS, KEYS = 190.0, 22.0, 34.0, 30.0
TITLE_SIZE, TEXT_SIZE, SMALL_SIZE = 13.0, 12.0, 10.0
MARKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
WAYS = (("border", False), ("conflict", False), ("edge", True))
Bin = tuple[float, float, int]  # mean share, share that is true, and how many
LEAST, MOST = 2.0, 6.0  # radius of a dot


def draw_calibration(
    path: str | Path, plots: Mapping[str, Mapping[str, Sequence[Bin]]], across: str, up: str, columns: int = 3
) -> None:
    """A plot for each title, a curve for each way in it (at most three); a dot is the larger the more it stands for.

    Right on the dashed diagonal a share says what it seems to say.
    """
    suffix_of(path)
    rows = -(-len(plots) // columns)
    wide = GUTTER + PLOT + GAP
    scene = Scene(
        2 * MARGIN + min(columns, len(plots)) * wide - GAP,
        2 * MARGIN + KEYS + rows * (TITLE + PLOT + NUMBERS) + TITLE,
        title=f"{up}, by {across}",
    )
    ways = list(dict.fromkeys(way for curves in plots.values() for way in curves))
    _add_keys(scene, ways)
    for k, (title, curves) in enumerate(plots.items()):
        left = MARGIN + GUTTER + (k % columns) * wide
        top = MARGIN + KEYS + (k // columns) * (TITLE + PLOT + NUMBERS) + TITLE
        _add_plot(scene, left, top, title)
        for way, bins in curves.items():
            color, dashed = WAYS[ways.index(way)]
            _add_curve(scene, left, top, bins, COLORS[color], dashed)
    scene.letters.append(Letters(across, scene.width / 2, scene.height - MARGIN, TEXT_SIZE, align="center"))
    scene.letters.append(Letters(up, MARGIN, MARGIN + TEXT_SIZE, TEXT_SIZE, bold=True))
    write(scene, path)


def _place(left: float, top: float, x: float, y: float) -> Point:
    return left + PLOT * x, top + PLOT * (1.0 - y)


def _add_plot(scene: Scene, left: float, top: float, title: str) -> None:
    edge = COLORS["edge"]
    scene.letters.append(Letters(title, left, top - 8.0, TITLE_SIZE, bold=True))
    for mark in MARKS:
        x, y = _place(left, top, mark, mark)
        scene.lines.append(Line(((left, y), (left + PLOT, y)), COLORS["box"]))
        scene.letters.append(Letters(f"{mark:.0%}", left - 5.0, y + 0.35 * SMALL_SIZE, SMALL_SIZE, edge, "right"))
        scene.letters.append(Letters(f"{mark:.0%}", x, top + PLOT + 14.0, SMALL_SIZE, edge, "center"))
    scene.lines.append(Line(((left, top), (left, top + PLOT), (left + PLOT, top + PLOT)), edge))
    ends = _place(left, top, 0.0, 0.0), _place(left, top, 1.0, 1.0)
    scene.lines.append(Line(ends, edge, dashes=DASHED))


def _add_curve(scene: Scene, left: float, top: float, bins: Sequence[Bin], color: str, dashed: bool) -> None:
    there = [(share, true, many) for share, true, many in bins if many]
    points = tuple(_place(left, top, share, true) for share, true, _ in there)
    if not points:
        return
    scene.lines.append(Line(points, color, 2.0, dashes=DASHED if dashed else ()))
    most = max(many for _, _, many in there)
    for (x, y), (_, _, many) in zip(points, there, strict=True):
        scene.dots.append(Dot(x, y, LEAST + (MOST - LEAST) * (many / most) ** 0.5, color))


def _add_keys(scene: Scene, ways: Sequence[str]) -> None:
    """What the colours are, at the right of the first line."""
    x = scene.width - MARGIN
    for way, (color, dashed) in reversed(list(zip(ways, WAYS, strict=False))):
        x -= width_of(way, TEXT_SIZE)
        y = MARGIN + 0.6 * TEXT_SIZE
        scene.letters.append(Letters(way, x, MARGIN + TEXT_SIZE, TEXT_SIZE))
        scene.lines.append(Line(((x - 30.0, y), (x - 6.0, y)), COLORS[color], 2.0, dashes=DASHED if dashed else ()))
        x -= 44.0
