"""The order of the vertices in each layer, with few crossings (the second of Sugiyama's three steps).

Sweeps down and up sort every layer by the mean place of the neighbours in the layer before; then neighbours in a
layer change places where this saves crossings (Gansner et al. 1993). A sweep does not always help, so the best order
seen is kept, and the sweeps begin from several orders. A sweep is linear in vertices and pieces, up to sorting.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise
from random import Random

Rows = list[list[int]]
Neighbours = list[list[int]]

PATIENCE = 6  # sweeps that may pass without clearly fewer crossings
CLEARLY = 0.995
EXCHANGES = 4  # passes of exchanges in a sweep
SMALL, LARGE = 1500, 10_000  # pieces of edges: up to SMALL eight orders are begun from, up to LARGE two, else one


def best_orders(layer: Sequence[int], pieces: Sequence[tuple[int, int]]) -> list[Rows]:
    """The vertices of each layer from left to right: all orders found that have the fewest crossings.

    Pieces run from a layer to the next one. The same input gives the same orders everywhere.
    """
    above: Neighbours = [[] for _ in layer]
    below: Neighbours = [[] for _ in layer]
    for upper, lower in pieces:
        above[lower].append(upper)
        below[upper].append(lower)
    starts = [_walked(layer, below, above)]
    if len(pieces) <= LARGE:
        starts.append(_walked(layer, above, below))
    if len(pieces) <= SMALL:
        chance = Random(0)
        starts += [_in_rows(layer, sorted(range(len(layer)), key=lambda _: chance.random())) for _ in range(6)]
    found = [_swept(start, above, below) for start in starts]
    fewest = min(crossings for _, crossings in found)
    return [
        rows for i, (rows, crossings) in enumerate(found) if crossings == fewest and (rows, fewest) not in found[:i]
    ]


def count_crossings(rows: Rows, below: Neighbours) -> int:
    """Pairs of pieces that cross, by an accumulator tree (Barth, Jünger, Mutzel 2002). O(E log V)."""
    crossings = 0
    for row, lower in pairwise(rows):
        place = {vertex: i for i, vertex in enumerate(lower)}
        leaves = 1 << (len(lower) - 1).bit_length()
        tree = [0] * (2 * leaves)  # ends seen in each part of the lower row; the parts of i are 2i and 2i + 1
        for vertex in row:
            ends = [leaves + place[other] for other in below[vertex]]
            for node in ends:  # a piece crosses those seen before that end further right
                at = node
                while at > 1:
                    if not at & 1:
                        crossings += tree[at + 1]
                    at >>= 1
            for node in ends:
                at = node
                while at:
                    tree[at] += 1
                    at >>= 1
    return crossings


def _walked(layer: Sequence[int], ahead: Neighbours, back: Neighbours) -> Rows:
    """As a walk in depth meets the vertices, so that what belongs together stands together."""
    order: list[int] = []
    seen: set[int] = set()
    for start in sorted(range(len(layer)), key=lambda vertex: bool(back[vertex])):
        stack = [start]
        while stack:
            vertex = stack.pop()
            if vertex not in seen:
                seen.add(vertex)
                order.append(vertex)
                stack += reversed(back[vertex])
                stack += reversed(ahead[vertex])
    return _in_rows(layer, order)


def _in_rows(layer: Sequence[int], order: Iterable[int]) -> Rows:
    rows: Rows = [[] for _ in range(max(layer) + 1)]
    for vertex in order:
        rows[layer[vertex]].append(vertex)
    return rows


def _swept(rows: Rows, above: Neighbours, below: Neighbours) -> tuple[Rows, int]:
    """Sweeps down and up until several have not helped: the best order and its crossings."""
    place = [0] * len(above)
    for row in rows:
        _number(row, place)
    best, fewest, idle = [row.copy() for row in rows], count_crossings(rows, below), 0
    sweep = 0
    while fewest and idle < PATIENCE:
        down = sweep % 2 == 0
        for row in rows[1:] if down else rows[-2::-1]:
            _sort_by_means(row, above if down else below, place)
        _exchange(rows, above, below, place, at_ties=sweep % 4 < 2)
        crossings = count_crossings(rows, below)
        idle = 0 if crossings < CLEARLY * fewest else idle + 1
        if crossings < fewest:
            best, fewest = [row.copy() for row in rows], crossings
        sweep += 1
    return best, fewest


def _number(row: Iterable[int], place: list[int]) -> None:
    for i, vertex in enumerate(row):
        place[vertex] = i


def _sort_by_means(row: list[int], neighbours: Neighbours, place: list[int]) -> None:
    """Sort by the mean place of the neighbours; vertices without any keep their places."""
    slots = [i for i, vertex in enumerate(row) if neighbours[vertex]]
    means = {row[i]: sum(place[n] for n in neighbours[row[i]]) / len(neighbours[row[i]]) for i in slots}
    for slot, vertex in zip(slots, sorted(means, key=means.__getitem__), strict=True):
        row[slot] = vertex
    _number(row, place)


def _exchange(rows: Rows, above: Neighbours, below: Neighbours, place: list[int], *, at_ties: bool) -> None:
    """Let neighbours change places where this saves crossings; in the first pass also at ties, to leave plateaus."""
    due = set(range(len(rows)))
    for _ in range(EXCHANGES):
        better = set[int]()
        for r in sorted(due):
            row = rows[r]
            ends = [(sorted([place[n] for n in above[v]]), sorted([place[n] for n in below[v]])) for v in row]
            for i in range(len(row) - 1):
                (up, down), (next_up, next_down) = ends[i], ends[i + 1]
                saved = _saved(up, next_up) + _saved(down, next_down)
                if saved > 0 or (saved == 0 and at_ties):
                    row[i], row[i + 1] = row[i + 1], row[i]
                    ends[i], ends[i + 1] = ends[i + 1], ends[i]
                    if saved:
                        better.add(r)
            _number(row, place)
        at_ties = False
        due = {r + step for r in better for step in (-1, 0, 1) if 0 <= r + step < len(rows)}


def _saved(left: list[int], right: list[int]) -> int:
    """Crossings before less those after, if two vertices with these sorted places of neighbours change their own."""
    if not left or not right:
        return 0
    if len(left) == len(right) == 1:  # most vertices are bends
        return (left[0] > right[0]) - (left[0] < right[0])
    return sum(bisect_left(right, end) + bisect_right(right, end) - len(right) for end in left)
