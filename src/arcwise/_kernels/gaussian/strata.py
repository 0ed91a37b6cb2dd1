"""Regressions within strata, the configurations of some columns with levels: their moments, and families of them.

The moments of a stratum c are those of its rows alone. With v the variance of the child in c, and s the share of it
that the parents leave over (a Cholesky factor of the correlations in c, cholesky.py), the maximized log-likelihood of a
child is

    -1/2 sum_c N_c [ln(2 pi v s) + 1].
"""

import math
from typing import Any, NamedTuple

import numpy as np

from arcwise._kernels.compiled import kernel
from arcwise._kernels.gaussian.cholesky import inverse_root, project, sort_in
from arcwise._kernels.types import FloatArray, IntArray

LOG_2_PI_E = math.log(2.0 * math.pi) + 1.0


class StrataTable(NamedTuple):
    """Of q strata and m numbers: rows (q,), ln variances (q, m), minus infinity where constant, correlations (q, m, m).

    A pivot at or below `floor` makes a parent redundant, and counts as `floor` for a child.
    """

    rows: FloatArray
    log_variances: FloatArray
    correlations: FloatArray
    floor: float


@kernel
def add_strata(
    cells: IntArray, times: FloatArray, values: FloatArray, centre: FloatArray, sums: FloatArray, products: FloatArray
) -> None:
    """Add up x - centre[c] of the rows of each stratum c and, unless `products` is empty, half of their products.

    values: (rows, m). times: how often each row counts; empty: once.
    """
    m, squares = values.shape[1], products.shape[1] > 0
    away = np.empty(m)
    for r in range(cells.shape[0]):
        c = cells[r]
        often = times[r] if times.shape[0] else 1.0
        for i in range(m):
            away[i] = values[r, i] - centre[c, i]
            sums[c, i] += often * away[i]
        if squares:
            for i in range(m):
                counted = often * away[i]
                for j in range(i + 1):
                    products[c, i, j] += counted * away[j]


@kernel
def strata_log_likelihoods(table: tuple[Any, ...], child: int, parent_sets: IntArray) -> FloatArray:
    """Of one child given k sets of numbers (k, w), padded with -1; minus infinity where some stratum has no density.

    That is where the child is constant in it, or where it has fewer rows than its regression has parameters. table: a
    StrataTable as a plain tuple.
    """
    strata = StrataTable(*table)
    k, w = parent_sets.shape
    out, columns = np.empty(k), np.empty(w, dtype=np.int64)
    rows, scale, members = np.empty((w + 1, w + 1)), np.empty(w + 1), np.empty(w + 1, dtype=np.int64)
    for s in range(k):
        size = np.int64(0)
        for p in range(w):
            if parent_sets[s, p] >= 0:
                sort_in(columns, size, parent_sets[s, p])
                size += 1
        total = 0.0
        for c in range(strata.rows.shape[0]):
            own = strata.log_variances[c, child]
            if own == -np.inf or strata.rows[c] < size + 2:
                total = np.inf
                break
            corr, rank = strata.correlations[c], np.int64(0)
            for p in range(size):
                pivot = project(corr, columns[p], members, rank, np.int64(0), rows, scale, rows[rank])
                if pivot > strata.floor and strata.log_variances[c, columns[p]] > -np.inf:
                    scale[rank] = inverse_root(pivot, strata.floor)
                    members[rank] = columns[p]
                    rank += 1
            pivot = project(corr, child, members, rank, np.int64(0), rows, scale, rows[rank])
            total += strata.rows[c] * (LOG_2_PI_E + own + math.log(max(pivot, strata.floor)))
        out[s] = -0.5 * total
    return out
