"""One connected graph in layers: which layer, which order in the layer, which x (Sugiyama's three steps).

Edges that span several layers are cut into pieces by bends, one for each layer they pass. Pairs without an order stand
in the same layer, side by side, unless arrows keep them apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from arcwise.drawing.blocks import Blocks
from arcwise.drawing.crossings import Rows, best_orders
from arcwise.drawing.linear import minimise

FloatArray = NDArray[np.float64]
Edges = Sequence[tuple[int, int]]

Spring = tuple[int, int, float, float]  # u, v, wanted x_v - x_u, weight

BOX_GAP = 26.0
BEND_GAP = 16.0
TIE_GAP = 62.0  # between two that are joined side by side: room for a line and its number
PORT_STEP = 15.0
MAX_STRAIGHTENED = 5000  # vertices; more bends than that make a tangle in which straightness cannot be seen
CORNERS = 24.0  # no edge meets a box in its rounded corners


@dataclass(frozen=True, slots=True)
class Layered:
    """Vertices 0..n-1 are the nodes, the others are bends. `chains[k]` runs along edge k, ends included.

    `ports[k]` says how far from the middle of its first and its last box edge k leaves and arrives. `ties` are edges
    inside of a layer: the left node, the right one, and how many vertices stand between them.
    """

    layer: list[int]
    x: FloatArray
    chains: list[list[int]]
    ports: list[tuple[float, float]]
    ties: list[tuple[int, int, int]]


def layered(widths: Sequence[float], down: Edges, level: Edges = ()) -> Layered:
    """Place the nodes (given by their widths) and the bends of a connected graph whose edges `down` have no cycle."""
    layer = _layers(len(widths), down, level)
    steep = [(i, j) if layer[i] < layer[j] else (j, i) for i, j in level if layer[i] != layer[j]]
    flat = [(i, j) for i, j in level if layer[i] == layer[j]]
    chains = _chains(layer, [*down, *steep])
    pieces = [piece for chain in chains for piece in pairwise(chain)]
    blocks = Blocks.of(layer, flat)
    orders = [blocks.unfolded(rows, pieces) for rows in best_orders(*blocks.folded(layer, pieces))]
    drawn = [_placed(widths, layer, chains, flat, rows) for rows in orders]
    return min(drawn, key=lambda found: round(_stretch(found), 3))  # the first of those that are mirror images


def _placed(widths: Sequence[float], layer: list[int], chains: list[list[int]], flat: Edges, rows: Rows) -> Layered:
    """Where edges meet the boxes and where vertices stand, for one order of the rows."""
    place = {vertex: i for row in rows for i, vertex in enumerate(row)}
    starts = _ports(widths, [(chain[0], place[chain[1]]) for chain in chains])
    ends = _ports(widths, [(chain[-1], place[chain[-2]]) for chain in chains])
    ports = list(zip(starts, ends, strict=True))
    sides = [(i, j) if place[i] < place[j] else (j, i) for i, j in flat]
    ties = [(i, j, place[j] - place[i] - 1) for i, j in sides]
    across = _across(rows, widths, _springs(chains, ports), frozenset(sides))
    return Layered(layer, across, chains, ports, ties)


def _stretch(found: Layered) -> float:
    """How far the edges run sideways."""
    springs = _springs(found.chains, found.ports)
    return float(sum(abs(found.x[v] - found.x[u] - shift) for u, v, shift, _ in springs))


def _layers(n: int, down: Edges, level: Edges) -> list[int]:
    """Layers that make the edges as short as possible in total: min sum(l_j - l_i) with l_j - l_i >= 1 along `down`.

    Those of `level` have no order: each costs more than all others together for every layer |l_j - l_i| that it spans.
    The constraints are a network matrix, so the optimum of the linear program is in whole numbers.
    """
    cost = [0.0] * n + [1.0 + n * len(down)] * len(level)
    entries: list[tuple[int, int, float]] = []
    bounds: list[float] = []
    for i, j in down:
        cost[i] -= 1.0
        cost[j] += 1.0
        entries += [(len(bounds), i, 1.0), (len(bounds), j, -1.0)]
        bounds.append(-1.0)
    for k, (i, j) in enumerate(level):
        for one, other in ((i, j), (j, i)):
            entries += [(len(bounds), one, 1.0), (len(bounds), other, -1.0), (len(bounds), n + k, -1.0)]
            bounds.append(0.0)
    levels = np.rint(minimise(cost, entries, bounds)[:n]).astype(int)
    return [int(level) for level in levels - levels.min()]


def _chains(layer: list[int], edges: Edges) -> list[list[int]]:
    """Append one bend to `layer` for every layer that an edge passes."""
    chains: list[list[int]] = []
    for tail, head in edges:
        passed = range(layer[tail] + 1, layer[head])
        chains.append([tail, *range(len(layer), len(layer) + len(passed)), head])
        layer.extend(passed)
    return chains


def _ports(widths: Sequence[float], meetings: Sequence[tuple[int, int]]) -> list[float]:
    """Edges that meet the same side of a node spread around its middle, in the order of their other ends."""
    sides: dict[int, list[int]] = {}
    for k in sorted(range(len(meetings)), key=lambda k: (meetings[k][1], k)):
        sides.setdefault(meetings[k][0], []).append(k)
    ports = [0.0] * len(meetings)
    for node, here in sides.items():
        step = min(PORT_STEP, (widths[node] - CORNERS) / max(1, len(here) - 1))
        for i, k in enumerate(here):
            ports[k] = step * (i - (len(here) - 1) / 2)
    return ports


def _springs(chains: list[list[int]], ports: list[tuple[float, float]]) -> list[Spring]:
    """For every piece of an edge, the shift from one vertex to the next that makes the piece vertical."""
    springs = []
    for chain, (start, end) in zip(chains, ports, strict=True):
        last = len(chain) - 2
        for i, (u, v) in enumerate(pairwise(chain)):
            shift = (start if i == 0 else 0.0) - (end if i == last else 0.0)
            weight = 1.0 if last == 0 else 2.0 if i in {0, last} else 8.0
            springs.append((u, v, shift, weight))
    return springs


def _across(
    rows: list[list[int]], widths: Sequence[float], springs: list[Spring], joined: frozenset[tuple[int, int]]
) -> FloatArray:
    """x of every vertex: min sum w |x_v - x_u - shift| over the pieces, keeping order and gaps in every row.

    Absolute values make most pieces exactly vertical (Gansner et al. 1993). As a linear program each piece
    has a slack t >= |x_v - x_u - shift|; the variables are all x, then all t. In a tangle of more than
    MAX_STRAIGHTENED vertices, for which the program takes too long, rows are only centred.
    """
    room = [width / 2 for width in widths] + [0.0] * (sum(map(len, rows)) - len(widths))
    n = len(room)
    if n > MAX_STRAIGHTENED:
        return _centred(rows, room, joined)
    springs = [*springs, *((u, v, _distance(room, u, v, joined), 1.0) for u, v in sorted(joined))]
    entries: list[tuple[int, int, float]] = []
    bounds: list[float] = []

    def at_most(bound: float, plus: int, *minus: int) -> None:
        """x[plus] - x[minus] - ... <= bound."""
        entries.append((len(bounds), plus, 1.0))
        entries.extend((len(bounds), column, -1.0) for column in minus)
        bounds.append(bound)

    for row in rows:
        for u, v in pairwise(row):
            at_most(-_distance(room, u, v, joined), u, v)
    for k, (u, v, shift, _) in enumerate(springs):
        at_most(shift, v, u, n + k)
        at_most(-shift, u, v, n + k)
    cost = [0.0] * n + [weight for *_, weight in springs]
    return minimise(cost, entries, bounds)[:n]


def _distance(room: list[float], u: int, v: int, joined: frozenset[tuple[int, int]]) -> float:
    """Least distance between neighbours in a row; bends take no room themselves."""
    gap = TIE_GAP if (u, v) in joined else BOX_GAP if room[u] and room[v] else BEND_GAP
    return room[u] + gap + room[v]


def _centred(rows: list[list[int]], room: list[float], joined: frozenset[tuple[int, int]]) -> FloatArray:
    """Every row as narrow as possible, around the same middle."""
    x = np.zeros(len(room))
    for row in rows:
        places = np.cumsum([0.0, *(_distance(room, u, v, joined) for u, v in pairwise(row))])
        x[row] = places - places[-1] / 2
    return x
