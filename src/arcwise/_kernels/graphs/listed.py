"""Walks over DAGs where each node has a list of candidates: no array has a cell for every pair of nodes.

A *slot* is a candidate u of a child v, that is, an arc u -> v that a walk may toggle. Whether an arc closes a cycle is
found by a search along arcs, when a move is about to be chosen. The moves, and the order among those that are tied, are
those of moves.py.
"""

import math
from typing import NamedTuple

import numpy as np

from arcwise._kernels.compiled import lean, lean_kernel
from arcwise._kernels.graphs.climb import add_up, near
from arcwise._kernels.graphs.moves import ADD, DELETE, NOTHING, REVERSE, is_tabu

# Places of the cursor; KIND and SLOT are of the move that is being made
KIND, SLOT, STEPS, TIES, BARREN, SEARCHES = range(6)
CURSOR = 6
NOW, BEST = range(2)  # places of the scores


class Slots(NamedTuple):
    """Child v has the slots first[v]..first[v + 1] - 1, by parent.

    Those of a parent u are out[out_first[u]]..out[out_first[u + 1] - 1], by child.
    other: the slot of the arc the other way, -1: there is none. keys: a Zobrist number for each slot.
    """

    first: np.ndarray
    parent: np.ndarray
    child: np.ndarray
    other: np.ndarray
    out_first: np.ndarray
    out: np.ndarray
    may_delete: np.ndarray
    keys: np.ndarray


class Walk(NamedTuple):
    """A DAG on its way.

    Invariants: gains[s] is the gain of toggling the arc of slot s; tops[v] is the largest gain of any move on a slot of
    v, acyclic or not; key[0] is the exclusive or of the keys of all arcs; `recent` has those of the last structures.
    """

    present: np.ndarray
    gains: np.ndarray
    tops: np.ndarray
    local: np.ndarray
    key: np.ndarray
    recent: np.ndarray
    best: np.ndarray  # the arcs of the best structure
    seen: np.ndarray  # (2, n): from each end, the last search that has met a node ...
    came: np.ndarray  # ... and by which slot
    queue: np.ndarray
    reached: np.ndarray
    paths: np.ndarray  # (2 slots, most arcs): for each move, the path that stood against it when last asked about ...
    lengths: np.ndarray  # ... with so many arcs; 0: none
    refused: np.ndarray  # the step at which a move was found to close a cycle
    cursor: np.ndarray
    scores: np.ndarray


@lean
def leads(slots, walk, start, end, without, witness):
    """Whether a directed path leads from one node to another, not by way of the slot `without`.

    It is looked for from both ends in turn, a node at a time, so that the end with less behind it decides. A path that
    is found is kept as the witness of this number, where there is room for it.
    """
    seen, queue, reached, cursor = walk.seen, walk.queue, walk.reached, walk.cursor
    cursor[SEARCHES] += 1
    search, side = cursor[SEARCHES], 0
    queue[0, 0], queue[1, 0] = start, end
    seen[0, start] = seen[1, end] = search
    reached[0, 0], reached[0, 1], reached[1, 0], reached[1, 1] = 0, 1, 0, 1  # done and met, from each end
    while reached[side, 0] < reached[side, 1]:
        u = queue[side, reached[side, 0]]
        reached[side, 0] += 1
        bounds = slots.first if side else slots.out_first
        for place in range(bounds[u], bounds[u + 1]):
            slot = place if side else slots.out[place]
            w = slots.parent[slot] if side else slots.child[slot]
            if walk.present[slot] and slot != without and seen[side, w] != search:
                seen[side, w], walk.came[side, w], queue[side, reached[side, 1]] = search, slot, w
                reached[side, 1] += 1
                if seen[1 - side, w] == search:
                    _put_down(slots, walk, start, w, end, witness)
                    return True
        side = 1 - side
    return False


@lean
def _put_down(slots, walk, start, middle, end, witness):
    """Keep the slots of a path as a witness, unless it is too long."""
    path, came, length = walk.paths[witness], walk.came, 0
    node = middle
    while node != start and length < path.shape[0]:
        path[length] = came[0, node]
        node = slots.parent[came[0, node]]
        length += 1
    if node == start:
        node = middle
        while node != end and length < path.shape[0]:
            path[length] = came[1, node]
            node = slots.child[came[1, node]]
            length += 1
    walk.lengths[witness] = length if node == end else 0


@lean
def barred(walk, witness):
    """Whether the path that a move would close to a cycle, when it was last asked about, is still there."""
    for place in range(walk.lengths[witness]):
        if not walk.present[walk.paths[witness, place]]:
            return False
    return walk.lengths[witness] > 0


@lean
def witness_of(slot, kind):
    """The number of the witness against an addition or a reversal."""
    return 2 * slot + kind // REVERSE


@lean
def joined(slots, walk, slot):
    """Whether the arc the other way is there."""
    return slots.other[slot] >= 0 and walk.present[slots.other[slot]]


@lean
def gain_of(slots, walk, slot, kind):
    """Of a move on a slot; minus infinity where it is out of the question, whatever cycles there are."""
    other = slots.other[slot]
    if kind == ADD:
        possible = not walk.present[slot] and not joined(slots, walk, slot)
        return walk.gains[slot] if possible else -math.inf
    if not walk.present[slot] or not slots.may_delete[slot]:
        return -math.inf
    if kind == DELETE:
        return walk.gains[slot]
    return walk.gains[slot] + walk.gains[other] if other >= 0 else -math.inf


@lean
def top_of(slots, walk, v):
    """The largest gain of any move on a slot of v."""
    top = -math.inf
    for slot in range(slots.first[v], slots.first[v + 1]):
        for kind in range(3):
            top = max(top, gain_of(slots, walk, slot, kind))
    return top


@lean
def tabu(slots, walk, slot, kind, recent):
    """Whether a move leads to a structure with one of these keys."""
    key = walk.key[0] ^ slots.keys[slot]
    if kind == REVERSE:
        key ^= slots.keys[slots.other[slot]]
    return is_tabu(recent, key)


@lean
def legal(slots, walk, slot, kind):
    """Whether a move keeps the graph acyclic."""
    u, v = slots.parent[slot], slots.child[slot]
    if kind == ADD:
        return not leads(slots, walk, v, u, np.int64(-1), witness_of(slot, kind))
    return kind == DELETE or not leads(slots, walk, u, v, slot, witness_of(slot, kind))


@lean
def before(slots, kind, slot, other_kind, other_slot):
    """Whether one of two tied moves goes first: additions, deletions, reversals, each in the order of the nodes."""
    if kind != other_kind or other_slot < 0:
        return kind < other_kind or other_slot < 0
    u, other_u = slots.parent[slot], slots.parent[other_slot]
    return u < other_u or (u == other_u and slots.child[slot] < slots.child[other_slot])


@lean
def _highest(slots, walk, recent):
    """(kind, slot, gain) of the move that gains most of those that are not known to be out of the question."""
    best, chosen, place = -math.inf, NOTHING, np.int64(-1)
    for v in range(walk.tops.shape[0]):
        if walk.tops[v] > best:
            for slot in range(slots.first[v], slots.first[v + 1]):
                for kind in range(3):
                    gain = gain_of(slots, walk, slot, kind)
                    if gain > best and _open(slots, walk, slot, kind, recent):
                        best, chosen, place = gain, kind, np.int64(slot)
    return chosen, place, best


@lean
def _open(slots, walk, slot, kind, recent):
    """Whether nothing that is known speaks against a move."""
    if kind != DELETE:
        witness = witness_of(slot, kind)
        if walk.refused[witness] == walk.cursor[STEPS] or barred(walk, witness):
            return False
    return not tabu(slots, walk, slot, kind, recent)


@lean
def best_move(slots, walk, tolerance, recent):
    """(kind, slot, gain, ties): the best legal move, as in moves.py.

    Few moves are searched for cycles: the one that gains most, until one is legal, and those tied with it.
    """
    kind, place, best = _highest(slots, walk, recent)
    while kind != NOTHING and not legal(slots, walk, place, kind):
        walk.refused[witness_of(place, kind)] = walk.cursor[STEPS]
        kind, place, best = _highest(slots, walk, recent)
    if kind == NOTHING:
        return NOTHING, place, best, 0
    chosen, first, gained, tied = NOTHING, np.int64(-1), -math.inf, 0
    for v in range(walk.tops.shape[0]):
        if walk.tops[v] >= best - tolerance:
            for slot in range(slots.first[v], slots.first[v + 1]):
                for kind in range(3):
                    gain = gain_of(slots, walk, slot, kind)
                    if gain < best - tolerance or not _open(slots, walk, slot, kind, recent):
                        continue
                    if legal(slots, walk, slot, kind):
                        tied += 1
                        if before(slots, kind, slot, chosen, first):
                            chosen, first, gained = kind, np.int64(slot), gain
    return chosen, first, gained, tied - 1


@lean
def _refresh(slots, walk, v):
    """The tops of a node whose scores have changed and of its children, whose arcs from it may be turned round."""
    walk.tops[v] = top_of(slots, walk, v)
    for place in range(slots.out_first[v], slots.out_first[v + 1]):
        slot = slots.out[place]
        if walk.present[slot]:
            walk.tops[slots.child[slot]] = top_of(slots, walk, slots.child[slot])


@lean
def _toggle(slots, walk, slot):
    walk.present[slot] = not walk.present[slot]
    walk.key[0] ^= slots.keys[slot]


@lean_kernel
def settle(slots: Slots, walk: Walk) -> None:
    """Take in the scores of what the last move has changed, or all at the beginning; is this the best structure yet?

    The caller has brought `gains` and `local` up to date: of the slot's child and, after a reversal, of its parent.
    """
    cursor, scores = walk.cursor, walk.scores
    began = cursor[KIND] == NOTHING
    if began:
        for v in range(walk.tops.shape[0]):
            walk.tops[v] = top_of(slots, walk, v)
    else:
        _refresh(slots, walk, slots.parent[cursor[SLOT]])
        _refresh(slots, walk, slots.child[cursor[SLOT]])
        cursor[STEPS] += 1
    scores[NOW] = add_up(walk.local)
    if walk.recent.shape[0] > 0:
        walk.recent[cursor[STEPS] % walk.recent.shape[0]] = walk.key[0]
    if began or scores[NOW] > scores[BEST] + near(scores[NOW]):
        scores[BEST] = scores[NOW]
        cursor[BARREN] = 0
        for slot in range(walk.best.shape[0]):
            walk.best[slot] = walk.present[slot]
    else:
        cursor[BARREN] += 1


@lean_kernel
def move(slots: Slots, walk: Walk, patience: int) -> int:
    """Make the next move; its kind, NOTHING at the end. Where a walk ends is said in climb.py."""
    cursor, now = walk.cursor, walk.scores[NOW]
    if cursor[BARREN] > 0 and cursor[BARREN] >= patience:
        return NOTHING
    known = min(cursor[STEPS] + 1, walk.recent.shape[0])
    kind, slot, gain, ties = best_move(slots, walk, near(now), walk.recent[:known])
    if kind == NOTHING or (walk.recent.shape[0] == 0 and gain <= near(now)):
        return NOTHING
    cursor[TIES] += ties
    _toggle(slots, walk, slot)
    if kind == REVERSE:
        _toggle(slots, walk, slots.other[slot])
    cursor[KIND], cursor[SLOT] = kind, slot
    return kind
