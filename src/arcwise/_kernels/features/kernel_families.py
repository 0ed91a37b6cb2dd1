"""Determinants of the small submatrices of R that a batch of families asks for."""

import numpy as np
from numba import njit

from arcwise._kernels.compiled import INNER, inner, kernel


@inner
def sorted_members(parents, child, starts, out):
    """The parents in ascending order, then the child, into `out`; (members, their features)."""
    size = 0
    for k in range(parents.shape[0]):
        parent = parents[k]
        if parent < 0:
            continue
        at = size
        while at > 0 and out[at - 1] > parent:
            out[at] = out[at - 1]
            at -= 1
        out[at] = parent
        size += 1
    out[size] = child
    features = 0
    for k in range(size + 1):
        features += starts[out[k] + 1] - starts[out[k]]
    return size + 1, features


@njit(**INNER, fastmath={"reassoc", "contract", "nsz"})
def factor_rows(correlations, index, first, last, lead, factor, inverse):
    """Rows first..last-1 of the Cholesky factor of correlations[index, index], the earlier rows being there.

    The first `lead` features belong to one column, whose block of R and hence of the factor is the identity.
    """
    for a in range(first, last):
        row = index[a]
        for b in range(a):
            factor[a, b] = correlations[row, index[b]]
        square = 0.0
        for b in range(lead, a):
            total = 0.0
            for k in range(b):
                total += factor[a, k] * factor[b, k]
            factor[a, b] = (factor[a, b] - total) * inverse[b]
        for b in range(a):
            square += factor[a, b] * factor[a, b]
        factor[a, a] = np.sqrt(1.0 - square)
        inverse[a] = 1.0 / factor[a, a]


@kernel
def family_scores(correlations, starts, dimensions, n_rows, child, parent_sets):
    """N I^K(child; parents) - (d_child d_parents / 2) ln N of each parent set; (k, w), padded with -1.

    I^K = -(ln|R_{child, parents}| - ln|R_parents|) / 2. Column v has the features starts[v]..starts[v + 1] - 1. The
    Cholesky factor takes the parents in ascending order and the child last, whose pivots alone make up the difference.
    The sets of a batch differ in one parent: the rows of the factor before the first difference are kept from the set
    before, as they would come out the same to the last bit.
    """
    sets, width = parent_sets.shape
    out = np.empty(sets)
    members = np.empty(width + 1, dtype=np.intp)
    before = np.empty(width + 1, dtype=np.intp)
    for k in range(width + 1):
        before[k] = -1
    room = 0
    for s in range(sets):
        room = max(room, sorted_members(parent_sets[s], child, starts, members)[1])
    factor, inverse = np.empty((room, room)), np.empty(room)
    index = np.empty(room, dtype=np.uint32)
    for s in range(sets):
        size, features = sorted_members(parent_sets[s], child, starts, members)
        kept, shared = 0, np.int64(0)
        while kept < size - 1 and members[kept] == before[kept]:
            shared += starts[members[kept] + 1] - starts[members[kept]]
            kept += 1
        at = shared
        for k in range(kept, size):
            for feature in range(starts[members[k]], starts[members[k] + 1]):
                index[at] = feature
                at += 1
        lead, dimension = np.int64(0), 0.0
        for k in range(size - 1):
            dimension += dimensions[members[k]]
            if lead == 0:
                lead = starts[members[k] + 1] - starts[members[k]]
        factor_rows(correlations, index, shared, features, lead, factor, inverse)
        information = 0.0
        for a in range(features - (starts[child + 1] - starts[child]), features):
            information -= np.log(factor[a, a])
        out[s] = n_rows * information - 0.5 * dimensions[child] * dimension * np.log(max(n_rows, 1.0))
        for k in range(width + 1):
            before[k] = members[k] if k < size - 1 else -1
    return out
