"""How large families are."""

import numpy as np

from arcwise._kernels.compiled import kernel
from arcwise._kernels.types import FloatArray, IntArray


@kernel
def sizes(parent_sets: IntArray) -> FloatArray:
    """How many parents each set has; -1 is none."""
    found = np.zeros(parent_sets.shape[0])
    for s in range(parent_sets.shape[0]):
        for m in range(parent_sets.shape[1]):
            found[s] += parent_sets[s, m] >= 0
    return found
