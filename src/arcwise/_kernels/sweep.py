"""One sweep over a sorted column evaluates every possible cut.

The rows are in the order of the column's values; an interval is a stretch lo..hi-1 of them. A *part* is a grouping of
the rows, codes[p, j] for row j, that contributes sign[p] * sum f(count) over intervals and groups to the score of the
discretized column: a family's cells (+), a child's parent configurations (-), the levels themselves. Cutting an
interval after row j splits each group's count in two. Moving one row after the other from the right half to the left
changes the sum by f(l + 1) - f(l) + f(r - 1) - f(r), where l and r are the counts of its group: O(1) a row and part.

`steps[slot, k]` tabulates f(k + 1) - f(k) for the cell function with pseudo-count a = pseudo[slot]:

    a > 0 :  f(k) = ln Gamma(a + k) - ln Gamma(a)
    a = 0 :  f(k) = ln Gamma(k), f(0) = 0     (the levels' term of Steck's score)
    a < 0 :  f(k) = k ln k
"""

import math

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def step_function(a, k):
    """f(k + 1) - f(k), worked out."""
    if a > 0.0:
        return math.log(a + k)
    if k == 0:
        return 0.0
    if a == 0.0:
        return math.log(k)
    return (k + 1) * math.log(k + 1.0) - k * math.log(k)


@njit(cache=True, nogil=True)
def tabulate_steps(a, size):
    out = np.empty(size, dtype=np.float64)
    for k in range(size):
        out[k] = step_function(a, k)
    return out


@njit(cache=True, nogil=True)
def _step(steps, pseudo, slot, k):
    if k < steps.shape[1]:
        return steps[slot, k]
    return step_function(pseudo[slot], k)


@njit(cache=True, nogil=True)
def _sweep_part(codes, lo, hi, sign, slot, steps, pseudo, left, right, gains):
    """Add one part's gain of cutting after row j to gains[j], lo <= j < hi; return its sum over the whole interval.

    left, right: counts by group, zero before and after.
    """
    whole = 0.0
    for j in range(lo, hi):
        group = codes[j]
        whole += _step(steps, pseudo, slot, right[group])
        right[group] += 1
    gain = 0.0
    for j in range(lo, hi):
        group = codes[j]
        right[group] -= 1
        gain += _step(steps, pseudo, slot, left[group]) - _step(steps, pseudo, slot, right[group])
        left[group] += 1
        gains[j] += sign * gain
    if left.shape[0] <= hi - lo:
        left[:] = 0
    else:
        for j in range(lo, hi):
            left[codes[j]] = 0
    return sign * whole


@njit(cache=True, nogil=True)
def sweep(codes, sizes, signs, slots, intervals, steps, pseudo, gains):
    """Fill gains[j] with the gain of cutting after row j, for all rows of `intervals` ((m, 2) rows lo, hi).

    Returns the sum of all parts over these intervals, uncut. O(rows * parts). sizes[p]: groups of part p.
    """
    whole = 0.0
    for i in range(intervals.shape[0]):
        gains[intervals[i, 0] : intervals[i, 1]] = 0.0
    for p in range(codes.shape[0]):
        if signs[p] == 0.0:
            continue
        left = np.zeros(sizes[p], dtype=np.int32)
        right = np.zeros(sizes[p], dtype=np.int32)
        for i in range(intervals.shape[0]):
            lo, hi = intervals[i]
            whole += _sweep_part(codes[p], lo, hi, signs[p], slots[p], steps, pseudo, left, right, gains)
    return whole


@njit(cache=True, nogil=True)
def sum_parts(codes, sizes, signs, slots, intervals, steps, pseudo):
    """The sum of all parts over the intervals, uncut. O(rows * parts), a third of a sweep."""
    whole = 0.0
    for p in range(codes.shape[0]):
        counts = np.zeros(sizes[p], dtype=np.int32)
        total = 0.0
        for i in range(intervals.shape[0]):
            for j in range(intervals[i, 0], intervals[i, 1]):
                total += _step(steps, pseudo, slots[p], counts[codes[p, j]])
                counts[codes[p, j]] += 1
            if sizes[p] <= intervals[i, 1] - intervals[i, 0]:
                counts[:] = 0
            else:
                for j in range(intervals[i, 0], intervals[i, 1]):
                    counts[codes[p, j]] = 0
        whole += signs[p] * total
    return whole


@njit(cache=True, nogil=True)
def best_cut(gains, values, intervals, tolerance):
    """(gain, row after which to cut) of the best cut between two different values; row -1 when there is none.

    Cuts within `tolerance` of the best are tied: the one nearest to its interval's median rank wins, then the lower.
    """
    best = -math.inf
    for i in range(intervals.shape[0]):
        for j in range(intervals[i, 0], intervals[i, 1] - 1):
            if gains[j] > best and values[j] < values[j + 1]:
                best = gains[j]
    row = -1
    nearest = math.inf
    for i in range(intervals.shape[0]):
        lo, hi = intervals[i]
        for j in range(lo, hi - 1):
            if gains[j] >= best - tolerance and values[j] < values[j + 1]:
                distance = abs((j + 1 - lo) - 0.5 * (hi - lo))
                if distance < nearest:
                    nearest = distance
                    row = j
    return best, row


@njit(cache=True, nogil=True)
def add_density(values, intervals, edges, least, gains):
    """Add the gain in uniform log density, -sum n ln(width), of cutting after row j; return its sum over the intervals.

    edges: (m, 2) ends of each interval. A cut that would leave an interval narrower than `least` gains -inf.
    """
    whole = 0.0
    for i in range(intervals.shape[0]):
        lo, hi = intervals[i]
        low, high = edges[i]
        uncut = -(hi - lo) * math.log(high - low)
        whole += uncut
        for j in range(lo, hi - 1):
            threshold = values[j] + 0.5 * (values[j + 1] - values[j])
            left = threshold - low
            right = high - threshold
            if left < least or right < least or left <= 0.0 or right <= 0.0:
                gains[j] = -math.inf
            else:
                gains[j] += -(j + 1 - lo) * math.log(left) - (hi - j - 1) * math.log(right) - uncut
    return whole


@njit(cache=True, nogil=True)
def sorted_joint(codes, cards, members, order, out):
    """Joint code of `members` (rows of codes) in the order of another column, first member most significant."""
    for j in range(order.shape[0]):
        out[j] = 0
    for m in range(members.shape[0]):
        column = codes[members[m]]
        card = cards[members[m]]
        for j in range(order.shape[0]):
            out[j] = out[j] * card + column[order[j]]
