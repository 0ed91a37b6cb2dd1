"""Bucket elimination, row by row: what the recorded cells of a row of levels say about its hidden ones, exactly.

A family is P(node | its parents). With the recorded cells put in, each family is a table of its hidden nodes alone. It
goes into the *bucket* of the first of them in the order of elimination. The product of a bucket, summed over its own
node, is the message to the bucket of the next node in it; the product of what the last buckets send is p(recorded).
On the way back P(node | rest of the bucket) times P(rest | recorded) is the belief of each bucket.

A hidden cell may have been *read*, with noise: each of its levels then has a likelihood, which is one more table of its
bucket. Levels that a reading all but excludes may be left out of the tables of that row.

The order is the same for all rows, the tables are not: they have the hidden nodes only. Rows are independent, and so
can be divided over threads in any way.
"""

import math
from typing import NamedTuple

import numpy as np

from arcwise._kernels.compiled import lean, lean_kernel
from arcwise._kernels.types import BoolArray, FloatArray, IntArray

EVERY, NO = -2, -1  # of all hidden nodes; of none: only p(recorded) is wanted
FREE, LEFT_OUT = -1, -2  # a family without hidden nodes; one below everything that is recorded or wanted: it sums to 1
LEAST = 1e-150  # tables whose largest number is less are scaled


class Network(NamedTuple):
    """Families by the position of their node."""

    tables: FloatArray  # one after the other
    first: IntArray  # where each begins
    cards: IntArray  # levels of each node
    members_from: IntArray  # (nodes + 1,): the members of a family are those from here to before the next
    members: IntArray  # parents, then the node
    strides: IntArray  # of each: what one level more is in the table
    families_from: IntArray  # (nodes + 1,): likewise the families that a node stands in
    families: IntArray
    order: IntArray  # of elimination
    upward: IntArray  # the nodes, children before parents


class Rows(NamedTuple):
    codes: np.ndarray  # (rows, nodes) uint16
    hidden: BoolArray  # (rows, nodes)
    read_from: IntArray  # (nodes,): where the likelihoods of its levels begin in a row of them; -1: it is never read
    read: FloatArray  # (rows, levels of those): likelihoods, the largest of a cell 1; NaN where it is not read
    least: float  # levels beyond those with this likelihood are left out


class Room(NamedTuple):
    """For one row at a time. A place is the position of a hidden node in the order of elimination."""

    numbers: FloatArray  # the table of each bucket, its own node fastest, then its message
    cards: IntArray  # of each hidden node: levels that are not left out of this row, and the first of them
    low: IntArray
    place: IntArray  # of each node, -1 if it is not hidden or plays no part
    node: IntArray  # at each place
    bucket: IntArray  # of each family: a place, FREE or LEFT_OUT
    scope: BoolArray  # [place, place]: which nodes a bucket has
    axes: IntArray  # [place, k]: the same as a list, without its own
    shape: IntArray  # [place, 5]: number of axes, size, where table and message begin, the bucket that gets the message
    odometer: IntArray  # [3, nodes + 1]: digits of a cell, levels of each axis, and steps in another table


@lean
def _is_read(rows, n, v):
    return rows.read_from[v] >= 0 and rows.hidden[n, v] and not math.isnan(rows.read[n, rows.read_from[v]])


@lean
def _keep_levels(network, rows, n, v, room):
    """The levels of a hidden node that its reading leaves: all between the outermost likely ones."""
    low, high = 0, network.cards[v] - 1
    if rows.least > 0.0 and _is_read(rows, n, v):
        begin = rows.read_from[v]
        while low < high and rows.read[n, begin + low] < rows.least:
            low += 1
        while high > low and rows.read[n, begin + high] < rows.least:
            high -= 1
    room.low[v], room.cards[v] = low, high - low + 1


@lean
def _arrange(network, rows, n, wanted, room):
    """Buckets and their sizes for row n: (how many, numbers that they take)."""
    n_nodes = network.cards.shape[0]
    place, bucket, scope = room.place, room.bucket, room.scope
    for i in range(n_nodes):
        v = network.upward[i]
        plays = wanted in (EVERY, v) or not rows.hidden[n, v] or _is_read(rows, n, v)
        for k in range(network.families_from[v], network.families_from[v + 1]):
            f = network.families[k]
            plays = plays or (f != v and bucket[f] != LEFT_OUT)
        bucket[v] = FREE if plays else LEFT_OUT
    if wanted >= 0:
        _keep_joined(network, rows, n, wanted, room)
    m = 0
    for i in range(n_nodes):
        v = network.order[i]
        place[v] = -1
        if rows.hidden[n, v] and bucket[v] != LEFT_OUT:
            place[v] = m
            room.node[m] = v
            _keep_levels(network, rows, n, v, room)
            m += 1
    for i in range(m):
        for j in range(m):
            scope[i, j] = False
    for f in range(n_nodes):
        if bucket[f] == LEFT_OUT:
            continue
        for k in range(network.members_from[f], network.members_from[f + 1]):
            p = place[network.members[k]]
            if p >= 0 and (bucket[f] < 0 or p < bucket[f]):
                bucket[f] = p
        if bucket[f] >= 0:
            for k in range(network.members_from[f], network.members_from[f + 1]):
                p = place[network.members[k]]
                if p >= 0:
                    scope[bucket[f], p] = True
    total = 0.0
    for i in range(m):
        count, size, up = 0, 1.0 * room.cards[room.node[i]], -1
        for j in range(i + 1, m):
            if scope[i, j]:
                room.axes[i, count] = j
                count += 1
                size *= room.cards[room.node[j]]
                up = j if up < 0 else up
        for k in range(count):
            scope[up, room.axes[i, k]] = True
        room.shape[i, 0], room.shape[i, 4] = count, up
        own = room.cards[room.node[i]]
        if total + 2.0 * size < 9e15:  # else it does not fit anyway
            room.shape[i, 1], room.shape[i, 2] = np.int64(size), np.int64(total)
            room.shape[i, 3] = np.int64(total + size)
        total += size + size / own
    return m, total


@lean
def _keep_joined(network, rows, n, target, room):
    """Leave out families that are not joined to the target by hidden nodes: they are the same for all its levels."""
    seen, waiting, kept = room.place, room.node, room.odometer[0]
    for v in range(network.cards.shape[0]):
        seen[v] = kept[v] = 0
    waiting[0], seen[target], count, done = target, 1, 1, 0
    while done < count:
        v = waiting[done]
        done += 1
        for k in range(network.families_from[v], network.families_from[v + 1]):
            f = network.families[k]
            if room.bucket[f] == LEFT_OUT or kept[f]:
                continue
            kept[f] = 1
            for i in range(network.members_from[f], network.members_from[f + 1]):
                other = network.members[i]
                if rows.hidden[n, other] and not seen[other]:
                    seen[other] = 1
                    waiting[count] = other
                    count += 1
    for f in range(network.cards.shape[0]):
        if not kept[f]:
            room.bucket[f] = LEFT_OUT


@lean
def _levels_of_axes(network, i, room):
    """Axis 0 is the bucket's own node; no steps yet."""
    levels, steps = room.odometer[1], room.odometer[2]
    levels[0], steps[0] = room.cards[room.node[i]], 0
    for k in range(room.shape[i, 0]):
        levels[k + 1], steps[k + 1] = room.cards[room.node[room.axes[i, k]]], 0


@lean
def _axis(room, i, place):
    """The axis of bucket i that has the node at this place."""
    if place == i:
        return 0
    k = 0
    while room.axes[i, k] != place:
        k += 1
    return k + 1


@lean
def _enter_family(network, rows, n, f, i, room):
    """Set the steps that the cells of bucket i take in the table of family f; where the first of them is."""
    _levels_of_axes(network, i, room)
    at = network.first[f]
    for k in range(network.members_from[f], network.members_from[f + 1]):
        v = network.members[k]
        if room.place[v] >= 0:
            room.odometer[2, _axis(room, i, room.place[v])] = network.strides[k]
            at += network.strides[k] * room.low[v]
        else:
            at += network.strides[k] * np.int64(rows.codes[n, v])
    return at


@lean
def _enter_message(network, i, room):
    """The same for the message of bucket i, in the bucket that it is for."""
    up, stride = room.shape[i, 4], 1
    _levels_of_axes(network, up, room)
    for k in range(room.shape[i, 0]):
        place = room.axes[i, k]
        room.odometer[2, _axis(room, up, place)] = stride
        stride *= room.cards[room.node[place]]


@lean
def _advance(room, n_axes, at):
    """The next cell of a bucket, its own node fastest; where it is in the other table."""
    digits, levels, steps = room.odometer[0], room.odometer[1], room.odometer[2]
    for k in range(n_axes):
        digits[k] += 1
        at += steps[k]
        if digits[k] < levels[k]:
            break
        at -= steps[k] * levels[k]
        digits[k] = 0
    return at


@lean
def _multiply(room, i, other, at):
    """The cells of bucket i times those of another table, scaled if they get small; the log of the scale."""
    numbers, begin, size, n_axes = room.numbers, room.shape[i, 2], room.shape[i, 1], room.shape[i, 0] + 1
    for k in range(n_axes):
        room.odometer[0, k] = 0
    top = 0.0
    for c in range(begin, begin + size):
        numbers[c] *= other[at]
        top = max(top, numbers[c])
        at = _advance(room, n_axes, at)
    if top >= LEAST or top == 0.0:
        return 0.0
    for c in range(begin, begin + size):
        numbers[c] /= top
    return math.log(top)


@lean
def _scatter(room, i, other, at, weight):
    """Add the cells of bucket i, times a weight, to those of another table."""
    begin, n_axes = room.shape[i, 2], room.shape[i, 0] + 1
    for k in range(n_axes):
        room.odometer[0, k] = 0
    for c in range(begin, begin + room.shape[i, 1]):
        other[at] += weight * room.numbers[c]
        at = _advance(room, n_axes, at)


@lean
def _collect(network, rows, n, m, room):
    """All messages; ln p(recorded)."""
    numbers, found = room.numbers, 0.0
    for f in range(network.cards.shape[0]):
        if room.bucket[f] == FREE:
            at = network.first[f]
            for k in range(network.members_from[f], network.members_from[f + 1]):
                at += network.strides[k] * np.int64(rows.codes[n, network.members[k]])
            if network.tables[at] <= 0.0:
                return -math.inf
            found += math.log(network.tables[at])
    for i in range(m):
        v, begin = room.node[i], room.shape[i, 2]
        is_read, likelihood, own = _is_read(rows, n, v), rows.read_from[v] + room.low[v], room.cards[v]
        for c in range(room.shape[i, 1]):
            numbers[begin + c] = rows.read[n, likelihood + c % own] if is_read else 1.0
    for i in range(m):
        v = room.node[i]
        for k in range(network.families_from[v], network.families_from[v + 1]):
            f = network.families[k]
            if room.bucket[f] == i:
                at = _enter_family(network, rows, n, f, i, room)
                found += _multiply(room, i, network.tables, at)
        own, begin, message = room.cards[v], room.shape[i, 2], room.shape[i, 3]
        cells, top = room.shape[i, 1] // own, 0.0
        for c in range(cells):
            total = 0.0
            for s in range(own):
                total += numbers[begin + c * own + s]
            numbers[message + c] = total
            top = max(top, total)
        if not top > 0.0:
            return -math.inf
        found += math.log(top)
        for c in range(cells):
            numbers[message + c] /= top
        if room.shape[i, 4] >= 0:
            _enter_message(network, i, room)
            found += _multiply(room, room.shape[i, 4], numbers, message)
        for c in range(begin, begin + room.shape[i, 1]):
            numbers[c] /= top
    return found


@lean
def _distribute(network, m, room):
    """Each bucket's table becomes P(its nodes | recorded)."""
    numbers = room.numbers
    for i in range(m - 1, -1, -1):
        own, begin, message, up = room.cards[room.node[i]], room.shape[i, 2], room.shape[i, 3], room.shape[i, 4]
        cells = room.shape[i, 1] // own
        for c in range(cells):
            total = numbers[message + c]
            for s in range(own):
                at = begin + c * own + s
                numbers[at] = numbers[at] / total if total > 0.0 else 0.0
        if up < 0:
            continue
        for c in range(cells):
            numbers[message + c] = 0.0
        _enter_message(network, i, room)
        _scatter(room, up, numbers, message, 1.0)
        for c in range(cells):
            for s in range(own):
                numbers[begin + c * own + s] *= numbers[message + c]


@lean_kernel
def sizes(network: Network, rows: Rows, wanted: int, room: Room, found: FloatArray) -> None:
    """The numbers that each row takes."""
    for n in range(rows.codes.shape[0]):
        found[n] = _arrange(network, rows, n, wanted, room)[1]


@lean_kernel
def log_densities(network: Network, rows: Rows, first: int, last: int, room: Room, found: FloatArray) -> None:
    """ln p(recorded) of rows first to last - 1."""
    for n in range(first, last):
        m = _arrange(network, rows, n, np.int64(NO), room)[0]
        found[n] = _collect(network, rows, n, m, room)


@lean_kernel
def posteriors(network: Network, rows: Rows, target: int, first: int, last: int, room: Room, found: FloatArray) -> None:
    """P(level of the target | recorded) into found[n]; NaN where that is impossible.

    The target is hidden in all rows, and last in the order.
    """
    own = network.cards[target]
    for n in range(first, last):
        m = _arrange(network, rows, n, target, room)[0]
        possible = _collect(network, rows, n, m, room) > -math.inf
        begin, total = room.shape[m - 1, 2], 0.0
        for s in range(own):
            total += room.numbers[begin + s] if possible else math.nan
        for s in range(own):
            found[n, s] = room.numbers[begin + s] / total


@lean
def _add_shares(room, v, found, at):
    """P(level | recorded) of a hidden node, from its bucket, into found[at], found[at + 1] ..."""
    i, own, low = room.place[v], room.cards[v], room.low[v]
    for c in range(room.shape[i, 1]):
        found[at + low + c % own] += room.numbers[room.shape[i, 2] + c]


@lean_kernel
def shares(
    network: Network, rows: Rows, first: int, last: int, room: Room, starts: IntArray, found: FloatArray
) -> None:
    """P(level | recorded) of every hidden cell, from starts[n] on, column after column; NaN where it is impossible."""
    for n in range(first, last):
        m = _arrange(network, rows, n, np.int64(EVERY), room)[0]
        possible = _collect(network, rows, n, m, room) > -math.inf
        if possible:
            _distribute(network, m, room)
        at = starts[n]
        for v in range(network.cards.shape[0]):
            if not rows.hidden[n, v]:
                continue
            for s in range(network.cards[v]):
                found[at + s] = 0.0 if possible else math.nan
            if possible:
                _add_shares(room, v, found, at)
            at += network.cards[v]


@lean_kernel
def draw(
    network: Network, rows: Rows, first: int, last: int, room: Room, starts: IntArray, uniform: FloatArray
) -> None:
    """Every hidden cell drawn, all of a row together; an impossible row keeps its codes.

    uniform: random numbers from 0 to 1, those of row n from starts[n] on.
    """
    for n in range(first, last):
        m = _arrange(network, rows, n, np.int64(EVERY), room)[0]
        if not _collect(network, rows, n, m, room) > -math.inf:
            continue
        for i in range(m - 1, -1, -1):
            v = room.node[i]
            own, stride, begin = room.cards[v], room.cards[v], room.shape[i, 2]
            for k in range(room.shape[i, 0]):
                other = room.node[room.axes[i, k]]
                begin += stride * (np.int64(rows.codes[n, other]) - room.low[other])
                stride *= room.cards[other]
            total = 0.0
            for s in range(own):
                total += room.numbers[begin + s]
            left, level = uniform[starts[n] + i] * total, 0
            while level < own - 1 and left >= room.numbers[begin + level]:
                left -= room.numbers[begin + level]
                level += 1
            while level > 0 and room.numbers[begin + level] <= 0.0:  # rounding must not make the impossible
                level -= 1
            rows.codes[n, v] = level + room.low[v]


@lean_kernel
def add_counts(
    network: Network,
    rows: Rows,
    weights: FloatArray,
    first: int,
    last: int,
    room: Room,
    counts: FloatArray,
    found: FloatArray,
    shares_read: FloatArray,
) -> None:
    """Add how often each cell of each table is expected in rows first to last - 1 to `counts`; ln p(recorded) of each.

    shares_read: P(level | recorded) of each cell that is read, laid out as the likelihoods; it begins with 0.

    A hidden node below all that is recorded says nothing about its own table, and is not counted.
    """
    for n in range(first, last):
        m = _arrange(network, rows, n, np.int64(NO), room)[0]
        found[n] = _collect(network, rows, n, m, room)
        if not found[n] > -math.inf:
            continue
        _distribute(network, m, room)
        for v in range(network.cards.shape[0]):
            if _is_read(rows, n, v):
                _add_shares(room, v, shares_read, n * rows.read.shape[1] + rows.read_from[v])
        for f in range(network.cards.shape[0]):
            i = room.bucket[f]
            if i >= 0:
                at = _enter_family(network, rows, n, f, i, room)
                _scatter(room, i, counts, at, weights[n])
            elif i == FREE:
                at = network.first[f]
                for k in range(network.members_from[f], network.members_from[f + 1]):
                    at += network.strides[k] * np.int64(rows.codes[n, network.members[k]])
                counts[at] += weights[n]
