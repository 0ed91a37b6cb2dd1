"""Merging neighbouring levels where it loses least mutual information (Hartemink 2001).

Columns 0..c-1 are continuous and cut into levels; c..n-1 are discrete and never change. Level a of column x is the
stretch start[x, a]..stop[x, a]-1 of the rows in the order of x; succ and pred are its neighbours, -1 at the ends. A
merger keeps the lower number, so level 0 always exists. With F(k) = k ln k and g(i, j) = F(i + j) - F(i) - F(j),
merging a with b = succ[x, a] costs, in nats times the number of rows,

    loss[x, a] = (n - 1) g(n_a, n_b) - sum over y != x and levels k of y of g(n_ak, n_bk).

g(i, 0) = 0, so only levels k that meet both a and b count; their sum is called the overlap of a and b. A merger in x
changes the loss at level k of another column z only if k and its successor both have rows in the two merged levels.

All sums are fixed-point: `xlogx` tabulates F in whole units of a tiny size. Whole numbers do not drift over hundreds of
thousands of updates, and do not depend on the order of summation. There are two ways to the same numbers: by rows,
for many small levels, and by tables of counts, for few large ones. One square table holds the counts of every level of
every column with every level of every other: counts[offsets[x] + a, offsets[y] + k], rows for continuous columns only.
Counts within a column are left 0, and so are those of a level that has been merged into another.
"""

from typing import NamedTuple

import numpy as np

from arcwise._kernels.compiled import inner, kernel
from arcwise._kernels.types import Int32Array, IntArray

NEVER = np.iinfo(np.int64).max  # the loss at a level that is gone or has no successor


class Levels(NamedTuple):
    """Of the continuous columns, all (columns, numbers of levels)."""

    start: Int32Array
    stop: Int32Array
    succ: Int32Array
    pred: Int32Array
    loss: IntArray


class Rows(NamedTuple):
    """codes[y, row]: its level in column y; order[x]: the rows by the values of the continuous column x."""

    codes: Int32Array
    order: Int32Array


class Units(NamedTuple):
    """Losses are counted in `unit`s a nat; those within `relative` of each other, and of one nat, are tied."""

    xlogx: IntArray
    unit: float
    relative: float


class Mergers(NamedTuple):
    """left[x]: levels of column x. cuts[x], costs[x]: the first row above the cut that went last, and its loss."""

    left: IntArray
    cuts: IntArray
    costs: IntArray


class Counts(NamedTuple):
    """Rows by level of another column, all zero between two uses; seen[k]: when level k was last dealt with."""

    lower: Int32Array
    upper: Int32Array
    beside: Int32Array
    seen: Int32Array


@inner
def _cheapest(levels, x, units):
    """The level whose merger with its successor costs least. Within the tolerance: fewest rows, then lowest."""
    loss = levels.loss
    best = NEVER
    for a in range(loss.shape[1]):
        best = min(best, loss[x, a])
    limit = best + np.int64(units.relative * (units.unit + abs(best)))
    chosen = -1
    fewest = 0
    for a in range(loss.shape[1]):
        if loss[x, a] <= limit:
            size = levels.stop[x, levels.succ[x, a]] - levels.start[x, a]
            if chosen < 0 or size < fewest:
                fewest = size
                chosen = a
    return chosen


@inner
def _next_merger(levels, x, keep, units, mergers):
    """The level to merge with its successor, written down among the mergers; -1 where `keep` levels are left."""
    mergers.cuts[x] = -1
    mergers.costs[x] = 0
    if mergers.left[x] <= keep:
        return -1
    a = _cheapest(levels, x, units)
    mergers.cuts[x] = levels.stop[x, a]
    mergers.costs[x] = levels.loss[x, a]
    mergers.left[x] -= 1
    return a


@inner
def _loss_between(levels, x, a, b, n, overlap, xlogx):
    i = levels.stop[x, a] - levels.start[x, a]
    j = levels.stop[x, b] - levels.start[x, b]
    return (n - 1) * (xlogx[i + j] - xlogx[i] - xlogx[j]) - overlap


@inner
def _join(levels, x, a, n, below, above, xlogx):
    """Merge a with its successor; below, above: overlap of the merged level with its neighbours."""
    succ, loss = levels.succ, levels.loss
    b = succ[x, a]
    p = levels.pred[x, a]
    q = succ[x, b]
    levels.stop[x, a] = levels.stop[x, b]
    succ[x, a] = q
    loss[x, a] = NEVER
    loss[x, b] = NEVER
    if q >= 0:
        levels.pred[x, q] = a
        loss[x, a] = _loss_between(levels, x, a, q, n, above, xlogx)
    if p >= 0:
        loss[x, p] = _loss_between(levels, x, p, a, n, below, xlogx)


@inner
def _change(ak, bk, am, bm, xlogx):
    """What the loss at level k with successor m gains when levels a, b of another column merge; ak: rows in both."""
    apart = xlogx[ak + am] - xlogx[ak] - xlogx[am] + xlogx[bk + bm] - xlogx[bk] - xlogx[bm]
    return apart - (xlogx[ak + bk + am + bm] - xlogx[ak + bk] - xlogx[am + bm])


@inner
def _overlap_of_rows(order, lo, hi, codes, counts, beside, xlogx):
    """Overlap of the rows order[lo..hi-1] with the level that has counts[k] rows where the codes are k. beside: zeros.

    One more row in k takes g(i, j) to g(i, j + 1), which adds F(i + j + 1) - F(i + j) - (F(j + 1) - F(j)).
    """
    total = np.int64(0)
    for r in range(lo, hi):
        k = codes[order[r]]
        i = counts[k]
        if i > 0:
            j = beside[k]
            total += xlogx[i + j + 1] - xlogx[i + j] - xlogx[j + 1] + xlogx[j]
            beside[k] = j + 1
    for r in range(lo, hi):
        beside[codes[order[r]]] = 0
    return total


@kernel
def losses_by_rows(levels: Levels, x: int, rows: Rows, xlogx: IntArray, size: int) -> None:
    """Fill loss[x]. O(n N). size: most levels of any column."""
    start, stop, succ, loss = levels.start, levels.stop, levels.succ, levels.loss
    n = rows.codes.shape[0]
    order = rows.order[x]
    counts = np.zeros(size, dtype=np.int32)
    beside = np.zeros(size, dtype=np.int32)
    a = 0
    while succ[x, a] >= 0:
        loss[x, a] = _loss_between(levels, x, a, succ[x, a], n, 0, xlogx)
        a = succ[x, a]
    for y in range(n):
        codes = rows.codes[y]
        a = 0
        while y != x and succ[x, a] >= 0:
            b = succ[x, a]
            for r in range(start[x, a], stop[x, a]):
                counts[codes[order[r]]] += 1
            loss[x, a] -= _overlap_of_rows(order, start[x, b], stop[x, b], codes, counts, beside, xlogx)
            for r in range(start[x, a], stop[x, a]):
                counts[codes[order[r]]] = 0
            a = b


@inner
def _merge_by_rows(levels, x, a, rows, xlogx, space, token):
    """Merge a with its successor and mend all losses. O(n (rows of the two levels and their neighbours)).

    seen[k] = token: level k is dealt with; returns the last token used.
    """
    n = rows.codes.shape[0]
    order, in_a, in_b, beside, seen = rows.order[x], space.lower, space.upper, space.beside, space.seen
    b = levels.succ[x, a]
    p = levels.pred[x, a]
    q = levels.succ[x, b]
    first = levels.start[x, a]
    middle = levels.stop[x, a]
    last = levels.stop[x, b]
    below = np.int64(0)
    above = np.int64(0)
    for z in range(n):
        if z == x:
            continue
        codes = rows.codes[z]
        for r in range(first, middle):
            in_a[codes[order[r]]] += 1
        for r in range(middle, last):
            in_b[codes[order[r]]] += 1
        if z < rows.order.shape[0]:
            token += 1
            succ, loss = levels.succ[z], levels.loss[z]
            for r in range(first, last):
                k = codes[order[r]]
                m = succ[k]
                if m >= 0 and in_a[m] + in_b[m] > 0 and seen[k] != token:
                    seen[k] = token
                    loss[k] += _change(in_a[k], in_b[k], in_a[m], in_b[m], xlogx)
        for r in range(middle, last):
            k = codes[order[r]]
            in_a[k] += in_b[k]
            in_b[k] = 0
        if p >= 0:
            below += _overlap_of_rows(order, levels.start[x, p], first, codes, in_a, beside, xlogx)
        if q >= 0:
            above += _overlap_of_rows(order, last, levels.stop[x, q], codes, in_a, beside, xlogx)
        for r in range(first, last):
            in_a[codes[order[r]]] = 0
    own = rows.codes[x]
    for r in range(middle, last):
        own[order[r]] = a
    _join(levels, x, a, n, below, above, xlogx)
    return token


@kernel
def sweep_by_rows(
    lo: int, hi: int, keep: int, levels: Levels, rows: Rows, units: Units, mergers: Mergers, size: int
) -> None:
    """One merger in each column lo..hi-1 that has more than `keep` levels; cut -1 and cost 0 where nothing merged."""
    zeros = np.zeros((4, size), dtype=np.int32)
    space = Counts(zeros[0], zeros[1], zeros[2], zeros[3])
    token = 0
    for x in range(lo, hi):
        a = _next_merger(levels, x, keep, units, mergers)
        if a >= 0:
            token = _merge_by_rows(levels, x, a, rows, units.xlogx, space, token)


@kernel
def pair_information(x: int, codes: Int32Array, cards: IntArray, xlogx: IntArray) -> float:
    """Sum over y > x of N I(x; y) = sum F(n_ak) - sum F(n_a) - sum F(n_k) + F(N), in units, as a float. O(n N).

    In the whole numbers of the losses that are added to it, and for more levels than tables of counts can have.
    """
    n, n_rows = codes.shape
    begin = np.zeros(cards[x] + 1, dtype=np.int64)
    for r in range(n_rows):
        begin[codes[x, r] + 1] += 1
    own = np.int64(0)
    for a in range(cards[x]):
        own += xlogx[begin[a + 1]]
        begin[a + 1] += begin[a]
    order = np.empty(n_rows, dtype=np.int64)  # rows by their level of x
    place = begin[:-1].copy()
    for r in range(n_rows):
        order[place[codes[x, r]]] = r
        place[codes[x, r]] += 1
    total = 0.0
    for y in range(x + 1, n):
        information = xlogx[n_rows] - own
        counts = np.zeros(cards[y], dtype=np.int64)
        for r in range(n_rows):
            counts[codes[y, r]] += 1
        for k in range(cards[y]):
            information -= xlogx[counts[k]]
            counts[k] = 0
        for a in range(cards[x]):
            for r in range(begin[a], begin[a + 1]):
                k = codes[y, order[r]]
                information += xlogx[counts[k] + 1] - xlogx[counts[k]]
                counts[k] += 1
            for r in range(begin[a], begin[a + 1]):
                counts[codes[y, order[r]]] = 0
        total += information
    return total


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
        levels.loss[x, a] = _loss_between(levels, x, a, b, n, overlap, xlogx)
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
                levels.loss[z, k] += _change(ak, bk, am, bm, xlogx)
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
    _join(levels, x, a, n, below, above, xlogx)


@kernel
def sweep_by_tables(
    lo: int, hi: int, keep: int, levels: Levels, n: int, tables: Tables, units: Units, mergers: Mergers
) -> None:
    """As sweep_by_rows."""
    for x in range(lo, hi):
        a = _next_merger(levels, x, keep, units, mergers)
        if a >= 0:
            _merge_by_tables(levels, x, a, n, tables, units.xlogx)
