"""Sums of products of the rows of two matrices."""

from arcwise._kernels.compiled import kernel
from arcwise._kernels.types import FloatArray

TILE = 4  # the number of rows of the matrix must be a multiple of this; pad with zeros
STRETCH = 512  # columns of the matrix at a time: a stretch of some rows stays in the first cache


@kernel(fastmath={"reassoc", "contract", "nsz"})  # sums by vector instructions
def add_products(left: FloatArray, right: FloatArray, first: int, last: int, out: FloatArray) -> None:
    """out[a, b] += sum_i left[a, i] right[b, i] for a in first..last-1 and b up to a, two by four at a time.

    left, right (d, rows) with d a multiple of TILE, first and last even: the same values, or one of them weighted.
    Every sum is formed in the same way whatever the rows asked for, so that the division of the work cannot change it.
    Some entries above the diagonal are filled too.
    """
    n = left.shape[1]
    for start in range(0, n, STRETCH):
        stop = min(start + STRETCH, n)
        for a in range(first, last, 2):
            for b in range(0, a + 2, 4):
                s0 = s1 = s2 = s3 = t0 = t1 = t2 = t3 = 0.0
                for i in range(start, stop):
                    u, v = left[a, i], left[a + 1, i]
                    w, x = right[b, i], right[b + 1, i]
                    y, z = right[b + 2, i], right[b + 3, i]
                    s0 += u * w
                    s1 += u * x
                    s2 += u * y
                    s3 += u * z
                    t0 += v * w
                    t1 += v * x
                    t2 += v * y
                    t3 += v * z
                out[a, b] += s0
                out[a, b + 1] += s1
                out[a, b + 2] += s2
                out[a, b + 3] += s3
                out[a + 1, b] += t0
                out[a + 1, b + 1] += t1
                out[a + 1, b + 2] += t2
                out[a + 1, b + 3] += t3
