"""Tables of some columns from bit planes alone, for long tables, whose codes are best left where they are.

The rows with the first levels of a joint code are the meet of their planes. Meets are made depth first, a level of one
more column at a time, and what is below an empty one is passed over. Of the last column's levels all but the first are
counted; the first has the rows that are left.
"""

import numpy as np

from arcwise._kernels.compiled import inner, kernel
from arcwise._kernels.counts.counting import Block, Shape
from arcwise._kernels.counts.planes import common, words_of
from arcwise._kernels.types import BoolArray, Int32Array, IntArray

WORDS = 1 << 9  # handled at a time: a few meets of them stay in the first-level cache


@kernel
def tally_meets(
    block: Block,
    shape: Shape,
    child: int,
    shared: IntArray,
    extras: IntArray,
    offsets: IntArray,
    chosen: BoolArray,
    flat: Int32Array,
) -> None:
    """As counting.tally_dense for the `chosen` families, all of whose columns have planes. O(N cells / 64) each."""
    n_shared, most = shared.shape[0], shared.shape[0] + extras.shape[1] + 1
    members = np.empty(most, dtype=np.int64)
    for m in range(n_shared):
        members[m] = shared[m]
    words = block.last_word - block.first_word
    meets = np.empty((most, WORDS), dtype=np.uint64)
    level, code = np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64)
    for first in range(0, words, WORDS):
        size = min(WORDS, words - first)
        for s in range(extras.shape[0]):
            if chosen[s]:
                k = n_shared
                for e in range(extras.shape[1]):
                    if extras[s, e] >= 0:
                        members[k] = extras[s, e]
                        k += 1
                members[k] = child
                table = flat[offsets[s] : offsets[s + 1]]
                _tally(block, shape, members[: k + 1], first, meets[:, :size], level, code, table)


@inner
def _tally(block, shape, members, first, meets, level, code, table):
    """The table of the members in these words of the block."""
    size, last = meets.shape[1], members.shape[0] - 1
    if last == 0:
        for a in range(table.shape[0]):
            plane = words_of(block, shape.plane_of[members[0]] + a, first, size)
            table[a] += common(plane, plane)
        return
    depth = 0
    level[0] = -1
    while depth >= 0:
        u = members[depth]
        level[depth] += 1
        if level[depth] == shape.cards[u]:
            depth -= 1
            continue
        plane, meet = words_of(block, shape.plane_of[u] + level[depth], first, size), meets[depth]
        if depth == 0:
            code[0] = level[0]
            for w in range(size):
                meet[w] = plane[w]
        else:
            code[depth] = code[depth - 1] * shape.cards[u] + level[depth]
            above = meets[depth - 1]
            for w in range(size):
                meet[w] = above[w] & plane[w]
        rows = common(meet, meet)
        if rows == 0:
            continue
        if depth + 1 < last:
            depth += 1
            level[depth] = -1
            continue
        at = code[depth] * shape.cards[members[last]]
        for a in range(1, shape.cards[members[last]]):
            if rows > 0:
                n = common(meet, words_of(block, shape.plane_of[members[last]] + a, first, size))
                table[at + a] += n
                rows -= n
        table[at] += rows
