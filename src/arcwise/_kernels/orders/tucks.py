"""Tucks of an order: a column goes before one of its parents, and takes its ancestors between the two along.

A move of a single column is a tuck, too, but where no column has a better place only tucks of several are left to try.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from arcwise._kernels.by_address import Address
from arcwise._kernels.compiled import lean, lean_kernel
from arcwise._kernels.orders.by_factor import NEVER, REQUIRED
from arcwise._kernels.orders.moves import Order, Room, trace
from arcwise._kernels.types import BoolArray, IntArray

FOUND, NONE, LACKING = 0, 1, 2


class Tuck(NamedTuple):
    """block: the columns from place span[0] to place span[1], in their new order."""

    block: IntArray
    span: IntArray
    along: BoolArray


@lean
def _plan(order, x, y, tuck):
    """Write the tuck of the arc x -> y down; how many columns it moves, 0 where a required arc forbids it."""
    columns, parents, along = order.order, order.parents, tuck.along
    first, last = order.place[x], order.place[y]
    for u in range(along.shape[0]):
        along[u] = False
    along[y], moved = True, 0
    for i in range(last, first, -1):
        w = columns[i]
        if along[w]:
            moved += 1
            if order.roles[w, x] == REQUIRED:
                return 0
            for u in range(along.shape[0]):
                if parents[w, u]:
                    along[u] = True
    along[x] = False
    front, back = 0, moved
    for i in range(first, last + 1):
        w = columns[i]
        if along[w]:
            tuck.block[front] = w
            front += 1
        else:
            tuck.block[back] = w
            back += 1
    tuck.span[0], tuck.span[1] = first, last
    return moved


@lean
def _matters(order, tuck, w, moved, size):
    """Whether w has changed sides with a column that matters to it."""
    near, place, block = order.near[w], order.place, tuck.block
    if tuck.along[w]:
        for i in range(moved, size):
            if near[block[i]] < NEVER and place[block[i]] < place[w]:
                return True
    else:
        for i in range(moved):
            if near[block[i]] < NEVER and place[block[i]] > place[w]:
                return True
    return False


@lean
def _gain(order, source, address, room, tuck, moved, tie):
    """What the tuck adds to the score; NaN: it cannot be told yet."""
    before, first, size, gain = room.before, tuck.span[0], tuck.span[1] - tuck.span[0] + 1, 0.0
    for u in range(before.shape[0]):
        before[u] = order.place[u] < first
    for i in range(size):
        w = tuck.block[i]
        if _matters(order, tuck, w, moved, size):
            gain += trace(source, address, order, room, w, room.near, np.int64(0), tie, room.parents) - order.local[w]
            if math.isnan(gain):
                break
        before[w] = True
    return gain


@lean_kernel
def first_tuck(order: Order, source: Any, address: Address, room: Room, y: int, tie: float, tuck: Tuck) -> int:
    """The first tuck of an arc into y that moves several columns and gains: FOUND, NONE or LACKING (rows)."""
    for i in range(order.place[y] - 1, -1, -1):
        x = order.order[i]
        if order.parents[y, x]:
            moved = _plan(order, x, y, tuck)
            if moved > 1:
                gain = _gain(order, source, address, room, tuck, moved, tie)
                if math.isnan(gain):
                    return LACKING
                if gain > tie:
                    return FOUND
    return NONE
