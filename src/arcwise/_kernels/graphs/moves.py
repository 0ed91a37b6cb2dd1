"""Choosing the next move of a search over DAGs, and keeping track of which nodes reach which.

`gains[v, u]` is the change of v's local score when the arc u -> v is toggled (-inf: not permitted). `reach[u, v]`
is 1 where a directed path leads from u to v; every node reaches itself.
"""

import math

import numpy as np

from arcwise._kernels.compiled import kernel, lean
from arcwise._kernels.types import BoolArray, UInt8Array

ADD, DELETE, REVERSE, NOTHING = 0, 1, 2, -1


@lean
def close(adj, reach, waiting, finished):
    """Reachability, into `reach`, of an acyclic graph. O(n (n + e)), bytes at a time.

    waiting: room for the children of each node not yet finished; finished: for the nodes that are.
    """
    n = adj.shape[0]
    n_finished = 0
    for u in range(n):
        waiting[u] = 0
        for w in range(n):
            waiting[u] += adj[u, w]
            reach[u, w] = u == w
        if waiting[u] == 0:
            finished[n_finished] = u
            n_finished += 1
    done = 0
    while done < n_finished:
        v = finished[done]
        done += 1
        for u in range(n):
            if adj[u, v]:
                for w in range(n):
                    reach[u, w] |= reach[v, w]
                waiting[u] -= 1
                if waiting[u] == 0:
                    finished[n_finished] = u
                    n_finished += 1


@kernel
def closure(adj: BoolArray) -> UInt8Array:
    """Reachability of an acyclic graph, O(n (n + e))."""
    reach, room = np.empty(adj.shape, dtype=np.uint8), np.empty((2, adj.shape[0]), dtype=np.int64)
    close(adj, reach, room[0], room[1])
    return reach


@lean
def add_to_closure(reach, u, v):
    """Update `reach` for the new arc u -> v, O(n^2)."""
    n = reach.shape[0]
    for a in range(n):
        if reach[a, u] and not reach[a, v]:
            for b in range(n):
                reach[a, b] |= reach[v, b]


@lean
def remove_from_closure(adj, reach, u, nodes, sizes):
    """Update `reach` for an arc out of u that is no longer in `adj`, O(n) for each arc out of a node above u.

    Only nodes above u may reach fewer now. Those who reached the fewest come first: a node reaches all that the nodes
    below it do, and itself. nodes, sizes: room.
    """
    n, k = reach.shape[0], 0
    for a in range(n):
        if reach[a, u]:
            nodes[k], sizes[k] = a, 0
            for b in range(n):
                sizes[k] += reach[a, b]
            k += 1
    _sort_by_size(nodes, sizes, k)
    for i in range(k):
        a = nodes[i]
        for b in range(n):
            reach[a, b] = a == b
        for w in range(n):
            if adj[a, w]:
                for b in range(n):
                    reach[a, b] |= reach[w, b]


@lean
def _sort_by_size(nodes, sizes, k):
    """The first k, the smallest first: Shell's way."""
    gap = 1
    while 3 * gap < k:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, k):
            node, size, place = nodes[i], sizes[i], i
            while place >= gap and sizes[place - gap] > size:
                nodes[place], sizes[place] = nodes[place - gap], sizes[place - gap]
                place -= gap
            nodes[place], sizes[place] = node, size
        gap //= 3


@lean
def _reversible(adj, reach, u, v):
    """Whether turning u -> v round keeps the graph acyclic: no other path leads from u to v."""
    for w in range(adj.shape[0]):
        if w != v and adj[u, w] and reach[w, v]:
            return False
    return True


@lean
def is_tabu(tabu, key):
    for t in range(tabu.shape[0]):
        if tabu[t] == key:
            return True
    return False


@lean
def _legal(kind, u, v, adj, reach, key, zobrist, tabu):
    """Whether a move on u -> v (absent for ADD, present else) keeps the graph acyclic and leads to no tabu key."""
    if kind == ADD:
        return not adj[v, u] and not reach[v, u] and not is_tabu(tabu, key ^ zobrist[u, v])
    if kind == DELETE:
        return not is_tabu(tabu, key ^ zobrist[u, v])
    return _reversible(adj, reach, u, v) and not is_tabu(tabu, key ^ zobrist[u, v] ^ zobrist[v, u])


@lean
def reaches(gain, floor, look):
    """Whether a gain is above the best so far, or within reach of the best."""
    return gain > floor or (look == 1 and gain == floor)


@lean
def top_addition(gains, adj, v):
    """The largest gain of an arc into v from a node that is not adjacent to it, acyclic or not."""
    top = -math.inf
    for u in range(adj.shape[0]):
        if gains[v, u] > top and not adj[u, v] and not adj[v, u]:
            top = gains[v, u]
    return top


@lean
def best_move(gains, tops, adj, arcs, reach, may_delete, tolerance, key, zobrist, tabu):
    """(kind, u, v, gain, ties): the best legal move that does not lead to a structure whose key is in `tabu`.

    arcs: u n + v for each arc u -> v of `adj`, ascending. tops[v]: top_addition of v, so that of most nodes no addition
    need be looked at. Moves within `tolerance` of the best are tied; of these the first wins: additions before
    deletions before reversals, then in the order of the nodes. `ties` counts the others. Gains are compared first,
    legality is checked only where it matters.
    """
    n, m = adj.shape[0], arcs.shape[0]
    best, chosen, start, end, gained, tied = -math.inf, NOTHING, -1, -1, -math.inf, 0
    for look in range(2):  # for the best, and then for those tied with it
        floor = best - tolerance if look else best
        if look and best == -math.inf:
            break
        for v in range(n):
            if not reaches(tops[v], floor, look):
                continue
            for u in range(n):
                gain = gains[v, u]
                if (
                    reaches(gain, floor, look)
                    and not adj[u, v]
                    and _legal(np.int64(ADD), u, v, adj, reach, key, zobrist, tabu)
                ):
                    if look == 0:
                        best = floor = gain
                    else:
                        if tied == 0 or u < start or (u == start and v < end):
                            chosen, start, end, gained = ADD, u, v, gain
                        tied += 1
        for a in range(2 * m):
            kind, arc = (DELETE, arcs[a]) if a < m else (REVERSE, arcs[a - m])
            u, v = arc // n, arc % n
            gain = gains[v, u] if kind == DELETE else gains[v, u] + gains[u, v]
            if reaches(gain, floor, look) and may_delete[u, v] and _legal(kind, u, v, adj, reach, key, zobrist, tabu):
                if look == 0:
                    best = floor = gain
                else:
                    if tied == 0:
                        chosen, start, end, gained = kind, u, v, gain
                    tied += 1
    return chosen, start, end, gained, max(tied - 1, 0)
