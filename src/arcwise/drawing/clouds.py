"""Rows as points in two or three columns, several clouds of them beside each other; bins of equal width with counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, radians, sin
from pathlib import Path
from typing import Any, Literal

import numpy as np

from arcwise.data.dataset import FloatArray
from arcwise.drawing.files import suffix_of, write
from arcwise.drawing.scales import scale_of
from arcwise.drawing.scene import COLORS, Dot, Letters, Line, Point, Scene, printable, width_of

MARGIN, APART, SIDE, INNER = 24.0, 44.0, 300.0, 8.0
TITLE_SIZE, PANEL_SIZE, TEXT_SIZE, SMALL_SIZE, LINE = 15.0, 13.0, 12.0, 10.0, 20.0
DOT = 1.2
SHADES = ("#a9cbe6", "#7fb2da", "#559acb", "#2b81bb", "#0b5e96")  # from the back to the front
PLAIN, FAINT = SHADES[3], SHADES[1]
TURN, TILT = radians(28.0), radians(20.0)  # of what is seen in three dimensions: about the upright axis, and downward
# Corners of the unit cube whose distance is one edge.
EDGES = tuple(
    (a, b)
    for a in np.ndindex(2, 2, 2)
    for b in np.ndindex(2, 2, 2)
    if a < b and sum(i != j for i, j in zip(a, b, strict=True)) == 1
)


@dataclass(frozen=True)
class Cloud:
    """columns: names and values of two columns, across and up, or of three: to the right, to the back, and up.

    bins: of each of two columns; the number of rows is written into each cell.
    """

    title: str
    columns: tuple[tuple[str, FloatArray], ...]
    bins: int | None = None


def draw_clouds(path: str | Path, clouds: Sequence[Cloud], *, title: str = "") -> None:
    """A .svg, .png or .pdf file with the clouds in a row."""
    suffix_of(path)
    scene = Scene(title=printable(title) or "points")
    top = MARGIN
    if title:
        scene.letters.append(Letters(printable(title), MARGIN, top + TITLE_SIZE, TITLE_SIZE, bold=True))
        top += 1.6 * LINE
    left, high = MARGIN, 0.0
    for one in clouds:
        scene.letters.append(Letters(printable(one.title), left, top + PANEL_SIZE, PANEL_SIZE, bold=True))
        wide, tall = (_add_flat if len(one.columns) == 2 else _add_deep)(scene, one, left, top + 1.6 * LINE)
        left += max(wide, 1.1 * width_of(one.title, PANEL_SIZE)) + APART
        high = max(high, tall)
    scene.width = max(left - APART, MARGIN + 1.1 * width_of(title, TITLE_SIZE)) + MARGIN
    scene.height = top + 1.6 * LINE + high + MARGIN
    write(scene, path)


def _add_flat(scene: Scene, one: Cloud, left: float, top: float) -> Point:
    """Two columns: axes with numbers, the points, and the bins. The width and height that it takes."""
    (across, x), (up, y) = one.columns
    edge = COLORS["edge"]
    scales = [scale_of((float(v.min()), float(v.max())), logarithmic=False, room=SIDE) for v in (x, y)]
    gutter = scales[1].widest * SMALL_SIZE + 8.0
    first, bottom, span = left + gutter, top + LINE + SIDE, SIDE - 2 * INNER

    def at(a: float, b: float) -> Point:
        return first + INNER + span * scales[0].share(a), bottom - INNER - span * scales[1].share(b)

    scene.letters.append(Letters(printable(up), first, top + TEXT_SIZE, TEXT_SIZE, edge))
    scene.letters.append(Letters(printable(across), first + SIDE / 2, bottom + 1.8 * LINE, TEXT_SIZE, edge, "center"))
    for value, text in scales[0].ticks:
        where = at(value, scales[1].low)[0]
        scene.lines.append(Line(((where, bottom), (where, bottom + 4.0)), edge))
        scene.letters.append(Letters(text, where, bottom + 15.0, SMALL_SIZE, edge, "center"))
    for value, text in scales[1].ticks:
        where = at(scales[0].low, value)[1]
        scene.lines.append(Line(((first - 4.0, where), (first, where)), edge))
        scene.letters.append(Letters(text, first - 6.0, where + 0.35 * SMALL_SIZE, SMALL_SIZE, edge, "right"))
    scene.lines.append(Line(((first, top + LINE), (first, bottom), (first + SIDE, bottom)), edge))
    color = FAINT if one.bins else PLAIN
    scene.dots += [Dot(*at(a, b), DOT, color) for a, b in zip(x.tolist(), y.tolist(), strict=True)]
    if one.bins:
        counts, cuts_x, cuts_y = np.histogram2d(x, y, one.bins)
        low, high = at(cuts_x[0], cuts_y[0]), at(cuts_x[-1], cuts_y[-1])
        scene.lines += [Line(((at(c, 0)[0], low[1]), (at(c, 0)[0], high[1])), COLORS["ink"], 1.4) for c in cuts_x]
        scene.lines += [Line(((low[0], at(0, c)[1]), (high[0], at(0, c)[1])), COLORS["ink"], 1.4) for c in cuts_y]
        for i, j in np.ndindex(counts.shape):
            middle = at((cuts_x[i] + cuts_x[i + 1]) / 2, (cuts_y[j] + cuts_y[j + 1]) / 2)
            text = f"{int(counts[i, j]):,}"
            scene.letters.append(Letters(text, middle[0], middle[1] + 5.0, 15.0, align="center", bold=True))
    return gutter + SIDE, 2.8 * LINE + SIDE


def _add_deep(scene: Scene, one: Cloud, left: float, top: float) -> Point:
    """Three columns in a cube that is turned and tilted; what is nearer is darker and covers what is behind."""
    ends = [(float(values.min()), float(values.max())) for _, values in one.columns]
    shares = [(v - low) / ((high - low) or 1.0) for (_, v), (low, high) in zip(one.columns, ends, strict=True)]
    corners = [_seen(*map(float, corner)) for corner in np.ndindex(2, 2, 2)]
    least = [min(corner[k] for corner in corners) for k in range(2)]
    wide, tall = (max(corner[k] for corner in corners) - least[k] for k in range(2))
    scale, pad = SIDE / tall, 40.0

    def at(x: float, y: float, z: float) -> Point:
        across, up, _ = _seen(x, y, z)
        return left + pad + scale * (across - least[0]), top + LINE + scale * (tall - (up - least[1]))

    for a, b in EDGES:
        scene.lines.append(Line((at(*a), at(*b)), COLORS["edge"], 0.8))
    depth = np.asarray(_seen(*shares)[2])
    for row in np.argsort(-depth, kind="stable"):
        shade = int(len(SHADES) * (1.0 - (depth[row] - depth.min()) / (np.ptp(depth) or 1.0)))
        point = at(float(shares[0][row]), float(shares[1][row]), float(shares[2][row]))
        scene.dots.append(Dot(*point, DOT, SHADES[min(shade, len(SHADES) - 1)]))
    for k, (name, _) in enumerate(one.columns):
        start, end = _axis(k)
        for share, value in ((0.0, ends[k][0]), (1.0, ends[k][1])):
            x, y = at(*(s + share * (e - s) for s, e in zip(start, end, strict=True)))
            align: Literal["left", "center", "right"] = "right" if k == 2 else "center" if k == 0 else "left"
            away = (-6.0, 0.0) if k == 2 else (4.0 - 18.0 * share, 14.0) if k == 0 else (8.0, 8.0)
            scene.letters.append(Letters(f"{value:.3g}", x + away[0], y + away[1], SMALL_SIZE, COLORS["edge"], align))
        x, y = at(*((s + e) / 2 for s, e in zip(start, end, strict=True)))
        away = (-14.0, 4.0) if k == 2 else (0.0, 20.0) if k == 0 else (14.0, 14.0)
        scene.letters.append(Letters(printable(name), x + away[0], y + away[1], TEXT_SIZE, align="center"))
    return scale * wide + 2 * pad, 2.8 * LINE + SIDE


def _axis(k: int) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """The edge of the cube along which the numbers of column k are written: front below, right below, left."""
    return (((0, 0, 0), (1, 0, 0)), ((1, 0, 0), (1, 1, 0)), ((0, 0, 0), (0, 0, 1)))[k]


def _seen(x: Any, y: Any, z: Any) -> tuple[Any, Any, Any]:
    """Where a point of the cube is seen: to the right, up, and how far back. Numbers or arrays of them."""
    across, back = cos(TURN) * x + sin(TURN) * y, cos(TURN) * y - sin(TURN) * x
    return across, cos(TILT) * z + sin(TILT) * back, cos(TILT) * back - sin(TILT) * z
