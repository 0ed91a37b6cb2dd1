"""Counting families of discrete columns.

`codes` is (n, N): one row a column of the data. A *joint code* is the mixed-radix number of several columns, the
first the most significant. A family's table is indexed by (parents' joint code, child code), the child fastest.

Lanes. A narrow column u with r levels owns r-1 bytes ("lanes") of every row; lane a-1 is 1 where u has level a
(level 0 is what is left of the total). Adding a row of lanes to the counter row of its joint code counts *every*
candidate u against a common base in one pass, eight bytes at a time: no byte can carry into its neighbour, because
a counter row is flushed to wide counters before it can have received 256 rows. A byte counts a row once, so there are
no lanes where rows have weights.
"""

from typing import NamedTuple

import numpy as np

from arcwise._kernels.compiled import inner, kernel, lean, lean_kernel
from arcwise._kernels.types import BoolArray, CodeArray, Int32Array, IntArray, UInt8Array

LANES, DENSE, SPARSE = 0, 1, 2
ROUND = 32  # bytes of lanes are rounded up to this, a vector register: a loop without a remainder is twice as fast
HALF = 127  # rows added between two looks at full counters: a counter with 128 rows can still take them
LANE_CELLS = 1 << 26  # counts by lanes that a batch may have
STRIP = 1024  # rows handled at a time: their joint codes stay in the first-level cache


class Block(NamedTuple):
    """A stretch of rows. weights: how many times each row counts; empty: once."""

    codes: np.ndarray  # (n, N)
    weights: np.ndarray
    lanes: np.ndarray  # (N, words); (N, 0): not packed yet
    planes: np.ndarray  # of all rows, of which first_word..last_word-1 are this block's
    first_word: int
    last_word: int


class Shape(NamedTuple):
    """What all blocks have in common."""

    cards: np.ndarray  # levels of each column
    lane_of: np.ndarray  # first lane of each column; -1: it has none
    n_lanes: int  # rounded up
    plane_of: np.ndarray  # first plane of each column; -1: it has none
    plane_cells: int  # tables of at most so many cells and lanes are counted by planes
    dense_cells: int  # a larger table is not laid out
    few: int  # with fewer candidates for the lanes a pass each is cheaper


class Plan(NamedTuple):
    """How to count the families of a batch.

    shared: parents common to all sets; extras: the rest of each set, (k, w) padded with -1; both sorted, so that no
    result depends, not even in the last bit, on the order in which parents are named.
    q: configurations of each parent set, a float as it may pass any integer.
    way: LANES for shared + at most one narrow column (unless there are fewer than `few` of these, or lanes would take
    more than LANE_CELLS), else DENSE, or SPARSE for tables of more than `dense_cells` cells.
    offsets: dense table s will occupy offsets[s]:offsets[s + 1] of one flat array.
    base: cells of (shared, child) if any goes by lanes. n_lanes, n_sparse: how many families go these ways.
    by_planes: those that go by lanes are counted by planes, as their table is small.
    """

    shared: np.ndarray
    extras: np.ndarray
    q: np.ndarray
    way: np.ndarray
    offsets: np.ndarray
    base: int
    n_lanes: int
    n_sparse: int
    by_planes: bool


@lean_kernel
def pack_lanes(codes: CodeArray, lane_of: IntArray, lanes: UInt8Array) -> None:
    """One-hot bytes of all columns u with lane_of[u] >= 0 into `lanes`, (N, bytes), which are 0."""
    n, n_rows = codes.shape
    for u in range(n):
        start = lane_of[u]
        if start >= 0:
            for i in range(n_rows):
                level = codes[u, i]
                if level > 0:
                    lanes[i, start + level - 1] = 1


@lean_kernel
def repack_lanes(codes: CodeArray, lane_of: IntArray, cards: IntArray, fresh: BoolArray, lanes: UInt8Array) -> None:
    """The same for columns that are `fresh` only, over whatever was there before."""
    n, n_rows = codes.shape
    for u in range(n):
        if lane_of[u] >= 0 and fresh[u]:
            for level in range(1, cards[u]):
                lane = lane_of[u] + level - 1
                for i in range(n_rows):
                    lanes[i, lane] = codes[u, i] == level


@kernel
def plan_families(child: int, parent_sets: IntArray, shape: Shape) -> Plan:
    """How to count the families of the child with each of these sets, -1 for none."""
    cards, lane_of, dense_cells, few = shape.cards, shape.lane_of, shape.dense_cells, shape.few
    k = parent_sets.shape[0]
    shared, extras = _split_shared(parent_sets)
    base, by_planes = 1.0, shape.plane_of[child] >= 0
    for m in range(shared.shape[0]):
        base *= cards[shared[m]]
        by_planes = by_planes and shape.plane_of[shared[m]] >= 0
    by_planes = by_planes and base * cards[child] * shape.n_lanes <= shape.plane_cells
    if base * cards[child] * shape.n_lanes > LANE_CELLS:
        few = k + 1
    q, way = np.empty(k), np.empty(k, dtype=np.int64)
    n_lanes = 0
    n_sparse = 0
    for s in range(k):
        size = 0
        q[s] = base
        for e in range(extras.shape[1]):
            if extras[s, e] >= 0:
                q[s] *= cards[extras[s, e]]
                size += 1
        if q[s] * cards[child] > dense_cells:
            way[s] = SPARSE
            n_sparse += 1
        elif size == 0 or (size == 1 and lane_of[extras[s, 0]] >= 0):
            way[s] = LANES
            n_lanes += 1
        else:
            way[s] = DENSE
    offsets = np.empty(k + 1, dtype=np.int64)
    offsets[0] = 0
    for s in range(k):
        if way[s] == LANES and n_lanes < few:
            way[s] = DENSE
        offsets[s + 1] = offsets[s] + (np.int64(q[s]) * cards[child] if way[s] == DENSE else 0)
    if n_lanes < few:
        n_lanes = 0
    cells = int(base * cards[child]) if n_lanes else 0
    return Plan(shared, extras, q, way, offsets, cells, n_lanes, n_sparse, by_planes)


@inner
def _split_shared(parent_sets):
    k, w = parent_sets.shape
    shared = np.empty(w, dtype=np.int64)
    n_shared = 0
    for a in range(w):
        u = parent_sets[0, a] if k > 0 else -1
        if u >= 0 and _in_all(parent_sets, u):
            shared[n_shared] = u
            n_shared += 1
    shared = shared[:n_shared]
    sort(shared)
    extras = np.empty((k, w - n_shared), dtype=np.int64)
    for s in range(k):
        for m in range(extras.shape[1]):
            extras[s, m] = -1
        m = 0
        for a in range(w):
            u = parent_sets[s, a]
            if u >= 0 and not _in_row(shared, u):
                extras[s, m] = u
                m += 1
        sort(extras[s, :m])
    return shared, extras


@lean
def sort(row):
    """Put numbers into ascending order, in place, by Shell's way; a few, as mostly, by insertion."""
    gap = 1
    while 3 * gap < row.shape[0]:
        gap = 3 * gap + 1
    while gap > 0:
        for a in range(gap, row.shape[0]):
            u = row[a]
            place = a
            while place >= gap and row[place - gap] > u:
                row[place] = row[place - gap]
                place -= gap
            row[place] = u
        gap //= 3


@lean
def _in_row(row, u):
    for a in range(row.shape[0]):
        if row[a] == u:
            return True
    return False


@lean
def _in_all(parent_sets, u):
    for s in range(parent_sets.shape[0]):
        if not _in_row(parent_sets[s], u):
            return False
    return True


@lean
def _joint_strip(codes, cards, members, first, size, out):
    """Joint codes of `members` for the rows first..first+size-1; 32 bits hold any dense table's."""
    for i in range(size):
        out[i] = 0
    for m in range(members.shape[0]):
        column = codes[members[m]]
        card = np.uint32(cards[members[m]])
        for i in range(size):
            out[i] = out[i] * card + column[first + i]


@lean
def _flush(counter, row):
    for w in range(counter.shape[0]):
        word = counter[w]
        for b in range(8):
            row[8 * w + b] += np.int32((word >> np.uint64(8 * b)) & np.uint64(255))
        counter[w] = 0


@lean
def _add_rows(joint, start, stop, lanes, first, counters, pending, due):
    """Add at most HALF rows to their counters; the counters that have reached HALF + 1 rows go into `due`."""
    n_due = 0
    for i in range(start, stop):
        c = joint[i]
        for w in range(lanes.shape[1]):
            counters[c, w] += lanes[first + i, w]
        pending[c] += 1
        if pending[c] == HALF + 1:
            due[n_due] = c
            n_due += 1
    return n_due


@inner
def tally_lanes(block, cards, members, totals, table):
    """Add this block's rows to `totals[c]` and `table[c, lane]`, c the joint code of the members. O(N words)."""
    codes, lanes = block.codes, block.lanes
    n_rows, words = lanes.shape
    cells = totals.shape[0]
    counters = np.empty((cells, words), dtype=np.uint64)
    pending = np.empty(cells, dtype=np.uint32)  # rows in each counter: never more than 255
    for c in range(cells):
        pending[c] = 0
        for w in range(words):
            counters[c, w] = 0
    joint = np.empty(STRIP, dtype=np.uint32)
    due = np.empty(HALF, dtype=np.uint32)
    for first in range(0, n_rows, STRIP):
        size = min(STRIP, n_rows - first)
        _joint_strip(codes, cards, members, first, size, joint)
        for start in range(0, size, HALF):
            n_due = _add_rows(joint, start, min(start + HALF, size), lanes, first, counters, pending, due)
            for d in range(n_due):
                c = due[d]
                _flush(counters[c], table[c])
                totals[c] += pending[c]
                pending[c] = 0
    for c in range(cells):
        if pending[c] > 0:
            _flush(counters[c], table[c])
            totals[c] += pending[c]


@kernel
def tally_dense(
    block: Block, cards: IntArray, child: int, shared: IntArray, extras: IntArray, offsets: IntArray, flat: Int32Array
) -> None:
    """Add this block's rows to the tables of the families with the parents shared + extras[s], s = 0, 1, ...

    Table s occupies flat[offsets[s]:offsets[s + 1]]; an empty stretch is passed over. The shared parents' joint code
    is computed once for all families.
    """
    codes, weights = block.codes, block.weights
    n_rows = codes.shape[1]
    own = codes[child]
    card = cards[child]
    base = np.empty(STRIP, dtype=np.uint32)
    joint = np.empty(STRIP, dtype=np.uint32)
    for first in range(0, n_rows, STRIP):
        size = min(STRIP, n_rows - first)
        _joint_strip(codes, cards, shared, first, size, base)
        for s in range(extras.shape[0]):
            if offsets[s] == offsets[s + 1]:
                continue
            for i in range(size):
                joint[i] = base[i]
            for e in range(extras.shape[1]):
                u = extras[s, e]
                if u >= 0:
                    column = codes[u]
                    radix = np.uint32(cards[u])
                    for i in range(size):
                        joint[i] = joint[i] * radix + column[first + i]
            table = flat[offsets[s] : offsets[s + 1]]
            if weights.shape[0] == 0:
                for i in range(size):
                    table[np.int64(joint[i]) * card + own[first + i]] += 1
            else:
                for i in range(size):
                    table[np.int64(joint[i]) * card + own[first + i]] += np.int32(weights[first + i])
