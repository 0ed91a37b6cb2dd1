"""The Gaussian kernel of one column by a few of its values, and features made of them.

k(x, y) = exp(factor (x - y)^2), factor = -1 / (2 sigma^2), so k(x, x) = 1. Pivots p_1..p_M are values of the column
with K ~ G G', G = k(x, p) T^-T and T the Cholesky factor of k(p, p) (Fine and Scheinberg 2001).
"""

from typing import NamedTuple

import numpy as np

from arcwise._kernels.compiled import inner, kernel
from arcwise._kernels.types import FloatArray

EXHAUSTED = 1e-13  # a residual this small is rounding: every distinct value is a pivot or as good as one
FAST = {"reassoc", "contract", "nsz"}  # sums of products by vector instructions; no value is assumed to be finite
STRETCH = 512  # rows at a time: a stretch of every feature of a column stays in the first cache


class Approximation(NamedTuple):
    """K ~ G G' by M pivots: T (M, M) lower triangular, the mean of G, its centred G'G, and the trace that is left."""

    pivots: FloatArray
    triangle: FloatArray
    mean: FloatArray
    scatter: FloatArray
    left: float


@inner
def next_pivot(x, residual):
    """Row with the largest residual; of equals the value nearest to 0, then the smaller one.

    At first all residuals are 1. Equal values have equal residuals, so the order of rows does not decide.
    """
    best = 0
    for i in range(1, x.shape[0]):
        if residual[i] < residual[best]:
            continue
        if residual[i] > residual[best]:
            best = i
        elif abs(x[i]) < abs(x[best]) or (abs(x[i]) == abs(x[best]) and x[i] < x[best]):
            best = i
    return best


@kernel(fastmath=FAST)
def incomplete_cholesky(x: FloatArray, factor: float, tolerance: float, max_rank: int) -> Approximation:
    """Of the kernel matrix of x, until the trace of K - GG' is at most `tolerance`. O(N M^2); memory O(N M)."""
    n = x.shape[0]
    max_rank = min(max_rank, n)
    residual = np.empty(n)
    for i in range(n):
        residual[i] = 1.0
    left = float(n)
    features = np.empty((min(16, max_rank), n))  # row j is column j of G
    rows = np.empty(max_rank, dtype=np.intp)
    rank = 0
    while rank < max_rank and left > tolerance:
        row = next_pivot(x, residual)
        if residual[row] <= EXHAUSTED:
            break
        if rank == features.shape[0]:
            grown = np.empty((min(2 * rank, max_rank), n))
            for j in range(rank):
                for i in range(n):
                    grown[j, i] = features[j, i]
            features = grown
        root = np.sqrt(residual[row])
        pivot = x[row]
        feature = features[rank]
        for i in range(n):
            feature[i] = np.exp(factor * (x[i] - pivot) ** 2)
        for j in range(rank):
            weight = features[j, row]
            earlier = features[j]
            for i in range(n):
                feature[i] -= weight * earlier[i]
        left = 0.0
        for i in range(n):
            feature[i] /= root
            residual[i] = max(residual[i] - feature[i] * feature[i], 0.0)
            left += residual[i]
        residual[row] = 0.0
        rows[rank] = row
        rank += 1
    return _summary(x, features, rows[:rank], left)


@inner(fastmath=FAST)
def _summary(x, features, rows, left):
    """What is kept of G: its rows at the pivots, its column means and its centred cross-products."""
    rank, n = rows.shape[0], x.shape[0]
    triangle = np.zeros((rank, rank))
    mean = np.zeros(rank)
    for j in range(rank):
        for k in range(j + 1):
            triangle[j, k] = features[k, rows[j]]
    for j in range(rank):
        mean[j] = _sum(features[j]) / n
        for i in range(n):
            features[j, i] -= mean[j]
    scatter = np.empty((rank, rank))
    for j in range(rank):
        for k in range(j + 1):
            one, other = features[j], features[k]
            total = 0.0
            for i in range(n):
                total += one[i] * other[i]
            scatter[j, k] = scatter[k, j] = total
    pivots = np.empty(rank)
    for j in range(rank):
        pivots[j] = x[rows[j]]
    return Approximation(pivots, triangle, mean, scatter, left)


@inner
def _sum(row):
    """One number after the other, unlike the sums of products: a mean that depends on the machine shifts everything."""
    total = 0.0
    for i in range(row.shape[0]):
        total += row[i]
    return total


@kernel(fastmath=FAST)
def gaussian_features(
    x: FloatArray, factor: float, pivots: FloatArray, weights: FloatArray, shift: FloatArray, out: FloatArray
) -> None:
    """out[m, i] = sum_j k(x_i, p_j) weights[j, m] - shift[m]."""
    buffer = np.empty(STRETCH)
    for start in range(0, x.shape[0], STRETCH):
        piece = x[start : start + STRETCH]
        kernel = buffer[: piece.shape[0]]
        for j in range(pivots.shape[0]):
            for i in range(piece.shape[0]):
                kernel[i] = np.exp(factor * (piece[i] - pivots[j]) ** 2)
            for m in range(out.shape[0]):
                row = out[m, start : start + STRETCH]
                weight = weights[j, m]
                if j == 0:
                    for i in range(piece.shape[0]):
                        row[i] = -shift[m]
                for i in range(piece.shape[0]):
                    row[i] += weight * kernel[i]
