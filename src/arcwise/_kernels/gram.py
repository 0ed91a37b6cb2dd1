"""Sums of products of all pairs of columns."""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def gram(rows):
    """out[a, b] = sum_i rows[i, a] rows[i, b], lower triangle only. O(N n^2).

    Four rows at a time, so that each sum is loaded and stored a quarter as often; the inner loop runs over columns,
    whose sums do not wait for each other.
    """
    n_rows, n = rows.shape
    out = np.zeros((n, n))
    whole = n_rows - n_rows % 4
    for i in range(0, whole, 4):
        for a in range(n):
            p, q, r, s = rows[i, a], rows[i + 1, a], rows[i + 2, a], rows[i + 3, a]
            for b in range(a + 1):
                out[a, b] += p * rows[i, b] + q * rows[i + 1, b] + r * rows[i + 2, b] + s * rows[i + 3, b]
    for i in range(whole, n_rows):
        for a in range(n):
            for b in range(a + 1):
                out[a, b] += rows[i, a] * rows[i, b]
    return out
