"""Families of smooth relations: how much the features of some columns tell of a child, for a batch of parent sets.

All is read from one matrix of correlations, in which a column is a block of features; canonical: orthonormal ones. With
A the child's features, B the parents' and S = I - C_AB C_BB^-1 C_BA,

    additive    -N/2 ln|S_11| - (ln N / 2) b,  S_11 the variance of the child's first feature that is left (all of S for
                levels without an order), b the features that pay: every parent begins with one, and those of the parent
                for which it raises the score most are added, up to the next of the numbers in LADDER,
    canonical   max over r of -N/2 sum_{i <= r} ln(1 - rho_i^2) - (ln N / 2) r (a + b - r),  rho_i^2 the eigenvalues of
                I - S, the squared canonical correlations of A and B.

Features enter a Cholesky factor one at a time (gaussian/cholesky.py), parents in the order of the columns. A feature of
which the others leave less than FLOOR is redundant: it fits nothing and costs nothing.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from arcwise._kernels.compiled import inner, kernel, lean
from arcwise._kernels.gaussian.cholesky import Factor, inverse_root, project, sort_in
from arcwise._kernels.types import BoolArray, FloatArray, IntArray

FLOOR = 1e-9
LADDER = (1, 2, 3, 5, 8, 13, 21)
AHEAD = 2  # numbers of the ladder that are tried for a parent at a time
SWEEPS = 30  # of rotations, at most: ten are plenty
NEGLIGIBLE = 1e-12


class SmoothFamilies(NamedTuple):
    """Features starts[j]..starts[j + 1] - 1 of `correlations` are those of column j. nominal: levels without an order.

    price: of a parameter, in nats. arc_cost: of each parent besides. canonical: the form of the score.
    """

    correlations: FloatArray
    starts: IntArray
    nominal: BoolArray
    n_rows: int
    price: float
    arc_cost: float
    canonical: bool


class Room(NamedTuple):
    """Memory for one family. own[d]: feature d of the child as far as the factor knows it; taken[p]: of parent p."""

    factor: Factor
    own: FloatArray
    square: FloatArray
    taken: IntArray


@lean
def enter(families, first, last, factor, rank):
    """Let features first..last - 1 into the factor; its new rank."""
    rows, scale, members = factor
    for feature in range(first, last):
        pivot = project(families.correlations, feature, members, rank, np.int64(0), rows, scale, rows[rank])
        if pivot > FLOOR:
            scale[rank] = inverse_root(pivot, FLOOR)
            members[rank] = feature
            rank += 1
    return rank


@lean
def left_over(families, child, n_own, room, known, rank):
    """ln|S| of the first `n_own` features of the child, whose rows in `own` are known up to `known`."""
    rows, scale, members = room.factor
    square, own, log_det = room.square, room.own, 0.0
    first = families.starts[child]
    for d in range(n_own):
        pivot = project(families.correlations, first + d, members, rank, known, rows, scale, own[d])
        for e in range(d):
            dot = 0.0
            for c in range(rank):
                dot += own[d, c] * own[e, c]
            value = families.correlations[first + d, first + e] - dot
            for c in range(e):
                value -= square[d, c] * square[e, c]
            square[d, e] = value * square[e, e]
            pivot -= square[d, e] * square[d, e]
        pivot = max(pivot, FLOOR)
        square[d, d] = 1.0 / math.sqrt(pivot)
        log_det += math.log(pivot)
    return log_det


@lean
def _void(families, child, rank):
    """Whether there are too few rows for a fit to be evidence."""
    return rank + families.starts[child + 1] - families.starts[child] >= families.n_rows - 1


@lean
def additive_gain(families, child, columns, n_columns, room):
    """Gain over no parents, with as many features of each parent as pay."""
    starts, half = families.starts, 0.5 * families.n_rows
    n_own = starts[child + 1] - starts[child] if families.nominal[child] else np.int64(1)
    price = families.price * n_own
    rank = np.int64(0)
    for p in range(n_columns):
        first, last = starts[columns[p]], starts[columns[p] + 1]
        room.taken[p] = last - first if families.nominal[columns[p]] else min(last - first, np.int64(1))
        rank = enter(families, first, first + room.taken[p], room.factor, rank)
    if _void(families, child, rank):
        return -price * rank
    best = -half * left_over(families, child, n_own, room, np.int64(0), rank) - price * rank
    while True:
        parent, size, gain = -1, np.int64(0), best + NEGLIGIBLE * (1.0 + abs(best))
        for p in range(n_columns):
            first = starts[columns[p]]
            most = starts[columns[p] + 1] - first
            now, before, tried = rank, room.taken[p], 0
            for step in LADDER:
                upto = min(np.int64(step), most)
                if upto <= before or tried == AHEAD:
                    continue
                tried += 1
                now = enter(families, first + before, first + upto, room.factor, now)
                before = upto
                if _void(families, child, now):
                    break
                value = -half * left_over(families, child, n_own, room, rank, now) - price * now
                if value > gain:
                    parent, size, gain = p, upto, value
        if parent < 0:
            return best
        first = starts[columns[parent]]
        now = enter(families, first + room.taken[parent], first + size, room.factor, rank)
        best = -half * left_over(families, child, n_own, room, rank, now) - price * now
        room.taken[parent] = size
        rank = now


@lean
def _eigenvalues(matrix, n):
    """Those of a symmetric matrix, whose diagonal they become, by Jacobi's rotations."""
    for _ in range(SWEEPS):
        off = 0.0
        for i in range(n):
            for j in range(i):
                off += matrix[i, j] * matrix[i, j]
        if off < 1e-24:
            return
        for i in range(1, n):
            for j in range(i):
                there = matrix[i, j]
                if abs(there) < 1e-14:
                    continue
                theta = 0.5 * (matrix[i, i] - matrix[j, j]) / there
                t = 1.0 / (abs(theta) + math.sqrt(theta * theta + 1.0))
                if theta < 0.0:
                    t = -t
                c = 1.0 / math.sqrt(t * t + 1.0)
                s = t * c
                for k in range(n):
                    if k not in (i, j):
                        a, b = matrix[i, k], matrix[j, k]
                        matrix[i, k] = matrix[k, i] = c * a + s * b
                        matrix[j, k] = matrix[k, j] = c * b - s * a
                matrix[i, i] += t * there
                matrix[j, j] -= t * there
                matrix[i, j] = matrix[j, i] = 0.0


@lean
def _begin(families, child, columns, n_columns, room):
    """Let all features of the columns into an empty factor, and know the child's rows as far; its rank."""
    rows, scale, members = room.factor
    rank = np.int64(0)
    for p in range(n_columns):
        rank = enter(families, families.starts[columns[p]], families.starts[columns[p] + 1], room.factor, rank)
    for d in range(families.starts[child + 1] - families.starts[child]):
        project(families.correlations, families.starts[child] + d, members, rank, np.int64(0), rows, scale, room.own[d])
    return rank


@lean
def _canonical(families, child, columns, n_columns, known, room):
    """Gain over no parents, of the best rank. known: so many members are in the factor, those of other parents."""
    starts, square, own = families.starts, room.square, room.own
    rows, scale, members = room.factor
    first, n_own, rank = starts[child], starts[child + 1] - starts[child], known
    for p in range(n_columns):
        rank = enter(families, starts[columns[p]], starts[columns[p] + 1], room.factor, rank)
    if rank == 0 or _void(families, child, rank):
        return -families.price * (n_own + rank - 1)
    for d in range(n_own):
        project(families.correlations, first + d, members, rank, known, rows, scale, own[d])
        for e in range(d + 1):
            dot = 0.0
            for c in range(rank):
                dot += own[d, c] * own[e, c]
            square[d, e] = square[e, d] = dot
    _eigenvalues(square, n_own)
    total, best = 0.0, -math.inf
    for r in range(1, min(n_own, rank) + 1):
        at = np.int64(0)  # the largest that is left
        for d in range(n_own):
            if square[d, d] > square[at, at]:
                at = np.int64(d)
        total -= 0.5 * families.n_rows * math.log(max(1.0 - square[at, at], FLOOR))
        square[at, at] = -1.0
        best = max(best, total - families.price * r * (n_own + rank - r))
    return best


@inner
def _room(families, child, widest):
    n_own = families.starts[child + 1] - families.starts[child]
    size = widest + 1
    factor = Factor(np.empty((size, size)), np.empty(size), np.empty(size, dtype=np.int64))
    return Room(factor, np.empty((n_own, size)), np.empty((n_own, n_own)), np.empty(size, dtype=np.int64))


@lean
def widest_set(starts, parent_sets):
    """Most features of a set of parents."""
    widest = np.int64(0)
    for s in range(parent_sets.shape[0]):
        width = np.int64(0)
        for p in range(parent_sets.shape[1]):
            u = parent_sets[s, p]
            if u >= 0:
                width += starts[u + 1] - starts[u]
        widest = max(widest, width)
    return widest


@lean
def _score(families, child, columns, n_columns, n_common, known, room):
    """columns: the parents; those of n_common others are in the factor."""
    n_parents = n_columns + n_common
    if n_parents == 0:
        return 0.0
    if families.starts[child + 1] == families.starts[child]:  # a constant: an arc at it never pays
        return -(families.price + max(families.arc_cost, 0.0)) * n_parents
    if families.canonical:
        gain = _canonical(families, child, columns, n_columns, known, room)
    else:
        gain = additive_gain(families, child, columns, n_columns, room)
    return gain - families.arc_cost * n_parents


@inner
def _scores(families, child, common, parent_sets, out):
    starts, known = families.starts, np.int64(0)
    room = _room(families, child, max(widest_set(starts, parent_sets), np.int64(parent_sets.shape[1])))
    if common.shape[0] > 0:
        known = _begin(families, child, common, common.shape[0], room)
    columns = np.empty(parent_sets.shape[1] + 1, dtype=np.int64)
    for s in range(parent_sets.shape[0]):
        n_columns, void = np.int64(0), 0.0
        for p in range(parent_sets.shape[1]):
            u = parent_sets[s, p]
            if u < 0:
                continue
            if starts[u + 1] == starts[u]:
                void += families.price  # a constant parent
            shared = False
            for c in range(common.shape[0]):
                shared = shared or common[c] == u
            if not shared:
                sort_in(columns, n_columns, u)
                n_columns += 1
        out[s] = _score(families, child, columns, n_columns, common.shape[0], known, room) - void


@kernel
def smooth_scores(families: tuple[Any, ...], child: int, common: IntArray, parent_sets: IntArray) -> FloatArray:
    """Scores of one child with k parent sets (k, w), padded with -1, over those of no parents.

    families: a SmoothFamilies as a plain tuple. common: columns that are in every set, whose features enter the factor
    first and once; none for the additive form.
    """
    out = np.empty(parent_sets.shape[0])
    _scores(SmoothFamilies(*families), child, common, parent_sets, out)
    return out
