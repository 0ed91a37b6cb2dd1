"""Gaussian families: how much of a child's variance its parents leave over, for a batch of parent sets.

All is read from one correlation matrix, in which a column is a block of dimensions: one if continuous, an indicator for
each level but one if discrete, none if constant. Dimensions enter a factor (cholesky.py) one at a time. A dimension
whose pivot is at or below its floor is redundant: it counts with the floor in the determinant and does not become a
member, so it adds nothing to the fit.

Of a batch, usually a family and one more parent each, the parents that all sets share are factored once; each set then
costs O(w^2). The order in which dimensions enter is that of the columns, so the order of the parents cannot matter. It
could matter in the last digits between shared and other parents: a set with a pivot below DOUBTFUL, where digits have
been lost, is therefore factored anew in the order of the columns.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from arcwise._kernels.compiled import inner, kernel, lean
from arcwise._kernels.gaussian.cholesky import Factor, covariance, inverse_root, project, sort_in
from arcwise._kernels.types import BoolArray, FloatArray, IntArray

DOUBTFUL = 1e-6


class Factored(NamedTuple):
    """A score of one child and its parents, with l the dimensions of the parents:

        own[child] + base[l] - power[l] ln|C_child given parents| - det_weight ln|C_parents| - sum_j costs[child, j].

    Column j has the dimensions starts[j]..starts[j + 1] - 1 of C, the correlations; a dimension's pivot is at least its
    floor. Independent dimensions of parents and child that are more than `most_rank` together fit any data exactly,
    which is no evidence: such parents count as fitting nothing.
    """

    correlations: FloatArray
    starts: IntArray
    floors: FloatArray
    own: FloatArray
    base: FloatArray
    power: FloatArray
    det_weight: float
    costs: FloatArray
    most_rank: int


class Entered(NamedTuple):
    """Dimensions that entered a factor: how many became members, their log determinant, the least pivot."""

    rank: int
    log_det: float
    least: float


@lean
def _nobody():
    return Entered(np.int64(0), 0.0, 1.0)


@lean
def _extend(score, columns, n_columns, factor, entered):
    """Let the dimensions of these columns enter."""
    starts, floors = score.starts, score.floors
    rows, scale, members = factor
    rank, log_det, least = entered
    for c in range(n_columns):
        for dim in range(starts[columns[c]], starts[columns[c] + 1]):
            pivot = project(score.correlations, dim, members, rank, np.int64(0), rows, scale, rows[rank])
            least = min(least, pivot)
            log_det += math.log(max(pivot, floors[dim]))
            if pivot > floors[dim]:
                scale[rank] = inverse_root(pivot, floors[dim])
                members[rank] = dim
                rank += 1
    return Entered(rank, log_det, least)


@lean
def _given(score, child, factor, known, n_known, entered):
    """(log determinant of the child given the members, least pivot). known[:, :n_known]: its y so far."""
    rows, scale, members = factor
    rank, least, log_det = entered.rank, entered.least, 0.0
    first, last = score.starts[child], score.starts[child + 1]
    for dim in range(first, last):
        for c in range(n_known):
            rows[rank, c] = known[dim - first, c]
        pivot = project(score.correlations, dim, members, rank, n_known, rows, scale, rows[rank])
        floor = score.floors[dim]
        least = min(least, pivot)
        log_det += math.log(max(pivot, floor))
        if pivot > floor and dim + 1 < last:
            scale[rank] = inverse_root(pivot, floor)
            members[rank] = dim
            rank += 1
    return log_det, least


@lean
def _one_more(score, dim, child, factor, rank, known, pivot_known):
    """The usual case, one more continuous parent: (its pivot, what it leaves over of a child with one dimension)."""
    corr, rows = score.correlations, factor.rows
    pivot = project(corr, dim, factor.members, rank, np.int64(0), rows, factor.scale, rows[rank])
    both = covariance(corr[score.starts[child], dim], rows[rank], known[0], rank)
    return pivot, (pivot_known - both * both / pivot if pivot > 0.0 else 0.0)


@lean
def _width(starts, columns, n_columns):
    """Dimensions of these columns."""
    width = np.int64(0)
    for c in range(n_columns):
        width += starts[columns[c] + 1] - starts[columns[c]]
    return width


@lean
def _count_uses(starts, parent_sets, uses):
    """How many sets hold each column into `uses`; most dimensions of a set."""
    widest = np.int64(0)
    for s in range(parent_sets.shape[0]):
        width = np.int64(0)
        for p in range(parent_sets.shape[1]):
            u = parent_sets[s, p]
            if u >= 0:
                uses[u] += 1
                width += starts[u + 1] - starts[u]
        widest = max(widest, width)
    return widest


@inner
def _room(size):
    """A factor for so many members."""
    return Factor(np.empty((size, size)), np.empty(size), np.empty(size, dtype=np.int64))


@lean
def _members(parent_sets, s, uses, most, columns):
    """The parents of set s that fewer than `most` sets hold into `columns`, ascending; how many they are."""
    n_columns = np.int64(0)  # numbers of a fixed type from the start: else Numba compiles a second copy for constants
    for p in range(parent_sets.shape[1]):
        u = parent_sets[s, p]
        if u >= 0 and uses[u] < most:
            sort_in(columns, n_columns, u)
            n_columns += 1
    return n_columns


@inner
def _anew(score, child, columns, n_columns, size):
    """(log determinant of the child given these parents, that of the parents), in the order of the columns."""
    factor, unfitted = _room(size), _nobody()
    entered = _extend(score, columns, n_columns, factor, unfitted)
    void = entered.rank + score.starts[child + 1] - score.starts[child] > score.most_rank
    fitted = unfitted if void else entered
    return _given(score, child, factor, factor.rows, np.int64(0), fitted)[0], entered.log_det


@kernel
def family_scores(factored: tuple[Any, ...], child: int, parent_sets: IntArray) -> FloatArray:
    """Scores of one child with k parent sets (k, w), padded with -1.

    `factored`: a Factored as a plain tuple, which takes half the time to be recognized.
    """
    score = Factored(*factored)
    corr, starts, floors = score.correlations, score.starts, score.floors
    own, base, power = score.own[child], score.base, score.power
    k, w = parent_sets.shape
    out = np.empty(k)
    n_own = starts[child + 1] - starts[child]
    columns, uses = np.empty(w, dtype=np.int64), np.zeros(starts.shape[0] - 1, dtype=np.int64)
    size = _count_uses(starts, parent_sets, uses) + n_own + 1
    factor = _room(size)
    rows, scale, members = factor

    n_shared, shared_cost = np.int64(0), 0.0
    for u in range(uses.shape[0]):
        if k > 0 and uses[u] == k:
            columns[n_shared] = u
            n_shared += 1
            shared_cost += score.costs[child, u]
    shared_width = _width(starts, columns, n_shared)
    shared = _extend(score, columns, n_shared, factor, _nobody())
    known, pivot_known = np.empty((n_own, size)), 1.0
    for dim in range(n_own):
        own_dim, y = starts[child] + dim, known[dim]
        pivot_known = project(corr, own_dim, members, shared.rank, np.int64(0), rows, scale, y)

    for s in range(k):
        n_columns = _members(parent_sets, s, uses, k, columns)
        width = shared_width + _width(starts, columns, n_columns)
        cost = shared_cost
        for c in range(n_columns):
            cost += score.costs[child, columns[c]]
        if n_own == 0:
            out[s] = own - cost
            continue
        if n_own == 1 and n_columns == 1 and width == shared_width + 1:
            dim = starts[columns[0]]
            pivot, left = _one_more(score, dim, child, factor, shared.rank, known, pivot_known)
            plain = pivot > floors[dim] and left > floors[starts[child]] and min(pivot, left, shared.least) >= DOUBTFUL
            if plain and shared.rank + 2 <= score.most_rank:
                value = own + base[width] - power[width] * math.log(left) - cost
                out[s] = value - score.det_weight * (shared.log_det + math.log(pivot))
                continue
        entered = _extend(score, columns, n_columns, factor, shared)
        log_det, least = _given(score, child, factor, known, shared.rank, entered)
        log_parents = entered.log_det
        if least < DOUBTFUL or entered.rank + n_own > score.most_rank:
            n_columns = _members(parent_sets, s, uses, k + 1, columns)
            log_det, log_parents = _anew(score, child, columns, n_columns, size)
        out[s] = own + base[width] - power[width] * log_det - score.det_weight * log_parents - cost
    return out


@kernel
def toggle_row(factored: tuple[Any, ...], child: int, parents: IntArray, may_add: BoolArray) -> FloatArray:
    """The child's scores with each column toggled in `parents` (ascending), and as it is at row[child].

    -inf where a column may not be added. O(n w^2) for w dimensions of parents, and O(w^4) for the removals.
    """
    n, w = factored[1].shape[0] - 1, parents.shape[0]
    row = np.empty(n)
    near = np.empty(n, dtype=np.int64)
    n_near = 0
    for u in range(n):
        row[u] = -math.inf
        joins = u == child or may_add[u]
        for p in range(w):
            joins &= parents[p] != u
        if joins:
            near[n_near] = u
            n_near += 1
    sets = np.empty((n_near, w + 1), dtype=np.int64)
    for s in range(n_near):
        for p in range(w):
            sets[s, p] = parents[p]
        sets[s, w] = near[s] if near[s] != child else -1
    scores = family_scores(factored, child, sets)
    for s in range(n_near):
        row[near[s]] = scores[s]
    if w > 0:
        sets = np.empty((w, w - 1), dtype=np.int64)
        for s in range(w):
            for p in range(w - 1):
                sets[s, p] = parents[p + (p >= s)]
        scores = family_scores(factored, child, sets)
        for s in range(w):
            row[parents[s]] = scores[s]
    return row
