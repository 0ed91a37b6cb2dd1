"""F(k) = k ln k, of which every likelihood of counts is made."""

from math import log

import numpy as np

from arcwise._kernels.compiled import kernel, lean
from arcwise._kernels.types import FloatArray


@lean
def k_ln_k(k):
    """F(k) for k > 0."""
    return k * log(float(k))


@lean
def look_up(table, k):
    """The same, by the table if it goes so far."""
    return table[k] if k < table.shape[0] else k_ln_k(k)


@kernel
def tabulate(size: int) -> FloatArray:
    """F(0) = 0, F(1), ..., F(size - 1)."""
    table = np.zeros(size)
    for k in range(1, size):
        table[k] = k_ln_k(k)
    return table
