"""Equivalence classes of DAGs as one matrix: members, completion, and what an operator of GES makes of a class.

pattern[i, j] without pattern[j, i] is the arrow i -> j, both together are the line i - j. A pattern is complete (a
CPDAG) when its arrows are those that all members of the class share.
"""

import numpy as np

from arcwise._kernels.compiled import inner, kernel
from arcwise._kernels.types import BoolArray, IntArray

INSERT, DELETE, TURN = 0, 1, 2


@kernel
def successors(matrix: BoolArray) -> tuple[IntArray, IntArray]:
    """(starts, heads): the columns that are set in row i are heads[starts[i] : starts[i + 1]], ascending."""
    return _list(matrix, np.int64(1))


@inner
def _list(matrix, ways):
    """The successors (ways = 1), predecessors (2) or neighbours of any kind (3) of each node: (starts, nodes)."""
    n = matrix.shape[0]
    starts = np.empty(n + 1, dtype=np.int64)
    starts[0] = 0
    count = 0
    for i in range(n):
        for j in range(n):
            count += ((ways & 1) > 0 and matrix[i, j]) or ((ways & 2) > 0 and matrix[j, i])
        starts[i + 1] = count
    nodes = np.empty(count, dtype=np.int64)
    count = 0
    for i in range(n):
        for j in range(n):
            if ((ways & 1) > 0 and matrix[i, j]) or ((ways & 2) > 0 and matrix[j, i]):
                nodes[count] = j
                count += 1
    return starts, nodes


@inner
def _is_sink(pattern, x, starts, near, left):
    """Every line at x joins it to a node that is adjacent to all others around x (x has no children left)."""
    for a in range(starts[x], starts[x + 1]):
        y = near[a]
        if left[y] and pattern[x, y]:
            for b in range(starts[x], starts[x + 1]):
                z = near[b]
                if left[z] and z != y and not pattern[y, z] and not pattern[z, y]:
                    return False
    return True


@kernel
def extend(pattern: BoolArray) -> tuple[bool, BoolArray]:
    """(found, adj): a DAG with the arrows, skeleton and colliders of `pattern`.

    Dor and Tarsi 1992: take out a sink, with its lines pointing at it; the last by position of several, so that free
    lines run from low to high. Only a neighbour of a node that was taken out can become a sink. O(n^2 + e deg^2).
    """
    n = pattern.shape[0]
    starts, near = _list(pattern, np.int64(3))
    children = np.zeros(n, dtype=np.int64)
    adj = np.zeros((n, n), dtype=np.bool_)
    left = np.empty(n, dtype=np.bool_)
    for x in range(n):
        left[x] = True
        for a in range(starts[x], starts[x + 1]):
            children[x] += not pattern[near[a], x]

    top = n - 1  # no sink above: these were looked at, and none of their neighbours has gone since
    for _ in range(n):
        x = top
        while x >= 0 and not (left[x] and children[x] == 0 and _is_sink(pattern, x, starts, near, left)):
            x -= 1
        if x < 0:
            return False, adj
        left[x] = False
        top = x - 1
        for a in range(starts[x], starts[x + 1]):
            y = near[a]
            if left[y]:
                adj[y, x] = True
                children[y] -= not pattern[x, y]
                top = max(top, y)
    return True, adj


@inner
def sort(out):
    """A topological order of a DAG given by its `successors`, O(n + e)."""
    starts, heads = out
    n = len(starts) - 1
    waiting = np.zeros(n, dtype=np.int64)  # parents not yet placed
    for a in range(heads.shape[0]):
        waiting[heads[a]] += 1
    order = np.empty(n, dtype=np.int64)
    placed = 0
    for v in range(n):
        if waiting[v] == 0:
            order[placed] = v
            placed += 1
    for place in range(n):
        u = order[place]
        for a in range(starts[u], starts[u + 1]):
            waiting[heads[a]] -= 1
            if waiting[heads[a]] == 0:
                order[placed] = heads[a]
                placed += 1
    return order


@kernel
def complete(adj: BoolArray) -> BoolArray:
    """The complete pattern of a DAG, by Chickering's (1995) labelling. O(n^2 + e deg).

    With x the last parent of y: if a compelled parent of x is none of y, or another parent of y is none of x, all arcs
    into y are compelled; otherwise just those from the compelled parents of x.
    """
    n = adj.shape[0]
    order = sort(_list(adj, np.int64(1)))
    starts, tails = _list(adj, np.int64(2))
    rank = np.empty(n, dtype=np.int64)
    for place in range(n):
        rank[order[place]] = place
    pattern = np.empty((n, n), dtype=np.bool_)  # all lines; compelled arcs then lose the way back
    for i in range(n):
        for j in range(n):
            pattern[i, j] = adj[i, j] or adj[j, i]
    for place in range(n):
        y = order[place]
        first, last = starts[y], starts[y + 1]
        if first == last:
            continue
        x = tails[first]
        for a in range(first, last):
            if rank[tails[a]] > rank[x]:
                x = tails[a]
        reversible = True
        for a in range(first, last):
            reversible &= tails[a] == x or adj[tails[a], x]
        for a in range(starts[x], starts[x + 1]):
            reversible &= pattern[x, tails[a]] or adj[tails[a], y]
        for a in range(first, last):
            u = tails[a]
            if not reversible or (u != x and not pattern[x, u]):
                pattern[y, u] = False
    return pattern


@kernel
def permitted_member(pattern: BoolArray, permitted: BoolArray) -> tuple[bool, BoolArray]:
    """(found, adj): a DAG of the class whose arcs are all permitted; permitted[i, j]: i -> j may be there.

    A line that may point one way only does; if any member of the class will do, Dor and Tarsi's algorithm then finds
    one. If none will, it finds nothing or a DAG with other colliders.
    """
    n = pattern.shape[0]
    pointed = pattern.copy()
    free = True
    for i in range(n):
        for j in range(n):
            if pattern[i, j] and not permitted[i, j]:
                if not pattern[j, i] or not permitted[j, i]:
                    return False, pointed
                pointed[i, j] = False
                free = False
    found, adj = extend(pointed)
    if not found or free:
        return found, adj
    again = complete(adj)
    for i in range(n):
        for j in range(n):
            if again[i, j] != pattern[i, j]:
                return False, adj
    return True, adj


@inner
def _point_lines(pattern, y, tails):
    """Lines at y become arrows: from the nodes in `tails` to y, from y to the others."""
    for v in range(pattern.shape[0]):
        if pattern[v, y] and pattern[y, v]:
            if tails[v]:
                pattern[y, v] = False
            else:
                pattern[v, y] = False


@kernel
def operate(pattern: BoolArray, kind: int, x: int, y: int, clique: BoolArray) -> BoolArray:
    """The complete pattern after an operator that `operators.py` calls valid.

    In a member of the class where just the `clique` of y's lines points at y (and, to turn an edge, no other common
    neighbour at x), x -> y is inserted, deleted, or put in place of y -> x.
    """
    chosen = pattern.copy()
    _point_lines(chosen, y, clique)
    if kind == TURN:
        _point_lines(chosen, x, clique)
    _, adj = extend(chosen)
    adj[x, y] = kind != DELETE
    if kind == TURN:
        adj[y, x] = False
    return complete(adj)
