"""One network from the shares of many: which edges count, how they point, and what becomes of cycles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from arcwise.data.dataset import BoolArray, FloatArray
from arcwise.graph.adjacency import name_order
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag
from arcwise.parts.knowledge import BoundKnowledge, Knowledge

CLEAR = 0.1  # measured: less lets single graphs decide, more leaves open what is known (docs/confidence.md)
ROUNDING = 1e-12


def inclusion_threshold(shares: FloatArray) -> float:
    """The least share that counts (Scutari and Nagarajan 2013). shares: of all pairs of columns, also those at 0.

    With certainty every share is 0 or 1, and their distribution function is F~(x; t) = t for 0 <= x < 1: t is the share
    of pairs without an edge. The t nearest to the function F of the shares that were found minimises

        integral from 0 to 1 of |F(x) - t| dx,

    so it is the median of F(x) over x, and as F never falls that is F(1/2). Edges count whose share is above the
    t-quantile of F, inf {x: F(x) >= t}, which is the largest share below 1/2: those at 1/2 and above. (Where a pair has
    a share of just 1/2, all t from F just before to F(1/2) are as near; the smallest is taken.) The least of these
    shares is returned, 1 where there is none.
    """
    counted = shares[shares >= 0.5]
    return float(counted.min()) if len(counted) else 1.0


def averaged(
    names: Sequence[str], adjacent: FloatArray, directed: FloatArray, least: float, knowledge: Knowledge
) -> Dag:
    """The network of all pairs with at least this share: see `Strengths.network`."""
    order = name_order(names)
    chosen, known = np.ix_(order, order), knowledge.bind([names[i] for i in order])
    adjacent, directed = adjacent[chosen], directed[chosen]
    joined = (adjacent >= least) & (adjacent > 0.0) & (known.allowed | known.allowed.T)
    joined |= known.required | known.required.T
    arrows = np.zeros_like(joined)
    for i, j in _arrows(joined, adjacent, directed, known):
        if not _is_reached(arrows, j, i):
            arrows[i, j] = True
        elif known.allowed[j, i]:
            arrows[j, i] = True  # a way leads from j to i already, so this closes no cycle
        else:
            joined[i, j] = joined[j, i] = False
    lines = joined & ~arrows & ~arrows.T
    sorted_names = tuple(names[i] for i in order)
    dag, _ = Pdag.sound(sorted_names, arrows, lines, np.zeros_like(lines)).best_effort_extension()
    return dag.reordered(names)


def _arrows(
    joined: BoolArray, adjacent: FloatArray, directed: FloatArray, known: BoundKnowledge
) -> Iterator[tuple[int, int]]:
    """The edges that have a direction, i -> j: required ones, then those found most often first, ties by name.

    An edge has one where only one is allowed, or where more classes point it so than the other way, by CLEAR of those
    that have it. Classes that leave it open say nothing against either: how often it is found so is its share, divided
    as those say that point it.
    """
    yield from ((i, j) for i, j in np.argwhere(known.required).tolist())
    pointed = directed + directed.T
    found_so = np.where(pointed > 0.0, adjacent * directed / np.where(pointed > 0.0, pointed, 1.0), 0.0)
    found = (directed > directed.T) & (directed - directed.T >= CLEAR * adjacent - ROUNDING)
    only = known.allowed & ~known.allowed.T
    open_ = joined & ~known.required & ~known.required.T
    settled = open_ & (only | (found & ~only.T & known.allowed))
    pairs = [(i, j) for i, j in np.argwhere(settled).tolist()]
    yield from sorted(pairs, key=lambda pair: (-found_so[pair], -adjacent[pair], pair))


def _is_reached(arrows: BoolArray, start: int, end: int) -> bool:
    """Whether a directed way leads from start to end."""
    seen = np.zeros(len(arrows), dtype=np.bool_)
    waiting = [start]
    while waiting:
        x = waiting.pop()
        if x == end:
            return True
        new = arrows[x] & ~seen
        seen |= new
        waiting.extend(np.flatnonzero(new).tolist())
    return False
