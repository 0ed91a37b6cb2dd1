"""Whole walks over DAGs, one move after another: hill climbing and tabu search.

A walk goes on until it has come to its end, has taken as many moves as there is room for, has worked for a while, or
lacks a toggle row that only Python can work out. It then says so and is called again.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import types

from arcwise._kernels.by_address import Address, calling
from arcwise._kernels.compiled import lean, lean_kernel
from arcwise._kernels.counts.toggled import Families
from arcwise._kernels.graphs.moves import (
    ADD,
    NOTHING,
    REVERSE,
    add_to_closure,
    best_move,
    close,
    remove_from_closure,
    top_addition,
)
from arcwise._kernels.graphs.rows import Limits, Rows, begin, bits_of, find, lacking, permitted

AT_THE_END, PAUSED, LACKS_A_ROW, LACKS_SCORES = 0, 1, 2, 3
# Places of the cursor; KIND, U and V are of the move that is being made
WAITING, PLACE, KIND, U, V, N_ARCS, STEPS, LOGGED, TIES, BARREN, ASKED, COMPUTED = range(12)
CURSOR = 12
WORK = 1 << 28  # cells of the table that are looked at before a pause
# Places of the scores
NOW, BEST = range(2)

work_out = calling(types.boolean)


class Walk(NamedTuple):
    """A DAG on its way: arcs, reachability, scores, and the gain of every toggle.

    Invariants: `reach` is the closure of `adj`; arcs[:N_ARCS] are its arcs as u n + v, ascending; gains[v, u] is the
    gain of toggling u -> v; tops[v] is the largest of gains[v] over nodes not adjacent to v; key[0] is the exclusive or
    of the Zobrist numbers of all arcs, so that equal structures have equal keys; `recent` has those of the last ones.
    """

    adj: np.ndarray
    arcs: np.ndarray
    reach: np.ndarray
    gains: np.ndarray
    tops: np.ndarray
    local: np.ndarray
    may_delete: np.ndarray
    zobrist: np.ndarray
    key: np.ndarray
    recent: np.ndarray
    waiting: np.ndarray  # columns whose rows are to be looked up, the next one last
    best_adj: np.ndarray
    cursor: np.ndarray
    scores: np.ndarray
    room: np.ndarray  # for the updates of `reach`


class Log(NamedTuple):
    """The moves taken: kind, u, v of each, and the score after it."""

    moves: np.ndarray
    scores: np.ndarray


@lean
def _toggle(walk, u, v):
    adj, arcs, cursor = walk.adj, walk.arcs, walk.cursor
    code, place = u * adj.shape[0] + v, 0
    while place < cursor[N_ARCS] and arcs[place] < code:
        place += 1
    if adj[u, v]:
        cursor[N_ARCS] -= 1
        for a in range(place, cursor[N_ARCS]):
            arcs[a] = arcs[a + 1]
    else:
        for a in range(cursor[N_ARCS], place, -1):
            arcs[a] = arcs[a - 1]
        arcs[place] = code
        cursor[N_ARCS] += 1
    adj[u, v] = not adj[u, v]
    walk.key[0] ^= walk.zobrist[u, v]


@lean
def _apply(walk, kind, u, v):
    """Change the graph; the rows of the changed children are waited for."""
    cursor, waiting = walk.cursor, walk.waiting
    _toggle(walk, u, v)
    waiting[0] = v
    cursor[WAITING] = 1
    if kind == ADD:
        add_to_closure(walk.reach, u, v)
    else:
        remove_from_closure(walk.adj, walk.reach, u, walk.room[0], walk.room[1])
        if kind == REVERSE:
            _toggle(walk, v, u)
            add_to_closure(walk.reach, v, u)
            waiting[1] = u
            cursor[WAITING] = 2
    cursor[KIND], cursor[U], cursor[V] = kind, u, v


@lean
def _look_up(walk, rows, limits, families, address):
    """Take the waiting columns' gains from their rows. LACKS_...: what is missing for that; PAUSED: after much work."""
    cursor, scores = walk.cursor, rows.scores
    n = scores.shape[1]
    worked = 0
    while cursor[WAITING] > 0:
        if worked > WORK:
            return PAUSED
        if rows.used[0] == scores.shape[0]:
            return LACKS_A_ROW
        child = walk.waiting[cursor[WAITING] - 1]
        bits_of(walk.adj, child, rows.parents[rows.used[0]])  # where the family begins, if it is new
        place = find(rows, child)
        if place < 0:
            place = begin(rows, limits, child)
        cursor[PLACE] = place
        missing = lacking(scores, place)
        if missing > 0:
            if address[0] == 0 or not work_out(address, families, rows, place, child):
                return LACKS_SCORES
            cursor[COMPUTED] += missing
            worked += families.block[0].size
        cursor[ASKED] += permitted(scores, place)
        walk.local[child] = scores[place, child]
        for u in range(n):
            walk.gains[child, u] = scores[place, u] - scores[place, child]
        walk.gains[child, child] = -math.inf
        cursor[WAITING] -= 1
    return AT_THE_END


@lean
def _strand(values, start, end):
    total = values[start]
    for i in range(start + 8, end, 8):
        total += values[i]
    return total


@lean
def add_up(values):
    """The sum in eight strands, as NumPy forms it of up to 128 numbers."""
    n, total = values.shape[0], 0.0
    end = n - n % 8
    if n >= 8:
        for first in range(0, 8, 4):
            half = _strand(values, first, end) + _strand(values, first + 1, end)
            total += half + (_strand(values, first + 2, end) + _strand(values, first + 3, end))
    for i in range(end, n):
        total += values[i]
    return total


@lean
def near(score):
    """Scores nearer than this are equal: parts/ties.py."""
    return 1e-9 * (1.0 + abs(score))


@lean
def _settle(walk, log):
    """After a move: the score, the log, and whether this is the best structure yet."""
    cursor, scores = walk.cursor, walk.scores
    u, v = cursor[U], cursor[V]
    walk.tops[u] = top_addition(walk.gains, walk.adj, u)
    walk.tops[v] = top_addition(walk.gains, walk.adj, v)
    scores[NOW] = add_up(walk.local)
    cursor[STEPS] += 1
    if walk.recent.shape[0] > 0:
        walk.recent[cursor[STEPS] % walk.recent.shape[0]] = walk.key[0]
    log.scores[cursor[LOGGED]] = scores[NOW]
    moves = log.moves[cursor[LOGGED]]
    moves[0], moves[1], moves[2] = cursor[KIND], u, v
    cursor[KIND] = NOTHING
    cursor[LOGGED] += 1
    if scores[NOW] > scores[BEST] + near(scores[NOW]):
        scores[BEST] = scores[NOW]
        if cursor[BARREN] == 0:  # the structure before was the best, too
            walk.best_adj[u, v], walk.best_adj[v, u] = walk.adj[u, v], walk.adj[v, u]
        else:
            for a in range(walk.adj.shape[0]):
                for b in range(walk.adj.shape[0]):
                    walk.best_adj[a, b] = walk.adj[a, b]
        cursor[BARREN] = 0
    else:
        cursor[BARREN] += 1


@lean_kernel
def go_on(walk: Walk, rows: Rows, limits: Limits, log: Log, patience: int, families: Families, address: Address) -> int:
    """Walk on, and say why the walk has paused: AT_THE_END or what it lacks.

    address: of `toggled.work_out` for these families; NOWHERE: rows that are lacking are left to Python.
    With `recent` structures that may not be visited again (tabu search) a move that loses is taken, and the walk ends
    after `patience` moves without a new best structure; else it ends where no move gains.
    """
    cursor, scores = walk.cursor, walk.scores
    while True:
        moved = cursor[KIND] != NOTHING
        state = _look_up(walk, rows, limits, families, address)
        if state != AT_THE_END:
            return state
        if moved:
            _settle(walk, log)
            if cursor[BARREN] > 0 and cursor[BARREN] >= patience:
                return AT_THE_END
        elif scores[NOW] == -math.inf:
            close(walk.adj, walk.reach, walk.room[0], walk.room[1])
            for v in range(walk.adj.shape[0]):
                walk.tops[v] = top_addition(walk.gains, walk.adj, v)
            scores[NOW] = scores[BEST] = add_up(walk.local)
        if cursor[LOGGED] == log.scores.shape[0]:
            return PAUSED
        known = min(cursor[STEPS] + 1, walk.recent.shape[0])
        kind, u, v, gain, ties = best_move(
            walk.gains, walk.tops, walk.adj, walk.arcs[: cursor[N_ARCS]], walk.reach, walk.may_delete,
            near(scores[NOW]), walk.key[0], walk.zobrist, walk.recent[:known],
        )  # fmt: skip
        if kind == NOTHING or (walk.recent.shape[0] == 0 and gain <= near(scores[NOW])):
            return AT_THE_END
        cursor[TIES] += ties
        _apply(walk, kind, u, v)
