"""Values by their place in the order of a long column, found by counting instead of sorting.

A float64 is read as a whole number, its *key*, so that keys are in the order of the numbers: of a negative number all
bits are turned around, of another one the sign alone, and both zeros have one key. Rows are counted by the first bits
of their keys, then those with the right first bits by the next ones, until few enough are left to be sorted. NaN stands
for a missing cell and counts nowhere. weights: how often each row counts; empty: once.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arcwise._kernels.compiled import lean, lean_kernel

SIGN = np.uint64(1 << 63)
MAGNITUDE = np.uint64((1 << 63) - 1)
INFINITE = np.uint64(0x7FF << 52)
LAST_BIT = np.uint64(63)
TOP_BITS = 16
TOP_SHIFT = np.uint64(64 - TOP_BITS)
EMPTY = np.uint64(0)  # no number has this key: it would be a NaN
THIRD, TWO_THIRDS, ONE = np.uint64(20), np.uint64(40), np.uint64(1)  # numbers differ in some bits or others
KeyArray = NDArray[np.uint64]


class Prefixes(NamedTuple):
    """First bits of keys, ascending, all but the last `shift` bits; starts: where those with each top bits begin."""

    first: KeyArray
    starts: NDArray[np.intp]
    shift: int


@lean
def _key(bits):
    if bits == SIGN:
        return SIGN
    return ~bits if bits >> LAST_BIT else bits | SIGN


@lean
def _place(prefixes, starts, key, shift):
    """Where the first bits of the key stand among the prefixes, which ascend; -1: nowhere.

    starts[t], starts[t + 1]: where those with the top bits t begin and end, mostly at one place.
    """
    top = np.intp(key >> TOP_SHIFT)
    low, high, end, prefix = starts[top], starts[top + 1], starts[top + 1], key >> shift
    while low < high:
        middle = (low + high) // 2
        if prefixes[middle] < prefix:
            low = middle + 1
        else:
            high = middle
    return low if low < end and prefixes[low] == prefix else np.intp(-1)


@lean_kernel
def tally_top(bits: KeyArray, weights: NDArray[np.int64], out: NDArray[np.int64]) -> None:
    """Add to out[t] the rows whose key begins with the TOP_BITS bits t."""
    weighted = weights.shape[0] > 0
    for row in range(bits.shape[0]):
        if bits[row] & MAGNITUDE <= INFINITE:
            out[np.intp(_key(bits[row]) >> TOP_SHIFT)] += weights[row] if weighted else 1


@lean_kernel
def tally_next(
    bits: KeyArray, weights: NDArray[np.int64], prefixes: Prefixes, width: int, out: NDArray[np.int64]
) -> None:
    """Add to out[i, d] the rows whose key begins with prefix i and goes on with the `width` bits d."""
    weighted, behind = weights.shape[0] > 0, np.uint64(prefixes.shift)
    first, starts = prefixes.first, prefixes.starts
    last, mask = np.uint64(prefixes.shift - width), np.uint64((1 << width) - 1)
    for row in range(bits.shape[0]):
        if bits[row] & MAGNITUDE <= INFINITE:
            key = _key(bits[row])
            i = _place(first, starts, key, behind)
            if i >= 0:
                out[i, np.intp((key >> last) & mask)] += weights[row] if weighted else 1


@lean_kernel
def gather_keys(
    bits: KeyArray, weights: NDArray[np.int64], prefixes: Prefixes, keys: KeyArray, counts: NDArray[np.int64]
) -> int:
    """Write the keys that begin with one of the prefixes, and how often they count; their number."""
    weighted, found, behind = weights.shape[0] > 0, 0, np.uint64(prefixes.shift)
    first, starts = prefixes.first, prefixes.starts
    for row in range(bits.shape[0]):
        if bits[row] & MAGNITUDE <= INFINITE:
            key = _key(bits[row])
            if _place(first, starts, key, behind) >= 0:
                keys[found] = key
                counts[found] = weights[row] if weighted else 1
                found += 1
    return found


@lean_kernel
def note_distinct(bits: KeyArray, table: KeyArray, most: int) -> None:
    """Put the keys of different numbers into a hash table, no more than most + 1 of them.

    table: a power of two of slots, at most 2^32, more than twice `most`; EMPTY where there is no key.
    """
    slots, before, found = np.uint64(table.shape[0] - 1), EMPTY, 0
    for row in range(bits.shape[0]):
        if bits[row] & MAGNITUDE > INFINITE:
            continue
        key = _key(bits[row])
        if key == before:
            continue
        before = key
        slot = (key ^ (key >> THIRD) ^ (key >> TWO_THIRDS)) & slots
        while table[slot] != EMPTY and table[slot] != key:
            slot = (slot + ONE) & slots
        if table[slot] == EMPTY:
            table[slot] = key
            found += 1
            if found > most:
                return
