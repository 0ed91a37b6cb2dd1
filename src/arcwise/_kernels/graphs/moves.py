"""Choosing the next move of a search over DAGs, and keeping track of which nodes reach which.

`gains[v, u]` is the change of v's local score when the arc u -> v is toggled (-inf: not permitted). `reach[u, v]`
says that a directed path leads from u to v; every node reaches itself.
"""

import math

import numpy as np

from arcwise._kernels.compiled import inner, kernel
from arcwise._kernels.types import BoolArray, FloatArray, IntArray, UInt64Array

ADD, DELETE, REVERSE, NOTHING = 0, 1, 2, -1


@kernel
def closure_of_arcs(n: int, arcs: IntArray) -> BoolArray:
    """Reachability of an acyclic graph with n nodes and the arcs u -> v given as u n + v. O(n e)."""
    first = np.zeros(n + 1, dtype=np.int64)  # of each node's parents in `parents`
    waiting = np.zeros(n, dtype=np.int64)  # children not yet finished
    for a in range(arcs.shape[0]):
        first[arcs[a] % n + 1] += 1
        waiting[arcs[a] // n] += 1
    for v in range(n):
        first[v + 1] += first[v]
    parents, filled = np.empty(arcs.shape[0], dtype=np.int64), first.copy()
    for a in range(arcs.shape[0]):
        v = arcs[a] % n
        parents[filled[v]] = arcs[a] // n
        filled[v] += 1
    ready = np.empty(n, dtype=np.int64)
    n_ready = 0
    for u in range(n):
        if waiting[u] == 0:
            ready[n_ready] = u
            n_ready += 1
    reach = np.zeros((n, n), dtype=np.uint8)  # not yet bool: that would go one entry at a time
    done = 0
    while done < n_ready:
        v = ready[done]
        done += 1
        reach[v, v] = 1
        for p in range(first[v], first[v + 1]):
            u = parents[p]
            for w in range(n):
                reach[u, w] |= reach[v, w]
            waiting[u] -= 1
            if waiting[u] == 0:
                ready[n_ready] = u
                n_ready += 1
    return reach.view(np.bool_)


@kernel
def closure(adj: BoolArray) -> BoolArray:
    """Reachability of an acyclic graph, O(n (n + e))."""
    return closure_of_arcs(adj.shape[0], adj.copy().ravel().nonzero()[0])


@kernel
def add_to_closure(reach: BoolArray, u: int, v: int) -> None:
    """Update `reach` for the new arc u -> v, O(n^2)."""
    n = reach.shape[0]
    for a in range(n):
        if reach[a, u] and not reach[a, v]:
            for b in range(n):
                reach[a, b] |= reach[v, b]


@inner
def _reversible(adj, reach, u, v):
    """Whether turning u -> v round keeps the graph acyclic: no other path leads from u to v."""
    for w in range(adj.shape[0]):
        if w != v and adj[u, w] and reach[w, v]:
            return False
    return True


@inner
def _is_tabu(tabu, key):
    for t in range(tabu.shape[0]):
        if tabu[t] == key:
            return True
    return False


@inner
def _legal(kind, u, v, adj, reach, key, zobrist, tabu):
    """Whether a move on u -> v (absent for ADD, present else) keeps the graph acyclic and leads to no tabu key."""
    if kind == ADD:
        return not adj[v, u] and not reach[v, u] and not _is_tabu(tabu, key ^ zobrist[u, v])
    if kind == DELETE:
        return not _is_tabu(tabu, key ^ zobrist[u, v])
    return _reversible(adj, reach, u, v) and not _is_tabu(tabu, key ^ zobrist[u, v] ^ zobrist[v, u])


@kernel
def top_addition(gains: FloatArray, adj: BoolArray, v: int) -> float:
    """The largest gain of an arc into v from a node that is not adjacent to it, acyclic or not."""
    top = -math.inf
    for u in range(adj.shape[0]):
        if gains[v, u] > top and not adj[u, v] and not adj[v, u]:
            top = gains[v, u]
    return top


@kernel
def best_move(
    gains: FloatArray,
    tops: FloatArray,
    adj: BoolArray,
    arcs: IntArray,
    reach: BoolArray,
    may_delete: BoolArray,
    tolerance: float,
    key: np.uint64,
    zobrist: UInt64Array,
    tabu: UInt64Array,
) -> tuple[int, int, int, float, int]:
    """(kind, u, v, gain, ties): the best legal move that does not lead to a structure whose key is in `tabu`.

    arcs: u n + v for each arc u -> v of `adj`, ascending. tops[v]: top_addition of v, so that of most nodes no addition
    need be looked at. Moves within `tolerance` of the best are tied; of these the first wins: additions before
    deletions before reversals, then in the order of the nodes. `ties` counts the others. Gains are compared first,
    legality is checked only where it matters.
    """
    n = adj.shape[0]
    best = -math.inf
    for v in range(n):
        if tops[v] > best:
            for u in range(n):
                if gains[v, u] > best and not adj[u, v] and _legal(np.int64(ADD), u, v, adj, reach, key, zobrist, tabu):
                    best = gains[v, u]
    for kind in (DELETE, REVERSE):
        for a in range(arcs.shape[0]):
            u, v = arcs[a] // n, arcs[a] % n
            gain = gains[v, u] if kind == DELETE else gains[v, u] + gains[u, v]
            if gain > best and may_delete[u, v] and _legal(kind, u, v, adj, reach, key, zobrist, tabu):
                best = gain
    if best == -math.inf:
        return NOTHING, -1, -1, best, 0

    floor = best - tolerance
    chosen, start, end, gained, tied = NOTHING, n, n, best, 0
    for v in range(n):
        if tops[v] >= floor:
            for u in range(n):
                if (
                    gains[v, u] >= floor
                    and not adj[u, v]
                    and _legal(np.int64(ADD), u, v, adj, reach, key, zobrist, tabu)
                ):
                    tied += 1
                    if u < start or (u == start and v < end):
                        chosen, start, end, gained = ADD, u, v, gains[v, u]
    for kind in (DELETE, REVERSE):
        for a in range(arcs.shape[0]):
            u, v = arcs[a] // n, arcs[a] % n
            gain = gains[v, u] if kind == DELETE else gains[v, u] + gains[u, v]
            if gain >= floor and may_delete[u, v] and _legal(kind, u, v, adj, reach, key, zobrist, tabu):
                tied += 1
                if tied == 1:
                    chosen, start, end, gained = kind, u, v, gain
    return chosen, start, end, gained, tied - 1
