"""Grow-shrink by a correlation matrix: the parents of one child among the columns before it.

Growing adds the column that raises the score most until none does; shrinking then leaves out the one whose loss raises
it most, until none does. With the members P so far, in the order in which they came,

    left[u] = 1 - y_u . y_u,   shared[u] = c_uv - y_u . y_v      (v the child, L y_u = C[P, u] as in cholesky.py),

so that column u takes shared[u]^2 / (left[u] left[v]) of what is left of the child. One more member is one more row
of all y_u: O(n |P|) for the scores of all n columns. Each step of a path is kept, so that a path which differs from the
last one from some step on is only followed from there.
"""

import math
from typing import NamedTuple

import numpy as np

from arcwise._kernels.compiled import lean, lean_kernel
from arcwise._kernels.gaussian.cholesky import inverse_root
from arcwise._kernels.gaussian.families import Factored
from arcwise._kernels.types import BoolArray, FloatArray, Int32Array, IntArray

NEVER = 1 << 30  # a step that no path has
BARRED, CANDIDATE, REQUIRED = 0, 1, 2  # as a parent
INVERTED, FAMILIES = 0, 1  # places of `counts`
SLACK = 1e-6  # more than rounding can take from what is left of a column


class Path(NamedTuple):
    """The steps of one child's growth, and room for its shrinking."""

    members: IntArray
    taken: Int32Array  # of each column: the step that made it a member, or NEVER
    rows: FloatArray  # (steps, n rounded up, as whole vectors are quicker): y of all columns, a member a row
    left: FloatArray  # (steps + 1, n rounded up)
    shared: FloatArray  # (steps + 1, n rounded up)
    inverse: FloatArray  # (steps, steps): of the factor of the members
    hopeful: IntArray
    merits: FloatArray  # of each of them
    shrinking: FloatArray  # (3, steps): for `_shrink`
    leavers: FloatArray  # (steps, steps)
    counts: IntArray


@lean
def _hopeful(score, roles, child, path, k):
    """Columns that may join and would raise the score, into `hopeful`, with their merits; how many they are.

    merit = exp(gain / power), which is above 1; where determinants of parents do not count it takes no logarithm.
    """
    left, shared, merits, hopeful = path.left[k], path.shared[k], path.merits, path.hopeful
    costs, floor, power, own = score.costs[child], score.floors[child], score.power[k + 1], path.left[k, child]
    own = max(own, floor)
    common = score.base[k + 1] - score.base[k] - (power - score.power[k]) * math.log(own)
    size, cost, price = 0, math.inf, 0.0
    for u in range(roles.shape[0]):
        if costs[u] != cost:  # most often they are all the same
            cost = costs[u]
            price = math.exp((common - cost) / power)
        scale, squared = own * left[u], shared[u] * shared[u]
        if score.det_weight == 0.0 and price * scale <= scale - squared:
            continue
        if roles[u] == BARRED or path.taken[u] < NEVER or left[u] <= score.floors[u]:
            continue
        merit = price * scale / max(scale - squared, floor * left[u])
        if score.det_weight > 0.0:
            merit *= math.exp(-score.det_weight / power * math.log(left[u]))
        if merit > 1.0:
            merits[size], hopeful[size] = merit, u
            size += 1
    return size


@lean
def _best(path, size, before, near, k, tie):
    """The column before the child that gains most, the first of those tied; -1: none gains. Marks who could matter."""
    merits, hopeful, top, chosen = path.merits, path.hopeful, 1.0 + tie, -1
    for i in range(size):
        if before[hopeful[i]] and merits[i] > top:
            top, chosen = merits[i], hopeful[i]
    tied = chosen < 0
    for i in range(size):
        u = hopeful[i]
        if merits[i] >= top * (1.0 - 2.0 * tie):
            if near[u] == NEVER:
                near[u] = k
            if not tied and before[u] and merits[i] >= top * (1.0 - tie):
                chosen, tied = u, True
    return chosen


@lean(fastmath={"contract"})
def _enter(score, path, k, column, child):
    """Make a column member k."""
    corr, rows, left, shared = score.correlations, path.rows, path.left, path.shared
    row, n = rows[k], left.shape[1]
    pivot = left[k, column]
    scale = inverse_root(pivot, score.floors[column])
    for u in range(corr.shape[0]):
        row[u] = corr[column, u]
    for u in range(corr.shape[0], n):
        row[u] = 0.0
    j = 0
    while j + 4 <= k:
        a, b, c, d = rows[j, column], rows[j + 1, column], rows[j + 2, column], rows[j + 3, column]
        for u in range(n):
            row[u] -= (a * rows[j, u] + b * rows[j + 1, u]) + (c * rows[j + 2, u] + d * rows[j + 3, u])
        j += 4
    while j < k:
        a = rows[j, column]
        for u in range(n):
            row[u] -= a * rows[j, u]
        j += 1
    own = row[child] * scale
    for u in range(n):
        row[u] *= scale
        left[k + 1, u] = left[k, u] - row[u] * row[u]
        shared[k + 1, u] = shared[k, u] - own * row[u]
    path.members[k] = column
    path.taken[column] = k


@lean
def _invert(score, path, size):
    """Rows of the factor's inverse, those that are not there yet."""
    rows, inverse, members = path.rows, path.inverse, path.members
    for j in range(path.counts[INVERTED], size):
        column = members[j]
        scale = inverse_root(path.left[j, column], score.floors[column])
        for i in range(j):
            inverse[j, i] = 0.0
        for m in range(j):
            entry = rows[m, column] * scale
            for i in range(m + 1):
                inverse[j, i] -= entry * inverse[m, i]
        inverse[j, j] = scale
    path.counts[INVERTED] = size


@lean
def _value(score, child, k, left, log_det, cost):
    value = score.own[child] + score.base[k] - score.power[k] * math.log(max(left, score.floors[child]))
    return value - score.det_weight * log_det - cost


@lean
def _shrink(score, roles, child, path, size, tie):
    """Leave members out (-1) while that raises the score, which is returned.

    With Q the inverse of C[P, P] and b = Q C[P, v], a member a that leaves gives b_a^2 / q_aa back to what is left of
    the child; then Q loses q_a q_a' / q_aa, and b loses q_a b_a / q_aa.
    """
    members, inverse, leavers = path.members, path.inverse, path.leavers
    diagonal, slope, entry = path.shrinking[0], path.shrinking[1], path.shrinking[2]
    left, cost, log_det = path.left[size, child], 0.0, 0.0
    for a in range(size):
        diagonal[a] = slope[a] = 0.0
        cost += score.costs[child, members[a]]
        log_det += math.log(max(path.left[a, members[a]], score.floors[members[a]]))
    for j in range(size):
        y = path.rows[j, child]
        for a in range(j + 1):
            diagonal[a] += inverse[j, a] * inverse[j, a]
            slope[a] += inverse[j, a] * y
    k, gone = size, 0
    value = _value(score, child, k, left, log_det, cost)
    while k > 0:
        top, chosen = value + tie, -1
        path.counts[FAMILIES] += k
        for a in range(size):
            u = members[a]
            if u < 0 or roles[u] == REQUIRED:
                continue
            given_back = slope[a] * slope[a] / diagonal[a]
            without = _value(
                score, child, k - 1, left + given_back, log_det + math.log(diagonal[a]), cost - score.costs[child, u]
            )
            if without > top or (chosen >= 0 and without >= top - tie and u < members[chosen]):
                top, chosen = max(without, top), a
        if chosen < 0:
            return value
        for b in range(size):
            entry[b] = 0.0
        for j in range(chosen, size):
            factor = inverse[j, chosen]
            for b in range(j + 1):
                entry[b] += factor * inverse[j, b]
        for g in range(gone):
            factor = leavers[g, chosen]
            for b in range(size):
                entry[b] -= factor * leavers[g, b]
        pivot, root = entry[chosen], 1.0 / math.sqrt(entry[chosen])
        left += slope[chosen] * slope[chosen] / pivot
        log_det += math.log(pivot)
        cost -= score.costs[child, members[chosen]]
        factor = slope[chosen] / pivot
        for b in range(size):
            slope[b] -= entry[b] * factor
            diagonal[b] -= entry[b] * entry[b] / pivot
            leavers[gone, b] = entry[b] * root
        members[chosen] = -1
        gone += 1
        k -= 1
        value = _value(score, child, k, left, log_det, cost)
    return value


@lean_kernel
def grow_and_shrink(
    score: Factored,
    path: Path,
    roles: np.ndarray,
    child: int,
    before: BoolArray,
    near: Int32Array,
    first: int,
    tie: float,
    parents: BoolArray,
) -> float:
    """The score of the child with the parents found among the columns `before` it, which are marked in `parents`.

    roles[u]: BARRED, CANDIDATE or REQUIRED. The first steps of the path are those of the last call for this child; step
    `first` and later ones are not. near[u]: the first step at which it matters whether u is before the child, or NEVER.
    """
    n, most = before.shape[0], path.members.shape[0]
    left, shared, taken, counts = path.left, path.shared, path.taken, path.counts
    for u in range(n):
        if near[u] >= first:
            near[u] = NEVER
        if taken[u] >= first:
            taken[u] = NEVER
        parents[u] = False
    counts[INVERTED] = min(counts[INVERTED], first)
    k = first
    if first == 0:
        for u in range(n):
            left[0, u], shared[0, u] = 1.0, score.correlations[child, u]
        for u in range(n, left.shape[1]):
            left[0, u] = shared[0, u] = 0.0
        for u in range(n):
            if roles[u] == REQUIRED:
                _enter(score, path, k, u, child)
                k += 1
    while k < most:
        size = _hopeful(score, roles, child, path, k)
        counts[FAMILIES] += n - 1 - k
        chosen = _best(path, size, before, near, k, tie / score.power[k + 1])
        if chosen < 0:
            break
        _enter(score, path, k, chosen, child)
        k += 1
    _invert(score, path, k)
    value = _shrink(score, roles, child, path, k, tie)
    for a in range(k):
        if path.members[a] >= 0:
            parents[path.members[a]] = True
    for u in range(n):  # of those that were left out, too
        if taken[u] < NEVER:
            path.members[taken[u]] = u
    return value


class Bounds(NamedTuple):
    """The Cholesky factor of the correlations in an order, where it is there."""

    factor: FloatArray
    room: FloatArray  # (3, n)
    there: BoolArray  # (1,)


@lean(fastmath={"reassoc", "nsz", "contract"})
def _factor_in_order(score, order, factor):
    """The factor; no pivot is below its floor."""
    for i in range(order.shape[0]):
        u, row = order[i], factor[i]
        pivot = 1.0
        for j in range(i):
            value, other = score.correlations[u, order[j]], factor[j]
            for m in range(j):
                value -= row[m] * other[m]
            row[j] = value / other[j]
            pivot -= row[j] * row[j]
        row[i] = math.sqrt(max(pivot, score.floors[u]))
        for j in range(i + 1, order.shape[0]):
            row[j] = 0.0


@lean(fastmath={"contract"})
def _rotate(row, first, last, step, cosine, sine):
    """Turn the entries j and j + 1 of a row into each other, for j from first to last."""
    for j in range(first, last, step):
        a, b = row[j], row[j + 1]
        row[j] = cosine[j] * a + sine[j] * b
        row[j + 1] = cosine[j] * b - sine[j] * a


@lean
def shift(bounds, at, to):
    """The factor after a column has moved from one place to another: O(n) for each place that it passed.

    Its row moves with it, and rotations of neighbouring columns bring what stands right of the diagonal to 0. Signs of
    columns may change, which nobody asks for.
    """
    factor, moving, cosine, sine = bounds.factor, bounds.room[0], bounds.room[1], bounds.room[2]
    n, step = factor.shape[0], 1 if to > at else -1
    if not bounds.there[0] or at == to:
        return
    for j in range(n):
        moving[j] = factor[at, j]
    for i in range(at, to, step):
        for j in range(n):
            factor[i, j] = factor[i + step, j]
    for j in range(n):
        factor[to, j] = moving[j]
    if step > 0:  # each row but the last has one entry too many
        for i in range(at, to):
            row = factor[i]
            _rotate(row, at, i, 1, cosine, sine)
            length = math.hypot(row[i], row[i + 1])
            cosine[i], sine[i] = row[i] / length, row[i + 1] / length
            row[i], row[i + 1] = length, 0.0
        for i in range(to, n):
            _rotate(factor[i], at, to, 1, cosine, sine)
    else:  # the first row has all that are too many
        row = factor[to]
        for j in range(at - 1, to - 1, -1):
            length = math.hypot(row[j], row[j + 1])
            cosine[j], sine[j] = row[j] / length, row[j + 1] / length
            row[j], row[j + 1] = length, 0.0
        for i in range(to + 1, n):
            _rotate(factor[i], at - 1, to - 1, -1, cosine, sine)


@lean_kernel
def most_at_places(score: Factored, bounds: Bounds, order: IntArray, at: int, most: FloatArray) -> None:
    """most[i]: a score that the child at place `at` of the order cannot surpass with the first i others before it.

    For scores without a price for determinants, whose power does not change: what is left of the child by all
    columns before it is the least that parents among them can leave, and arcs cost something. With L the factor,
    1 - sum_{m < i} L[at, m]^2 is left before `at`; after it the inverse of sum_{at <= m <= i} z_m^2, where L z = e_at.
    """
    factor, room = bounds.factor, bounds.room[0]
    n, left, child = most.shape[0], 1.0, order[at]
    if not bounds.there[0]:
        _factor_in_order(score, order, factor)
        bounds.there[0] = True
    for i in range(at + 1):
        most[i] = left
        left -= factor[at, i] * factor[at, i]
    room[at] = 1.0 / factor[at, at]
    given = room[at] * room[at]
    for m in range(at + 1, n):
        value = 0.0
        for j in range(at, m):
            value -= factor[m, j] * room[j]
        room[m] = value / factor[m, m]
        given += room[m] * room[m]
        most[m] = 1.0 / given
    for i in range(n):
        left = max(most[i] * (1.0 - SLACK), score.floors[child])
        most[i] = score.own[child] - score.power[0] * math.log(left)
