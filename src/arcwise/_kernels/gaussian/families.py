"""Gaussian families: how much of a child's variance its parents leave over, for a batch of parent sets.

All is read from one correlation matrix C. Column j has the dimensions starts[j]..starts[j + 1] - 1: one if continuous,
an indicator for each level but one if discrete, none if constant. Dimensions enter a Cholesky factor one at a time:

    L y = C[members, g],   pivot(g) = 1 - y'y = variance of g that the members leave over,

and the product of the pivots is the determinant. A dimension whose pivot is at or below its floor is redundant: it
counts with the floor in the determinant and does not become a member, so it adds nothing to the fit.

Of a batch, usually a family and one more parent each, the parents that all sets share are factored once; each set then
costs O(w^2). The order in which dimensions enter is that of the columns, so the order of the parents cannot matter. It
could matter in the last digits between shared and other parents: a set with a pivot below DOUBTFUL, where digits have
been lost, is therefore factored anew in the order of the columns.
"""

import math

import numpy as np

from arcwise._kernels.compiled import inner, kernel

DOUBTFUL = 1e-6


@inner
def _project(corr, factor, members, dim, row, begin):
    """Fill factor[row, begin:row] with the rest of y for `dim`, and return its pivot.

    factor[c, :c] is a row of L, factor[c, c] the inverse of its diagonal element.
    """
    pivot = 1.0
    for c in range(begin):
        pivot -= factor[row, c] * factor[row, c]
    for c in range(begin, row):
        y = corr[dim, members[c]]
        for e in range(c):
            y -= factor[c, e] * factor[row, e]
        y *= factor[c, c]
        factor[row, c] = y
        pivot -= y * y
    return pivot


@inner
def _extend(corr, starts, floors, columns, n_columns, factor, members, state):
    """Let the dimensions of these columns enter. State: (members, log determinant, least pivot)."""
    rank, log_det, least = state
    for c in range(n_columns):
        for dim in range(starts[columns[c]], starts[columns[c] + 1]):
            pivot = _project(corr, factor, members, dim, rank, np.int64(0))
            least = min(least, pivot)
            if pivot > floors[dim]:
                log_det += math.log(pivot)
                factor[rank, rank] = 1.0 / math.sqrt(pivot)
                members[rank] = dim
                rank += 1
            else:
                log_det += math.log(floors[dim])
    return rank, log_det, least


@inner
def _residual(corr, starts, floors, child, factor, members, known, n_known, state):
    """(log determinant of the child given the members, least pivot). known[:, :n_known]: its y so far."""
    rank, _, least = state
    log_det = 0.0
    first, last = starts[child], starts[child + 1]
    for dim in range(first, last):
        for c in range(n_known):
            factor[rank, c] = known[dim - first, c]
        pivot = _project(corr, factor, members, dim, rank, n_known)
        least = min(least, pivot)
        if pivot > floors[dim]:
            log_det += math.log(pivot)
            if dim + 1 < last:
                factor[rank, rank] = 1.0 / math.sqrt(pivot)
                members[rank] = dim
                rank += 1
        else:
            log_det += math.log(floors[dim])
    return log_det, least


@inner
def _one_more(corr, factor, members, dim, own_dim, rank, known, pivot_known):
    """The usual case, one more continuous parent: (its pivot, what it leaves over of a child with one dimension)."""
    pivot = _project(corr, factor, members, dim, rank, np.int64(0))
    y = corr[own_dim, dim]
    for c in range(rank):
        y -= factor[rank, c] * known[0, c]
    return pivot, (pivot_known - y * y / pivot if pivot > 0.0 else 0.0)


@inner
def _sort_in(columns, n_columns, column):
    """Insert a column into the first n_columns entries, which ascend."""
    place = n_columns
    while place > 0 and columns[place - 1] > column:
        columns[place] = columns[place - 1]
        place -= 1
    columns[place] = column


@inner
def _uses(starts, parent_sets):
    """(how many sets hold each column, most dimensions of a set)."""
    uses = np.zeros(starts.shape[0] - 1, dtype=np.int64)
    widest = 0
    for s in range(parent_sets.shape[0]):
        width = 0
        for p in range(parent_sets.shape[1]):
            u = parent_sets[s, p]
            if u >= 0:
                uses[u] += 1
                width += starts[u + 1] - starts[u]
        widest = max(widest, width)
    return uses, widest


@inner
def _anew(corr, starts, floors, child, parent_sets, s, size, most_rank):
    """(log determinant of the child given the parents of set s, that of the parents), in the order of the columns."""
    columns = np.empty(parent_sets.shape[1], dtype=np.int64)
    n_columns = np.int64(0)  # numbers of a fixed type from the start: else Numba compiles a second copy for constants
    for p in range(parent_sets.shape[1]):
        if parent_sets[s, p] >= 0:
            _sort_in(columns, n_columns, parent_sets[s, p])
            n_columns += 1
    factor, members, nothing = np.empty((size, size)), np.empty(size, dtype=np.int64), np.empty((0, 0))
    unfitted = (np.int64(0), 0.0, 1.0)
    state = _extend(corr, starts, floors, columns, n_columns, factor, members, unfitted)
    void = state[0] + starts[child + 1] - starts[child] > most_rank
    fitted = unfitted if void else state
    log_det, _ = _residual(corr, starts, floors, child, factor, members, nothing, np.int64(0), fitted)
    return log_det, state[1]


@inner
def _family_scores(corr, starts, floors, child, parent_sets, own, base, power, det_weight, costs, most_rank):
    """Scores of one child with k parent sets (k, w), padded with -1:

        own[child] + base[l] - power[l] ln|C_child given parents| - det_weight ln|C_parents| - sum_j costs[child, j],

    l the dimensions of the parents. Independent dimensions of parents and child that are more than `most_rank` together
    fit any data exactly, which is no evidence: such parents count as fitting nothing.
    """
    k, w = parent_sets.shape
    out = np.empty(k)
    n_own = starts[child + 1] - starts[child]
    uses, widest = _uses(starts, parent_sets)
    size = widest + n_own + 1
    factor, members = np.empty((size, size)), np.empty(size, dtype=np.int64)
    columns = np.empty(w, dtype=np.int64)

    n_shared, shared_width, shared_cost = np.int64(0), 0, 0.0
    for u in range(uses.shape[0]):
        if k > 0 and uses[u] == k:
            columns[n_shared] = u
            n_shared += 1
            shared_width += starts[u + 1] - starts[u]
            shared_cost += costs[child, u]
    shared = _extend(corr, starts, floors, columns, n_shared, factor, members, (np.int64(0), 0.0, 1.0))
    known = np.empty((n_own, shared[0]))
    pivot_known = 1.0
    for dim in range(n_own):
        pivot_known = _project(corr, factor, members, starts[child] + dim, shared[0], np.int64(0))
        for c in range(shared[0]):
            known[dim, c] = factor[shared[0], c]

    for s in range(k):
        n_columns, width, cost = np.int64(0), shared_width, shared_cost
        for p in range(w):
            u = parent_sets[s, p]
            if u >= 0 and uses[u] < k:
                _sort_in(columns, n_columns, u)
                n_columns += 1
        for c in range(n_columns):
            width += starts[columns[c] + 1] - starts[columns[c]]
            cost += costs[child, columns[c]]
        if n_own == 0:
            out[s] = own[child] - cost
            continue
        if n_own == 1 and n_columns == 1 and width == shared_width + 1:
            dim, own_dim = starts[columns[0]], starts[child]
            pivot, left = _one_more(corr, factor, members, dim, own_dim, shared[0], known, pivot_known)
            plain = pivot > floors[dim] and left > floors[own_dim] and shared[0] + 2 <= most_rank
            if plain and min(pivot, left, shared[2]) >= DOUBTFUL:
                score = own[child] + base[width] - power[width] * math.log(left) - cost
                out[s] = score - det_weight * (shared[1] + math.log(pivot))
                continue
        state = _extend(corr, starts, floors, columns, n_columns, factor, members, shared)
        log_det, least = _residual(corr, starts, floors, child, factor, members, known, shared[0], state)
        log_parents = state[1]
        if least < DOUBTFUL or state[0] + n_own > most_rank:
            log_det, log_parents = _anew(corr, starts, floors, child, parent_sets, s, size, most_rank)
        out[s] = own[child] + base[width] - power[width] * log_det - det_weight * log_parents - cost
    return out


@kernel
def family_scores(corr, starts, floors, child, parent_sets, own, base, power, det_weight, costs, most_rank):
    return _family_scores(corr, starts, floors, child, parent_sets, own, base, power, det_weight, costs, most_rank)


@kernel
def toggle_row(corr, starts, floors, child, parents, may_add, own, base, power, det_weight, costs, most_rank):
    """The child's scores with each column toggled in `parents` (ascending), and as it is at row[child].

    -inf where a column may not be added. O(n w^2) for w dimensions of parents, and O(w^4) for the removals.
    """
    n, w = starts.shape[0] - 1, parents.shape[0]
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
    scores = _family_scores(corr, starts, floors, child, sets, own, base, power, det_weight, costs, most_rank)
    for s in range(n_near):
        row[near[s]] = scores[s]
    if w > 0:
        sets = np.empty((w, w - 1), dtype=np.int64)
        for s in range(w):
            for p in range(w - 1):
                sets[s, p] = parents[p + (p >= s)]
        scores = _family_scores(corr, starts, floors, child, sets, own, base, power, det_weight, costs, most_rank)
        for s in range(w):
            row[parents[s]] = scores[s]
    return row
