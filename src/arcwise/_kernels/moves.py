"""Choosing the next move of a search over DAGs, and keeping track of which nodes reach which.

`delta[u, v]` is the change of v's local score when the arc u -> v is toggled (-inf: not permitted). `reach[u, v]`
says that a directed path leads from u to v; every node reaches itself.
"""

import math

import numpy as np
from numba import njit

ADD, DELETE, REVERSE, NOTHING = 0, 1, 2, -1


@njit(cache=True, nogil=True)
def closure(adj):
    """Reachability of an acyclic graph, O(n e)."""
    n = adj.shape[0]
    reach = np.zeros((n, n), dtype=np.bool_)
    waiting = np.zeros(n, dtype=np.int64)  # children not yet finished
    ready = np.empty(n, dtype=np.int64)
    n_ready = 0
    for u in range(n):
        for v in range(n):
            if adj[u, v]:
                waiting[u] += 1
        if waiting[u] == 0:
            ready[n_ready] = u
            n_ready += 1
    done = 0
    while done < n_ready:
        v = ready[done]
        done += 1
        reach[v, v] = True
        for u in range(n):
            if adj[u, v]:
                for w in range(n):
                    reach[u, w] |= reach[v, w]
                waiting[u] -= 1
                if waiting[u] == 0:
                    ready[n_ready] = u
                    n_ready += 1
    return reach


@njit(cache=True, nogil=True)
def add_to_closure(reach, u, v):
    """Update `reach` for the new arc u -> v, O(n^2)."""
    n = reach.shape[0]
    for a in range(n):
        if reach[a, u] and not reach[a, v]:
            for b in range(n):
                reach[a, b] |= reach[v, b]


@njit(cache=True, nogil=True)
def _reversible(adj, reach, u, v):
    """Whether turning u -> v round keeps the graph acyclic: no other path leads from u to v."""
    for w in range(adj.shape[0]):
        if w != v and adj[u, w] and reach[w, v]:
            return False
    return True


@njit(cache=True, nogil=True)
def _is_tabu(tabu, key):
    for t in range(tabu.shape[0]):
        if tabu[t] == key:
            return True
    return False


@njit(cache=True, nogil=True)
def _legal(kind, u, v, adj, reach, key, zobrist, tabu):
    """Whether a move on u -> v (absent for ADD, present else) keeps the graph acyclic and leads to no tabu key."""
    if kind == ADD:
        return not adj[v, u] and not reach[v, u] and not _is_tabu(tabu, key ^ zobrist[u, v])
    if kind == DELETE:
        return not _is_tabu(tabu, key ^ zobrist[u, v])
    return _reversible(adj, reach, u, v) and not _is_tabu(tabu, key ^ zobrist[u, v] ^ zobrist[v, u])


@njit(cache=True, nogil=True)
def best_move(delta, adj, reach, may_delete, tolerance, key, zobrist, tabu):
    """(kind, u, v, gain, ties): the best legal move that does not lead to a structure whose key is in `tabu`.

    Moves within `tolerance` of the best are tied; of these the first wins: additions before deletions before
    reversals, then in the order of the nodes. `ties` counts the others. O(n^2) for a sparse graph: gains are
    compared first, legality is checked only where it matters.
    """
    n = adj.shape[0]
    arcs = np.empty((np.count_nonzero(adj), 2), dtype=np.int64)
    n_arcs = 0
    for u in range(n):
        for v in range(n):
            if adj[u, v] and may_delete[u, v]:
                arcs[n_arcs, 0], arcs[n_arcs, 1] = u, v
                n_arcs += 1

    best = -math.inf
    for u in range(n):
        gains = delta[u]
        for v in range(n):
            if gains[v] > best and not adj[u, v] and _legal(ADD, u, v, adj, reach, key, zobrist, tabu):
                best = gains[v]
    for kind in (DELETE, REVERSE):
        for a in range(n_arcs):
            u, v = arcs[a]
            gain = delta[u, v] if kind == DELETE else delta[u, v] + delta[v, u]
            if gain > best and _legal(kind, u, v, adj, reach, key, zobrist, tabu):
                best = gain
    if best == -math.inf:
        return NOTHING, -1, -1, best, 0

    floor = best - tolerance
    chosen = (NOTHING, -1, -1, best)
    tied = 0
    for u in range(n):
        gains = delta[u]
        for v in range(n):
            if gains[v] >= floor and not adj[u, v] and _legal(ADD, u, v, adj, reach, key, zobrist, tabu):
                tied += 1
                if tied == 1:
                    chosen = (ADD, u, v, gains[v])
    for kind in (DELETE, REVERSE):
        for a in range(n_arcs):
            u, v = arcs[a]
            gain = delta[u, v] if kind == DELETE else delta[u, v] + delta[v, u]
            if gain >= floor and _legal(kind, u, v, adj, reach, key, zobrist, tabu):
                tied += 1
                if tied == 1:
                    chosen = (kind, u, v, gain)
    return chosen[0], chosen[1], chosen[2], chosen[3], tied - 1
