"""The correlation matrix of a table, safe for any finite numbers, and the columns that it shows to be redundant."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from arcwise._kernels.gaussian.products import TILE, add_products
from arcwise.data.dataset import Dataset, FloatArray

NEGLIGIBLE = 1e-10  # less of its variance than this, and a column is taken for a linear function of others
PART_OF = 1e-3  # a share of another column this small is not worth naming
SMALL_TILE, SMALL_DEPTH = 32, 256
UNTHREADED = 64  # LAPACK factors matrices up to this size in one thread
LONGEST_CALL = 1 << 30  # products in one call of the kernel, some tenths of a second ...
LEAST_ROWS = 1 << 8  # ... unless there are very many columns


def correlation_matrix(data: Dataset) -> FloatArray:
    """Pearson correlations (n, n); discrete columns by their codes. A constant column correlates with nothing."""
    n = data.n_columns
    standard = np.zeros((-(-n // TILE) * TILE, data.n_rows))
    for row, column in zip(standard, data.columns, strict=False):  # the rest is padding
        row[:] = _standardized(column.values.astype(np.float64))
    corr: FloatArray = np.clip(_products(standard)[:n, :n], -1.0, 1.0)
    np.fill_diagonal(corr, 1.0)
    return corr


def _products(standard: FloatArray) -> FloatArray:
    """standard @ standard.T by a kernel: threads of BLAS can hold up so small a product for a tenth of a second."""
    products = np.zeros((len(standard), len(standard)))
    n_rows = max(LEAST_ROWS, LONGEST_CALL // max(len(standard), 1) ** 2)
    for first in range(0, standard.shape[1], n_rows):
        add_products(standard[:, first : first + n_rows], 0, len(standard), products)
    lower = np.tril(products)
    return lower + np.tril(lower, -1).T


def _standardized(values: FloatArray) -> FloatArray:
    """Mean 0 and sum of squares 1, or all 0. Moved to [0, 1] first, in halves: neither 1e300 nor 1e-300 is squared."""
    low, high = 0.5 * values.min(), 0.5 * values.max()
    if high == low:
        return np.zeros_like(values)
    unit: FloatArray = (0.5 * values - low) / (high - low)
    unit -= unit.mean()
    unit /= np.sqrt(np.sum(unit * unit))
    return unit


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
