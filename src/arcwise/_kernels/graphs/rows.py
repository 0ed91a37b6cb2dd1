"""Toggle rows: the scores of a family and of all its neighbours, kept by family.

For a child v with the parents P, row[u] is the score of v with u toggled in P, and row[v] the score with P as it is.
Minus infinity: u may not be added. NaN: not worked out yet. A family's parents are bits, 64 columns a word.
"""

import math
from typing import NamedTuple

import numpy as np

from arcwise._kernels.compiled import kernel, lean, lean_kernel
from arcwise._kernels.types import BoolArray, IntArray

WORD = 64


class Rows(NamedTuple):
    """Rows of one table, `used[0]` of them; those of one child hang together, the newest first.

    The parents of the first free row are those of the family that is being looked for.
    """

    scores: np.ndarray  # (room, n)
    parents: np.ndarray  # (room, words)
    older: np.ndarray  # of each row: the row before it of the same child, -1 at the end
    newest: np.ndarray  # of each child, -1: none
    used: np.ndarray


class Limits(NamedTuple):
    """What may be a parent. candidates[u, v]: u of v; cards: levels; max_table: most cells of a family's table.

    reuse: a new row takes over the scores that other rows have.
    """

    candidates: np.ndarray
    cards: np.ndarray
    max_parents: int
    max_table: float
    reuse: bool


@lean
def holds(bits, u):
    return (bits[u // WORD] >> np.uint64(u % WORD)) & np.uint64(1) == 1


@lean
def flip(bits, u):
    bits[u // WORD] ^= np.uint64(1) << np.uint64(u % WORD)


@lean
def bits_of(adj, child, bits):
    """The parents of a child in a graph."""
    for w in range(bits.shape[0]):
        bits[w] = np.uint64(0)
    for u in range(adj.shape[0]):
        if adj[u, child]:
            flip(bits, u)


@lean
def find(rows, child):
    """Where the row is of the family whose parents are in the first free row; -1: nowhere."""
    bits, place = rows.parents[rows.used[0]], rows.newest[child]
    while place >= 0:
        same = True
        for w in range(bits.shape[0]):
            if rows.parents[place, w] != bits[w]:
                same = False
        if same:
            return place
        place = rows.older[place]
    return place


@lean
def _known(rows, child):
    """The score of that family, if some row holds it, else NaN."""
    place = find(rows, child)
    if place >= 0:
        return rows.scores[place, child]
    bits = rows.parents[rows.used[0]]
    for u in range(rows.scores.shape[1]):
        if holds(bits, u):
            flip(bits, u)
            place = find(rows, child)
            flip(bits, u)
            if place >= 0 and rows.scores[place, u] > -math.inf:
                return rows.scores[place, u]
    return math.nan


@lean
def _may_join(limits, child, u, size, cells):
    """Whether u may be one more parent of the child beside `size` others, whose table has so many cells."""
    joins = size < limits.max_parents and limits.candidates[u, child]
    return joins and cells * limits.cards[u] <= limits.max_table


@lean
def begin(rows, limits, child):
    """Take the first free row for its family, with the scores that are known and NaN for the others; where it is."""
    scores, cards = rows.scores, limits.cards
    n, place = scores.shape[1], rows.used[0]
    bits = rows.parents[place]
    size, cells = 0, float(cards[child])
    for u in range(n):
        if holds(bits, u):
            size += 1
            cells *= cards[u]
    for u in range(n):
        scores[place, u] = -math.inf
        if u == child:
            scores[place, u] = _known(rows, child) if limits.reuse else math.nan
        elif holds(bits, u):
            scores[place, u] = math.nan
            if limits.reuse:
                flip(bits, u)
                scores[place, u] = _known(rows, child)
                flip(bits, u)
        elif _may_join(limits, child, u, size, cells):
            scores[place, u] = math.nan
    rows.older[place] = rows.newest[child]
    rows.newest[child] = place
    rows.used[0] = place + 1
    return place


@lean
def lacking(scores, place):
    """Scores of a row that are not worked out."""
    missing = 0
    for u in range(scores.shape[1]):
        missing += math.isnan(scores[place, u])
    return missing


@lean
def permitted(scores, place):
    """Families that a row is about."""
    size = 0
    for u in range(scores.shape[1]):
        size += scores[place, u] > -math.inf
    return size


@lean_kernel
def find_or_begin(rows: Rows, limits: Limits, child: int, members: IntArray) -> tuple[int, int]:
    """(where the row of this family is, how many of its scores are not worked out). There is a free row."""
    bits = rows.parents[rows.used[0]]
    for w in range(bits.shape[0]):
        bits[w] = np.uint64(0)
    for m in range(members.shape[0]):
        flip(bits, members[m])
    place = find(rows, child)
    if place < 0:
        place = begin(rows, limits, child)
    return place, lacking(rows.scores, place)


@kernel
def batches(rows: Rows, place: int, child: int) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """(near, sets, fewer, smaller): what a row lacks, as parent sets.

    near: columns to be added, last the child itself for the parents as they are; sets: the parents with each, -1 for
    none. fewer: parents to be left out; smaller: the parents without each.
    """
    scores, bits = rows.scores, rows.parents[place]
    n = scores.shape[1]
    members = np.empty(n, dtype=np.int64)
    size = 0
    for u in range(n):
        if holds(bits, u):
            members[size] = u
            size += 1
    near, fewer = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    n_near, n_fewer = 0, 0
    for u in range(n):
        if math.isnan(scores[place, u]) and u != child:
            if holds(bits, u):
                fewer[n_fewer] = u
                n_fewer += 1
            else:
                near[n_near] = u
                n_near += 1
    if math.isnan(scores[place, child]):
        near[n_near] = child
        n_near += 1
    sets = np.empty((n_near, size + 1), dtype=np.int64)
    for i in range(n_near):
        for m in range(size):
            sets[i, m] = members[m]
        sets[i, size] = near[i] if near[i] != child else -1
    smaller = np.empty((n_fewer, max(size - 1, 0)), dtype=np.int64)
    for i in range(n_fewer):
        k = 0
        for m in range(size):
            if members[m] != fewer[i]:
                smaller[i, k] = members[m]
                k += 1
    return near[:n_near], sets, fewer[:n_fewer], smaller


@lean_kernel
def inherit(old: Rows, new: Rows, limits: Limits, changed: BoolArray) -> None:
    """Take over the rows of another table that touch no changed column; their entries of changed ones are to be found.

    So are those of columns that may be added now, and could not be before.
    `new` has room for all rows of `old`.
    """
    n = old.scores.shape[1]
    for child in range(n):
        place = -1 if changed[child] else old.newest[child]
        while place >= 0:
            untouched, size, cells = True, 0, float(limits.cards[child])
            for u in range(n):
                if holds(old.parents[place], u):
                    size += 1
                    cells *= limits.cards[u]
                    untouched = untouched and not changed[u]
            if untouched:
                at = new.used[0]
                for w in range(new.parents.shape[1]):
                    new.parents[at, w] = old.parents[place, w]
                for u in range(n):
                    score = old.scores[place, u]
                    if u != child and not holds(old.parents[place], u):
                        if not _may_join(limits, child, u, size, cells):
                            score = -math.inf
                        elif changed[u] or score == -math.inf:
                            score = math.nan
                    new.scores[at, u] = score
                new.older[at] = new.newest[child]
                new.newest[child] = at
                new.used[0] = at + 1
            place = old.older[place]
