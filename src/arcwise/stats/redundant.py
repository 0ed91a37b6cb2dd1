"""Columns that a correlation matrix shows to be linear functions of others.

In NumPy, unlike the factors of _kernels/gaussian/cholesky.py: every learner looks here, and most tables need no kernel.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from arcwise.data.dataset import FloatArray

NEGLIGIBLE = 1e-10  # less of its variance than this, and a column is taken for a linear function of others
PART_OF = 1e-3  # a share of another column this small is not worth naming
SMALL_TILE, SMALL_DEPTH = 32, 256
UNTHREADED = 64  # LAPACK factors matrices up to this size in one thread


def redundant_columns(corr: FloatArray) -> dict[int, tuple[int, ...]]:
    """Columns that are linear functions of columns before them: {column: those it is made of}. O(n^3)."""
    if _independent(corr):
        return {}
    return {j: tuple(np.flatnonzero(np.abs(weights) > PART_OF).tolist()) for j, weights in made_of(corr)}


def made_of(corr: FloatArray) -> Iterator[tuple[int, FloatArray]]:
    """(column, weights of all columns) for each column that is a linear function of columns before it. O(n^3).

    Cholesky's factor L of the columns that are none, column by column, with the rows of the others: row j holds what of
    j lies in the columns before it, and 1 - |L_j|^2 is what they leave of it. Sums by einsum, which has no threads to
    wait for.
    """
    n = len(corr)
    if n <= UNTHREADED and _independent(corr):
        return
    factor, kept = np.zeros((n, n)), list[int]()
    for j in range(n):
        k = len(kept)
        inside = factor[j, :k]
        left = 1.0 - float(np.einsum("i,i->", inside, inside))
        if left > NEGLIGIBLE:
            factor[j:, k] = (corr[j:, j] - np.einsum("ij,j->i", factor[j:, :k], inside)) / np.sqrt(left)
            kept.append(j)
        else:
            from scipy.linalg import solve_triangular

            weights = np.zeros(n)
            weights[kept] = solve_triangular(factor[kept, :k], inside, lower=True, trans="T", check_finite=False)
            yield j, weights


def small_products(rows: FloatArray) -> FloatArray:
    """rows @ rows.T in tiles so small that BLAS does not divide them over threads, which hold each other up."""
    n, length = rows.shape
    products = np.empty((n, n))
    for first in range(0, n, SMALL_TILE):
        for second in range(0, first + 1, SMALL_TILE):
            a, b = rows[first : first + SMALL_TILE], rows[second : second + SMALL_TILE]
            tile = sum(a[:, k : k + SMALL_DEPTH] @ b[:, k : k + SMALL_DEPTH].T for k in range(0, length, SMALL_DEPTH))
            products[first : first + SMALL_TILE, second : second + SMALL_TILE] = tile
            products[second : second + SMALL_TILE, first : first + SMALL_TILE] = np.transpose(tile)
    return products


def _independent(corr: FloatArray) -> bool:
    try:
        return bool((np.diag(np.linalg.cholesky(corr)) ** 2 > NEGLIGIBLE).all())
    except np.linalg.LinAlgError:
        return False
