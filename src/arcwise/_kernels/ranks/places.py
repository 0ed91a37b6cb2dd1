"""The cell of each value, by a guide that leaves few cells to search.

A position is a whole number that never falls where values rise: by distance, (x - lowest) scale, for values that are
spread over their range, or by bits, those of the value as a whole number (see `selection`) but the last few, for values
that are spread over magnitudes. So only the cells that begin at the same position as a value have to be searched.
"""

import numpy as np
from numpy.typing import NDArray

from arcwise._kernels.compiled import lean, lean_kernel
from arcwise._kernels.ranks.selection import _key
from arcwise._kernels.types import FloatArray


@lean
def _position(value, bits, lowest, scale, first, shift, last):
    """scale above 0: by distance; else by bits."""
    if scale > 0.0:
        distance = (value - lowest) * scale  # infinite where the difference is no number
        if distance >= last:
            return last
        return np.intp(distance) if distance > 0.0 else np.intp(0)
    key = _key(bits)
    if key <= first:
        return np.intp(0)
    distance_in_bits = (key - first) >> shift
    return last if distance_in_bits >= np.uint64(last) else np.intp(distance_in_bits)


@lean_kernel
def fill_guide(
    cuts: FloatArray,
    bits: NDArray[np.uint64],
    lowest: float,
    scale: float,
    first: np.uint64,
    shift: np.uint64,
    guide: NDArray[np.int32],
) -> None:
    """guide[p] becomes the number of cells that begin before position p; it has zeros, and one more than positions."""
    positions = guide.shape[0] - 1
    for i in range(cuts.shape[0]):
        guide[_position(cuts[i], bits[i], lowest, scale, first, shift, np.intp(positions - 1)) + 1] += 1
    for p in range(positions):
        guide[p + 1] += guide[p]


@lean_kernel
def find_places(
    values: FloatArray,
    value_bits: NDArray[np.uint64],
    cuts: FloatArray,
    lowest: float,
    scale: float,
    first: np.uint64,
    shift: np.uint64,
    guide: NDArray[np.int32],
    out: NDArray[np.intp],
) -> None:
    """out[row] becomes the last cell that begins at the value or below, 0 where there is none."""
    last = np.intp(guide.shape[0] - 2)
    for row in range(values.shape[0]):
        value = values[row]
        p = _position(value, value_bits[row], lowest, scale, first, shift, last)
        low, high = np.intp(guide[p]), np.intp(guide[p + 1])
        while low < high:
            middle = (low + high) // 2
            if cuts[middle] <= value:
                low = middle + 1
            else:
                high = middle
        out[row] = low - 1 if low > 0 else low


@lean_kernel
def key_of(bits: np.uint64) -> np.uint64:
    """The key of a number with these bits."""
    return _key(bits)
