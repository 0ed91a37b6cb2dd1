"""Fisher's Z of a target against one column after another given a set that grows and shrinks.

R = L L' over the set, as in partial_correlation.py, kept from one set to the next as far as they agree: one more
column costs O(size^2), and so does each x.
"""

from math import sqrt

from numba import njit

from arcwise._kernels.borrow import borrowing
from arcwise._kernels.partial_correlation import fisher_z

DOUBTFUL = 1e-4


@borrowing
def load_set(wanted, size, kept, target, corr, negligible, loaded, rows, scale, of_target, left_target):
    """Project wanted[:size], of which the first `kept` are loaded.

    The determinant of the set is the product of its pivots, in any order, so no pivot is ever less: only where it is
    small could the order decide what is passed over, and how results are rounded. Then the order is by position.
    """
    determinant = 1.0
    for k in range(size):
        if k >= kept or loaded[k] != wanted[k]:
            kept = k
            loaded[k] = wanted[k]
            project_column(wanted[k], k, target, corr, negligible, loaded, rows, scale, of_target, left_target)
        determinant *= 1.0 / (scale[k] * scale[k]) if scale[k] > 0.0 else 0.0
    if determinant >= DOUBTFUL:
        return
    for k in range(size):  # sorted by insertion
        place = k
        while place > 0 and loaded[place - 1] > wanted[k]:
            loaded[place] = loaded[place - 1]
            place -= 1
        loaded[place] = wanted[k]
    for k in range(size):
        project_column(loaded[k], k, target, corr, negligible, loaded, rows, scale, of_target, left_target)


@borrowing
def project_column(u, size, target, corr, negligible, loaded, rows, scale, of_target, left_target):
    """The row of L for column u after the first `size`, and what the set then leaves of the target."""
    pivot = 1.0
    at_target = corr[u, target]
    for j in range(size):
        value = corr[u, loaded[j]]
        for i in range(j):
            value -= rows[size, i] * rows[j, i]
        value *= scale[j]
        rows[size, j] = value
        pivot -= value * value
        at_target -= of_target[j] * value
    scale[size] = 1.0 / sqrt(pivot) if pivot > negligible else 0.0
    of_target[size] = at_target * scale[size]
    left_target[size + 1] = left_target[size] - of_target[size] * of_target[size]


@njit(inline="always")
def z_statistic(x, size, target, n_rows, corr, negligible, loaded, rows, scale, of_target, left_target, of_x):
    """sqrt(N - |S| - 3) atanh |rho(x, target | S)| for the `size` columns in `loaded`."""
    left, both = 1.0, corr[x, target]
    for j in range(size):
        value = corr[loaded[j], x]
        for i in range(j):
            value -= of_x[i] * rows[j, i]
        value *= scale[j]
        of_x[j] = value
        left -= value * value
        both -= value * of_target[j]
    z = 0.0  # one of the two is a constant given the set
    if left > negligible and left_target[size] > negligible:
        z = fisher_z(min(1.0, max(-1.0, both / sqrt(left * left_target[size]))), n_rows, size)
    return z
