"""Fisher's Z of a target against one column after another given a set that grows and shrinks.

R = L L' over the set, as in partial_correlation.py, kept from one set to the next as far as they agree: one more
column costs O(size^2), and so does each x.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from arcwise._kernels.compiled import lean
from arcwise._kernels.gaussian.partial_correlation import fisher_z

DOUBTFUL = 1e-4


class Correlations(NamedTuple):
    """Of tests that correlate. cards, min_per_cell, constant: as in bit_strata.Columns, here 1, 0 and False."""

    corr: np.ndarray
    negligible: float
    n_rows: int
    cards: np.ndarray
    min_per_cell: float
    constant: np.ndarray


class Residuals(NamedTuple):
    """Workspace of one thread."""

    rows: np.ndarray
    scale: np.ndarray
    of_target: np.ndarray
    left_target: np.ndarray
    along_x: np.ndarray


@lean
def load_set(wanted, size, kept, target, facts, space, loaded):
    """Project wanted[:size], of which the first `kept` are loaded.

    The determinant of the set is the product of its pivots, in any order, so no pivot is ever less: only where it is
    small could the order decide what is passed over, and how results are rounded. Then the order is by position.
    """
    scale = space.scale
    determinant = 1.0
    for k in range(size):
        if k >= kept or loaded[k] != wanted[k]:
            kept = k
            loaded[k] = wanted[k]
            _project_column(wanted[k], k, target, facts, space, loaded)
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
        _project_column(loaded[k], k, target, facts, space, loaded)


@lean
def _project_column(u, size, target, facts, space, loaded):
    """The row of L for column u after the first `size`, and what the set then leaves of the target."""
    corr, rows, scale, of_target = facts.corr, space.rows, space.scale, space.of_target
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
    scale[size] = 1.0 / sqrt(pivot) if pivot > facts.negligible else 0.0
    of_target[size] = at_target * scale[size]
    space.left_target[size + 1] = space.left_target[size] - of_target[size] * of_target[size]


@lean
def z_statistic(x, size, target, facts, space, loaded):
    """sqrt(N - |S| - 3) atanh |rho(x, target | S)| for the `size` columns in `loaded`."""
    corr, rows, of_x = facts.corr, space.rows, space.along_x
    left, both = 1.0, corr[x, target]
    for j in range(size):
        value = corr[loaded[j], x]
        for i in range(j):
            value -= of_x[i] * rows[j, i]
        value *= space.scale[j]
        of_x[j] = value
        left -= value * value
        both -= value * space.of_target[j]
    z = 0.0  # one of the two is a constant given the set
    left_target = space.left_target[size]
    if left > facts.negligible and left_target > facts.negligible:
        z = fisher_z(min(1.0, max(-1.0, both / sqrt(left * left_target))), facts.n_rows, size)
    return z
