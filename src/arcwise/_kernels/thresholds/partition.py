"""The best partition of a sorted column, by dynamic programming over its possible cuts.

Candidate b is the row starts[b] (starts[0] = 0, the last is N); the interval a < b holds the rows starts[a] to
starts[b] - 1. Its weight is

    W(a, b) = opening[a] + closing[b] - n ln(edges[b] - edges[a]) + the steps of its rows in every part:

the i-th row of an interval that falls in group g of part p adds steps[p, i, lane] (see sweep.py; the signs are in the
tables). So for one a and rising b a weight costs O(parts) a row, and no matrix of weights is kept. Groups are numbered
through: rows[j] lists the group of row j in every part. least: the log of the least width of an interval, narrower ones
are forbidden; +inf where density does not count.

The first two kernels work through the starts first <= a < last and are called with one stretch after the other: what
they hold for b is final once every a < b is done. A later a must be better by more than margin: of tied ones the lowest
stays.
"""

import math
from typing import NamedTuple

import numpy as np

from arcwise._kernels.compiled import inner, kernel
from arcwise._kernels.thresholds.sweep import log_width
from arcwise._kernels.types import FloatArray, Int32Array, IntArray

LANES = 4


class Candidates(NamedTuple):
    """Where a column may be cut, and what its rows are in between."""

    rows: Int32Array
    n_groups: int
    starts: IntArray
    opening: FloatArray
    closing: FloatArray
    edges: FloatArray
    least: float


@inner
def _ends(a, b, n_rows, opening, closing, edges, least):
    """The part of W(a, b) that does not ask what the rows are."""
    weight = opening[a] + closing[b]
    if least < math.inf:
        width = log_width(edges[a], edges[b])
        if width < least:
            return -math.inf
        weight -= n_rows * width
    return weight


@kernel
def free_partitions(
    candidates: Candidates,
    steps: FloatArray,
    penalties: FloatArray,
    margin: float,
    first: int,
    last: int,
    best: FloatArray,
    previous: IntArray,
) -> None:
    """best[b, lane] = max over a of best[a, lane] + W_lane(a, b) - penalties[lane], the a in previous[b, lane].

    Any number of intervals. Four lanes, that is four tables of steps, at once: they share the counts, and four sums fit
    in one vector register.
    """
    rows, n_groups, starts, opening, closing, edges, least = candidates
    counts = np.zeros(n_groups, dtype=np.int32)
    n_rows, n_parts = rows.shape
    for a in range(first, last):
        counts[:] = 0
        w0 = best[a, 0] - penalties[0]
        w1 = best[a, 1] - penalties[1]
        w2 = best[a, 2] - penalties[2]
        w3 = best[a, 3] - penalties[3]
        b = a + 1
        for j in range(starts[a], n_rows):
            for p in range(n_parts):
                group = rows[j, p]
                count = counts[group]
                counts[group] = count + 1
                w0 += steps[p, count, 0]
                w1 += steps[p, count, 1]
                w2 += steps[p, count, 2]
                w3 += steps[p, count, 3]
            if j + 1 < starts[b]:
                continue
            ends = _ends(a, b, j + 1 - starts[a], opening, closing, edges, least)
            needed = ends - margin
            if w0 + needed > best[b, 0]:
                best[b, 0] = w0 + ends
                previous[b, 0] = a
            if w1 + needed > best[b, 1]:
                best[b, 1] = w1 + ends
                previous[b, 1] = a
            if w2 + needed > best[b, 2]:
                best[b, 2] = w2 + ends
                previous[b, 2] = a
            if w3 + needed > best[b, 3]:
                best[b, 3] = w3 + ends
                previous[b, 3] = a
            b += 1


@kernel
def counted_partitions(
    candidates: Candidates,
    steps: FloatArray,
    margin: float,
    first: int,
    last: int,
    best: FloatArray,
    previous: IntArray,
) -> None:
    """best[b, k] = max over a of best[a, k - 1] + W(a, b): k intervals, k = 1, 2, ..., K; best[0, 0] = 0.

    best[b, K + 1]: the same for K or more intervals.
    """
    rows, n_groups, starts, opening, closing, edges, least = candidates
    counts = np.zeros(n_groups, dtype=np.int32)
    n_rows, n_parts = rows.shape
    most = best.shape[1] - 2
    for a in range(first, last):
        counts[:] = 0
        weight = 0.0
        b = a + 1
        top = min(most, a + 1)
        more = max(best[a, most - 1], best[a, most + 1])
        for j in range(starts[a], n_rows):
            for p in range(n_parts):
                group = rows[j, p]
                count = counts[group]
                counts[group] = count + 1
                weight += steps[p, count]
            if j + 1 < starts[b]:
                continue
            whole = weight + _ends(a, b, j + 1 - starts[a], opening, closing, edges, least)
            for k in range(1, top + 1):
                if best[a, k - 1] + whole > best[b, k] + margin:
                    best[b, k] = best[a, k - 1] + whole
                    previous[b, k] = a
            best[b, most + 1] = max(best[b, most + 1], more + whole)
            b += 1


@kernel
def sum_weights(candidates: Candidates, steps: FloatArray, chosen: IntArray) -> float:
    """The sum of the weights of one partition; chosen: its candidates, from 0 to the last. steps: one lane."""
    rows, n_groups, starts, opening, closing, edges, least = candidates
    counts = np.zeros(n_groups, dtype=np.int32)
    total = 0.0
    for i in range(chosen.shape[0] - 1):
        a, b = chosen[i], chosen[i + 1]
        counts[:] = 0
        for j in range(starts[a], starts[b]):
            for p in range(rows.shape[1]):
                group = rows[j, p]
                total += steps[p, counts[group]]
                counts[group] += 1
        total += _ends(a, b, starts[b] - starts[a], opening, closing, edges, least)
    return total
