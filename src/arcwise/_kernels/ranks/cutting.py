"""Levels of numbers between thresholds, written where they are wanted: no array as long as the column is made."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcwise._kernels.compiled import lean, lean_kernel
from arcwise._kernels.types import FloatArray

FEW_CUTS = 8


@lean
def _level(cuts, value):
    """The number of thresholds <= value; few are all looked at, as that takes no branch."""
    if cuts.shape[0] <= FEW_CUTS:
        level = 0
        for cut in cuts:
            level += cut <= value
        return level
    low, high = 0, cuts.shape[0]
    while low < high:
        middle = (low + high) // 2
        if cuts[middle] <= value:
            low = middle + 1
        else:
            high = middle
    return low


@lean_kernel
def write_levels(values: FloatArray, cuts: FloatArray, out: NDArray[Any]) -> None:
    """The level of each value; 0 where it is missing, NaN."""
    for row in range(values.shape[0]):
        value = values[row]
        out[row] = 0 if np.isnan(value) else _level(cuts, value)


@lean_kernel
def tally_levels(values: FloatArray, weights: NDArray[np.int64], cuts: FloatArray, out: NDArray[np.int64]) -> None:
    """Add to out[k] the rows of level k; missing ones count nowhere. weights: how often; empty: once."""
    weighted = weights.shape[0] > 0
    for row in range(values.shape[0]):
        value = values[row]
        if not np.isnan(value):
            out[_level(cuts, value)] += weights[row] if weighted else 1
