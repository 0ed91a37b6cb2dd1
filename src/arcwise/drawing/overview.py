"""A graph with too many nodes for one page: its communities as boxes, and how many edges join them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from arcwise.drawing.communities import communities
from arcwise.drawing.edge_looks import KINDS, Pen, line_of
from arcwise.drawing.layout import arranged
from arcwise.drawing.legend import DIFFERENCE_WORDS, Entry, sample, sample_box
from arcwise.drawing.node_looks import NodeLook, shape_of
from arcwise.drawing.numbers import MOST_EDGES, placed_numbers
from arcwise.drawing.places import PADDING, Box, Layout
from arcwise.drawing.scene import COLORS, FONT_SIZE, LINE_HEIGHT, Group, Letters, fitted, printable, width_of
from arcwise.drawing.sheet import NOTE_SIZE
from arcwise.drawing.subject import Subject
from arcwise.graph.adjacency import name_order
from arcwise.printing import counted

NAMED = 3  # best-connected members that a group is called by
MOST_GROUPS = 40  # the smallest of more are one box
NAME_WIDTH, COUNT_SIZE = 170.0, 11.0
THIN, THICK = 1.2, 9.0
THICKER = 2.0  # the border of the group with the most edges inside
FAINT = 0.55


@dataclass(frozen=True, slots=True)
class Community:
    """Nodes by their positions, the best-connected first, and the edges between them; `rest`: what is left over."""

    nodes: tuple[int, ...]
    inside: int
    rest: str = ""


@dataclass(frozen=True, slots=True)
class Overview:
    """Communities, and how many edges join each pair of them."""

    groups: tuple[Community, ...]
    links: dict[tuple[int, int], int]


def overview_of(subject: Subject) -> Overview:
    """Nodes without edges are one group, and so are the smallest groups of very many."""
    order = name_order(subject.graph.names).tolist()
    rank = {node: k for k, node in enumerate(order)}
    pairs = sorted((rank[edge.i], rank[edge.j]) for edge in subject.edges)
    found = [[order[k] for k in some] for some in communities(len(order), pairs)]
    joined, alone = [some for some in found if len(some) > 1], [some[0] for some in found if len(some) == 1]
    kept, small = joined[:MOST_GROUPS], [node for some in joined[MOST_GROUPS:] for node in some]
    parts = [(some, "") for some in kept]
    parts += [(small, f"{len(joined) - len(kept):,} small groups")] if small else []
    parts += [(alone, "without edges")] if alone else []
    home = {node: k for k, (some, _) in enumerate(parts) for node in some}
    degree = Counter(end for edge in subject.edges for end in (edge.i, edge.j))
    ends = Counter(tuple(sorted((home[edge.i], home[edge.j]))) for edge in subject.edges)
    groups = tuple(
        Community(tuple(sorted(some, key=lambda node: (-degree[node], rank[node]))), ends[k, k], rest)
        for k, (some, rest) in enumerate(parts)
    )
    return Overview(groups, {(a, b): many for (a, b), many in sorted(ends.items()) if a != b})


def overview_layout(found: Overview, names: Sequence[str]) -> Layout:
    """A box for each group, as large as its words; routes for the links."""
    boxes = [_box(k, group, names) for k, group in enumerate(found.groups)]
    return arranged(boxes, [box.name for box in boxes], (), tuple(found.links))


def _box(k: int, group: Community, names: Sequence[str]) -> Box:
    if group.rest:
        lines = [group.rest]
    else:
        lines = [fitted(printable(names[node]), NAME_WIDTH, FONT_SIZE) for node in group.nodes[:NAMED]]
    lines = [*lines, _count(group)]
    width = max(1.1 * width_of(line, FONT_SIZE) for line in lines) + 2 * PADDING
    return Box(k, lines[0], tuple(lines), 0.0, 0.0, round(width, 1), LINE_HEIGHT * len(lines) + 18.0)


def _count(group: Community) -> str:
    more = len(group.nodes) - NAMED
    nodes = f"+ {more:,} more" if more > 0 and not group.rest else counted(len(group.nodes), "node")
    return f"{nodes}, {counted(group.inside, 'edge')}" if group.inside else nodes


def overview_groups(found: Overview, placed: Layout, names: Sequence[str], target: int | None) -> list[Group]:
    """Links below boxes; what is in a group is its tooltip."""
    largest = max(found.links.values(), default=1)
    counts = [found.links[min(r.start, r.end), max(r.start, r.end)] for r in placed.routes]
    numbers = placed_numbers([r.points for r in placed.routes], [f"{many:,}" for many in counts], placed.boxes)
    links = []
    for route, many, number in zip(placed.routes, counts, numbers, strict=True):
        pen = Pen(KINDS["directed"].color, width=THIN + (THICK - THIN) * many / largest)
        letters = () if number is None else (number.letters(),)
        line = line_of(route.points, (False, False), pen, FAINT)
        links.append(Group("link", tooltip=counted(many, "edge"), lines=(line,), letters=letters))
    most = max((group.inside for group in found.groups), default=1) or 1
    return [*links, *(_drawn(box, found.groups[box.node], names, target, most) for box in placed.boxes)]


def _drawn(box: Box, group: Community, names: Sequence[str], target: int | None, most: int) -> Group:
    look = NodeLook("", "target" if target in group.nodes else "")
    sides = box.x - box.width / 2, box.y - box.height / 2, box.x + box.width / 2, box.y + box.height / 2
    first = box.y - (len(box.lines) - 1) * LINE_HEIGHT / 2 + 0.35 * FONT_SIZE
    last = len(box.lines) - 1
    letters = tuple(
        Letters(line, box.x, first + i * LINE_HEIGHT, FONT_SIZE, align="center", bold=not group.rest)
        if i < last
        else Letters(line, box.x, first + i * LINE_HEIGHT, COUNT_SIZE, COLORS["edge"], "center")
        for i, line in enumerate(box.lines)
    )
    members = (("members", " ".join(map(str, sorted(group.nodes)))),)
    tooltip = printable(", ".join(names[node] for node in group.nodes))
    shape = shape_of(look, sides)
    shape = replace(shape, border_width=shape.border_width + THICKER * group.inside / most)
    return Group("community", members, tooltip, boxes=(shape,), letters=letters)


def overview_notes(subject: Subject, found: Overview) -> list[str]:
    """What is seen, and how to see more."""
    size = f"{counted(subject.graph.n_nodes, 'node')}, {counted(len(subject.edges), 'edge')}"
    notes = [f"{size}: too many for one page, so each box is a group of nodes that are closely joined"]
    counts = Counter[str](edge.difference for edge in subject.edges)
    if not counts[""] and counts:
        words = [f"{counts[name]:,} {DIFFERENCE_WORDS[name]}" for name in DIFFERENCE_WORDS if counts[name]]
        notes.append(f"edges: {', '.join(words)}")
    best = max(found.groups, key=lambda group: group.inside).nodes[0]
    name = fitted(printable(subject.graph.names[best]), NAME_WIDTH, NOTE_SIZE)
    return [*notes, f"to draw what is near one of them: around={name!r} in Python, --around on the command line"]


def overview_keys(found: Overview, target: str | None) -> list[Entry]:
    keys = []
    if found.links:
        pen = Pen(KINDS["directed"].color, width=THICK / 2)
        number = ", with their number" if len(found.links) <= MOST_EDGES else ""
        keys.append(Entry(f"edges between two groups: wider is more{number}", (sample(pen, alpha=FAINT),)))
    if target is not None:
        name = fitted(printable(target), NAME_WIDTH, NOTE_SIZE)
        keys.append(Entry(f"the group of {name}", boxes=(sample_box(NodeLook("", "target")),)))
    return keys
