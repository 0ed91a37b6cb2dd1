"""Mergers of levels by tables of counts: the same numbers as in merging.py, for few large levels.

One square table holds the counts of every level of every column with every level of every other:
table[offsets[x] + a, offsets[y] + k], rows for continuous columns only. Counts within a column are left 0, and so are
those of a level that has been merged into another.
"""

import numpy as np

from arcwise._kernels.compiled import inner, kernel
from arcwise._kernels.thresholds.merging import change, cheapest, join, loss_between


@kernel
def count_tables(x, codes, offsets, table):
    """Count column x against all later ones: table[offsets[x] + a, offsets[y] + k], and its mirror image. O(n N)."""
    n, n_rows = codes.shape
    for y in range(x + 1, n):
        for r in range(n_rows):
            table[offsets[x] + codes[x, r], offsets[y] + codes[y, r]] += 1
        if offsets[y] < table.shape[0]:  # discrete columns have no rows of their own
            for a in range(offsets[x], offsets[x + 1]):
                for k in range(offsets[y], offsets[y + 1]):
                    table[k, a] = table[a, k]


@inner
def _overlap_of_levels(x, a, b, offsets, table, xlogx):
    """Overlap of levels a and b of x. The counts of x with itself are 0, and so are those of levels that are gone."""
    total = np.int64(0)
    for k in range(table.shape[1]):
        i = table[offsets[x] + a, k]
        j = table[offsets[x] + b, k]
        if i > 0 and j > 0:
            total += xlogx[i + j] - xlogx[i] - xlogx[j]
    return total


@kernel
def losses_by_tables(x, n, start, stop, succ, loss, offsets, table, xlogx):
    """Fill loss[x]."""
    a = 0
    while succ[x, a] >= 0:
        b = succ[x, a]
        overlap = _overlap_of_levels(x, a, b, offsets, table, xlogx)
        loss[x, a] = loss_between(x, a, b, n, start, stop, overlap, xlogx)
        a = b


@inner
def _merge_by_tables(x, a, n, start, stop, succ, pred, loss, offsets, table, xlogx):
    """Merge a with its successor and mend all losses. O(levels of all columns)."""
    b = succ[x, a]
    p = pred[x, a]
    q = succ[x, b]
    low = offsets[x] + a
    high = offsets[x] + b
    for z in range(start.shape[0]):
        k = 0
        m = succ[z, 0]
        while z != x and m >= 0:
            ak = table[low, offsets[z] + k]
            bk = table[high, offsets[z] + k]
            am = table[low, offsets[z] + m]
            bm = table[high, offsets[z] + m]
            if ak + bk > 0 and am + bm > 0:
                loss[z, k] += change(ak, bk, am, bm, xlogx)
            k = m
            m = succ[z, m]
    for k in range(table.shape[1]):
        table[low, k] += table[high, k]
        table[high, k] = 0
    for k in range(table.shape[0]):
        table[k, low] += table[k, high]
        table[k, high] = 0
    below = np.int64(0)
    above = np.int64(0)
    if p >= 0:
        below = _overlap_of_levels(x, p, a, offsets, table, xlogx)
    if q >= 0:
        above = _overlap_of_levels(x, a, q, offsets, table, xlogx)
    join(x, a, n, start, stop, succ, pred, loss, below, above, xlogx)


@kernel
def sweep_by_tables(
    lo, hi, keep, live, n, start, stop, succ, pred, loss, offsets, table, xlogx, unit, relative, cuts, costs
):
    """As sweep_by_rows."""
    for x in range(lo, hi):
        cuts[x] = -1
        costs[x] = 0
        if live[x] > keep:
            a = cheapest(x, start, stop, succ, loss, unit, relative)
            cuts[x] = stop[x, a]
            costs[x] = loss[x, a]
            _merge_by_tables(x, a, n, start, stop, succ, pred, loss, offsets, table, xlogx)
            live[x] -= 1
