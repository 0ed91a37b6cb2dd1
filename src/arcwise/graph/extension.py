"""From a partially directed graph to a DAG: Dor and Tarsi's consistent extension, or the nearest thing to it.

`directed[i, j]` means i -> j; `undirected` is symmetric. The cost follows the edges and the degrees.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

import numpy as np

from arcwise.graph.order import BoolArray, child_lists, reachable

Cost = tuple[int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Extension:
    """A DAG with the skeleton of a partially directed graph.

    `consistent`: it has the arrows and colliders of that graph and no others. If not, `stuck` holds the nodes that were
    left when this could no longer be.
    """

    adjacency: BoolArray
    consistent: bool
    stuck: tuple[int, ...]


def consistent_extension(directed: BoolArray, undirected: BoolArray) -> BoolArray | None:
    """A DAG with the same skeleton, arrows and v-structures (Dor & Tarsi 1992), or None if there is none."""
    found = best_effort_extension(directed, undirected)
    return found.adjacency if found.consistent else None


def best_effort_extension(directed: BoolArray, undirected: BoolArray) -> Extension:
    """Dor and Tarsi's extension; where it gets stuck, the node that does least harm goes next.

    A sink has no children and each of its line neighbours is adjacent to all its other neighbours: turning its edges
    into it makes no new collider, and it leaves the graph. The highest position goes first, so that free edges run from
    low to high. Where no sink is left, the next node is the one that turns the fewest arrows round, then makes the
    fewest colliders, then has the highest position. Arrows are turned only where all nodes left have a child, that is,
    where there is a directed cycle, and only arrows of cycles. A removal changes the costs of its neighbours alone:
    O(e (deg^2 + log e)) without cycles.
    """
    left = _Left(directed, undirected)
    costs = {x: left.cost(x) for x in range(len(directed))}
    waiting = list(costs.values())
    heapify(waiting)
    result = np.zeros(directed.shape, dtype=np.bool_)
    stuck: tuple[int, ...] = ()
    while costs:
        while costs.get(-waiting[0][2]) != waiting[0]:
            heappop(waiting)  # its node has left, or costs something else since
        turned, made, place = waiting[0]
        if turned or made:
            stuck = stuck or tuple(sorted(costs))
        x = -min(costs[node] for node in left.last_cycles(costs))[2] if turned else -place
        near = left.remove(x)
        del costs[x]
        result[list(near), x] = True
        for y in near:
            costs[y] = left.cost(y)
            heappush(waiting, costs[y])
    result.setflags(write=False)
    return Extension(result, not stuck, stuck)


class _Left:
    """Neighbour sets of the nodes that are left."""

    def __init__(self, directed: BoolArray, undirected: BoolArray) -> None:
        matrices = (directed, directed.T, undirected, directed | directed.T | undirected)
        self.sets = [[set(row) for row in child_lists(matrix)] for matrix in matrices]
        self.children, self.parents, self.lines, self.adjacent = self.sets

    def cost(self, x: int) -> Cost:
        """(arrows turned round, colliders made, minus the position) if all edges of x are turned into it."""
        lines, near = self.lines[x], self.adjacent[x]
        pairs = ((y, z) for y in lines for z in near if z > y or z not in lines)  # two lines are one pair
        return len(self.children[x]), sum(z not in self.adjacent[y] for y, z in pairs), -x

    def last_cycles(self, nodes: Iterable[int]) -> set[int]:
        """Nodes that reach each other and no others, where every node that is left has a child."""
        above: set[int] = set()
        for x in nodes:
            if x not in above:
                last = x  # no node seen so far lies below it, so all that lie below it lie above it, too
                above |= {x} | reachable(self.parents, [x])
        return reachable(self.children, [last])

    def remove(self, x: int) -> set[int]:
        """Take x out; its neighbours."""
        near = self.adjacent[x]
        for sets in self.sets:
            for y in near:
                sets[y].discard(x)
            sets[x] = set()
        return near
