"""Moves in an order of many columns, each of which concerns few.

As in moves.py a column goes to its best place, but it has its turn only when it is *due*: when something has changed
that mattered on its last one. What mattered is which of these columns come before which:

- x itself, those that it could have as parents, and those to whom it matters, together `reach[x]`: the parents of x at
  each place, and which places are the same to all of them.
- A column w to whom x matters, and those that matter to w (near[w]; then w gets new parents) or would matter to it with
  x on the other side (`beyond[w]`, for all such x together): what x adds to the score of w.

While nothing of this changes, and nobody begins to heed x, a turn of x would end as the last one did: in vain. So a
walk from an order that was changed in one spot costs what that spot costs, and a journal of what it touched takes it
back.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from arcwise._kernels.by_address import Address
from arcwise._kernels.compiled import lean, lean_kernel
from arcwise._kernels.graphs.rows import WORD, flip, holds
from arcwise._kernels.orders.by_factor import NEVER, REQUIRED
from arcwise._kernels.orders.moves import Order, Room, trace
from arcwise._kernels.types import BoolArray, FloatArray, IntArray, UInt64Array

ENDED, PAUSED, LACKING = 0, 1, 2
NEXT, WAITING, STRAYED, MOVED, TOUCHED, TURNED = range(6)  # of `cursor`


class Heed(NamedTuple):
    """Who has to be looked at. Bits by row, one row a column: see above; heeds[x]: the columns w with near[w, x]."""

    heeds: UInt64Array
    reach: UInt64Array
    beyond: UInt64Array
    due: BoolArray
    queue: IntArray
    waiting: IntArray  # for new parents
    cursor: IntArray


class Journal(NamedTuple):
    """How it was: of `touched` columns, which got new parents, and of those that `turned`, which had turns."""

    moves: IntArray  # (most, 4): column, from, to, the one that it went behind, or -1
    scores: FloatArray  # of the order after each move
    touched: IntArray
    is_touched: BoolArray
    local: FloatArray
    near: np.ndarray
    parents: np.ndarray
    beyond: UInt64Array
    turned: IntArray
    is_turned: BoolArray
    reach: UInt64Array


class Space(NamedTuple):
    """Room for one turn. reach, crossed: bits. has_required: some arcs are required."""

    room: Room
    gains: FloatArray
    totals: FloatArray
    reach: UInt64Array
    crossed: UInt64Array
    has_required: bool


@lean
def _add(bits, u):
    bits[u // WORD] |= np.uint64(1) << np.uint64(u % WORD)


@lean
def _add_near(bits, near):
    """Those that matter."""
    for w in range(bits.shape[0]):
        word = np.uint64(0)
        for b in range(min(WORD, near.shape[0] - WORD * w)):
            word |= np.uint64(near[WORD * w + b] < NEVER) << np.uint64(b)
        bits[w] |= word


@lean
def _meet(one, other):
    for w in range(one.shape[0]):
        if one[w] & other[w] != 0:
            return True
    return False


@lean
def _span(order, x, reach):
    """The first and the last place between the required parents and children of x, all of which it reaches."""
    n, at = order.order.shape[0], order.place[x]
    lowest, highest = 0, n - 1
    for u in range(n):
        if order.roles[x, u] == REQUIRED:
            lowest = max(lowest, order.place[u] + (order.place[u] < at))
            _add(reach, u)
        if order.roles[u, x] == REQUIRED:
            highest = min(highest, order.place[u] - (order.place[u] > at))
            _add(reach, u)
    return lowest, highest


@lean
def _of_others(order, source, address, heed, space, x, tie):
    """gains[w]: what x before w adds to w's score, the others staying as they are; False: it cannot be told yet."""
    room, before, gains, heeds, at, last = space.room, space.room.before, space.gains, heed.heeds[x], order.place[x], -1
    for u in range(before.shape[0]):
        before[u], gains[u] = False, 0.0
        if holds(heeds, u):
            last = max(last, order.place[u])
    for i in range(last + 1):
        w = order.order[i]
        if holds(heeds, w):
            before[x] = i < at
            other = trace(source, address, order, room, w, room.near, np.int64(0), tie, room.parents)
            if math.isnan(other):
                return False
            _add_near(heed.beyond[w], room.near)
            gains[w] = other - order.local[w] if i < at else order.local[w] - other
        before[w] = True
        before[x] = False
    for k in range(heeds.shape[0]):
        space.reach[k] |= heeds[k]
    return True


@lean
def _best_place(order, source, address, space, x, tie):
    """(where x gains most, how much): of places that are tied the last. (-1, 0): it cannot be told yet."""
    gains, totals, room = space.gains, space.totals, space.room
    columns, before, near, n, at = order.order, room.before, room.near, order.order.shape[0], order.place[x]
    totals[n - 1] = 0.0  # what x adds to those behind it
    for i in range(n - 2, -1, -1):
        totals[i] = totals[i + 1] + gains[columns[i + (i >= at)]]
    now, lowest, highest = order.local[x] + totals[at], 0, n - 1
    if space.has_required:
        lowest, highest = _span(order, x, space.reach)
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
        elif i < lowest or i > highest:
            totals[i] = -math.inf
        else:
            if first < NEVER:
                score = trace(source, address, order, room, x, near, first, tie, room.parents)
                if math.isnan(score):
                    return -1, 0.0
                first = np.int64(NEVER)
                _add_near(space.reach, near)
            totals[i] += score
    _add_near(space.reach, order.near[x])
    top, best = -math.inf, at
    for i in range(n - 1, -1, -1):
        if totals[i] > top + tie:
            top, best = totals[i], i
    return best, top - now


@lean
def _touch(order, heed, journal, w):
    if journal.is_touched[w]:
        return
    k = heed.cursor[TOUCHED]
    journal.is_touched[w], journal.touched[k], journal.local[k] = True, w, order.local[w]
    for u in range(order.near.shape[1]):
        journal.near[k, u], journal.parents[k, u] = order.near[w, u], order.parents[w, u]
    for b in range(heed.beyond.shape[1]):
        journal.beyond[k, b] = heed.beyond[w, b]
    heed.cursor[TOUCHED] = k + 1


@lean
def _settle(order, source, address, heed, journal, space, child, tie):
    """The parents of one column as the order is; who mattered to it, or does now, is due. False: not to be told yet."""
    room, n = space.room, order.order.shape[0]
    for u in range(n):
        room.before[u] = order.place[u] < order.place[child]
    score = trace(source, address, order, room, child, room.near, np.int64(0), tie, room.parents)
    if math.isnan(score):
        return False
    _touch(order, heed, journal, child)
    order.local[child] = score
    for u in range(n):
        was, now = order.near[child, u] < NEVER, room.near[u] < NEVER
        if was or now:
            heed.due[u] = True
        if was != now:
            flip(heed.heeds[u], child)
        order.near[child, u], order.parents[child, u] = room.near[u], room.parents[u]
    for b in range(heed.beyond.shape[1]):
        heed.beyond[child, b] = np.uint64(0)
    return True


@lean
def _shift(order, x, to):
    """Bring x to another place."""
    columns, place, at = order.order, order.place, order.place[x]
    step = 1 if to > at else -1
    for i in range(at, to, step):
        w = columns[i + step]
        columns[i], place[w] = w, i
    columns[to], place[x] = x, to


@lean
def _move(order, heed, journal, x, to, crossed):
    """Bring x to another place: whoever notices is due, and those to whom x matters wait for new parents, with x."""
    at, size, n, made = order.place[x], 0, order.order.shape[0], heed.cursor[MOVED]
    _shift(order, x, to)
    for b in range(crossed.shape[0]):
        crossed[b] = np.uint64(0)
    for i in range(min(at, to + 1), max(at, to - 1) + 1):
        w = order.order[i]
        _add(crossed, w)
        if holds(heed.heeds[x], w):
            heed.waiting[size] = w
            size += 1
        elif holds(heed.beyond[w], x):
            for u in range(n):
                heed.due[u] |= order.near[w, u] < NEVER
    heed.waiting[size] = x
    heed.cursor[WAITING] = size + 1
    heed.due[x] = True
    for z in range(n):
        if holds(heed.reach[z], x) and (holds(crossed, z) or _meet(heed.reach[z], crossed)):
            heed.due[z] = True
    journal.moves[made, 0], journal.moves[made, 1], journal.moves[made, 2] = x, at, to
    journal.moves[made, 3] = order.order[to - 1] if to > 0 else -1
    heed.cursor[MOVED] = made + 1


@lean
def _settle_waiting(order, source, address, heed, journal, space, tie):
    cursor = heed.cursor
    while cursor[WAITING] > 0:
        if not _settle(order, source, address, heed, journal, space, heed.waiting[cursor[WAITING] - 1], tie):
            return False
        cursor[WAITING] -= 1
        if cursor[WAITING] == 0 and cursor[MOVED] > 0:
            score = 0.0
            for u in range(order.local.shape[0]):
                score += order.local[u]
            journal.scores[cursor[MOVED] - 1] = score
    return True


@lean
def _next_due(order, heed):
    """The next column of the queue that is due, -1: none is. Behind its end comes the order as it is then."""
    n, cursor, queue = order.order.shape[0], heed.cursor, heed.queue
    for _ in range(2):
        while cursor[NEXT] < n:
            if heed.due[queue[cursor[NEXT]]]:
                return queue[cursor[NEXT]]
            cursor[NEXT] += 1
        for i in range(n):
            queue[i] = order.order[i]
        cursor[NEXT] = 0
    cursor[NEXT] = n
    return -1


@lean
def _turned(heed, journal, x, reach):
    """x has had its turn; what it reached, and before."""
    heed.due[x], k = False, heed.cursor[TURNED]
    if not journal.is_turned[x]:
        journal.is_turned[x], journal.turned[k] = True, x
        for b in range(reach.shape[0]):
            journal.reach[k, b] = heed.reach[x, b]
        heed.cursor[TURNED] = k + 1
    for b in range(reach.shape[0]):
        heed.reach[x, b] = reach[b]


@lean_kernel
def walk(
    order: Order,
    source: Any,
    address: Address,
    heed: Heed,
    journal: Journal,
    space: Space,
    away: IntArray,
    most: int,
    tie: float,
) -> int:
    """Send columns away[:, 0] to places away[:, 1], as near as required arcs permit, then let due ones move: ENDED.

    PAUSED: so many had their turns, or the journal has no room for a move. LACKING: something cannot be told yet.
    Waiting columns are given their parents first.
    """
    cursor = heed.cursor
    while True:
        if not _settle_waiting(order, source, address, heed, journal, space, tie):
            return LACKING
        if cursor[MOVED] == journal.moves.shape[0]:
            return PAUSED
        if cursor[STRAYED] < away.shape[0]:
            x, to = away[cursor[STRAYED], 0], away[cursor[STRAYED], 1]
            cursor[STRAYED] += 1
            if space.has_required:
                lowest, highest = _span(order, x, space.reach)
                to = min(max(to, lowest), highest)
            if to != order.place[x]:
                _move(order, heed, journal, x, to, space.crossed)
            continue
        x = _next_due(order, heed)
        if x < 0:
            return ENDED
        if most == 0:
            return PAUSED
        most -= 1
        for b in range(space.reach.shape[0]):
            space.reach[b] = np.uint64(0)
        if not _of_others(order, source, address, heed, space, x, tie):
            return LACKING
        to, gain = _best_place(order, source, address, space, x, tie)
        if to < 0:
            return LACKING
        cursor[NEXT] += 1
        _turned(heed, journal, x, space.reach)
        if gain > tie:
            _move(order, heed, journal, x, to, space.crossed)


@lean_kernel
def gained(order: Order, heed: Heed, journal: Journal) -> float:
    """What the score has more than when the journal began."""
    total = 0.0
    for k in range(heed.cursor[TOUCHED]):
        total += order.local[journal.touched[k]] - journal.local[k]
    return total


@lean_kernel
def begin_journal(heed: Heed, journal: Journal) -> None:
    for k in range(heed.cursor[TOUCHED]):
        journal.is_touched[journal.touched[k]] = False
    for k in range(heed.cursor[TURNED]):
        journal.is_turned[journal.turned[k]] = False
    heed.cursor[STRAYED] = heed.cursor[MOVED] = heed.cursor[TOUCHED] = heed.cursor[TURNED] = 0


@lean_kernel
def take_back(order: Order, heed: Heed, journal: Journal) -> None:
    """Make all as it was when the journal began, and nobody was due."""
    cursor = heed.cursor
    for m in range(cursor[MOVED] - 1, -1, -1):
        _shift(order, journal.moves[m, 0], journal.moves[m, 1])
    for k in range(cursor[TOUCHED]):
        w = journal.touched[k]
        order.local[w] = journal.local[k]
        for u in range(order.near.shape[1]):
            if (order.near[w, u] < NEVER) != (journal.near[k, u] < NEVER):
                flip(heed.heeds[u], w)
            order.near[w, u], order.parents[w, u] = journal.near[k, u], journal.parents[k, u]
        for b in range(heed.beyond.shape[1]):
            heed.beyond[w, b] = journal.beyond[k, b]
    for k in range(cursor[TURNED]):
        for b in range(heed.reach.shape[1]):
            heed.reach[journal.turned[k], b] = journal.reach[k, b]
    for u in range(heed.due.shape[0]):
        heed.due[u] = False
    cursor[WAITING], cursor[NEXT] = 0, heed.due.shape[0]
