"""Which new arcs join the copies of a tiled network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from arcwise.data.dataset import IntArray
from arcwise.networks.network import Network

MOST_PARENTS = 3
LARGEST_TABLE = 4096  # entries of a root's new table


@dataclass(frozen=True, slots=True)
class Link:
    """The node `root` of `tile` gets the nodes `parents` of the earlier tile `source` as parents."""

    tile: int
    root: int
    source: int
    parents: tuple[int, ...]


class TileLinks:
    """Draws links into the roots (nodes without parents) of later tiles.

    Two nodes are independent of each other if no node is above both, and so are any number of nodes of which no two
    share such a node. A tile whose roots are independent is distributed as the original network. `strict` links keep
    all roots of every tile independent; others only see to it that the joint of the new parents is the original's.
    """

    def __init__(self, net: Network) -> None:
        self.roots = [node for node, own in enumerate(net.parents) if not own]
        self._cards = net.cardinalities
        place = {net.names[node]: r for r, node in enumerate(self.roots)}
        ancestors = [{name, *net.dag.ancestors(name)} for name in net.names]
        self._roots_above = [sorted(place[a] for a in above if a in place) for above in ancestors]

    def draw(self, wishes: IntArray, rng: np.random.Generator, *, strict: bool) -> Iterator[Link]:
        """A link for every root, with as many parents as wishes[tile, root], or fewer where there are too few."""
        copies, n_roots = wishes.shape
        # Sets as numbers with a bit for each member: the parentless nodes of the whole network above a node or at it.
        above_roots = [[1 << (t * n_roots + r) for r in range(n_roots)] for t in range(copies)]
        above = [self._above_nodes(above_roots[0])]
        for t in range(1, copies):
            taken = 0  # what is above other roots of this tile
            for r in rng.permutation(n_roots).tolist():
                found = Link(t, self.roots[r], 0, ())
                for source in rng.permutation(t).tolist():
                    bar = taken if strict else 0
                    parents = self._parents(r, int(wishes[t, r]), above[source], above_roots[source], bar, rng)
                    if len(parents) > len(found.parents):
                        found = Link(t, self.roots[r], source, parents)
                    if len(found.parents) == wishes[t, r]:
                        break
                if found.parents:
                    above_roots[t][r] = _union([above[found.source][node] for node in found.parents])
                    taken |= above_roots[t][r]
                yield found
            above.append(self._above_nodes(above_roots[t]))

    def _above_nodes(self, above_roots: Sequence[int]) -> list[int]:
        return [_union([above_roots[r] for r in roots]) for roots in self._roots_above]

    def _parents(
        self,
        root: int,
        wanted: int,
        above: Sequence[int],
        above_roots: Sequence[int],
        bar: int,
        rng: np.random.Generator,
    ) -> tuple[int, ...]:
        """Up to `wanted` nodes of a tile, none below a member of `bar`, whose joint is that of the original network."""
        parents: list[int] = []
        for node in rng.permutation(len(above)).tolist():
            if len(parents) == wanted:
                break
            size = prod(self._cards[i] for i in (self.roots[root], node, *parents))
            if size <= LARGEST_TABLE and not above[node] & bar:
                roots = {r for i in (node, *parents) for r in self._roots_above[i]}
                sets = [above_roots[r] for r in roots]
                if sum(s.bit_count() for s in sets) == _union(sets).bit_count():  # no two overlap
                    parents.append(node)
        return tuple(sorted(parents))


def _union(sets: Sequence[int]) -> int:
    union = 0
    for members in sets:
        union |= members
    return union
