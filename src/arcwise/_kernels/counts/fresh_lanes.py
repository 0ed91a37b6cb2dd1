"""Lanes (counting.py) of long tables, which are not kept: packed for some rows at a time, counted, and packed over.

A column's lanes are a pattern of bytes for each of its levels; where they lie within one word, as mostly, a row's
pattern is one addition.
"""

import numpy as np

from arcwise._kernels.compiled import inner, kernel
from arcwise._kernels.counts.counting import Block, Shape, tally_lanes
from arcwise._kernels.types import Int32Array, IntArray

ROWS = 1 << 11  # at a time: their lanes stay in the second-level cache


@inner
def _pack(block, shape, first, lanes):
    """Lanes of the rows from `first` on, (rows, words)."""
    n_rows = lanes.shape[0]
    for i in range(n_rows):
        for w in range(lanes.shape[1]):
            lanes[i, w] = 0
    for u in range(shape.cards.shape[0]):
        start = shape.lane_of[u]
        if start < 0:
            continue
        codes, card = block.codes[u][first : first + n_rows], shape.cards[u]
        pattern = np.zeros((card, 3), dtype=np.uint64)  # at most 15 bytes: parts of three words
        for a in range(1, card):
            lane = start + a - 1
            pattern[a, lane // 8 - start // 8] = np.uint64(1) << np.uint64(8 * (lane % 8))
        for part in range((start + card - 2) // 8 - start // 8 + 1 if card > 1 else 0):
            w = start // 8 + part
            for i in range(n_rows):
                lanes[i, w] |= pattern[codes[i], part]


@kernel
def tally_fresh_lanes(block: Block, shape: Shape, members: IntArray, totals: Int32Array, table: Int32Array) -> None:
    """Add this block's rows to `totals[c]` and `table[c, lane]`, c the joint code of the members."""
    n_rows = block.codes.shape[1]
    lanes = np.empty((min(n_rows, ROWS), shape.n_lanes // 8), dtype=np.uint64)
    for first in range(0, n_rows, ROWS):
        size = min(ROWS, n_rows - first)
        _pack(block, shape, first, lanes[:size])
        some = Block(
            block.codes[:, first : first + size], block.weights, lanes[:size], block.planes, block.first_word, 0
        )
        tally_lanes(some, shape.cards, members, totals, table)
