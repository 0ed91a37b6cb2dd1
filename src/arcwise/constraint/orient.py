"""Which way the edges point: the second half of PC, and what learners tell about the pattern found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from arcwise.constraint.separate import Separation
from arcwise.data.dataset import BoolArray
from arcwise.errors import GraphError
from arcwise.graph.adjacency import arrow_text, child_lists, find_cycle, reachable
from arcwise.graph.dag import Dag
from arcwise.graph.equivalence import meek
from arcwise.graph.pdag import Pdag
from arcwise.parts.knowledge import BoundKnowledge
from arcwise.printing import listed

Conflicts = Literal["bidirected", "first", "priority"]
MOST_TRIPLES = 1 << 20  # of a skeleton that was stopped: to look at more of them would take longer than people wait


@dataclass(frozen=True, slots=True)
class Collider:
    """x -> y <- z: x and z are not adjacent, and y is not in the set that separates them (whose value this is)."""

    x: int
    y: int
    z: int
    value: float


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """Matrices of the three kinds of edges; `refused`: colliders that earlier arrows or knowledge left no room for."""

    directed: BoolArray
    undirected: BoolArray
    bidirected: BoolArray
    refused: tuple[Collider, ...]


def n_triples(adjacent: BoolArray) -> int:
    """How many pairs of neighbours of one node there are: colliders are looked for among them."""
    degree = np.count_nonzero(adjacent, axis=0)
    return int((degree * (degree - 1)).sum()) // 2


def colliders(adjacent: BoolArray, separations: Mapping[tuple[int, int], Separation]) -> list[Collider]:
    """Every unshielded x - y - z with y outside the separating set of x < z, in the order (x, z, y)."""
    found = [
        Collider(x, y, z, separations[x, z].value)
        for y, near in enumerate(child_lists(adjacent))
        for x, z in combinations(near, 2)
        if (x, z) in separations and not adjacent[x, z] and y not in separations[x, z].given
    ]
    return sorted(found, key=lambda c: (c.x, c.z, c.y))


def orient(
    adjacent: BoolArray,
    separations: Mapping[tuple[int, int], Separation],
    known: BoundKnowledge,
    conflicts: Conflicts,
) -> Pattern:
    """Arrows by knowledge, then by colliders, then by Meek's rules R1 to R4, none of which closes a cycle.

    Knowledge always holds: a collider that contradicts it is left out. Colliders that contradict each other give
    bidirected edges ("bidirected"), or the one whose pair is separated most surely wins ("priority"), or the first
    by name ("first"); a collider that loses, or would close a cycle, is then left out as a whole.
    """
    settled = adjacent & known.allowed & ~known.allowed.T
    found = colliders(adjacent, separations)
    possible = [c for c in found if known.allowed[c.x, c.y] and known.allowed[c.z, c.y]]
    refused = [c for c in found if not (known.allowed[c.x, c.y] and known.allowed[c.z, c.y])]
    if conflicts == "bidirected":
        heads = settled.copy()
        for c in possible:
            heads[c.x, c.y] = heads[c.z, c.y] = True
    else:
        if conflicts == "priority":
            possible.sort(key=lambda c: -round(c.value, 9))  # stable: equal ones stay in the order of the names
        heads, losers = _one_by_one(settled, possible)
        refused += losers
    both = heads & heads.T
    directed, undirected = meek(heads & ~both, adjacent & ~heads & ~heads.T, both)
    return Pattern(directed, undirected, both, tuple(refused))


def _one_by_one(settled: BoolArray, wanted: list[Collider]) -> tuple[BoolArray, list[Collider]]:
    """Add the colliders that contradict no arrow so far and close no cycle; (arrows, the others)."""
    heads, refused = settled.copy(), []
    for c in wanted:
        below = reachable(child_lists(heads), [c.y])
        if c.x in below or c.z in below:
            refused.append(c)
        else:
            heads[c.x, c.y] = heads[c.z, c.y] = True
    return heads, refused


def extension(cpdag: Pdag) -> Dag | None:
    """A DAG with the arrows and colliders of the pattern; None where there is none."""
    try:
        return cpdag.extension()
    except GraphError:  # conflicting colliders: no DAG has them all
        return None


def contradictions(pattern: Pattern, cpdag: Pdag, has_graph: bool) -> list[str]:
    """One sentence for each way in which the separating sets do not fit one DAG."""
    names, warnings = cpdag.names, []
    if cpdag.bidirected:
        edges = listed([f"{a} <-> {b}" for a, b in cpdag.bidirected])
        warnings.append(f"the separating sets contradict each other about the direction of {edges}")
    if pattern.refused:
        triples = listed([f"{names[c.x]} -> {names[c.y]} <- {names[c.z]}" for c in pattern.refused])
        warnings.append(f"left out, as they contradict other arrows: {triples}")
    cycle = find_cycle(pattern.directed)
    if cycle is not None:
        path = arrow_text(names[i] for i in [*cycle, cycle[0]])
        warnings.append(f"the separating sets contradict each other: their arrows form the cycle {path}")
    elif not has_graph and not cpdag.bidirected:
        warnings.append("no DAG has the edges of the pattern without further colliders, so there is no single graph")
    return warnings
