"""Sums of products of the rows of a matrix."""

from numba import njit

TILE = 4  # the number of rows must be a multiple of this; pad with zeros


# Sums may be taken in another order (in lanes), the same one at every call.
@njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})
def add_products(values, products):
    """products += values values', its upper triangle only. values (d, N), d a multiple of TILE.

    Four rows against two at a time: each number that is read serves two or four products.
    """
    d, n = values.shape
    for i in range(0, d, TILE):
        for j in range(i, d, 2):
            a0 = a1 = a2 = a3 = b0 = b1 = b2 = b3 = 0.0
            for r in range(n):
                x, y = values[j, r], values[j + 1, r]
                v0, v1, v2, v3 = values[i, r], values[i + 1, r], values[i + 2, r], values[i + 3, r]
                a0 += v0 * x
                a1 += v1 * x
                a2 += v2 * x
                a3 += v3 * x
                b0 += v0 * y
                b1 += v1 * y
                b2 += v2 * y
                b3 += v3 * y
            products[i, j] += a0
            products[i + 1, j] += a1
            products[i + 2, j] += a2
            products[i + 3, j] += a3
            products[i, j + 1] += b0
            products[i + 1, j + 1] += b1
            products[i + 2, j + 1] += b2
            products[i + 3, j + 1] += b3
