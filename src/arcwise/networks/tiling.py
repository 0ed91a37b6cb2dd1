"""Large networks out of copies of a small one (Tsamardinos, Statnikov, Brown and Aliferis 2006)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from arcwise.checking import Seed, checked
from arcwise.data.dataset import FloatArray, IntArray
from arcwise.errors import OptionError
from arcwise.graph.adjacency import MOST_NODES
from arcwise.networks.discrete import BayesianNetwork
from arcwise.networks.network import Network
from arcwise.networks.streams import stream
from arcwise.printing import counted

MOST_PARENTS = 3
LARGEST_TABLE = 4096  # entries of a root's new table
DRAWS = 20  # of which the one with the most arcs is taken
ATTEMPTS = 200  # draws of a given number of arcs that leave every tile as it was, before others are tried
RESIDUAL = 1e-13
Joints = dict[tuple[int, ...], FloatArray | None]  # the distribution of several nodes; None if it is too large


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


@checked
def tile(net: Network, copies: int, seed: Seed, *, arcs: int | None = None) -> Network:
    """`copies` of the network with new arcs from earlier copies into parentless nodes ("roots") of later ones.

    The nodes are called NODE_1, NODE_2, ... Each root of a later copy gets a uniform number of 0 to 3 parents, but no
    more than leave every copy by itself distributed exactly as the network. `arcs` asks for an exact number of new
    arcs; if that is too many, roots keep their distributions exactly, nodes below several roots only nearly.
    """
    for what, number, least in (("copies", copies, 1), ("arcs", arcs, 0)):
        if number is not None and number < least:
            raise OptionError(f"{what} must be {least} or more, not {number}")
    n_tiles, links = int(copies), TileLinks(net)
    if n_tiles * len(net.names) > MOST_NODES:
        nodes = f"{n_tiles:,} copies of {len(net.names)} nodes are {n_tiles * len(net.names):,} nodes"
        raise OptionError(f"{nodes}, more than {MOST_NODES:,}; ask for fewer copies")
    rng = stream(seed, "tiling")
    most = MOST_PARENTS * len(links.roots) * (n_tiles - 1)
    if arcs is not None and arcs > most:
        tiles, roots = counted(n_tiles, "tile"), counted(len(links.roots), "root")
        verb = "takes" if n_tiles == 1 else "take"
        raise OptionError(f"{tiles} with {roots} {verb} at most {most} new arcs, not {arcs}; ask for fewer")
    if n_tiles == 1:
        return net
    joints: Joints = {}
    if arcs is None:
        chosen = _drawn(net, links, n_tiles, rng, joints)
    else:
        chosen = _drawn_exactly(net, links, n_tiles, arcs, rng, joints)
    return _assembled(net, n_tiles, {(link.tile, link.root): link for link in chosen}, joints, seed)


def _drawn(net: Network, links: TileLinks, n_tiles: int, rng: np.random.Generator, joints: Joints) -> list[Link]:
    """A uniform number of parents for every root, of several draws the one that leaves the fewest out.

    Parents whose joint cannot be computed are left out one by one.
    """
    wishes = rng.integers(0, MOST_PARENTS + 1, (n_tiles, len(links.roots)))
    draws = [list(links.draw(wishes, rng, strict=True)) for _ in range(DRAWS)]
    chosen = []
    for link in max(draws, key=lambda draw: sum(len(link.parents) for link in draw)):
        parents = link.parents
        while parents and _joint(net, parents, joints) is None:
            parents = parents[:-1]
        if parents:
            chosen.append(Link(link.tile, link.root, link.source, parents))
    return chosen


def _drawn_exactly(
    net: Network, links: TileLinks, n_tiles: int, arcs: int, rng: np.random.Generator, joints: Joints
) -> list[Link]:
    """`arcs` arcs at random places; links that change nothing about a tile if some are found."""
    n_roots = len(links.roots)
    for attempt in range(2 * ATTEMPTS):
        places = rng.permutation(MOST_PARENTS * n_roots * (n_tiles - 1))[:arcs] // MOST_PARENTS
        wishes = np.zeros((n_tiles, n_roots), dtype=np.intp)
        wishes[1:] = np.bincount(places, minlength=n_roots * (n_tiles - 1)).reshape(-1, n_roots)
        chosen = []
        for link in links.draw(wishes, rng, strict=attempt < ATTEMPTS):
            if len(link.parents) < wishes[link.tile, links.roots.index(link.root)]:
                break
            if link.parents:
                chosen.append(link)
        if sum(len(link.parents) for link in chosen) == arcs and all(
            _joint(net, link.parents, joints) is not None for link in chosen
        ):
            return chosen
    raise OptionError(f"found no place for {arcs} new arcs in {n_tiles} tiles; ask for fewer")


def _joint(net: Network, nodes: tuple[int, ...], joints: Joints) -> FloatArray | None:
    """Exact joint of these nodes in the original network, which is also theirs in a tile; None if it is too large."""
    if nodes not in joints:
        try:
            joints[nodes] = net.joint([net.names[node] for node in nodes])
        except OptionError:  # an intermediate table would not fit
            joints[nodes] = None
    return joints[nodes]


def _assembled(
    net: Network, n_tiles: int, links: Mapping[tuple[int, int], Link], joints: Joints, seed: Seed
) -> Network:
    width = len(str(n_tiles))

    def called(name: str, t: int) -> str:
        return f"{name}_{t + 1:0{width}d}"

    parents, cpts = [], []
    for t in range(n_tiles):
        for node in range(len(net.names)):
            link = links.get((t, node))
            weights = joints[link.parents] if link else None
            if link is None or weights is None:
                parents.append(tuple(called(p, t) for p in net.parents[node]))
                cpts.append(net.cpts[node])
            else:
                parents.append(tuple(called(net.names[p], link.source) for p in link.parents))
                fitted = _fitted(weights.ravel(), net.cpts[node], stream(seed, "tiling table", t, node))
                cpts.append(fitted.reshape(*weights.shape, -1))
    names = tuple(called(name, t) for t in range(n_tiles) for name in net.names)
    title = f"{net.title}{n_tiles}" if net.title else ""
    source = f"{n_tiles} tiles, seed {seed}; a tile: {net.source}" if net.source else ""
    return BayesianNetwork(names, net.states * n_tiles, tuple(parents), tuple(cpts), title, source)


def _fitted(weights: FloatArray, wanted: FloatArray, rng: np.random.Generator) -> FloatArray:
    """A random table X with rows that sum to 1 and weights @ X = wanted, by iterative proportional fitting.

    For a positive table the rows and columns scaled in turn converge to the only solution r_p X_pt c_t (Sinkhorn 1967).
    """
    weights, wanted = weights / weights.sum(), wanted / wanted.sum()  # else no table could fit both
    table = 1.0 - rng.random((len(weights), len(wanted)))  # in (0, 1]
    table[:, wanted == 0] = 0.0
    table /= table.sum(axis=1, keepdims=True)
    possible = wanted > 0
    while np.abs(weights @ table - wanted).max() > RESIDUAL:
        table[:, possible] *= wanted[possible] / (weights @ table[:, possible])
        table /= table.sum(axis=1, keepdims=True)
    return table
