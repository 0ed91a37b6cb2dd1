"""Grow-shrink by toggle rows (graphs/rows.py), for any score: the parents of one child among the columns before it.

The rows are the nodes of the grow-shrink trees of Andrews et al. 2023, except that a set of parents is one node, in
whatever order they came. steps[row, u]: the row of the family with u toggled, where that is known.
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

work_out = calling(types.boolean)


class Tree(NamedTuple):
    """What is known of families, and of the way from one to the next. cursor: what is lacking, and what was asked."""

    rows: Rows
    limits: Limits
    steps: Int32Array
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
def _step(tree, child, place, u, bits):
    """The row with u toggled."""
    if tree.steps[place, u] == NO_ROW:
        for w in range(bits.shape[0]):
            bits[w] = tree.rows.parents[place, w]
        flip(bits, u)
        tree.steps[place, u] = _arrive(tree, child, bits)
    return np.int64(tree.steps[place, u])


@lean
def _best(row, bits, child, price, before, near, k, tie):
    """The column before the child that gains most, the first of those tied; -1: none gains. Marks who could matter."""
    now, top, chosen = row[child] + price, row[child] + price + tie, -1
    for u in range(row.shape[0]):
        if before[u] and row[u] > top and not holds(bits, u):
            top, chosen = row[u], u
    tied = chosen < 0
    for u in range(row.shape[0]):
        if row[u] > now and row[u] >= top - 2.0 * tie and u != child and not holds(bits, u):
            if near[u] == NEVER:
                near[u] = k
            if not tied and before[u] and row[u] >= top - tie:
                chosen, tied = u, True
    return chosen


@lean
def _worst(row, bits, roles, child, price, tie):
    """The parent whose loss raises the score most, the first of those tied; -1: none does."""
    top, chosen = row[child] - price + tie, -1
    for u in range(row.shape[0]):
        if holds(bits, u) and roles[u] != REQUIRED and row[u] > top + (tie if chosen >= 0 else 0.0):
            top, chosen = row[u], u
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
    rows, cursor = tree.rows, tree.cursor
    for u in range(before.shape[0]):
        near[u], parents[u] = NEVER, False
    cursor[CHILD], growing, k, asked = child, True, 0, 0
    place = _root(tree, roles, child, room)
    while True:
        cursor[PLACE] = place
        if place == NO_ROW or not _complete(tree, child, place):
            return math.nan
        row, bits = rows.scores[place], rows.parents[place]
        asked += permitted(rows.scores, place)
        chosen = -1
        if growing:
            chosen = _best(row, bits, child, tree.price, before, near, k, tie)
            growing = chosen >= 0
        if chosen < 0:
            chosen = _worst(row, bits, roles, child, tree.price, tie)
        if chosen < 0:
            break
        place = _step(tree, child, place, chosen, room)
        k += 1
    cursor[ASKED] += asked  # once, however often the way here was broken off
    score = rows.scores[place, child]
    for u in range(before.shape[0]):
        parents[u] = holds(rows.parents[place], u)
        if parents[u]:
            score -= tree.price
    return score
