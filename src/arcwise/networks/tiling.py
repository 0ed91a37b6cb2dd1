"""Large networks out of copies of a small one (Tsamardinos, Statnikov, Brown and Aliferis 2006)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from arcwise.checking import Seed, checked
from arcwise.data.dataset import FloatArray
from arcwise.errors import OptionError
from arcwise.graph.adjacency import MOST_NODES
from arcwise.networks.discrete import BayesianNetwork
from arcwise.networks.network import Network
from arcwise.networks.streams import stream
from arcwise.networks.tile_links import MOST_PARENTS, Link, TileLinks
from arcwise.printing import counted

DRAWS = 20  # of which the one with the most arcs is taken
ATTEMPTS = 200  # draws of a given number of arcs that leave every tile as it was, before others are tried
RESIDUAL = 1e-13

Joints = dict[tuple[int, ...], FloatArray | None]  # the distribution of several nodes; None if it is too large


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
