"""The correlation matrix of a table, safe for any finite numbers, and the columns that it shows to be redundant."""

from __future__ import annotations

import numpy as np

from arcwise._kernels.products import TILE, add_products
from arcwise.data.dataset import Dataset, FloatArray

NEGLIGIBLE = 1e-10  # less of its variance than this, and a column is taken for a linear function of others
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
    kept: list[int] = []
    found: dict[int, tuple[int, ...]] = {}
    for j in range(len(corr)):
        weights = np.linalg.solve(corr[np.ix_(kept, kept)], corr[kept, j]) if kept else np.empty(0)
        if 1.0 - corr[kept, j] @ weights > NEGLIGIBLE:
            kept.append(j)
        else:
            found[j] = tuple(u for u, weight in zip(kept, weights, strict=True) if abs(weight) > 1e-3)
    return found


def _independent(corr: FloatArray) -> bool:
    try:
        return bool((np.diag(np.linalg.cholesky(corr)) ** 2 > NEGLIGIBLE).all())
    except np.linalg.LinAlgError:
        return False
