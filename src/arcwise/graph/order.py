"""Adjacency matrices as lists, directed cycles, topological order. `adj[i, j]` means i -> j."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush

import numpy as np
from numpy.typing import ArrayLike, NDArray

from arcwise.errors import GraphError

BoolArray = NDArray[np.bool_]


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
