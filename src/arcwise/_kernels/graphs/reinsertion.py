"""The best way to put a column back into a network from which it was taken out.

With parents P a target T can have as children only columns that are neither in P nor ancestors of P in the network
without T; every such child c with gains[c] > 0 is worth having, whatever the others do. So

    value(P) = score(T, P) + sum of gains[c] > 0 over the columns c that P does not bar.

Sets of columns are rows of 64-bit words: bit c % 64 of word c // 64.
"""

import math

import numpy as np

from arcwise._kernels.compiled import inner, kernel
from arcwise._kernels.types import BoolArray, FloatArray, IntArray, UInt64Array

ONE = np.uint64(1)
LOW = np.uint64(63)


@kernel
def ancestors_without(adj: BoolArray, target: int) -> UInt64Array:
    """(n, words): row p has bit c where c is p or an ancestor of p in the graph without the target. O(n^2 + e n)."""
    n = adj.shape[0]
    rows = np.zeros((n, (n + 63) // 64), dtype=np.uint64)
    waiting = np.zeros(n, dtype=np.int64)  # parents not yet finished
    ready = np.empty(n, dtype=np.int64)
    n_ready = 0
    for u in range(n):
        if u != target:
            for v in range(n):
                if adj[u, v]:
                    waiting[v] += 1
    for v in range(n):
        rows[v, v >> 6] |= ONE << (np.uint64(v) & LOW)
        if v != target and waiting[v] == 0:
            ready[n_ready] = v
            n_ready += 1
    done = 0
    while done < n_ready:
        u = ready[done]
        done += 1
        for v in range(n):
            if adj[u, v] and v != target:
                for w in range(rows.shape[1]):
                    rows[v, w] |= rows[u, w]
                waiting[v] -= 1
                if waiting[v] == 0:
                    ready[n_ready] = v
                    n_ready += 1
    return rows


@inner
def _has(words, c):
    return (words[c >> 6] >> (np.uint64(c) & LOW)) & ONE != 0


@inner
def _bar(ancestors, sets, s, barred):
    """Set s and all its ancestors, into `barred`."""
    for w in range(barred.shape[0]):
        barred[w] = 0
    for a in range(sets.shape[1]):
        p = sets[s, a]
        if p >= 0:
            for w in range(barred.shape[0]):
                barred[w] |= ancestors[p, w]


@inner
def _value(score, barred, children, gains, fixed):
    """-inf where a child that must stay is barred."""
    for c in fixed:
        if _has(barred, c):
            return -math.inf
    value = score
    for c in children:
        if not _has(barred, c):
            value += gains[c]
    return value


@kernel
def best_parents(
    sets: IntArray,
    scores: FloatArray,
    order: IntArray,
    ancestors: UInt64Array,
    gains: FloatArray,
    fixed: IntArray,
    tolerance: float,
) -> tuple[int, float, int, BoolArray]:
    """(s, value, ties, joined): the best of the parent sets; joined[c]: column c becomes a child (beside the fixed).

    sets: (k, w) padded with -1; order: their positions by falling score, so that the search ends where a score and all
    gains together are not enough. Sets within `tolerance` of the best value are tied: the first one wins, and `ties`
    counts the others. gains: at most 0 for columns that cannot or need not be children; fixed: children that must
    stay. s = -1 where no set is possible.
    """
    children = np.nonzero(gains > 0.0)[0]
    most = 0.0
    for c in children:
        most += gains[c]
    barred = np.zeros(ancestors.shape[1], dtype=np.uint64)
    best = -math.inf
    for s in order:
        if scores[s] + most <= best:
            break
        _bar(ancestors, sets, s, barred)
        best = max(best, _value(scores[s], barred, children, gains, fixed))
    chosen = -1
    tied = 0
    if best > -math.inf:
        for s in order:
            if scores[s] + most < best - tolerance:
                break
            _bar(ancestors, sets, s, barred)
            if _value(scores[s], barred, children, gains, fixed) >= best - tolerance:
                tied += 1
                if chosen < 0 or s < chosen:
                    chosen = s
    joined = np.zeros(gains.shape[0], dtype=np.bool_)
    if chosen >= 0:
        _bar(ancestors, sets, chosen, barred)
        best = _value(scores[chosen], barred, children, gains, fixed)
        for c in children:
            joined[c] = not _has(barred, c)
    return chosen, best, tied - 1, joined
