"""Charts: lines with intervals, and points with names, in one or several panels with one legend."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from arcwise.drawing.files import suffix_of, write
from arcwise.drawing.point_names import add_names
from arcwise.drawing.scales import Scale, scale_of, shown
from arcwise.drawing.scene import COLORS, DASHED, Dot, Letters, Line, Point, Scene, printable, width_of

MARGIN, GAP, INNER, TICK = 24.0, 34.0, 9.0, 4.0
TITLE_SIZE, PANEL_SIZE, TEXT_SIZE, SMALL_SIZE = 15.0, 13.0, 11.5, 10.0
LINE, KEY, KEYS_APART = 20.0, 30.0, 22.0
LARGE, SMALL = (560.0, 340.0), (330.0, 230.0)  # the plot of a panel that is alone, and of one of several
GRID = "#dfe7ef"
# Okabe and Ito's colours, told apart also by those who see few colours; without yellow, too light for lines.
PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9")


@dataclass(frozen=True)
class Series:
    """y by x; None where there is no number, and the line has a gap. low, high: the ends of intervals around y.

    names: text beside each point. The same label has the same colour in all panels.
    """

    label: str
    x: Sequence[float]
    y: Sequence[float | None]
    low: Sequence[float | None] | None = None
    high: Sequence[float | None] | None = None
    names: Sequence[str] = ()
    line: bool = True
    dots: bool = True
    dashed: bool = False


@dataclass(frozen=True)
class Panel:
    """One plot. y_down: small numbers above. marks: dotted lines all across, with a word at the right.

    What is not above zero has no place along a logarithmic axis and is left out.
    """

    title: str
    series: tuple[Series, ...]
    x_label: str
    y_label: str
    x_log: bool = False
    y_log: bool = False
    y_down: bool = False
    marks: tuple[tuple[float, str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Look:
    """How a series is told from others: seven colours; then dashed with rings; then rings around a point."""

    color: str
    dashed: bool
    kind: int  # of its dots: full, ring, ring around a point

    @staticmethod
    def of(place: int) -> _Look:
        turn = place // len(PALETTE) % 3
        return _Look(PALETTE[place % len(PALETTE)], turn == 1, turn)

    def add_dot(self, scene: Scene, x: float, y: float, radius: float) -> None:
        scene.dots.append(Dot(x, y, radius, self.color))
        scene.dots += [Dot(x, y, radius - 1.2, COLORS["paper"])] if self.kind else []
        scene.dots += [Dot(x, y, radius - 2.4, self.color)] if self.kind == 2 else []


@dataclass(frozen=True, slots=True)
class _Plot:
    """A panel with its axes, at its place: the frame from (left, top), and points a little inside of it."""

    panel: Panel
    x: Scale
    y: Scale
    size: Point
    left: float = 0.0
    top: float = 0.0

    def at(self, x: float, y: float) -> Point:
        up = self.y.share(y)
        down = up if self.panel.y_down else 1.0 - up
        wide, high = self.size
        return self.left + INNER + (wide - 2 * INNER) * self.x.share(x), self.top + INNER + (high - 2 * INNER) * down

    def points(self, one: Series) -> list[Point | None]:
        """A place for each x and y; None where there is none."""
        return [self._point(x, y) for x, y in zip(one.x, one.y, strict=True)]

    def _point(self, x: float, y: float | None) -> Point | None:
        return self.at(x, y) if shown(x, self.panel.x_log) and shown(y, self.panel.y_log) else None


def draw_panels(path: str | Path, panels: Sequence[Panel], *, title: str = "", columns: int | None = None) -> None:
    """A .svg, .png or .pdf file with the panels row by row, `columns` in each, and one legend below the title."""
    suffix_of(path)
    size = LARGE if len(panels) == 1 else SMALL
    across = max(1, min(len(panels), columns or (2 if len(panels) in (2, 4) else 3)))
    looks = _looks(panels)
    plots = [_scaled(panel, size) for panel in panels]
    gutter = max((plot.y.widest * SMALL_SIZE for plot in plots), default=0.0) + 10.0
    right = max((width_of(word, SMALL_SIZE) + 6.0 for panel in panels for _, word in panel.marks), default=0.0)
    wide = max([gutter + size[0] + right, *(_widest_text(panel, gutter) for panel in panels)])
    high = 3 * LINE + size[1] + 2 * LINE
    scene = Scene(2 * MARGIN + across * (wide + GAP) - GAP, title=printable(title) or "chart")
    keys = _rows_of_keys(list(looks), scene.width - 2 * MARGIN + KEYS_APART) if len(looks) > 1 else []
    texts = [width_of(title, TITLE_SIZE) * 1.1, *(sum(map(_key_width, row)) - KEYS_APART for row in keys)]
    scene.width = max([scene.width, *(2 * MARGIN + text for text in texts)])
    top = MARGIN
    if title:
        scene.letters.append(Letters(printable(title), MARGIN, top + TITLE_SIZE, TITLE_SIZE, bold=True))
        top += 1.6 * LINE
    for row in keys:
        _add_keys(scene, row, top, looks, panels)
        top += LINE
    top += 0.5 * LINE * bool(keys)
    for k, plot in enumerate(plots):
        left = MARGIN + gutter + (k % across) * (wide + GAP)
        _add_plot(scene, _Plot(plot.panel, plot.x, plot.y, size, left, top + (k // across) * high + 2.4 * LINE), looks)
    scene.height = top + -(-len(plots) // across) * high + MARGIN - 0.4 * LINE
    write(scene, path)


def _looks(panels: Sequence[Panel]) -> dict[str, _Look]:
    labels = dict.fromkeys(one.label for panel in panels for one in panel.series)
    return {label: _Look.of(place) for place, label in enumerate(labels)}


def _scaled(panel: Panel, size: Point) -> _Plot:
    xs = [x for one in panel.series for x in one.x]
    ys = [y for one in panel.series for all_y in (one.y, one.low, one.high) if all_y is not None for y in all_y]
    x = scale_of(xs, logarithmic=panel.x_log, room=size[0], size=SMALL_SIZE)
    return _Plot(panel, x, scale_of([*ys, *(y for y, _ in panel.marks)], logarithmic=panel.y_log), size)


def _widest_text(panel: Panel, gutter: float) -> float:
    bold = gutter + 1.1 * width_of(panel.title, PANEL_SIZE)
    return max(bold, *(gutter + width_of(text, TEXT_SIZE) for text in (panel.x_label, panel.y_label)))


def _add_plot(scene: Scene, plot: _Plot, looks: dict[str, _Look]) -> None:
    panel, (wide, high), left, top = plot.panel, plot.size, plot.left, plot.top
    right, bottom, edge = left + wide, top + high, COLORS["edge"]
    scene.letters.append(Letters(printable(panel.title), left, top - 1.5 * LINE, PANEL_SIZE, bold=True))
    scene.letters.append(Letters(printable(panel.y_label), left, top - 8.0, TEXT_SIZE, edge))
    middle = max(left + wide / 2, left + width_of(panel.x_label, TEXT_SIZE) / 2)
    below = bottom + 1.75 * LINE
    scene.letters.append(Letters(printable(panel.x_label), middle, below, TEXT_SIZE, edge, "center"))
    for value, text in plot.y.ticks:
        y = plot.at(plot.x.low, value)[1]
        scene.lines.append(Line(((left, y), (right, y)), GRID))
        scene.letters.append(Letters(text, left - 6.0, y + 0.35 * SMALL_SIZE, SMALL_SIZE, edge, "right"))
    for value, text in plot.x.ticks:
        x = plot.at(value, plot.y.low)[0]
        scene.lines.append(Line(((x, bottom), (x, bottom + TICK)), edge))
        scene.letters.append(Letters(text, x, bottom + 15.0, SMALL_SIZE, edge, "center"))
    scene.lines.append(Line(((left, top), (left, bottom), (right, bottom)), edge))
    _add_marks(scene, plot)
    for one in panel.series:
        _add_series(scene, plot, one, looks[one.label])
    points = [point for one in panel.series for point in plot.points(one) if point is not None]
    named = [
        (point, printable(name))
        for one in panel.series
        for point, name in zip(plot.points(one), one.names, strict=False)
        if point is not None and name
    ]
    add_names(scene, named, points, (left, top, right, bottom))


def _add_marks(scene: Scene, plot: _Plot) -> None:
    """Words of lines that are near each other are moved apart."""
    left, right, lowest = plot.left, plot.left + plot.size[0], float("-inf")
    there = [(plot.at(plot.x.low, y)[1], word) for y, word in plot.panel.marks if shown(y, plot.panel.y_log)]
    for y, word in sorted(there):
        scene.lines += [Line(((x, y), (x + 1.5, y)), COLORS["ink"]) for x in _steps(left, right, 4.5)]
        lowest = max(y, lowest + 1.1 * SMALL_SIZE)
        scene.letters.append(Letters(printable(word), right + 4.0, lowest + 0.35 * SMALL_SIZE, SMALL_SIZE))


def _steps(first: float, last: float, step: float) -> Iterator[float]:
    return (first + k * step for k in range(int((last - first) / step)))


def _add_series(scene: Scene, plot: _Plot, one: Series, look: _Look) -> None:
    points = plot.points(one)
    radius = 3.0 if one.line else 4.2
    if one.low is not None and one.high is not None:
        _add_intervals(scene, plot, zip(one.x, one.low, one.high, strict=True), look.color)
    stretch: list[Point] = []
    for point in (*points, None):
        if point is not None:
            stretch.append(point)
            continue
        if one.line and len(stretch) > 1:
            scene.lines.append(
                Line(tuple(stretch), look.color, 1.8, dashes=DASHED if one.dashed or look.dashed else ())
            )
        if one.dots or (one.line and len(stretch) == 1):  # a line cannot show a point that is alone
            for x, y in stretch:
                look.add_dot(scene, x, y, radius)
        stretch = []


def _add_intervals(
    scene: Scene, plot: _Plot, ends: Iterable[tuple[float, float | None, float | None]], color: str
) -> None:
    for x, low, high in ends:
        if low is None or high is None or not shown(x, plot.panel.x_log) or not shown(high, plot.panel.y_log):
            continue
        bar = plot.at(x, low if shown(low, plot.panel.y_log) else plot.y.low), plot.at(x, high)
        scene.lines.append(Line(bar, color, 1.2))
        scene.lines += [Line(((at - 3.5, y), (at + 3.5, y)), color, 1.2) for at, y in bar]


def _key_width(label: str) -> float:
    return KEY + width_of(label, TEXT_SIZE) + KEYS_APART


def _rows_of_keys(labels: list[str], room: float) -> list[list[str]]:
    rows: list[list[str]] = [[]]
    for label in labels:
        if rows[-1] and sum(map(_key_width, [*rows[-1], label])) > room:
            rows.append([])
        rows[-1].append(label)
    return rows


def _add_keys(scene: Scene, row: list[str], top: float, looks: dict[str, _Look], panels: Sequence[Panel]) -> None:
    first = {one.label: one for panel in reversed(panels) for one in reversed(panel.series)}
    x, y = MARGIN, top + 0.5 * LINE
    for label in row:
        one, look = first[label], looks[label]
        if one.line:
            scene.lines.append(
                Line(((x, y), (x + 24.0, y)), look.color, 1.8, dashes=DASHED if one.dashed or look.dashed else ())
            )
        if one.dots:
            look.add_dot(scene, x + 12.0, y, 3.0 if one.line else 4.2)
        scene.letters.append(Letters(printable(label), x + KEY, y + 0.35 * TEXT_SIZE, TEXT_SIZE))
        x += _key_width(label)
