"""Nodes of a layer that are joined inside of it stay together: for the order of layers such a block is one vertex.

Then the members of each block are ordered: those that are joined side by side as far as possible, and with few
crossings of the edges that lead up and down.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

from arcwise.drawing.crossings import Rows

Pieces = Sequence[tuple[int, int]]
ASIDE = 3  # crossings that are as bad as one vertex between two that are joined
MOST_ORDERS = 6  # members of a block all orders of which are tried; more keep their order


@dataclass(frozen=True, slots=True)
class Blocks:
    """The members of each block, and the block of each vertex; ties: pairs inside of blocks."""

    members: list[list[int]]
    block: list[int]
    ties: Pieces

    @staticmethod
    def of(layer: Sequence[int], ties: Pieces) -> Blocks:
        """A vertex without ties is a block of its own."""
        root = list(range(len(layer)))

        def find(vertex: int) -> int:
            while root[vertex] != vertex:
                vertex = root[vertex]
            return vertex

        for u, v in ties:
            low, high = sorted((find(u), find(v)))
            root[high] = low
        heads = sorted({find(vertex) for vertex in range(len(layer))})
        number = {head: k for k, head in enumerate(heads)}
        block = [number[find(vertex)] for vertex in range(len(layer))]
        members: list[list[int]] = [[] for _ in heads]
        for vertex, k in enumerate(block):
            members[k].append(vertex)
        return Blocks(members, block, ties)

    def folded(self, layer: Sequence[int], pieces: Pieces) -> tuple[list[int], list[tuple[int, int]]]:
        """Layers and pieces of the blocks."""
        return [layer[some[0]] for some in self.members], [(self.block[u], self.block[v]) for u, v in pieces]

    def unfolded(self, rows: Rows, pieces: Pieces) -> Rows:
        """Rows of vertices from rows of blocks."""
        orders = [list(some) for some in self.members]
        sides: list[list[int]] = [[] for _ in self.block]
        for u, v in pieces:
            sides[u].append(v)
            sides[v].append(u)
        for order in (rows, rows[::-1]):  # once downward, once upward
            for row in order:
                for k in row:
                    if 1 < len(orders[k]) <= MOST_ORDERS:
                        orders[k] = self._ordered(orders[k], _places(rows, orders), sides)
        return [[vertex for k in row for vertex in orders[k]] for row in rows]

    def _ordered(self, members: list[int], place: dict[int, int], sides: list[list[int]]) -> list[int]:
        ties = [(u, v) for u, v in self.ties if self.block[u] == self.block[members[0]]]
        ends = {vertex: sorted(place[other] for other in sides[vertex]) for vertex in members}

        def cost(order: list[int]) -> int:
            at = {vertex: i for i, vertex in enumerate(order)}
            apart = sum(abs(at[u] - at[v]) - 1 for u, v in ties)
            crossed = sum(
                bisect_left(ends[right], end)
                for i, left in enumerate(order)
                for right in order[i + 1 :]
                for end in ends[left]
            )
            return ASIDE * apart + crossed

        return min(map(list, permutations(members)), key=cost)


def _places(rows: Rows, orders: list[list[int]]) -> dict[int, int]:
    return {vertex: i for row in rows for i, vertex in enumerate(vertex for k in row for vertex in orders[k])}
