"""d-separation, Markov blankets and moral graphs on positions. `adj[i, j]` means i -> j."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from arcwise.graph.order import BoolArray, child_lists, reachable


def d_connected(
    parents: Sequence[Sequence[int]],
    children: Sequence[Sequence[int]],
    sources: Iterable[int],
    given: Iterable[int],
) -> set[int]:
    """Every node outside `given` with an active path from `sources` (which are included). O(n + e).

    A ball bounces through the graph (Shachter 1998; Koller & Friedman, algorithm 3.1). Coming up from a
    child it passes through an unobserved node both ways. Coming down from a parent it goes on to the
    children of an unobserved node, and turns back up where the node or a descendant of it is observed.
    """
    observed = set(given)
    opened = observed | reachable(parents, observed)  # colliders that let the ball through
    stack = [(node, True) for node in sources]
    visited = set(stack)
    found: set[int] = set()
    while stack:
        node, from_child = stack.pop()
        moves: list[tuple[int, bool]] = []
        if node not in observed:
            found.add(node)
            moves += [(child, False) for child in children[node]]
        if (from_child and node not in observed) or (not from_child and node in opened):
            moves += [(parent, True) for parent in parents[node]]
        for move in moves:
            if move not in visited:
                visited.add(move)
                stack.append(move)
    return found


def d_separated(adj: BoolArray, x: Iterable[int], y: Iterable[int], given: Iterable[int]) -> bool:
    """Whether `given` blocks every path between the disjoint sets `x` and `y`."""
    return d_connected(child_lists(adj.T), child_lists(adj), x, given).isdisjoint(y)


def markov_blanket(adj: BoolArray, node: int) -> list[int]:
    """Parents, children and the children's other parents, in increasing order."""
    blanket = adj[:, node] | adj[node] | adj[:, adj[node]].any(axis=1)
    return [i for i in np.flatnonzero(blanket).tolist() if i != node]


def moral(adj: BoolArray) -> BoolArray:
    """The symmetric matrix of the skeleton with all parents of a node joined."""
    joined = adj | adj.T
    for parents in child_lists(adj.T):
        joined[np.ix_(parents, parents)] = True
    np.fill_diagonal(joined, False)
    return joined
