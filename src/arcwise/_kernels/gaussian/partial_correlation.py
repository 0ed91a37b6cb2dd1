"""Partial correlations of one pair given many sets, from the correlation matrix alone.

With R = L L' over a set S and L l_a = r_Sa, what S leaves of the columns a and b has the covariance

    c_ab = r_ab - l_a . l_b,        so that rho(x, y | S) = c_xy / sqrt(c_xx c_yy).

Sets are taken in increasing order of their members, and rows of L that the last set shares are kept: in a batch in
lexicographic order a new set costs O(|S|^2), not O(|S|^3), and no result depends on how a set is written.
"""

from math import atanh, sqrt

import numpy as np

from arcwise._kernels.compiled import inner, kernel
from arcwise._kernels.tails import log_normal_tail

NEAREST_TO_ONE = 1.0 - 1e-12  # a larger |rho| is taken for this: rounding alone can make 1 of it


@kernel
def partial_correlations(corr, x, y, sets, negligible):
    """rho(x, y | S) for each row S of `sets` (padded with -1). O(|S|^2) each.

    A member of S with less than `negligible` of its variance left by those before it adds nothing and is passed over
    (as in a pseudo-inverse). Where S leaves less of x or of y, that column is a constant given S, and rho is 0.
    """
    k, w = sets.shape
    out = np.empty(k)
    members = np.empty(w, dtype=np.int64)
    now = np.empty(w, dtype=np.int64)
    rows = np.empty((w, w))  # l of each member
    scale = np.empty(w)  # 1 / L_mm, 0 for a member passed over
    row_x, row_y = np.empty(w), np.empty(w)
    left_x, left_y, left_xy = np.empty(w + 1), np.empty(w + 1), np.empty(w + 1)  # c_xx, c_yy, c_xy by members so far
    left_x[0], left_y[0], left_xy[0] = 1.0, 1.0, corr[x, y]
    known = 0
    for s in range(k):
        size = _sorted_members(sets, s, now)
        m = 0
        while m < known and m < size and members[m] == now[m]:
            m += 1
        while m < size:
            u = now[m]
            members[m] = u
            pivot = 1.0
            for j in range(m):
                value = corr[u, members[j]]
                for i in range(j):
                    value -= rows[m, i] * rows[j, i]
                value *= scale[j]
                rows[m, j] = value
                pivot -= value * value
            scale[m] = 1.0 / sqrt(pivot) if pivot > negligible else 0.0
            at_x, at_y = corr[u, x], corr[u, y]
            for i in range(m):
                at_x -= row_x[i] * rows[m, i]
                at_y -= row_y[i] * rows[m, i]
            row_x[m], row_y[m] = at_x * scale[m], at_y * scale[m]
            left_x[m + 1] = left_x[m] - row_x[m] * row_x[m]
            left_y[m + 1] = left_y[m] - row_y[m] * row_y[m]
            left_xy[m + 1] = left_xy[m] - row_x[m] * row_y[m]
            m += 1
        known = size
        if left_x[size] > negligible and left_y[size] > negligible:
            rho = left_xy[size] / sqrt(left_x[size] * left_y[size])
            out[s] = min(1.0, max(-1.0, rho))
        else:
            out[s] = 0.0
    return out


@inner
def _sorted_members(sets, s, now):
    """The members of set s in increasing order into `now`; how many there are."""
    size = 0
    for a in range(sets.shape[1]):
        u = sets[s, a]
        if u >= 0:
            place = size
            while place > 0 and now[place - 1] > u:
                now[place] = now[place - 1]
                place -= 1
            now[place] = u
            size += 1
    return size


@kernel
def fisher_z(rho, n_rows, size):
    """sqrt(N - |S| - 3) atanh |rho|; NaN where N - |S| - 3 <= 0."""
    spare = n_rows - size - 3
    if spare <= 0:
        return np.nan
    return sqrt(spare) * atanh(min(abs(rho), NEAREST_TO_ONE))


@kernel
def fisher_log_p_values(corr, n_rows, x, y, sets, negligible):
    """ln of the two-sided p-value of each set; NaN where there are too few rows."""
    out = partial_correlations(corr, x, y, sets, negligible)
    for s in range(out.shape[0]):
        size = 0
        for a in range(sets.shape[1]):
            if sets[s, a] >= 0:
                size += 1
        z = fisher_z(out[s], n_rows, size)
        out[s] = z if np.isnan(z) else log_normal_tail(z)
    return out


@kernel
def fisher_log_p_matrix(corr, n_rows):
    """The same for every pair given nothing; 0 on the diagonal."""
    n = corr.shape[0]
    out = np.zeros((n, n))
    for x in range(n):
        for y in range(x):
            z = fisher_z(corr[x, y], n_rows, 0)
            out[x, y] = out[y, x] = z if np.isnan(z) else log_normal_tail(z)
    return out
