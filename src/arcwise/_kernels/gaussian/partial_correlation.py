"""Partial correlations of one pair given many sets, from the correlation matrix alone.

With c_ab the covariance that a set S leaves of the columns a and b (cholesky.py),

    rho(x, y | S) = c_xy / sqrt(c_xx c_yy).

Sets are taken in increasing order of their members, and rows of the factor that the last set shares are kept: in a
batch in lexicographic order a new set costs O(|S|^2), not O(|S|^3), and no result depends on how a set is written.
"""

from math import atanh, sqrt

import numpy as np

from arcwise._kernels.compiled import kernel
from arcwise._kernels.gaussian.cholesky import covariance, inverse_root, project, sort_in
from arcwise._kernels.tails import log_normal_tail
from arcwise._kernels.types import FloatArray, IntArray

NEAREST_TO_ONE = 1.0 - 1e-12  # a larger |rho| is taken for this: rounding alone can make 1 of it


@kernel
def partial_correlations(corr: FloatArray, x: int, y: int, sets: IntArray, negligible: float) -> FloatArray:
    """rho(x, y | S) for each row S of `sets` (padded with -1). O(|S|^2) each.

    A member of S with less than `negligible` of its variance left by those before it adds nothing and is passed over.
    Where S leaves less of x or of y, that column is a constant given S, and rho is 0.
    """
    k, w = sets.shape
    out = np.empty(k)
    now, members = np.empty(w, dtype=np.int64), np.empty(w, dtype=np.int64)
    rows, scale = np.empty((w, w)), np.empty(w)
    of_x, of_y = np.empty(w), np.empty(w)
    left_x, left_y, left_xy = np.empty(w + 1), np.empty(w + 1), np.empty(w + 1)  # c_xx, c_yy, c_xy by members so far
    left_x[0], left_y[0], left_xy[0] = 1.0, 1.0, corr[x, y]
    known = 0
    for s in range(k):
        size = 0
        for a in range(w):
            if sets[s, a] >= 0:
                sort_in(now, size, sets[s, a])
                size += 1
        m = 0
        while m < known and m < size and members[m] == now[m]:
            m += 1
        while m < size:
            u = members[m] = now[m]
            pivot = project(corr, u, members, m, np.int64(0), rows, scale, rows[m])
            scale[m] = inverse_root(pivot, negligible)
            of_x[m] = covariance(corr[u, x], rows[m], of_x, m) * scale[m]
            of_y[m] = covariance(corr[u, y], rows[m], of_y, m) * scale[m]
            left_x[m + 1] = left_x[m] - of_x[m] * of_x[m]
            left_y[m + 1] = left_y[m] - of_y[m] * of_y[m]
            left_xy[m + 1] = left_xy[m] - of_x[m] * of_y[m]
            m += 1
        known = size
        if left_x[size] > negligible and left_y[size] > negligible:
            rho = left_xy[size] / sqrt(left_x[size] * left_y[size])
            out[s] = min(1.0, max(-1.0, rho))
        else:
            out[s] = 0.0
    return out


@kernel
def fisher_z(rho: float, n_rows: int, size: int) -> float:
    """sqrt(N - |S| - 3) atanh |rho|; NaN where N - |S| - 3 <= 0."""
    spare = n_rows - size - 3
    if spare <= 0:
        return np.nan
    return sqrt(spare) * atanh(min(abs(rho), NEAREST_TO_ONE))


@kernel
def fisher_log_p_values(corr: FloatArray, n_rows: int, x: int, y: int, sets: IntArray, negligible: float) -> FloatArray:
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
def fisher_log_p_matrix(corr: FloatArray, n_rows: int) -> FloatArray:
    """The same for every pair given nothing; 0 on the diagonal."""
    n = corr.shape[0]
    out = np.zeros((n, n))
    for x in range(n):
        for y in range(x):
            z = fisher_z(corr[x, y], n_rows, 0)
            out[x, y] = out[y, x] = z if np.isnan(z) else log_normal_tail(z)
    return out
