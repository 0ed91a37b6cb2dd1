"""The legend below a picture of a graph: what its lines, shapes and colours mean, and only of what occurs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arcwise.drawing.edge_looks import DIFFERENCES, KINDS, THICK, THIN, Pen, Scale, line_of
from arcwise.drawing.node_looks import ColumnKind, NodeLook, Role, shape_of
from arcwise.drawing.numbers import MOST_EDGES
from arcwise.drawing.scene import COLORS, Box, Group, Letters, Line, Point, width_of
from arcwise.drawing.subject import Edge
from arcwise.printing import counted

SIZE, ROW, SAMPLE, APART, BEHIND = 11.5, 22.0, 34.0, 24.0, 8.0
MOST_WIDTH, LEAST_WIDTH = 900.0, 460.0
HEADS = {"directed": (False, True), "undirected": (False, False), "bidirected": (True, True)}
KIND_WORDS = {
    "directed": "direction known",
    "undirected": "direction open: the data fit either",
    "bidirected": "conflicting evidence of direction",
}
ONLY_LINES = "joined, no direction"
DIFFERENCE_WORDS = {
    "same": "in both",
    "added": "only here",
    "missing": "only in the other",
    "turned": "other direction, or open in one of them",
}
KINDS_OF_COLUMNS: tuple[ColumnKind, ...] = ("continuous", "discrete")
ROLES: dict[Role, str] = {"target": "target", "blanket": "Markov blanket of the target"}
NEIGHBOURS = "neighbours of the target"
MEASURE_WORDS = {"share": "share of the graphs that have the edge", "nats": "nats lost without the edge"}


@dataclass(frozen=True, slots=True)
class Entry:
    """Words behind a sample: a line, or a box."""

    words: str
    lines: tuple[Line, ...] = ()
    boxes: tuple[Box, ...] = ()
    begins: bool = False  # a row

    @property
    def width(self) -> float:
        sample = SAMPLE + BEHIND if self.lines or self.boxes else 0.0
        return sample + width_of(self.words, SIZE)


def entries(edges: Sequence[Edge], looks: Iterable[NodeLook], scale: Scale, words: str) -> list[Entry]:
    """Of what occurs; nothing for a picture that explains itself. words: what the weights are."""
    found = _of_differences(edges) if any(edge.difference for edge in edges) else _of_kinds(edges)
    if any(edge.weight is not None for edge in edges):
        found += _of_weights(edges, scale, words)
    return [*found, *_of_nodes(set(looks), all(edge.kind == "undirected" for edge in edges))]


def legend(items: Sequence[Entry], left: float, top: float, room: float) -> tuple[list[Group], Point]:
    """Rows of entries from (left, top) on, at most `room` wide where that is possible; the width and height of it."""
    rows: list[list[Entry]] = []
    used = 0.0
    for item in items:
        if not rows or item.begins or used + item.width > room:
            rows.append([])
            used = 0.0
        rows[-1].append(item)
        used += item.width + APART
    groups: list[Group] = []
    widest = 0.0
    for k, row in enumerate(rows):
        x, y = left, top + k * ROW + ROW / 2
        for item in row:
            groups.append(_placed(item, x, y))
            x += item.width + APART
        widest = max(widest, x - APART - left)
    return groups, (widest, ROW * len(rows))


def _placed(item: Entry, x: float, y: float) -> Group:
    lines = tuple(_moved_line(line, x, y) for line in item.lines)
    boxes = tuple(_moved_box(box, x, y) for box in item.boxes)
    start = x + (SAMPLE + BEHIND) * bool(lines or boxes)
    letters = Letters(item.words, start, y + 0.35 * SIZE, SIZE, COLORS["ink"])
    return Group("legend", lines=lines, boxes=boxes, letters=(letters,))


def _moved_line(line: Line, x: float, y: float) -> Line:
    def moved(points: Iterable[Point]) -> tuple[Point, ...]:
        return tuple((px + x, py + y) for px, py in points)

    heads = tuple((*moved(head),) for head in line.heads)
    return Line(moved(line.points), line.color, line.width, line.curved, line.dashes, heads, line.alpha)  # type: ignore[arg-type]


def _moved_box(box: Box, x: float, y: float) -> Box:
    sides = box.left + x, box.top + y, box.right + x, box.bottom + y
    return Box(*sides, box.color, border=box.border, border_width=box.border_width, radius=box.radius)


def sample(pen: Pen, heads: tuple[bool, bool] = (False, False), y: float = 0.0, alpha: float = 1.0) -> Line:
    half = SAMPLE / 2
    points = (0.0, y), (half / 3, y), (2 * half / 3, y), (half, y), (4 * half / 3, y), (5 * half / 3, y), (SAMPLE, y)
    return line_of(points, heads, pen, alpha)


def _of_kinds(edges: Sequence[Edge]) -> list[Entry]:
    present = [kind for kind in KINDS if any(edge.kind == kind for edge in edges)]
    if present in ([], ["directed"]):
        return []
    words = {"undirected": ONLY_LINES} if present == ["undirected"] else KIND_WORDS
    return [Entry(words[kind], (sample(KINDS[kind], HEADS[kind]),)) for kind in present]


def _of_differences(edges: Sequence[Edge]) -> list[Entry]:
    counts = Counter[str](edge.difference for edge in edges)
    found = [
        Entry(f"{DIFFERENCE_WORDS[name]}: {counted(counts[name], 'edge')}", (sample(pen),))
        for name, pen in DIFFERENCES.items()
        if counts[name]
    ]
    open_ends = any(edge.kind == "undirected" for edge in edges)
    return [*found, Entry("a line without an arrow: direction open")] if open_ends else found


def _of_weights(edges: Sequence[Edge], scale: Scale, words: str) -> list[Entry]:
    """Widths tell them, unless they tell differences; and numbers, unless there are too many."""
    what = words or (MEASURE_WORDS[scale.measure] if scale.measure else "weight of the edge")
    compared, numbered = any(edge.difference for edge in edges), len(edges) <= MOST_EDGES
    if compared:
        return [Entry(f"number: {what}")] if numbered else []
    color = KINDS["directed"].color
    thin, thick = sample(Pen(color, width=THIN), y=-4.0, alpha=0.6), sample(Pen(color, width=THICK), y=4.0)
    return [Entry(f"{'width and number' if numbered else 'width'}: {what}", (thin, thick))]


def _of_nodes(looks: set[NodeLook], only_lines: bool) -> list[Entry]:
    """Shapes, where there is more than one; roles. only_lines: then the blanket of a node is what it is joined to."""
    shapes = [NodeLook(kind) for kind in KINDS_OF_COLUMNS if any(look.kind == kind for look in looks)]
    roles = [NodeLook("", role) for role in ROLES if any(look.role == role for look in looks)]
    words = {**ROLES, "blanket": NEIGHBOURS} if only_lines else ROLES
    return [
        *(
            Entry(f"{look.kind} column", boxes=(sample_box(look),), begins=k == 0)
            for k, look in enumerate(shapes)
            if len({look.kind for look in looks}) > 1
        ),
        *(Entry(words[look.role], boxes=(sample_box(look),), begins=k == 0) for k, look in enumerate(roles)),
    ]


def sample_box(look: NodeLook) -> Box:
    return shape_of(look, (4.0, -7.0, SAMPLE - 2.0, 7.0))
