"""Which nodes lie on the paths between two others."""

from __future__ import annotations

from collections.abc import Sequence


class Paths:
    """The blocks (biconnected components) of an undirected graph as a forest. O(n + e) to make.

    A node that is no root lies in one block *below* another node of it, the block's top: the articulation that joins
    the block to the rest of the tree. The simple paths from x to y go through the blocks on the way from x to y in
    that forest, and every node of these blocks is on one of them.
    """

    def __init__(self, near: Sequence[set[int]]) -> None:
        """near[x]: the neighbours of x."""
        n = len(near)
        self._order, self._low = [-1] * n, [0] * n
        self._tree = [-1] * n  # the root that x hangs from
        self._block = [-1] * n  # the block in which x is not the top
        self._members: list[set[int]] = []  # of each block, the top included
        self._top: list[int] = []
        for root in range(n):
            if self._tree[root] < 0:
                self._grow(near, root)
        self._depth = [0] * n
        for b in reversed(range(len(self._top))):  # a block is complete before the one above it
            for v in self._members[b] - {self._top[b]}:
                self._depth[v] = self._depth[self._top[b]] + 1

    def between(self, x: int, y: int) -> set[int]:
        """Nodes on simple paths from x to y != x, both included; none where nothing joins the two."""
        if self._tree[x] != self._tree[y]:
            return set()
        found: set[int] = set()
        while x != y:
            if self._depth[x] < self._depth[y]:
                x, y = y, x
            block = self._block[x]
            found |= self._members[block]
            if block == self._block[y]:
                break
            x = self._top[block]
        return found

    def _grow(self, near: Sequence[set[int]], root: int) -> None:
        """Depth-first search (Hopcroft and Tarjan 1973). low: the earliest node that the part below can reach."""
        order, low = self._order, self._low
        order[root] = low[root] = count = 0
        self._tree[root] = root
        waiting = [root]  # nodes whose block is not complete
        walk = [(root, -1, iter(near[root]))]
        while walk:
            x, parent, left = walk[-1]
            for y in left:
                if order[y] < 0:
                    count += 1
                    order[y] = low[y] = count
                    self._tree[y] = root
                    waiting.append(y)
                    walk.append((y, x, iter(near[y])))
                    break
                if order[y] < low[x] and y != parent:
                    low[x] = order[y]
            else:  # all that is below x is known
                walk.pop()
                if parent >= 0:
                    low[parent] = min(low[parent], low[x])
                    if low[x] >= order[parent]:  # nothing below reaches past the parent
                        self._close(waiting, x, parent)

    def _close(self, waiting: list[int], last: int, top: int) -> None:
        """A new block of all nodes waiting from `last` on, below `top`."""
        members = {top}
        while last not in members:
            v = waiting.pop()
            self._block[v] = len(self._top)
            members.add(v)
        self._members.append(members)
        self._top.append(top)
