"""Moves of one column to another place in an order, and what each would gain.

Whether x is before w matters to w only if `near` says so; what else is before it matters in the same way. So most
columns keep their parents wherever x goes, and are not looked at.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numba import types

from arcwise._kernels.by_address import Address, calling
from arcwise._kernels.compiled import lean, lean_kernel
from arcwise._kernels.orders.by_factor import NEVER, REQUIRED
from arcwise._kernels.types import FloatArray, IntArray

grow_and_shrink = calling(types.float64)


class Order(NamedTuple):
    """An order, the parents that each column has among those before it, and their scores."""

    order: np.ndarray
    place: np.ndarray  # of each column
    local: np.ndarray
    near: np.ndarray  # (n, n): near[w, x] < NEVER: whether x is before w may matter to w
    parents: np.ndarray  # (n, n): of each column a row
    roles: np.ndarray  # (n, n): of each column a row


class Room(NamedTuple):
    """For one thread."""

    before: np.ndarray
    near: np.ndarray
    parents: np.ndarray


@lean
def _trace(source, address, order, room, child, near, first, tie, parents):
    """The child's score with its parents among `room.before`; NaN: it cannot be told yet."""
    facts, space = source
    return grow_and_shrink(address, facts, space, order.roles[child], child, room.before, near, first, tie, parents)


@lean_kernel
def settle(order: Order, source: Any, address: Address, room: Room, child: int, tie: float) -> bool:
    """The parents of one column as the order is; False: they cannot be told yet."""
    for u in range(order.order.shape[0]):
        room.before[u] = order.place[u] < order.place[child]
    score = _trace(source, address, order, room, child, order.near[child], np.int64(0), tie, order.parents[child])
    order.local[child] = score
    return not math.isnan(score)


@lean_kernel
def of_others(order: Order, source: Any, address: Address, room: Room, x: int, tie: float, gains: FloatArray) -> bool:
    """gains[w]: what x before w adds to w's score, the others staying as they are; False: it cannot be told yet."""
    before, at = room.before, order.place[x]
    for u in range(before.shape[0]):
        before[u] = False
    for i in range(before.shape[0]):
        w = order.order[i]
        if w == x:
            continue
        gains[w] = 0.0
        if order.near[w, x] < NEVER:
            before[x] = i < at
            other = _trace(source, address, order, room, w, room.near, np.int64(0), tie, room.parents)
            if math.isnan(other):
                return False
            gains[w] = other - order.local[w] if i < at else order.local[w] - other
            before[x] = False
        before[w] = True
    return True


@lean_kernel
def of_itself(order: Order, source: Any, address: Address, room: Room, x: int, tie: float, scores: FloatArray) -> bool:
    """scores[i]: that of x with the first i of the others before it; False: it cannot be told yet."""
    before, near = room.before, room.near
    for u in range(before.shape[0]):
        before[u] = False
    score, first, i = 0.0, np.int64(0), 0
    for q in range(-1, before.shape[0]):
        if q >= 0:
            w = order.order[q]
            if w == x:
                continue
            before[w] = True
            i += 1
            first = np.int64(near[w])
        if first < NEVER:
            score = _trace(source, address, order, room, x, near, first, tie, room.parents)
            if math.isnan(score):
                return False
        scores[i] = score
    return True


@lean_kernel
def best_place(order: Order, x: int, tie: float, gains: FloatArray, scores: FloatArray) -> tuple[int, float]:
    """(where x gains most, how much): of places that are tied the last; between its required parents and children."""
    n, at = order.order.shape[0], order.place[x]
    lowest, highest = 0, n - 1
    for u in range(n):
        if order.roles[x, u] == REQUIRED:
            lowest = max(lowest, order.place[u] + (order.place[u] < at))
        if order.roles[u, x] == REQUIRED:
            highest = min(highest, order.place[u] - (order.place[u] > at))
    now, top, best, rest, i = 0.0, -math.inf, at, 0.0, n - 1
    for q in range(n, -1, -1):
        if q < n:
            if order.order[q] == x:
                continue
            rest += gains[order.order[q]]
            i -= 1
        total = scores[i] + rest
        if i == at:
            now = total
        if lowest <= i <= highest and total > top + tie:
            top, best = total, i
    return best, top - now


@lean_kernel
def move(order: Order, x: int, to: int, waiting: IntArray) -> int:
    """Bring x to another place; how many columns are `waiting`: those to whom that matters, and x itself."""
    columns, place, at = order.order, order.place, order.place[x]
    step = 1 if to > at else -1
    size = 0
    for i in range(at, to, step):
        columns[i] = columns[i + step]
        place[columns[i]] = i
        if order.near[columns[i], x] < NEVER:
            waiting[size] = columns[i]
            size += 1
    columns[to] = x
    place[x] = to
    waiting[size] = x
    return size + 1
