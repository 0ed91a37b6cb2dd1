"""Conditional information from counts, given any number of columns: no table of all joint states is laid out.

N I(X; Y | Z) = sum F(n_xyz) - sum F(n_xz) - sum F(n_yz) + sum F(n_z),    F(k) = k ln k

The joint states that occur are numbered column by column, so there are never more numbers than rows. Of the cells only
matters how many of them have k rows: m_k, those of xz and yz counted negatively, and then the sum is sum_k m_k F(k).
It depends neither on the order of the rows nor on that of the columns, and what cancels does so exactly.
"""

from math import log

import numpy as np

from arcwise._kernels.compiled import inner, kernel

EMPTY = -1
GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: spreads consecutive keys


@kernel
def informations(codes, cards, x, y, sets):
    """I(x; y | S) in nats for each row S of `sets` (padded with -1). O(N |S|) each."""
    n = codes.shape[1]
    out = np.empty(sets.shape[0])
    bits = 10
    while (1 << bits) < 4 * n:
        bits += 1
    slots = np.empty(1 << bits, dtype=np.int32)
    keys = np.empty(1 << bits, dtype=np.int64)
    z, other, with_x = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int32)
    rows = np.empty(n, dtype=np.int32)
    cells = np.zeros(n + 1, dtype=np.int64)  # m_k
    for s in range(sets.shape[0]):
        z[:] = 0
        of_z = 1
        for a in range(sets.shape[1]):
            u = sets[s, a]
            if u >= 0:
                of_z = _number(z, of_z, codes[u], cards[u], other, slots, keys, bits)
                z, other = other, z
        of_x = _number(z, of_z, codes[x], cards[x], with_x, slots, keys, bits)
        _tally(with_x, of_x, rows, cells, -1)
        _tally(z, of_z, rows, cells, 1)
        of_y = _number(z, of_z, codes[y], cards[y], other, slots, keys, bits)
        _tally(other, of_y, rows, cells, -1)
        of_both = _number(with_x, of_x, codes[y], cards[y], other, slots, keys, bits)
        _tally(other, of_both, rows, cells, 1)
        total = 0.0
        for k in range(n + 1):
            if cells[k] != 0:
                total += cells[k] * (k * log(float(k)))
                cells[k] = 0
        out[s] = max(0.0, total / n)
    return out


@inner
def _number(ids, size, column, card, out, slots, keys, bits):
    """out[i]: number of the pair (ids[i], column[i]) among those that occur; how many there are. ids < size."""
    if size * card > slots.shape[0]:
        return _number_many(ids, column, card, out, slots, keys, bits)
    slots[: size * card] = EMPTY
    found = 0
    for i in range(ids.shape[0]):
        c = np.uint32(ids[i]) * np.uint32(card) + np.uint32(column[i])
        if slots[c] == EMPTY:
            slots[c] = found
            found += 1
        out[i] = slots[c]
    return found


@inner
def _number_many(ids, column, card, out, slots, keys, bits):
    """The same for more pairs than slots, by hashing with linear probing; a quarter of the slots is used at most."""
    slots[:] = EMPTY
    found = 0
    last = np.uint64(slots.shape[0] - 1)
    shift = np.uint64(64 - bits)
    for i in range(ids.shape[0]):
        key = np.int64(ids[i]) * card + column[i]
        c = (np.uint64(key) * GOLDEN) >> shift
        while slots[c] != EMPTY and keys[c] != key:
            c = (c + np.uint64(1)) & last
        if slots[c] == EMPTY:
            slots[c] = found
            keys[c] = key
            found += 1
        out[i] = slots[c]
    return found


@inner
def _tally(ids, size, rows, cells, sign):
    """Count the rows of each number, and with this sign the numbers with so many rows."""
    rows[:size] = 0
    for i in range(ids.shape[0]):
        rows[ids[i]] += 1
    for c in range(size):
        cells[rows[c]] += sign
