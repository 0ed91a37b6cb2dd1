"""Which way the edges point: the last part of TPDA."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from arcwise.constraint.orient import Collider, Pattern, colliders
from arcwise.constraint.separate import Separation
from arcwise.data.dataset import BoolArray
from arcwise.graph.adjacency import child_lists, reachable
from arcwise.graph.equivalence import meek
from arcwise.parts.knowledge import BoundKnowledge


def orient(adjacent: BoolArray, separations: Mapping[tuple[int, int], Separation], known: BoundKnowledge) -> Pattern:
    """Arrows by knowledge, then by the rules of the paper in the order of the names, then by Meek's.

    (a) X - Y - Z, X and Z not adjacent and their cut without Y: X -> Y <- Z.
    (b) X -> Y - Z, X and Z not adjacent: Y -> Z.
    (c) X - Y and a directed path from X to Y: X -> Y.
    No arrow is turned round and none closes a cycle: a collider that would is left out as a whole. Every pair that
    was looked at and has no edge has a cut, so none of (a) needs to be guessed.
    """
    arrows = _Arrows(adjacent, adjacent & known.allowed & ~known.allowed.T)
    refused = [c for c in colliders(adjacent, separations) if not arrows.collide(c)]
    before = -1
    while before < arrows.count:
        before = arrows.count
        arrows.point_away()
        arrows.follow_paths()
    directed = arrows.matrix()
    directed, undirected = meek(directed, adjacent & ~directed & ~directed.T)
    return Pattern(directed, undirected, np.zeros_like(adjacent), tuple(refused))


class _Arrows:
    """Children and neighbours of every node while arrows are being added."""

    def __init__(self, adjacent: BoolArray, settled: BoolArray) -> None:
        self.near = [set(row) for row in child_lists(adjacent)]
        self.children = child_lists(settled)

    @property
    def count(self) -> int:
        return sum(map(len, self.children))

    def lines(self, x: int) -> list[int]:
        """Neighbours that no arrow joins to x."""
        return sorted(y for y in self.near[x] if y not in self.children[x] and x not in self.children[y])

    def collide(self, c: Collider) -> bool:
        """(a): whether there was room for the collider."""
        below = reachable(self.children, [c.y])
        if c.x in below or c.z in below:
            return False
        for tail in (c.x, c.z):
            if c.y not in self.children[tail]:
                self.children[tail].append(c.y)
        return True

    def point_away(self) -> None:
        """(b)"""
        for x in range(len(self.near)):
            for y in sorted(self.children[x]):
                for z in self.lines(y):
                    if z != x and z not in self.near[x] and y not in reachable(self.children, [z]):
                        self.children[y].append(z)

    def follow_paths(self) -> None:
        """(c)"""
        for x in range(len(self.near)):
            lines = self.lines(x)
            below = reachable(self.children, [x]) if lines else set()
            self.children[x] += [y for y in lines if y in below]

    def matrix(self) -> BoolArray:
        directed = np.zeros((len(self.near), len(self.near)), dtype=np.bool_)
        for x, heads in enumerate(self.children):
            directed[x, heads] = True
        return directed
