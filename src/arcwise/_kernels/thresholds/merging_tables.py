"""Mergers of levels by tables of counts: the same numbers as in merging.py, for few large levels.

One square table holds the counts of every level of every column with every level of every other:
counts[offsets[x] + a, offsets[y] + k], rows for continuous columns only. Counts within a column are left 0, and so are
those of a level that has been merged into another.
"""

from typing import NamedTuple

import numpy as np

from arcwise._kernels.compiled import inner, kernel
from arcwise._kernels.thresholds.merging import Levels, Mergers, Units, change, cheapest, join, loss_between
from arcwise._kernels.types import Int32Array, IntArray


class Tables(NamedTuple):
    offsets: IntArray
    counts: Int32Array


@inner
def _overlap_of_levels(one, other, xlogx):
    """Overlap of two levels of a column. Its counts with itself are 0, and so are those of levels that are gone."""
    total = np.int64(0)
    for k in range(one.shape[0]):
        i = one[k]
        j = other[k]
        if i > 0 and j > 0:
            total += xlogx[i + j] - xlogx[i] - xlogx[j]
    return total


@kernel
def losses_by_tables(levels: Levels, x: int, n: int, tables: Tables, xlogx: IntArray) -> None:
    """Fill loss[x]."""
    own = tables.counts[tables.offsets[x] : tables.offsets[x + 1]]
    a = 0
    while levels.succ[x, a] >= 0:
        b = levels.succ[x, a]
        overlap = _overlap_of_levels(own[a], own[b], xlogx)
        levels.loss[x, a] = loss_between(levels, x, a, b, n, overlap, xlogx)
        a = b


@inner
def _merge_by_tables(levels, x, a, n, tables, xlogx):
    """Merge a with its successor and mend all losses. O(levels of all columns)."""
    offsets, counts = tables
    b = levels.succ[x, a]
    p = levels.pred[x, a]
    q = levels.succ[x, b]
    low = offsets[x] + a
    high = offsets[x] + b
    for z in range(levels.succ.shape[0]):
        k = 0
        m = levels.succ[z, 0]
        while z != x and m >= 0:
            ak = counts[low, offsets[z] + k]
            bk = counts[high, offsets[z] + k]
            am = counts[low, offsets[z] + m]
            bm = counts[high, offsets[z] + m]
            if ak + bk > 0 and am + bm > 0:
                levels.loss[z, k] += change(ak, bk, am, bm, xlogx)
            k = m
            m = levels.succ[z, m]
    for k in range(counts.shape[1]):
        counts[low, k] += counts[high, k]
        counts[high, k] = 0
    for k in range(counts.shape[0]):
        counts[k, low] += counts[k, high]
        counts[k, high] = 0
    below = np.int64(0)
    above = np.int64(0)
    if p >= 0:
        below = _overlap_of_levels(counts[offsets[x] + p], counts[low], xlogx)
    if q >= 0:
        above = _overlap_of_levels(counts[low], counts[offsets[x] + q], xlogx)
    join(levels, x, a, n, below, above, xlogx)


@kernel
def sweep_by_tables(
    lo: int, hi: int, keep: int, levels: Levels, n: int, tables: Tables, units: Units, mergers: Mergers
) -> None:
    """As sweep_by_rows."""
    for x in range(lo, hi):
        mergers.cuts[x] = -1
        mergers.costs[x] = 0
        if mergers.left[x] > keep:
            a = cheapest(levels, x, units)
            mergers.cuts[x] = levels.stop[x, a]
            mergers.costs[x] = levels.loss[x, a]
            _merge_by_tables(levels, x, a, n, tables, units.xlogx)
            mergers.left[x] -= 1
