"""Tables of families from the codes of long blocks.

Four rows in turn go to four tables, which are added up in the end: rows that fall into the same cell, as most do in a
skewed table, need not wait for each other.
"""

import numpy as np

from arcwise._kernels.compiled import inner, kernel
from arcwise._kernels.counts.counting import Block
from arcwise._kernels.types import Int32Array, IntArray

STRIP = 1024  # rows handled at a time: their joint codes stay in the first-level cache
FOUR_TABLES = 1 << 14  # cells up to which four tables stay in the second


@kernel
def tally_long(
    block: Block, cards: IntArray, child: int, shared: IntArray, extras: IntArray, offsets: IntArray, flat: Int32Array
) -> None:
    """As counting.tally_dense, for rows without weights."""
    members = np.empty(shared.shape[0] + extras.shape[1] + 1, dtype=np.int64)
    for m in range(shared.shape[0]):
        members[m] = shared[m]
    joint = np.empty(STRIP, dtype=np.uint32)
    room = np.empty(4 * FOUR_TABLES, dtype=np.int32)
    for s in range(extras.shape[0]):
        table = flat[offsets[s] : offsets[s + 1]]
        k = shared.shape[0]
        for e in range(extras.shape[1]):
            if extras[s, e] >= 0:
                members[k] = extras[s, e]
                k += 1
        members[k] = child
        if table.shape[0] <= FOUR_TABLES:
            _by_four(block.codes, cards, members[: k + 1], joint, room[: 4 * table.shape[0]], table)
        elif table.shape[0] > 0:
            _by_one(block.codes, cards, members[: k + 1], joint, table)


@inner
def _joint(codes, cards, members, first, joint):
    """Joint codes of as many rows from `first` on as there is room for."""
    size = joint.shape[0]
    column = codes[members[0]][first : first + size]
    for i in range(size):
        joint[i] = column[i]
    for m in range(1, members.shape[0]):
        column, card = codes[members[m]][first : first + size], np.uint32(cards[members[m]])
        for i in range(size):
            joint[i] = joint[i] * card + column[i]


@inner
def _by_four(codes, cards, members, joint, four, table):
    cells, n_rows = table.shape[0], codes.shape[1]
    for c in range(four.shape[0]):
        four[c] = 0
    one, two, three = four[cells : 2 * cells], four[2 * cells : 3 * cells], four[3 * cells : 4 * cells]
    for first in range(0, n_rows, STRIP):
        some = joint[: min(STRIP, n_rows - first)]
        _joint(codes, cards, members, first, some)
        whole = some.shape[0] - some.shape[0] % 4
        for i in range(0, whole, 4):
            four[some[i]] += 1
            one[some[i + 1]] += 1
            two[some[i + 2]] += 1
            three[some[i + 3]] += 1
        for i in range(whole, some.shape[0]):
            four[some[i]] += 1
    for c in range(cells):
        table[c] += four[c] + one[c] + two[c] + three[c]


@inner
def _by_one(codes, cards, members, joint, table):
    n_rows = codes.shape[1]
    for first in range(0, n_rows, STRIP):
        some = joint[: min(STRIP, n_rows - first)]
        _joint(codes, cards, members, first, some)
        for i in range(some.shape[0]):
            table[some[i]] += 1
