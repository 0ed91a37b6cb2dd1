"""Fisher's Z of a target against one column after another given a set that grows and shrinks.

The factor of the set (cholesky.py) is kept from one set to the next as far as they agree: one more column costs
O(size^2), and so does each x.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from arcwise._kernels.compiled import lean
from arcwise._kernels.gaussian.cholesky import covariance, inverse_root, project, sort_in
from arcwise._kernels.gaussian.partial_correlation import fisher_z
from arcwise._kernels.types import BoolArray, FloatArray, IntArray

DOUBTFUL = 1e-4


class Correlations(NamedTuple):
    """Of tests that correlate. cards, min_per_cell, constant: as in bit_strata.Columns, here 1, 0 and False."""

    corr: FloatArray
    negligible: float
    n_rows: int
    cards: IntArray
    min_per_cell: float
    constant: BoolArray


class Residuals(NamedTuple):
    """Workspace of one thread."""

    rows: FloatArray
    scale: FloatArray
    of_target: FloatArray
    left_target: FloatArray
    along_x: FloatArray


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
            project_column(wanted[k], k, target, facts, space, loaded)
        determinant *= 1.0 / (scale[k] * scale[k]) if scale[k] > 0.0 else 0.0
    if determinant >= DOUBTFUL:
        return
    for k in range(size):
        sort_in(loaded, k, wanted[k])
    for k in range(size):
        project_column(loaded[k], k, target, facts, space, loaded)


@lean
def project_column(u, size, target, facts, space, loaded):
    """The row of L for column u after the first `size`, and what the set then leaves of the target."""
    corr, rows, scale, of_target = facts.corr, space.rows, space.scale, space.of_target
    pivot = project(corr, u, loaded, size, np.int64(0), rows, scale, rows[size])
    scale[size] = inverse_root(pivot, facts.negligible)
    of_target[size] = covariance(corr[u, target], rows[size], of_target, size) * scale[size]
    space.left_target[size + 1] = space.left_target[size] - of_target[size] * of_target[size]


@lean
def z_statistic(x, size, target, facts, space, loaded):
    """sqrt(N - |S| - 3) atanh |rho(x, target | S)| for the `size` columns in `loaded`."""
    corr, left_target = facts.corr, space.left_target[size]
    left = project(corr, x, loaded, size, np.int64(0), space.rows, space.scale, space.along_x)
    z = 0.0  # one of the two is a constant given the set
    if left > facts.negligible and left_target > facts.negligible:
        both = covariance(corr[x, target], space.along_x, space.of_target, size)
        z = fisher_z(min(1.0, max(-1.0, both / sqrt(left * left_target))), facts.n_rows, size)
    return z
