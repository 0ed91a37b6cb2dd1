"""Coordinates for a picture: each connected part by itself, parts on shelves, isolated nodes below.

Arrows run downward. Neighbours whose direction is open stand side by side; where many of them hang together they are
laid out freely, so that what stands higher up means nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from arcwise.drawing.free import free_part
from arcwise.drawing.places import Box, Layout, box_of
from arcwise.drawing.ring import ring_part
from arcwise.drawing.rows import layered_part
from arcwise.drawing.sugiyama import BOX_GAP, CORNERS
from arcwise.graph.adjacency import name_order, reachable
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag

Pairs = tuple[tuple[int, int], ...]
ARROW_STEP, LINE_STEP, MAX_PORTS_WIDTH = 9.5, 5.0, 400.0
PART_GAP = 44.0
ASPECT = 1.5
MOST_BESIDE, MOST_ALONE = 6, 4  # neighbours without a direction that stand in one row, with arrows around and without
MOST_FREE, MOST_ON_RING = 2.5, 60  # edges a node, from which so few nodes without arrows stand on a ring
MOST_LOOPS = 1  # and how many more pairs of them may be joined than hold them together


@dataclass(frozen=True, slots=True)
class _Ends:
    """Arrows that lead down, and pairs without an order."""

    down: Pairs
    level: Pairs

    def within(self, nodes: Sequence[int]) -> _Ends:
        """Those between these nodes, by their places among them."""
        local = {node: i for i, node in enumerate(nodes)}
        both = (sorted((local[i], local[j]) for i, j in pairs if i in local) for pairs in (self.down, self.level))
        down, level = map(tuple, both)
        return _Ends(down, tuple((min(pair), max(pair)) for pair in level))


def layout(graph: Dag | Pdag) -> Layout:
    """Coordinates that depend on names and edges only, not on the order of the names."""
    ends = _ends(graph)
    boxes = [_box(graph.names, node, ends) for node in range(graph.n_nodes)]
    return arranged(boxes, graph.names, ends.down, ends.level)


def arranged(boxes: Sequence[Box], names: Sequence[str], down: Pairs, level: Pairs) -> Layout:
    """The boxes in their places: arrows `down` have no cycle, pairs `level` no order. Names settle ties."""
    ends = _Ends(down, level)
    components = _linked(names, (*down, *level))
    parts = [_part(names, nodes, ends.within(nodes), boxes) for nodes in components if len(nodes) > 1]
    drawn = _shelves(parts)
    loose = _grid([boxes[nodes[0]] for nodes in components if len(nodes) == 1], drawn.width)
    both = _stacked([part for part in (drawn, loose) if part.boxes], PART_GAP)
    return replace(both, boxes=tuple(sorted(both.boxes, key=lambda box: box.node)))


def _ends(graph: Dag | Pdag) -> _Ends:
    """Of a cycle of arrows a few lead up: they count as if turned round."""
    if isinstance(graph, Dag):
        return _Ends(tuple((graph.index(a), graph.index(b)) for a, b in graph.edges), ())
    arrows = Pdag(graph.names, graph.directed).best_effort_extension()[0]
    level = (*graph.undirected, *graph.bidirected)
    return _Ends(_ends(arrows).down, tuple((graph.index(a), graph.index(b)) for a, b in level))


def _box(names: Sequence[str], node: int, ends: _Ends) -> Box:
    """Wide enough for the name, and for arrowheads above and lines below that do not touch each other."""
    n_in, n_out = (sum(pair[side] == node for pair in ends.down) for side in (1, 0))
    ports = CORNERS + min(MAX_PORTS_WIDTH, max(ARROW_STEP * (n_in - 1), LINE_STEP * (n_out - 1)))
    return box_of(node, names[node], ports)


def _linked(names: Sequence[str], pairs: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Connected components, the largest first; nodes and ties by name."""
    either: list[list[int]] = [[] for _ in names]
    for i, j in pairs:
        either[i].append(j)
        either[j].append(i)
    found: list[list[int]] = []
    seen: set[int] = set()
    order = name_order(names).tolist()
    for start in order:
        if start not in seen:
            members = reachable(either, [start]) | {start}
            seen |= members
            found.append([node for node in order if node in members])
    return sorted(found, key=lambda nodes: -len(nodes))


def _part(names: Sequence[str], nodes: list[int], ends: _Ends, boxes: Sequence[Box]) -> Layout:
    """One connected component with its top left corner at the origin."""
    own = [boxes[node] for node in nodes]
    if not ends.down and len(ends.level) > MOST_FREE * len(nodes) and len(nodes) <= MOST_ON_RING:
        return ring_part(own, ends.level)
    chains = _linked([names[node] for node in nodes], ends.level)
    most = MOST_BESIDE if ends.down else MOST_ALONE
    if all(len(chain) <= most and _loops(chain, ends.level) <= MOST_LOOPS for chain in chains):
        return layered_part(own, ends.down, ends.level)
    return free_part(own, ends.down, ends.level)


def _loops(nodes: Sequence[int], pairs: Pairs) -> int:
    """Pairs between these connected nodes, beyond those that a tree of them has: in a row they would be arcs."""
    inside = set(nodes)
    return sum(i in inside for i, _ in pairs) - len(nodes) + 1


def _shelves(parts: Sequence[Layout]) -> Layout:
    """Components side by side, on a new shelf whenever one would not fit."""
    area = sum((part.width + PART_GAP) * (part.height + PART_GAP) for part in parts)
    width = max([(ASPECT * area) ** 0.5, *(part.width for part in parts)])
    shelves: list[list[Layout]] = []
    used = math.inf
    for part in parts:
        if used + PART_GAP + part.width > width:
            shelves.append([])
            used = -PART_GAP
        shelves[-1].append(part)
        used += PART_GAP + part.width
    return _stacked([_side_by_side(shelf, PART_GAP) for shelf in shelves], PART_GAP)


def _grid(boxes: Sequence[Box], width: float) -> Layout:
    """Isolated nodes in equal columns, about as wide as the rest of the picture."""
    cell = max((box.width for box in boxes), default=0.0)
    area = sum((cell + BOX_GAP) * (box.height + BOX_GAP) for box in boxes)
    n_columns = max(1, int((max(width, (ASPECT * area) ** 0.5) + BOX_GAP) // (cell + BOX_GAP)))
    cells = [Layout((replace(box, x=cell / 2, y=box.height / 2),), (), cell, box.height) for box in boxes]
    rows = [_side_by_side(cells[i : i + n_columns], BOX_GAP) for i in range(0, len(cells), n_columns)]
    widest = max((row.width for row in rows), default=0.0)
    return _stacked([replace(row, width=widest) for row in rows], BOX_GAP)


def _side_by_side(parts: Sequence[Layout], gap: float) -> Layout:
    """From left to right, tops aligned."""
    lefts = accumulate((part.width + gap for part in parts), initial=0.0)
    moved = [part.moved(left, 0.0) for part, left in zip(parts, lefts, strict=False)]
    width = sum(part.width for part in parts) + gap * (len(parts) - 1)
    return _joined(moved, width, max(part.height for part in parts))


def _stacked(parts: Sequence[Layout], gap: float) -> Layout:
    """One below the other, all centred."""
    width = max((part.width for part in parts), default=0.0)
    tops = accumulate((part.height + gap for part in parts), initial=0.0)
    moved = [part.moved((width - part.width) / 2, top) for part, top in zip(parts, tops, strict=False)]
    return _joined(moved, width, sum(part.height for part in parts) + gap * max(0, len(parts) - 1))


def _joined(parts: Sequence[Layout], width: float, height: float) -> Layout:
    boxes = tuple(box for part in parts for box in part.boxes)
    return Layout(boxes, tuple(route for part in parts for route in part.routes), width, height)
