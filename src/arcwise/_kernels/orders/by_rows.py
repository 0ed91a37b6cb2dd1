"""Grow-shrink by toggle rows (graphs/rows.py), for any score: the parents of one child among the columns before it.

The rows are the nodes of the grow-shrink trees of Andrews et al. 2023, except that a set of parents is one node, in
whatever order they came. Few columns gain anything beside given parents, so each row has a list of those, the best
first, and of the parents: a step looks at the first few of the list, however many columns there are.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numba import types

from arcwise._kernels.by_address import Address, calling
from arcwise._kernels.compiled import lean, lean_kernel
from arcwise._kernels.counts.toggled import Families
from arcwise._kernels.graphs.rows import Limits, Rows, begin, find, flip, holds, lacking, permitted
from arcwise._kernels.orders.by_factor import NEVER, REQUIRED
from arcwise._kernels.types import BoolArray, Int32Array, IntArray

NO_ROW = -1
CHILD, PLACE, ASKED, COMPUTED = range(4)  # places of `cursor`
FIRST, GAINING, MEMBERS, FAMILIES = range(4)  # places of `heads`

work_out = calling(types.boolean)


class Lists(NamedTuple):
    """Of each row: the columns that would gain without any price, the best first, then the parents, by number.

    heads[row]: the first entry (NO_ROW: there is no list yet), how many gain, how many parents, families of the row.
    """

    heads: IntArray  # (room, 4)
    columns: Int32Array
    steps: Int32Array  # of each entry: the row of the family with its column toggled, NO_ROW where that is not known
    used: IntArray


class Tree(NamedTuple):
    """What is known of families, and of the way from one to the next. cursor: what is lacking, and what was asked."""

    rows: Rows
    limits: Limits
    lists: Lists
    roots: Int32Array  # of each child: the row with its required parents only, or NO_ROW
    cursor: IntArray
    families: Families
    address: Address
    price: float  # of each arc, besides what the score asks for it


@lean
def _arrive(tree, child, bits):
    """The row of a family, begun if there is none; NO_ROW: there is no room for it."""
    rows = tree.rows
    if rows.used[0] == rows.scores.shape[0]:
        return NO_ROW
    free = rows.parents[rows.used[0]]
    for w in range(free.shape[0]):
        free[w] = bits[w]
    place = find(rows, child)
    return begin(rows, tree.limits, child) if place < 0 else place


@lean
def _complete(tree, child, place):
    """Whether all scores of a row are there; those that a kernel can work out are worked out."""
    missing = lacking(tree.rows.scores, place)
    if missing == 0:
        return True
    if tree.address[0] == 0 or not work_out(tree.address, tree.families, tree.rows, place, child):
        return False
    tree.cursor[COMPUTED] += missing
    return True


@lean
def _root(tree, roles, child, bits):
    if tree.roots[child] == NO_ROW:
        for w in range(bits.shape[0]):
            bits[w] = np.uint64(0)
        for u in range(roles.shape[0]):
            if roles[u] == REQUIRED:
                flip(bits, u)
        tree.roots[child] = _arrive(tree, child, bits)
    return np.int64(tree.roots[child])


@lean
def _sort(columns, row):
    """Columns with the best scores first, of equal ones the first first: Shell's way."""
    gap = 1
    while 3 * gap < columns.shape[0]:
        gap = 3 * gap + 1
    while gap > 0:
        for a in range(gap, columns.shape[0]):
            u = columns[a]
            place = a
            while place >= gap:
                w = columns[place - gap]
                if row[w] > row[u] or (row[w] == row[u] and w < u):
                    break
                columns[place] = w
                place -= gap
            columns[place] = u
        gap //= 3


@lean
def _listed(tree, child, place):
    """Whether a row has its list, or could be given one, as all its scores are there."""
    lists, row, bits = tree.lists, tree.rows.scores[place], tree.rows.parents[place]
    if lists.heads[place, FIRST] != NO_ROW:
        return True
    if not _complete(tree, child, place):
        return False
    first, n = lists.used[0], row.shape[0]
    size, columns = 0, lists.columns[first : first + n]
    for u in range(n):
        if row[u] > row[child] and not holds(bits, u):
            columns[size] = u
            size += 1
    _sort(columns[:size], row)
    gaining = size
    for u in range(n):
        if holds(bits, u):
            columns[size] = u
            size += 1
    for i in range(first, first + size):
        lists.steps[i] = NO_ROW
    head = lists.heads[place]
    head[FIRST], head[GAINING], head[MEMBERS], head[FAMILIES] = (
        first,
        gaining,
        size - gaining,
        permitted(tree.rows.scores, place),
    )
    lists.used[0] = first + size
    return True


@lean
def _step(tree, child, place, entry, bits):
    """The row with the column of this entry toggled."""
    lists = tree.lists
    if lists.steps[entry] == NO_ROW:
        for w in range(bits.shape[0]):
            bits[w] = tree.rows.parents[place, w]
        flip(bits, lists.columns[entry])
        lists.steps[entry] = _arrive(tree, child, bits)
    return np.int64(lists.steps[entry])


@lean
def _best(head, columns, row, now, before, near, k, tie):
    """The entry of the column before the child that gains most, the first column of those tied; -1: none gains.

    Marks who could matter: those that gain as much, wherever they are.
    """
    first, end = head[FIRST], head[FIRST] + head[GAINING]
    top, chosen = now + tie, -1
    for i in range(first, end):
        u = columns[i]
        if row[u] <= top:
            break
        if before[u]:
            top, chosen = row[u], i
            break
    for i in range(first, end):
        u = columns[i]
        if row[u] <= now or row[u] < top - 2.0 * tie:
            break
        if near[u] == NEVER:
            near[u] = k
        if chosen >= 0 and before[u] and row[u] >= top - tie and u < columns[chosen]:
            chosen = i
    return chosen


@lean
def _worst(head, columns, row, roles, bar, tie):
    """The entry of the parent whose loss raises the score most, the first of those tied; -1: none does."""
    first = head[FIRST] + head[GAINING]
    top, chosen = bar + tie, -1
    for i in range(first, first + head[MEMBERS]):
        u = columns[i]
        if roles[u] != REQUIRED and row[u] > top + (tie if chosen >= 0 else 0.0):
            top, chosen = row[u], i
    return chosen


@lean_kernel
def grow_and_shrink(
    tree: Tree,
    room: Any,
    roles: np.ndarray,
    child: int,
    before: BoolArray,
    near: Int32Array,
    first: int,
    tie: float,
    parents: BoolArray,
) -> float:
    """As in by_factor.py, always from the first step. NaN: a row is lacking or incomplete, as the cursor says."""
    rows, cursor, columns = tree.rows, tree.cursor, tree.lists.columns
    for u in range(before.shape[0]):
        near[u], parents[u] = NEVER, False
    cursor[CHILD], growing, k, asked = child, True, 0, 0
    place = _root(tree, roles, child, room)
    while True:
        cursor[PLACE] = place
        if place == NO_ROW or not _listed(tree, child, place):
            return math.nan
        row, head = rows.scores[place], tree.lists.heads[place]
        asked += head[FAMILIES]
        chosen = -1
        if growing:
            chosen = _best(head, columns, row, row[child] + tree.price, before, near, k, tie)
            growing = chosen >= 0
        if chosen < 0:
            chosen = _worst(head, columns, row, roles, row[child] - tree.price, tie)
        if chosen < 0:
            break
        place = _step(tree, child, place, chosen, room)
        k += 1
    cursor[ASKED] += asked  # once, however often the way here was broken off
    score, members = rows.scores[place, child], head[FIRST] + head[GAINING]
    for i in range(members, members + head[MEMBERS]):
        parents[columns[i]] = True
        score -= tree.price
    return score
