"""Exact search over subsets of columns: which parent sets can be best, and the best network on every subset.

Sets of one size come in colexicographic order: by the largest member, then the second largest, and so on. The set
{c_0 < c_1 < ...} then stands at place C(c_0, 1) + C(c_1, 2) + ..., which `binomials[a, b]` = C(a, b) gives.
"""

import math

import numpy as np

from arcwise._kernels.compiled import kernel
from arcwise._kernels.types import BoolArray, FloatArray, IntArray


@kernel
def combinations(m: int, size: int, count: int) -> IntArray:
    """All `count` sets of `size` of the numbers 0..m-1, (count, size), in colexicographic order."""
    sets = np.empty((count, size), dtype=np.int64)
    row = np.arange(size)
    for i in range(count):
        for e in range(size):
            sets[i, e] = row[e]
        e = 0  # the first member that can move up; those before it start again
        while e < size - 1 and row[e] + 1 == row[e + 1]:
            row[e] = e
            e += 1
        if size > 0:
            row[e] += 1
    return sets


@kernel
def undominated(
    sets: IntArray, scores: FloatArray, below: FloatArray, binomials: IntArray, margin: float
) -> tuple[FloatArray, BoolArray]:
    """(best, keep): keep[i] where sets[i] scores higher than every kept subset by more than margin (1 + |its score|).

    best[i]: the highest score of a kept set among sets[i] and its subsets; `below` is this of the sets one smaller.
    """
    count, size = sets.shape
    best = np.empty(count)
    keep = np.zeros(count, dtype=np.bool_)
    for i in range(count):
        place = 0  # of sets[i] without its first member; later ones by exchanging one term
        for e in range(1, size):
            place += binomials[sets[i, e], e]
        most = below[place]
        for e in range(1, size):
            place += binomials[sets[i, e - 1], e] - binomials[sets[i, e], e]
            most = max(most, below[place])
        keep[i] = scores[i] > most + margin * (1.0 + abs(most))
        best[i] = scores[i] if keep[i] else most
    return best, keep


@kernel
def best_networks(
    highs: IntArray, low_bits: int, n: int, children: IntArray, masks: IntArray, scores: FloatArray, best: FloatArray
) -> None:
    """best[W] = max over s in W of best[W - s] + max over P in W - s of score(s, P), for whole blocks of subsets W.

    W is the number whose bits are its members, and its block the bits from low_bits up. All blocks that are subsets
    of one of `highs` must be done, or stand before it in `highs`. Parent set i of children[i] has the members masks[i].
    table[low, s]: the best score of s with parents in the subset (high, low). O(2^low_bits n low_bits) a block.
    """
    size = 1 << low_bits
    table = np.empty((size, n))
    for high in highs:
        table[:] = -math.inf
        for i in range(masks.shape[0]):
            if (masks[i] >> low_bits) & ~high == 0:
                low = masks[i] & (size - 1)
                table[low, children[i]] = max(table[low, children[i]], scores[i])
        for low in range(size):
            for u in range(low_bits):
                if low >> u & 1:
                    part = low ^ (1 << u)
                    for s in range(n):
                        table[low, s] = max(table[low, s], table[part, s])
            whole = high << low_bits | low
            most = 0.0 if whole == 0 else -math.inf
            for s in range(n):
                if whole >> s & 1:
                    most = max(most, best[whole ^ (1 << s)] + table[low, s])
            best[whole] = most
