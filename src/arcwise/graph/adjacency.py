"""Adjacency matrices over named nodes: checked when a graph is built, as lists, in order, and what separates nodes.

`adj[i, j]` means i -> j.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from arcwise.checking import shown
from arcwise.errors import GraphError, unknown_name

MOST_NODES = 20_000  # every pair of nodes has a cell in several matrices, of 0.4 GB each
BoolArray = NDArray[np.bool_]


def checked_names(names: Iterable[str]) -> tuple[str, ...]:
    """The names as a tuple of distinct strings."""
    result: dict[str, None] = {}
    for name in names:
        if not isinstance(name, str):
            raise GraphError(f"node name {shown(name)} is a {type(name).__name__}; give every node a string name")
        if name in result:
            raise GraphError(f"node name {name!r} is given twice; names must be distinct")
        result[str(name)] = None
    check_nodes(len(result))
    return tuple(result)


def check_nodes(n: int) -> None:
    """Refuse a graph whose matrix would not fit into memory, before there is one."""
    if n > MOST_NODES:
        size = f"a matrix of {n * n / 1e9:,.1f} GB"
        raise GraphError(f"a graph of {n:,} nodes needs {size}; the limit is {MOST_NODES:,} nodes")


def position(positions: dict[str, int], name: str) -> int:
    """Position of the node called `name`."""
    try:
        return positions[name]
    except (KeyError, TypeError):
        raise GraphError(unknown_name("node", name, positions)) from None


def index_pairs(positions: dict[str, int], pairs: Iterable[Sequence[str]]) -> list[tuple[int, int]]:
    """Positions of the two ends of every edge; ends must be known and differ."""
    result: list[tuple[int, int]] = []
    for pair in pairs:
        if not isinstance(pair, Sequence) and not hasattr(pair, "__array__"):
            raise GraphError(f"edge {shown(pair)} is no pair; give every edge as a pair of names")
        if len(pair) != 2:
            raise GraphError(f"edge {shown(pair)} has {len(pair)} ends; give every edge as a pair of names")
        tail, head = (position(positions, end) for end in pair)
        if tail == head:
            raise GraphError(f"edge {pair[0]!r} -> {pair[1]!r} is a self loop; remove it")
        result.append((tail, head))
    return result


def same_names(names: tuple[str, ...], wanted: Iterable[str]) -> tuple[str, ...]:
    """`wanted` checked to be a reordering of `names`."""
    order = checked_names(wanted)
    mine, theirs = set(names), set(order)
    for name in order:
        if name not in mine:
            raise GraphError(unknown_name("node", name, names))
    for name in names:
        if name not in theirs:
            raise GraphError(f"node {name!r} is missing from the new order; list every node once")
    return order


def name_order(names: Sequence[str]) -> NDArray[np.intp]:
    """Positions sorted by name, so that ties never depend on the order of the columns."""
    return np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.intp)


def square_bool(matrix: ArrayLike, names: Sequence[str], what: str = "adjacency") -> BoolArray:
    """A read-only boolean copy, checked to be (n, n), to hold only 0 and 1, and to have no self loops."""
    try:
        given, n = np.asarray(matrix), len(names)
    except ValueError:
        raise GraphError(f"the {what} matrix has rows of different lengths; give as many numbers in each") from None
    if given.shape != (n, n):
        raise GraphError(f"the {what} matrix has shape {given.shape} but {n} names need ({n}, {n})")
    result = given.astype(np.bool_) if given.dtype.kind in "biuf" else None
    if result is None or (given.dtype != np.bool_ and not np.array_equal(result, given)):
        raise GraphError(f"the {what} matrix holds values other than 0 and 1; mark edges with 1 or True")
    for i in np.flatnonzero(result.diagonal()).tolist():
        raise GraphError(f"node {names[i]!r} is joined to itself; clear the diagonal of the {what} matrix")
    result.setflags(write=False)
    return result


def child_lists(adj: BoolArray) -> list[list[int]]:
    """children[i] in increasing order; pass `adj.T` for parents. O(n^2) in compiled code."""
    lists: list[list[int]] = [[] for _ in range(len(adj))]
    tails, heads = np.nonzero(adj)
    for tail, head in zip(tails.tolist(), heads.tolist(), strict=True):
        lists[tail].append(head)
    return lists


def _peel(children: list[list[int]]) -> list[int]:
    """Remove parentless nodes, smallest first; what never comes out lies on or behind a cycle."""
    waiting = [0] * len(children)
    for heads in children:
        for head in heads:
            waiting[head] += 1
    ready = [node for node, count in enumerate(waiting) if count == 0]
    heapify(ready)
    order: list[int] = []
    while ready:
        node = heappop(ready)
        order.append(node)
        for head in children[node]:
            waiting[head] -= 1
            if waiting[head] == 0:
                heappush(ready, head)
    return order


def find_cycle(adj: BoolArray) -> list[int] | None:
    """The nodes of one directed cycle in arrow order, smallest first; None if there is no cycle."""
    children = child_lists(adj)
    left = set(range(len(adj))).difference(_peel(children))
    if not left:
        return None
    # Every node left has a parent that is left too, so walking backwards must come round.
    parents = child_lists(adj.T)
    walk, seen = [min(left)], {min(left)}
    while (back := next(p for p in parents[walk[-1]] if p in left)) not in seen:
        walk.append(back)
        seen.add(back)
    cycle = walk[walk.index(back) :][::-1]
    start = cycle.index(min(cycle))
    return cycle[start:] + cycle[:start]


def topological_sort(adj: BoolArray) -> list[int]:
    """Parents before children, the smallest position first among those ready. O(n^2 + e log n)."""
    order = _peel(child_lists(adj))
    if len(order) < len(adj):
        cycle = find_cycle(adj) or []
        raise GraphError(f"positions {arrow_text([*cycle, cycle[0]])} form a cycle; remove one of its edges")
    return order


def reachable(lists: Sequence[Iterable[int]], starts: Iterable[int]) -> set[int]:
    """Every node that a directed path of at least one edge leads to from `starts`."""
    found: set[int] = set()
    stack = list(starts)
    while stack:
        for node in lists[stack.pop()]:
            if node not in found:
                found.add(node)
                stack.append(node)
    return found


def arrow_text(nodes: Iterable[object]) -> str:
    """`a -> b -> c`."""
    return " -> ".join(str(node) for node in nodes)


def d_connected(
    parents: Sequence[Sequence[int]], children: Sequence[Sequence[int]], sources: Iterable[int], given: Iterable[int]
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


def networkx_graph(names: Iterable[str]) -> Any:
    """A networkx.DiGraph without edges, its nodes in this order; networkx is optional and asked for only here."""
    try:
        import networkx
    except ImportError:
        raise GraphError("networkx is not installed; install it with: pip install networkx") from None
    graph = networkx.DiGraph()
    graph.add_nodes_from(names)
    return graph
