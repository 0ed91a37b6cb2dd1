"""Joining the levels of a sorted column: what it loses, the cheapest join again and again, and the best joins of all.

Level k = 0..m-1 holds the rows starts[k] to starts[k + 1] - 1; threshold k stands in front of level k. A *part* groups
the rows (see sweep.py) and adds sign[p] * sum F(count) over levels and groups, F(k) = k ln k, to the information.
Joining neighbours a and b changes it only where a group occurs in both:

    loss(a, b) = - sum_p sign[p] * sum over common groups of F(n_a + n_b) - F(n_a) - F(n_b)

A level's counts are kept sparse in the place of its rows: from starts[k] on, groups[p] lists the lengths[p, k] groups
that occur, in increasing order, and counts[p] how often. Sums run in that order, so that the order of tied rows does
not change them, not even in the last bit.
"""

import math
from typing import NamedTuple

import numpy as np

from arcwise._kernels.compiled import kernel, lean
from arcwise._kernels.counts.counting import sort
from arcwise._kernels.types import FloatArray, Int32Array, IntArray, UInt32Array


class Levels(NamedTuple):
    """groups, counts (parts, N) and lengths (parts, m): see above; f: F, tabulated."""

    groups: Int32Array
    counts: Int32Array
    lengths: Int32Array
    starts: IntArray
    signs: FloatArray
    f: FloatArray

    @property
    def n_levels(self) -> int:
        return len(self.starts) - 1


class Thresholds(NamedTuple):
    """Of removing one after the other. before[k], after[k]: the levels next to level k.

    losses[k]: of removing threshold k; keys[k]: the same in steps of a grain, so that rounding breaks no tie; rows[k]:
    of the two levels it parts. tree: see start_tournament. path[i], lost[i]: the i-th threshold to go and its loss
    then. spare: entries of a level that is being joined.
    """

    before: IntArray
    after: IntArray
    losses: FloatArray
    keys: FloatArray
    rows: IntArray
    tree: Int32Array
    path: Int32Array
    lost: FloatArray
    spare: Int32Array


class Stretches(NamedTuple):
    """best[b, k]: information of the levels 0..b cut into k + 1 stretches; cuts[b, k]: where the last of them begins.

    tally[offsets[p] + group]: counts of a stretch, zero between two uses.
    """

    best: FloatArray
    cuts: Int32Array
    tally: Int32Array
    offsets: IntArray


@kernel
def count_levels(codes: UInt32Array, levels: Levels) -> None:
    """Fill groups, counts and lengths. A little more than O(N log N) a part."""
    groups, counts, lengths, starts = levels.groups, levels.counts, levels.lengths, levels.starts
    for p in range(codes.shape[0]):
        for k in range(starts.shape[0] - 1):
            slot = starts[k]
            if starts[k + 1] - slot == 1:
                groups[p, slot] = codes[p, slot]
                counts[p, slot] = 1
                lengths[p, k] = 1
                continue
            ordered = codes[p, starts[k] : starts[k + 1]].copy()
            sort(ordered)
            groups[p, slot] = ordered[0]
            counts[p, slot] = 1
            for j in range(1, ordered.shape[0]):
                if ordered[j] != ordered[j - 1]:
                    slot += 1
                    groups[p, slot] = ordered[j]
                    counts[p, slot] = 0
                counts[p, slot] += 1
            lengths[p, k] = slot + 1 - starts[k]


@kernel
def information(levels: Levels) -> float:
    """sum_p sign[p] * sum F(count) over levels and groups."""
    counts, lengths, starts = levels.counts, levels.lengths, levels.starts
    total = 0.0
    for p in range(counts.shape[0]):
        part = 0.0
        for k in range(lengths.shape[1]):
            for j in range(starts[k], starts[k] + lengths[p, k]):
                part += levels.f[counts[p, j]]
        total += levels.signs[p] * part
    return total


@lean
def _loss(levels, a, b):
    groups, counts, lengths, starts, signs, f = levels
    total = 0.0
    for p in range(groups.shape[0]):
        i = starts[a]
        j = starts[b]
        end_a = i + lengths[p, a]
        end_b = j + lengths[p, b]
        overlap = 0.0
        while i < end_a and j < end_b:
            if groups[p, i] < groups[p, j]:
                i += 1
            elif groups[p, i] > groups[p, j]:
                j += 1
            else:
                overlap += f[counts[p, i] + counts[p, j]] - f[counts[p, i]] - f[counts[p, j]]
                i += 1
                j += 1
        total -= signs[p] * overlap
    return total


@kernel
def single_losses(levels: Levels) -> FloatArray:
    """out[k]: what removing threshold k alone loses; out[0] is infinite. O(total table size)."""
    out = np.empty(levels.lengths.shape[1])
    out[0] = math.inf
    for k in range(1, out.shape[0]):
        out[k] = _loss(levels, k - 1, k)
    return out


@lean
def _join(levels, a, b, spare):
    """Add the counts of level b to those of level a; returns how many entries were touched.

    Only a's entries are moved aside: the joint list, written from starts[a] on, never overtakes what is unread of b.
    """
    groups, counts, lengths, starts = levels.groups, levels.counts, levels.lengths, levels.starts
    touched = 0
    for p in range(groups.shape[0]):
        la = lengths[p, a]
        for i in range(la):
            spare[0, i] = groups[p, starts[a] + i]
            spare[1, i] = counts[p, starts[a] + i]
        i = 0
        j = starts[b]
        end = starts[b] + lengths[p, b]
        out = starts[a]
        while i < la or j < end:
            if j == end or (i < la and spare[0, i] < groups[p, j]):
                groups[p, out] = spare[0, i]
                counts[p, out] = spare[1, i]
                i += 1
            elif i == la or groups[p, j] < spare[0, i]:
                groups[p, out] = groups[p, j]
                counts[p, out] = counts[p, j]
                j += 1
            else:
                groups[p, out] = spare[0, i]
                counts[p, out] = spare[1, i] + counts[p, j]
                i += 1
                j += 1
            out += 1
        lengths[p, a] = out - starts[a]
        touched += la + lengths[p, b]
    return touched


@lean
def _play(tree, keys, rows, node):
    """The cheaper of a node's two thresholds: by key, then by the rows that would be joined, then the lower one."""
    one = tree[2 * node]
    other = tree[2 * node + 1]
    if keys[other] < keys[one] or (keys[other] == keys[one] and rows[other] < rows[one]):
        one = other
    tree[node] = one


@kernel
def start_tournament(keys: FloatArray, rows: IntArray) -> Int32Array:
    """A tree whose root, tree[1], is the cheapest threshold; leaves beyond m repeat threshold 0, which never wins."""
    width = 1
    while width < keys.shape[0]:
        width *= 2
    tree = np.zeros(2 * width, dtype=np.int32)
    for k in range(keys.shape[0]):
        tree[width + k] = k
    for node in range(width - 1, 0, -1):
        _play(tree, keys, rows, node)
    return tree


@lean
def _replay(tree, keys, rows, k):
    node = (tree.shape[0] // 2 + k) // 2
    while node > 0:
        _play(tree, keys, rows, node)
        node //= 2


@lean
def _value(levels, thresholds, k, grain):
    """Work out threshold k again, between the levels that are now beside it."""
    low, high = thresholds.before[k], thresholds.after[k]
    thresholds.rows[k] = levels.starts[high] - levels.starts[low]
    thresholds.losses[k] = _loss(levels, low, k)
    thresholds.keys[k] = np.rint(thresholds.losses[k] / grain)
    _replay(thresholds.tree, thresholds.keys, thresholds.rows, k)


@kernel
def remove_cheapest(levels: Levels, thresholds: Thresholds, grain: float, done: int, work: int) -> int:
    """Remove the cheapest threshold again and again, up to about `work` entries; returns how many are gone in all."""
    before, after, tree = thresholds.before, thresholds.after, thresholds.tree
    m = before.shape[0]
    while done < m - 1 and work > 0:
        b = tree[1]
        a = before[b]
        c = after[b]
        thresholds.path[done] = b
        thresholds.lost[done] = thresholds.losses[b]
        done += 1
        work -= _join(levels, a, b, thresholds.spare) + levels.groups.shape[0]
        thresholds.keys[b] = math.inf
        _replay(tree, thresholds.keys, thresholds.rows, b)
        after[a] = c
        if c < m:
            before[c] = a
            _value(levels, thresholds, c, grain)
        if a > 0:
            _value(levels, thresholds, a, grain)
    return done


@kernel
def best_joins(levels: Levels, stretches: Stretches, margin: float, first: int, last: int) -> None:
    """Fill best[b] and cuts[b] for b = first..last - 1; of cuts within `margin` of the best the lowest.

    The stretch a..b grows downwards, so that its information is the sum of F(n + count) - F(n). O(m (entries of all
    levels + k)) a b.
    """
    groups, counts, lengths, starts, signs, f = levels
    best, cuts, tally, offsets = stretches
    for b in range(first, last):
        value = 0.0
        for a in range(b, -1, -1):
            for p in range(groups.shape[0]):
                gain = 0.0
                for j in range(starts[a], starts[a] + lengths[p, a]):
                    cell = offsets[p] + groups[p, j]
                    gain += f[tally[cell] + counts[p, j]] - f[tally[cell]]
                    tally[cell] += counts[p, j]
                value += signs[p] * gain
            if a == 0:
                best[b, 0] = value
            for k in range(1, min(a, best.shape[1] - 1) + 1):
                candidate = best[a - 1, k - 1] + value
                if candidate >= best[b, k] - margin:  # a falls, so a tie goes to the lower threshold
                    cuts[b, k] = a
                    best[b, k] = max(best[b, k], candidate)
        for a in range(b + 1):
            for p in range(groups.shape[0]):
                for j in range(starts[a], starts[a] + lengths[p, a]):
                    tally[offsets[p] + groups[p, j]] = 0
