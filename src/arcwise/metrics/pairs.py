"""Two graphs laid side by side: one code for each pair of nodes and graph, which all metrics count."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from arcwise.errors import GraphError
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag

Graph = Dag | Pdag
Pairs = tuple[tuple[str, str], ...]
NONE, UNDIRECTED, FORWARD, BACKWARD, BIDIRECTED = range(5)


def patterns(learned: Graph, true: Graph) -> tuple[Pdag, Pdag]:
    """Both graphs as patterns over the same names in sorted order: a Dag as its CPDAG, a Pdag as it is."""
    check_same_names(learned, true)
    names = sorted(true.names)
    one, other = (graph.cpdag() if isinstance(graph, Dag) else graph for graph in (learned, true))
    return one.reordered(names), other.reordered(names)


def check_same_names(learned: Graph, true: Graph) -> None:
    only_learned, only_true = set(learned.names) - set(true.names), set(true.names) - set(learned.names)
    parts = [
        f"only the {which} graph has {', '.join(repr(name) for name in sorted(names)[:5])}"
        + (f" and {len(names) - 5} more" if len(names) > 5 else "")
        for which, names in (("learned", only_learned), ("true", only_true))
        if names
    ]
    if parts:
        raise GraphError(f"the graphs have different nodes: {'; '.join(parts)}; compare graphs over the same names")


def pair_states(pattern: Pdag) -> NDArray[np.int8]:
    """One code for each pair i < j, in the order of `pair_names`."""
    codes = np.full((pattern.n_nodes, pattern.n_nodes), NONE, dtype=np.int8)
    codes[pattern.undirected_matrix] = UNDIRECTED
    codes[pattern.directed_matrix] = FORWARD
    codes[pattern.directed_matrix.T] = BACKWARD
    codes[pattern.bidirected_matrix] = BIDIRECTED
    return codes[np.triu_indices(pattern.n_nodes, k=1)]


def pair_names(names: tuple[str, ...], chosen: NDArray[np.bool_]) -> Pairs:
    """The pairs i < j of names where `chosen` is true."""
    first, second = np.triu_indices(len(names), k=1)
    return tuple(_pairs(names, first[chosen].tolist(), second[chosen].tolist()))


def _pairs(names: tuple[str, ...], first: list[int], second: list[int]) -> Iterable[tuple[str, str]]:
    return ((names[i], names[j]) for i, j in zip(first, second, strict=True))
