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
from typing import NamedTuple

import numpy as np

from arcwise._kernels.compiled import inner, kernel
from arcwise._kernels.types import CodeArray, FloatArray, IntArray, UInt32Array

ONE = np.uint32(1)


class Parts(NamedTuple):
    """sizes[p]: groups of part p; slots[p]: where its cell function is among the steps.

    All in one, as each named tuple that Python hands over costs a microsecond.
    """

    codes: UInt32Array
    sizes: IntArray
    signs: FloatArray
    slots: IntArray
    steps: FloatArray
    pseudo: FloatArray


@inner
def step_function(a, k):
    """f(k + 1) - f(k), worked out."""
    if a > 0.0:
        return math.log(a + k)
    if k == 0:
        return 0.0
    if a == 0.0:
        return math.log(k)
    return (k + 1) * math.log(k + 1.0) - k * math.log(k)


@kernel
def tabulate_steps(a: float, size: int) -> FloatArray:
    out = np.empty(size, dtype=np.float64)
    for k in range(size):
        out[k] = step_function(a, k)
    return out


@inner
def _step(steps, pseudo, slot, k):
    if k < steps.shape[1]:
        return steps[slot, k]
    return step_function(pseudo[slot], k)


@inner
def _cell(a, k):
    """f(k), worked out."""
    if a > 0.0:
        return math.lgamma(a + k) - math.lgamma(a)
    if k == 0:
        return 0.0
    if a == 0.0:
        return math.lgamma(k)
    return k * math.log(k)


@inner
def _sweep_part(codes, lo, hi, sign, slot, steps, pseudo, left, right, gains):
    """Add one part's gain of cutting after row j to gains[j], lo <= j < hi; return its sum over the whole interval.

    left, right: counts by group, zero before and after; unsigned, so that they index without a check for the end.
    """
    if hi - lo > steps.shape[1]:
        return _sweep_long_part(codes, lo, hi, sign, slot, steps, pseudo, left, right, gains)
    table = steps[slot]
    whole = 0.0
    gain = 0.0
    if left.shape[0] == 1:  # one group: the counts are known
        for j in range(lo, hi):
            whole += table[j - lo]
            gain += sign * (table[j - lo] - table[hi - 1 - j])
            gains[j] += gain
        return sign * whole
    for j in range(lo, hi):
        right[codes[j]] += ONE
    for j in range(lo, hi):
        group = codes[j]
        less = right[group] - ONE
        more = left[group]
        right[group] = less
        left[group] = more + ONE
        whole += table[more]
        gain += sign * (table[more] - table[less])
        gains[j] += gain
    _clear(left, codes, lo, hi)
    return sign * whole


@inner
def _sweep_long_part(codes, lo, hi, sign, slot, steps, pseudo, left, right, gains):
    """The same where counts may be beyond the table."""
    whole = 0.0
    gain = 0.0
    for j in range(lo, hi):
        right[codes[j]] += ONE
    for j in range(lo, hi):
        group = codes[j]
        right[group] -= ONE
        step = _step(steps, pseudo, slot, np.int64(left[group]))
        whole += step
        gain += sign * (step - _step(steps, pseudo, slot, np.int64(right[group])))
        left[group] += ONE
        gains[j] += gain
    _clear(left, codes, lo, hi)
    return sign * whole


@inner
def _clear(counts, codes, lo, hi):
    """Make the counts of all groups of these rows zero again."""
    if counts.shape[0] <= hi - lo:
        counts[:] = 0
    else:
        for j in range(lo, hi):
            counts[codes[j]] = 0


@inner
def sweep(parts, starts, first, last, gains):
    """Add to gains[j] the gain of cutting after row j, for all rows of the intervals first to last - 1.

    Interval k holds the rows starts[k] to starts[k + 1] - 1. Returns the sum of all parts over these intervals, uncut.
    O(rows * parts).
    """
    codes, sizes, signs, slots, steps, pseudo = parts
    whole = 0.0
    for p in range(codes.shape[0]):
        if signs[p] == 0.0:
            continue
        left = np.zeros(sizes[p], dtype=np.uint32)
        right = np.zeros(sizes[p], dtype=np.uint32)
        for k in range(first, last):
            lo, hi = starts[k], starts[k + 1]
            whole += _sweep_part(codes[p], lo, hi, signs[p], slots[p], steps, pseudo, left, right, gains)
    return whole


@kernel
def sum_parts(
    codes: UInt32Array, sizes: IntArray, signs: FloatArray, pseudo_counts: FloatArray, starts: IntArray
) -> float:
    """The sum of all parts over the intervals, uncut. O(rows * parts), a quarter of a sweep."""
    whole = 0.0
    for p in range(codes.shape[0]):
        if signs[p] == 0.0:
            continue
        counts = np.zeros(sizes[p], dtype=np.int32)
        total = 0.0
        for k in range(starts.shape[0] - 1):
            lo, hi = starts[k], starts[k + 1]
            for j in range(lo, hi):
                counts[codes[p, j]] += 1
            if sizes[p] <= hi - lo:
                for group in range(sizes[p]):
                    if counts[group] > 0:
                        total += _cell(pseudo_counts[p], counts[group])
                counts[:] = 0
            else:
                for j in range(lo, hi):
                    group = codes[p, j]
                    if counts[group] > 0:
                        total += _cell(pseudo_counts[p], counts[group])
                        counts[group] = 0
        whole += signs[p] * total
    return whole


@inner
def _best_cut(gains, values, starts, tolerance):
    """(gain, row after which to cut) of the best cut between two different values; row -1 when there is none.

    Cuts within `tolerance` of the best are tied: the one nearest to its interval's median rank wins, then the lower.
    """
    best = -math.inf
    for k in range(starts.shape[0] - 1):
        for j in range(starts[k], starts[k + 1] - 1):
            if gains[j] > best and values[j] < values[j + 1]:
                best = gains[j]
    row = -1
    nearest = math.inf
    if best > -math.inf:
        for k in range(starts.shape[0] - 1):
            lo, hi = starts[k], starts[k + 1]
            for j in range(lo, hi - 1):
                if gains[j] >= best - tolerance and values[j] < values[j + 1]:
                    distance = abs((j + 1 - lo) - 0.5 * (hi - lo))
                    if distance < nearest:
                        nearest = distance
                        row = j
    return (gains[row] if row >= 0 else best), row


@inner
def threshold(low, high):
    """Between two different values: the midpoint, or `high` where floats have none."""
    middle = 0.5 * (low + high)
    if not math.isfinite(middle):  # only where halving first loses nothing
        middle = 0.5 * low + 0.5 * high
    return middle if middle > low else high


@inner
def log_width(low, high):
    """ln(high - low), also where the difference overflows; -inf where there is none."""
    width = high - low
    if width == math.inf:
        return math.log(0.5 * high - 0.5 * low) + math.log(2.0)
    return math.log(width) if width > 0.0 else -math.inf


@kernel
def least_width(values: FloatArray, floor: float) -> float:
    """Log of the least width of an interval, floor being its share of the range."""
    return math.log(floor) + log_width(values[0], values[-1])


@kernel
def log_density(values: FloatArray, starts: IntArray, floor: float) -> float:
    """-sum n_k ln(width_k): the values of a level spread evenly between its ends.

    Levels end at the thresholds between them, the outer ones at the smallest and largest value. floor: least width
    that counts, as a share of the range: between neighbouring numbers there may be none.
    """
    least = least_width(values, floor)
    total = 0.0
    low = values[0]
    for k in range(starts.shape[0] - 1):
        end = starts[k + 1]
        high = values[-1] if end == values.shape[0] else threshold(values[end - 1], values[end])
        total -= (end - starts[k]) * max(log_width(low, high), least)
        low = high
    return total


@inner
def _density_gains(values, starts, fresh, n_fresh, least, density):
    """Put into density[j] what a cut after row j gains in uniform log density, -sum n ln(width).

    An interval ends at the thresholds beside it, the outer ones at the smallest and largest value. least: the log of
    the least width; a cut that would leave a narrower interval gains -inf. The lower half of an interval that was cut
    keeps its lower end, the upper half its upper one.
    """
    widths, gains = density[:, :2], density[:, 2]
    n = values.shape[0]
    for k in range(fresh, fresh + n_fresh):
        lo, hi = starts[k], starts[k + 1]
        low = values[0] if lo == 0 else threshold(values[lo - 1], values[lo])
        high = values[n - 1] if hi == n else threshold(values[hi - 1], values[hi])
        uncut = -(hi - lo) * log_width(low, high)
        for j in range(lo, hi - 1):
            gains[j] = -math.inf
            if values[j] < values[j + 1]:
                middle = threshold(values[j], values[j + 1])
                if n_fresh != 2 or k > fresh:
                    widths[j, 0] = log_width(low, middle)
                if n_fresh != 2 or k == fresh:
                    widths[j, 1] = log_width(middle, high)
                left, right = widths[j, 0], widths[j, 1]
                if left >= least and right >= least and left > -math.inf and right > -math.inf:
                    gains[j] = -(j + 1 - lo) * left - (hi - j - 1) * right - uncut


@kernel
def next_cut(
    parts: Parts,
    values: FloatArray,
    starts: IntArray,
    fresh: int,
    n_fresh: int,
    lasting: bool,
    least: float,
    tolerance: float,
    gains: FloatArray,
    density: FloatArray,
) -> tuple[float, float, int]:
    """(sum of parts of the intervals swept, gain of the best cut, row after which to cut or -1).

    The n_fresh intervals from `fresh` on are new; two of them are the halves of the last cut. lasting: the cell
    functions are those of the last call, so the gains in the other intervals still hold. density[j]: log widths on both
    sides of a cut after row j, and its gain in density, kept from call to call. least: see _density_gains, +inf where
    density does not count: its only column is then one of zeros.
    """
    if least < math.inf:
        _density_gains(values, starts, fresh, n_fresh, least, density)
    first, last = (fresh, fresh + n_fresh) if lasting else (0, starts.shape[0] - 1)
    for j in range(starts[first], starts[last]):
        gains[j] = density[j, -1]
    whole = sweep(parts, starts, first, last, gains)
    gain, row = _best_cut(gains, values, starts, tolerance)
    return whole, gain, row


@kernel
def sorted_joint(codes: CodeArray, cards: IntArray, members: IntArray, order: IntArray, out: UInt32Array) -> None:
    """Joint code of `members` (rows of codes) in the order of another column, first member most significant."""
    for j in range(order.shape[0]):
        out[j] = 0
    for m in range(members.shape[0]):
        column = codes[members[m]]
        card = cards[members[m]]
        for j in range(order.shape[0]):
            out[j] = out[j] * card + column[order[j]]
