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
for many small levels, and by tables of counts, for few large ones.
"""

import numpy as np

from arcwise._kernels.compiled import inner, kernel

NEVER = np.iinfo(np.int64).max  # the loss at a level that is gone or has no successor


@kernel
def cheapest(x, start, stop, succ, loss, unit, relative):
    """The level whose merger with its successor costs least. Within the tolerance: fewest rows, then lowest."""
    best = NEVER
    for a in range(loss.shape[1]):
        best = min(best, loss[x, a])
    limit = best + np.int64(relative * (unit + abs(best)))
    chosen = -1
    fewest = 0
    for a in range(loss.shape[1]):
        if loss[x, a] <= limit:
            size = stop[x, succ[x, a]] - start[x, a]
            if chosen < 0 or size < fewest:
                fewest = size
                chosen = a
    return chosen


@inner
def loss_between(x, a, b, n, start, stop, overlap, xlogx):
    i = stop[x, a] - start[x, a]
    j = stop[x, b] - start[x, b]
    return (n - 1) * (xlogx[i + j] - xlogx[i] - xlogx[j]) - overlap


@kernel
def join(x, a, n, start, stop, succ, pred, loss, below, above, xlogx):
    """Merge a with its successor; below, above: overlap of the merged level with its neighbours."""
    b = succ[x, a]
    p = pred[x, a]
    q = succ[x, b]
    stop[x, a] = stop[x, b]
    succ[x, a] = q
    loss[x, a] = NEVER
    loss[x, b] = NEVER
    if q >= 0:
        pred[x, q] = a
        loss[x, a] = loss_between(x, a, q, n, start, stop, above, xlogx)
    if p >= 0:
        loss[x, p] = loss_between(x, p, a, n, start, stop, below, xlogx)


@kernel
def change(ak, bk, am, bm, xlogx):
    """What the loss at level k with successor m gains when levels a, b of another column merge; ak: rows in both."""
    apart = xlogx[ak + am] - xlogx[ak] - xlogx[am] + xlogx[bk + bm] - xlogx[bk] - xlogx[bm]
    return apart - (xlogx[ak + bk + am + bm] - xlogx[ak + bk] - xlogx[am + bm])


@inner
def _overlap_of_rows(x, y, lo, hi, codes, rows, counts, beside, xlogx):
    """Overlap of the rows lo..hi-1 of x with the level that has counts[k] rows in level k of y. beside: zeros.

    One more row in k takes g(i, j) to g(i, j + 1), which adds F(i + j + 1) - F(i + j) - (F(j + 1) - F(j)).
    """
    total = np.int64(0)
    for r in range(lo, hi):
        k = codes[y, rows[x, r]]
        i = counts[k]
        if i > 0:
            j = beside[k]
            total += xlogx[i + j + 1] - xlogx[i + j] - xlogx[j + 1] + xlogx[j]
            beside[k] = j + 1
    for r in range(lo, hi):
        beside[codes[y, rows[x, r]]] = 0
    return total


@kernel
def losses_by_rows(x, codes, rows, start, stop, succ, loss, xlogx, size):
    """Fill loss[x]. O(n N). size: most levels of any column."""
    n = codes.shape[0]
    counts = np.zeros(size, dtype=np.int32)
    beside = np.zeros(size, dtype=np.int32)
    a = 0
    while succ[x, a] >= 0:
        loss[x, a] = loss_between(x, a, succ[x, a], n, start, stop, 0, xlogx)
        a = succ[x, a]
    for y in range(n):
        a = 0
        while y != x and succ[x, a] >= 0:
            b = succ[x, a]
            for r in range(start[x, a], stop[x, a]):
                counts[codes[y, rows[x, r]]] += 1
            loss[x, a] -= _overlap_of_rows(x, y, start[x, b], stop[x, b], codes, rows, counts, beside, xlogx)
            for r in range(start[x, a], stop[x, a]):
                counts[codes[y, rows[x, r]]] = 0
            a = b


@inner
def _merge_by_rows(x, a, codes, rows, start, stop, succ, pred, loss, xlogx, in_a, in_b, beside, seen, token):
    """Merge a with its successor and mend all losses. O(n (rows of the two levels and their neighbours)).

    in_a, in_b, beside: zeros before and after. seen[k] = token: level k is dealt with; returns the last token used.
    """
    n = codes.shape[0]
    b = succ[x, a]
    p = pred[x, a]
    q = succ[x, b]
    first = start[x, a]
    middle = stop[x, a]
    last = stop[x, b]
    below = np.int64(0)
    above = np.int64(0)
    for z in range(n):
        if z == x:
            continue
        for r in range(first, middle):
            in_a[codes[z, rows[x, r]]] += 1
        for r in range(middle, last):
            in_b[codes[z, rows[x, r]]] += 1
        if z < rows.shape[0]:
            token += 1
            for r in range(first, last):
                k = codes[z, rows[x, r]]
                m = succ[z, k]
                if m >= 0 and in_a[m] + in_b[m] > 0 and seen[k] != token:
                    seen[k] = token
                    loss[z, k] += change(in_a[k], in_b[k], in_a[m], in_b[m], xlogx)
        for r in range(middle, last):
            k = codes[z, rows[x, r]]
            in_a[k] += in_b[k]
            in_b[k] = 0
        if p >= 0:
            below += _overlap_of_rows(x, z, start[x, p], first, codes, rows, in_a, beside, xlogx)
        if q >= 0:
            above += _overlap_of_rows(x, z, last, stop[x, q], codes, rows, in_a, beside, xlogx)
        for r in range(first, last):
            in_a[codes[z, rows[x, r]]] = 0
    for r in range(middle, last):
        codes[x, rows[x, r]] = a
    join(x, a, n, start, stop, succ, pred, loss, below, above, xlogx)
    return token


@kernel
def sweep_by_rows(
    lo, hi, keep, live, codes, rows, start, stop, succ, pred, loss, xlogx, unit, relative, size, cuts, costs
):
    """One merger in each column lo..hi-1 that has more than `keep` levels; live[x]: levels of column x.

    cuts[x], costs[x]: the first row above the cut that went, and its loss; -1 and 0 where nothing merged.
    """
    in_a = np.zeros(size, dtype=np.int32)
    in_b = np.zeros(size, dtype=np.int32)
    beside = np.zeros(size, dtype=np.int32)
    seen = np.zeros(size, dtype=np.int32)
    token = 0
    for x in range(lo, hi):
        cuts[x] = -1
        costs[x] = 0
        if live[x] > keep:
            a = cheapest(x, start, stop, succ, loss, unit, relative)
            cuts[x] = stop[x, a]
            costs[x] = loss[x, a]
            token = _merge_by_rows(
                x, a, codes, rows, start, stop, succ, pred, loss, xlogx, in_a, in_b, beside, seen, token
            )
            live[x] -= 1


@kernel
def pair_information(x, codes, cards, xlogx):
    """Sum over y > x of N I(x; y) = sum F(n_ak) - sum F(n_a) - sum F(n_k) + F(N), in units, as a float. O(n N)."""
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
