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
from arcwise._kernels.graphs.rows import flip, holds
from arcwise._kernels.orders.by_factor import NEVER, REQUIRED, Bounds, shift
from arcwise._kernels.types import FloatArray, IntArray, UInt64Array

grow_and_shrink = calling(types.float64)
at_others = at_settling = calling(types.boolean)
at_bounds = calling(types.void)
at_places = calling(types.Tuple((types.int64, types.float64)))
at_moving = calling(types.int64)


class Order(NamedTuple):
    """An order, the parents that each column has among those before it, and their scores."""

    order: np.ndarray
    place: np.ndarray  # of each column
    local: np.ndarray
    near: np.ndarray  # (n, n): near[w, x] < NEVER: whether x is before w may matter to w
    parents: np.ndarray  # (n, n): of each column a row
    roles: np.ndarray  # (n, n): of each column a row
    others: np.ndarray  # (n, n): others[w, x]: the score of w with x on the other side of it; NaN: not known
    matters: np.ndarray  # (n, n, words): bits of those whose place may matter to that; no words: nothing is kept


class Room(NamedTuple):
    """For one thread."""

    before: np.ndarray
    near: np.ndarray
    parents: np.ndarray


class Spans(NamedTuple):
    """Of one column x: what it adds to each other one, the most that its own score can be at each place, and both."""

    gains: np.ndarray
    most: np.ndarray
    totals: np.ndarray


@lean
def trace(source, address, order, room, child, near, first, tie, parents):
    """The child's score with its parents among `room.before`; NaN: it cannot be told yet."""
    facts, space = source
    return grow_and_shrink(address, facts, space, order.roles[child], child, room.before, near, first, tie, parents)


@lean_kernel
def settle(order: Order, source: Any, address: Address, room: Room, child: int, tie: float) -> bool:
    """The parents of one column as the order is; False: they cannot be told yet."""
    for u in range(order.order.shape[0]):
        room.before[u] = order.place[u] < order.place[child]
    score = trace(source, address, order, room, child, order.near[child], np.int64(0), tie, order.parents[child])
    order.local[child] = score
    return not math.isnan(score)


@lean
def _keep(order, room, w, x, other):
    """What w has with x on the other side, and who matters to that."""
    bits = order.matters[w, x]
    if bits.shape[0] == 0:
        return
    order.others[w, x] = other
    for k in range(bits.shape[0]):
        bits[k] = np.uint64(0)
    for u in range(room.near.shape[0]):
        if room.near[u] < NEVER:
            flip(bits, u)


@lean_kernel
def of_others(
    order: Order,
    source: Any,
    address: Address,
    room: Room,
    x: int,
    part: int,
    parts: int,
    tie: float,
    gains: FloatArray,
) -> bool:
    """gains[w]: what x before w adds to w's score, the others staying as they are; False: it cannot be told yet.

    Of the columns to whom x matters one in `parts` is looked at: number `part`, and so on.
    """
    before, at, turn = room.before, order.place[x], 0
    for u in range(before.shape[0]):
        before[u] = False
    for i in range(before.shape[0]):
        w = order.order[i]
        if w == x:
            continue
        if order.near[w, x] == NEVER:
            if part == 0:
                gains[w] = 0.0
        else:
            if turn % parts == part:
                other = order.others[w, x]
                if math.isnan(other):
                    before[x] = i < at
                    other = trace(source, address, order, room, w, room.near, np.int64(0), tie, room.parents)
                    if math.isnan(other):
                        return False
                    before[x] = False
                    _keep(order, room, w, x, other)
                gains[w] = other - order.local[w] if i < at else order.local[w] - other
            turn += 1
        before[w] = True
    return True


@lean
def _span(order, x):
    """The first and the last place between the required parents and children of x."""
    n, at = order.order.shape[0], order.place[x]
    lowest, highest = 0, n - 1
    for u in range(n):
        if order.roles[x, u] == REQUIRED:
            lowest = max(lowest, order.place[u] + (order.place[u] < at))
        if order.roles[u, x] == REQUIRED:
            highest = min(highest, order.place[u] - (order.place[u] > at))
    return lowest, highest


@lean_kernel
def best_place(
    order: Order, source: Any, address: Address, room: Room, x: int, tie: float, spans: Spans
) -> tuple[int, float]:
    """(where x gains most, how much): of places that are tied the last. (-1, 0): it cannot be told yet.

    A place where x could not gain even if it had the most that it can have there is passed over.
    """
    gains, most, totals = spans.gains, spans.most, spans.totals
    columns, before, near, n, at = order.order, room.before, room.near, order.order.shape[0], order.place[x]
    totals[n - 1] = 0.0  # what x adds to those behind it
    for i in range(n - 2, -1, -1):
        totals[i] = totals[i + 1] + gains[columns[i + (i >= at)]]
    now = order.local[x] + totals[at]
    lowest, highest = _span(order, x)
    for u in range(n):
        before[u] = False
    first, score = np.int64(0), 0.0
    for i in range(n):
        if i > 0:
            w = columns[i - 1 + (i > at)]
            before[w] = True
            first = min(first, np.int64(near[w]))
        if i == at:
            totals[i] = now
        elif i < lowest or i > highest or most[i] + totals[i] <= now + tie:
            totals[i] = -math.inf
        else:
            if first < NEVER:
                score = trace(source, address, order, room, x, near, first, tie, room.parents)
                if math.isnan(score):
                    return -1, 0.0
                first = np.int64(NEVER)
            totals[i] += score
    top, best = -math.inf, at
    for i in range(n - 1, -1, -1):
        if totals[i] > top + tie:
            top, best = totals[i], i
    return best, top - now


@lean_kernel
def move(order: Order, bounds: Bounds, x: int, to: int, waiting: IntArray, crossed: UInt64Array) -> int:
    """Bring x to another place; how many columns are `waiting`: those to whom that matters, and x itself.

    crossed: room for the bits of the columns between the two places.
    """
    columns, place, at = order.order, order.place, order.place[x]
    shift(bounds, at, to)
    n = order.order.shape[0] if order.matters.shape[2] > 0 else 0  # of which something is kept
    for k in range(crossed.shape[0]):
        crossed[k] = np.uint64(0)
    step = 1 if to > at else -1
    size = 0
    for i in range(at, to, step):
        w = columns[i + step]
        columns[i] = w
        place[w] = i
        flip(crossed, w)
        order.others[w, x] = math.nan
        for u in range(n):
            if not math.isnan(order.others[w, u]) and holds(order.matters[w, u], x):
                order.others[w, u] = math.nan
        if order.near[w, x] < NEVER:
            waiting[size] = w
            size += 1
    for u in range(n):
        if math.isnan(order.others[x, u]):
            continue
        for k in range(crossed.shape[0]):
            if order.matters[x, u, k] & crossed[k] != 0 or holds(crossed, u):
                order.others[x, u] = math.nan
    columns[to] = x
    place[x] = to
    waiting[size] = x
    return size + 1


class Kernels(NamedTuple):
    """The addresses of what is done for one column after the other; `bounds` may be nowhere."""

    grow_and_shrink: Address
    others: Address
    bounds: Address
    places: Address
    moving: Address
    settling: Address


class Turns(NamedTuple):
    """How far the columns have had their turns, and the moves that they made since the last report."""

    queue: IntArray
    cursor: IntArray
    waiting: IntArray
    crossed: UInt64Array
    moved: IntArray  # (most, 2): a column, and the one that it went behind, or -1
    scores: FloatArray  # of the order after each move


NEXT, SETTLED, WAITING, MOVED, STRAYED = range(5)  # of `cursor`: next in the queue, in a row without a move, ...


@lean
def _settle_waiting(order, source, kernels, room, turns, tie):
    """Give the columns to whom the last move matters their parents, and write the move down."""
    cursor = turns.cursor
    while cursor[WAITING] > 0:
        child = turns.waiting[cursor[WAITING] - 1]
        if not at_settling(kernels.settling, order, source, kernels.grow_and_shrink, room, child, tie):
            return False
        cursor[WAITING] -= 1
        if cursor[WAITING] == 0:
            score = 0.0
            for u in range(order.local.shape[0]):
                score += order.local[u]
            turns.scores[cursor[MOVED]] = score
            cursor[MOVED] += 1
    return True


@lean_kernel
def take_turns(
    order: Order,
    source: Any,
    kernels: Kernels,
    bounds: Bounds,
    room: Room,
    spans: Spans,
    turns: Turns,
    away: IntArray,
    most: int,
    tie: float,
) -> bool:
    """Let columns move to their best places, one after the other, until nobody moves; at most so many turns at once.

    Before that, columns away[:, 0] go to places away[:, 1], whatever that loses, or as near as required edges permit.
    False: something cannot be told yet.
    """
    n, cursor, grow = order.order.shape[0], turns.cursor, kernels.grow_and_shrink
    facts, first, one = source[0], np.int64(0), np.int64(1)
    while True:
        if not _settle_waiting(order, source, kernels, room, turns, tie):
            return False
        if cursor[STRAYED] >= away.shape[0]:
            break
        x, to = away[cursor[STRAYED], 0], away[cursor[STRAYED], 1]
        cursor[STRAYED] += 1
        cursor[MOVED] = 0
        lowest, highest = _span(order, x)
        to = min(max(to, lowest), highest)
        cursor[WAITING] = at_moving(kernels.moving, order, bounds, x, to, turns.waiting, turns.crossed)
    for _ in range(most):
        if cursor[SETTLED] >= n or cursor[MOVED] == turns.moved.shape[0]:
            break
        if cursor[NEXT] == n:
            for i in range(n):
                turns.queue[i] = order.order[i]
            cursor[NEXT] = 0
        x = turns.queue[cursor[NEXT]]
        at = order.place[x]
        if not at_others(kernels.others, order, source, grow, room, x, first, one, tie, spans.gains):
            return False
        if kernels.bounds[0] != 0:
            at_bounds(kernels.bounds, facts, bounds, order.order, at, spans.most)
        to, gain = at_places(kernels.places, order, source, grow, room, x, tie, spans)
        if to < 0:
            return False
        cursor[NEXT] += 1
        cursor[SETTLED] += 1
        if gain > tie:
            cursor[SETTLED] = 0
            cursor[WAITING] = at_moving(kernels.moving, order, bounds, x, to, turns.waiting, turns.crossed)
            turns.moved[cursor[MOVED], 0] = x
            turns.moved[cursor[MOVED], 1] = order.order[to - 1] if to > 0 else -1
            if not _settle_waiting(order, source, kernels, room, turns, tie):
                return False
    return True
