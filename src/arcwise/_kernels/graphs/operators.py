"""The operators of GES on a class of DAGs (a complete pattern, see patterns.py).

Notation of Chickering 2002: N_Y are the nodes joined to Y by a line, NA_YX those of them that are adjacent to X. An
operator is a pair (C, X) at Y, where C is a clique of N_Y: it toggles X -> Y in the members of the class where Y has
the parents Pa_Y + C, so that all gains of one C are one batch of scores. `out` and `near` list the successors of each
node in `pattern` and its neighbours of any kind (`patterns.successors`).

Insert(X, Y, T): C = NA_YX + T.  Delete(X, Y, H): C = NA_YX - H, with X itself if X - Y.  Turn(X, Y, C): Hauser and
Buehlmann 2012. Below, cliques and bases (Pa_Y + C) are the rows of (k, n) masks.
"""

import numpy as np

from arcwise._kernels.compiled import inner, kernel
from arcwise._kernels.graphs.patterns import INSERT, TURN, operate, permitted_member
from arcwise._kernels.types import BoolArray, FloatArray, IntArray


@kernel
def line_cliques(pattern: BoolArray, y: int, most: int) -> tuple[BoolArray, BoolArray, bool]:
    """(cliques, bases, complete): the cliques of N_Y, small ones first, then by node; not all if more than `most`."""
    n = pattern.shape[0]
    lines = np.empty(n, dtype=np.int64)
    parents = np.zeros(n, dtype=np.bool_)
    n_lines = 0
    for v in range(n):
        parents[v] = pattern[v, y] and not pattern[y, v]
        if pattern[v, y] and pattern[y, v]:
            lines[n_lines] = v
            n_lines += 1
    room = min(most, 1 << min(n_lines, 30))
    cliques = np.zeros((room, n), dtype=np.bool_)
    following = np.zeros(room, dtype=np.int64)  # place in `lines` after a clique's last member
    count, head, complete = 1, 0, True
    while head < count and complete:
        for place in range(following[head], n_lines):
            v = lines[place]
            joins = True
            for before in range(following[head]):
                w = lines[before]
                joins &= not cliques[head, w] or pattern[v, w] or pattern[w, v]
            if joins and count == room:
                complete = False
            elif joins:
                for w in range(n):
                    cliques[count, w] = cliques[head, w]
                cliques[count, v] = True
                following[count] = place + 1
                count += 1
        head += 1
    bases = np.empty((count, n), dtype=np.bool_)
    for r in range(count):
        for v in range(n):
            bases[r, v] = cliques[r, v] or parents[v]
    return cliques[:count], bases, complete


@inner
def _strike_common(wanted, y, cliques, pattern, near):
    """Clear wanted[r, x] where NA_YX is not within C: x is adjacent to a line of y outside C."""
    starts, neighbours = near
    for a in range(starts[y], starts[y + 1]):
        v = neighbours[a]
        if pattern[v, y] and pattern[y, v]:
            for r in range(len(cliques)):
                if not cliques[r, v]:
                    for b in range(starts[v], starts[v + 1]):
                        wanted[r, neighbours[b]] = False


@inner
def _room(bases, r, y, cards, max_parents, max_table):
    """Most levels that another parent may have: those that leave the family's table within bounds."""
    size, cells = 0, cards[y]
    for v in range(bases.shape[1]):
        if bases[r, v]:
            size += 1
            cells *= cards[v]
    return max_table / cells if size < max_parents else 0.0


@kernel
def insertions(
    pattern: BoolArray,
    near: tuple[IntArray, IntArray],
    y: int,
    cliques: BoolArray,
    bases: BoolArray,
    permitted: BoolArray,
    cards: FloatArray,
    max_parents: int,
    max_table: float,
) -> BoolArray:
    """Which X a clique lets into Y: no edge yet, one that may be there, NA_YX within C, and room for X.

    permitted[i, j]: i -> j may be there. Parents of Y that X is not adjacent to make X -> Y and themselves compelled.
    """
    n = pattern.shape[0]
    starts, neighbours = near
    wanted = np.zeros(cliques.shape, dtype=np.bool_)
    for r in range(len(cliques)):
        room = _room(bases, r, y, cards, max_parents, max_table)
        for x in range(n):
            wanted[r, x] = (permitted[x, y] or permitted[y, x]) and cards[x] <= room
        wanted[r, y] = False
        for a in range(starts[y], starts[y + 1]):
            wanted[r, neighbours[a]] = False
        for v in range(n):
            if bases[r, v]:
                for x in range(n):
                    if not pattern[v, x] and not pattern[x, v]:
                        wanted[r, x] &= permitted[x, y] and permitted[v, y]
    _strike_common(wanted, y, cliques, pattern, near)
    return wanted


@kernel
def deletions(pattern: BoolArray, y: int, cliques: BoolArray, required: BoolArray) -> BoolArray:
    """Which X a clique lets go: X in C, or X -> Y with all of C adjacent to X; never a required edge."""
    n = pattern.shape[0]
    wanted = np.zeros(cliques.shape, dtype=np.bool_)
    for r in range(len(cliques)):
        for x in range(n):
            if pattern[x, y] and not required[x, y] and not required[y, x]:
                if pattern[y, x]:
                    wanted[r, x] = cliques[r, x]
                    continue
                together = True
                for v in range(n):
                    if cliques[r, v] and not pattern[v, x] and not pattern[x, v]:
                        together = False
                        break
                wanted[r, x] = together
    return wanted


@inner
def _changes_class(pattern, x, y, clique):
    """For a line x - y: C - NA_YX is not empty, and C & NA_YX separates it from NA_YX - C among N_Y.

    Otherwise turning y -> x in a member leads to a member, or no member has these families.
    """
    n = pattern.shape[0]
    reached = np.zeros(n, dtype=np.bool_)
    queue = np.empty(n, dtype=np.int64)
    count, head = 0, 0
    for v in range(n):
        if clique[v] and not pattern[v, x] and not pattern[x, v]:
            reached[v] = True
            queue[count] = v
            count += 1
    if count == 0:
        return False
    while head < count:
        u = queue[head]
        head += 1
        for v in range(n):
            if reached[v] or v == x or not (pattern[v, y] and pattern[y, v] and pattern[u, v] and pattern[v, u]):
                continue
            common = pattern[v, x] or pattern[x, v]
            if common and clique[v]:
                continue
            if common:
                return False
            reached[v] = True
            queue[count] = v
            count += 1
    return True


@kernel
def turns(
    pattern: BoolArray,
    near: tuple[IntArray, IntArray],
    y: int,
    cliques: BoolArray,
    bases: BoolArray,
    required: BoolArray,
    cards: FloatArray,
    max_parents: int,
    max_table: float,
) -> BoolArray:
    """Which X the edge at Y may be turned round to come from: Y -> X with NA_YX within C, or X - Y (_changes_class)."""
    n = pattern.shape[0]
    starts, neighbours = near
    wanted = np.zeros(cliques.shape, dtype=np.bool_)
    for r in range(len(cliques)):
        for x in range(n):
            wanted[r, x] = pattern[y, x] and not pattern[x, y]
    _strike_common(wanted, y, cliques, pattern, near)
    for r in range(len(cliques)):
        room = _room(bases, r, y, cards, max_parents, max_table)
        for a in range(starts[y], starts[y + 1]):
            x = neighbours[a]
            if pattern[x, y] and pattern[y, x] and not cliques[r, x]:
                wanted[r, x] = _changes_class(pattern, x, y, cliques[r])
            wanted[r, x] &= not required[y, x] and cards[x] <= room
    return wanted


@inner
def reached_from(out, y, blocked, skip):
    """Nodes that a semi-directed path leads to from y, past no blocked node and not by an edge from y to `skip`."""
    starts, heads = out
    reached = np.zeros(len(blocked), dtype=np.bool_)
    queue = np.empty(len(blocked), dtype=np.int64)
    queue[0] = y
    reached[y] = True
    count, head = 1, 0
    while head < count:
        u = queue[head]
        head += 1
        for a in range(starts[u], starts[u + 1]):
            v = heads[a]
            if not reached[v] and not blocked[v] and not (u == y and v == skip):
                reached[v] = True
                queue[count] = v
                count += 1
    return reached


@inner
def _is_valid(pattern, out, kind, x, y, clique, reached, permitted):
    """No cycle: every semi-directed path from y to x, but its own edge, meets C (to turn y -> x: C or N_X).

    reached: what such paths from y lead to past C. permitted: the new class needs a member with these arcs only; None
    where all are permitted, and then the compiler leaves the question out.
    """
    if kind == INSERT and reached[x]:
        return False
    if kind == TURN and not pattern[x, y]:
        blocked = clique.copy()
        for v in range(pattern.shape[0]):
            blocked[v] = clique[v] or (pattern[x, v] and pattern[v, x])
        if reached_from(out, y, blocked, x)[x]:
            return False
    if permitted is not None:
        return permitted_member(operate(pattern, kind, x, y, clique), permitted)[0]
    return True


@kernel
def best_gain(
    pattern: BoolArray,
    out: tuple[IntArray, IntArray],
    kind: int,
    y: int,
    cliques: BoolArray,
    gains: FloatArray,
    permitted: BoolArray | None,
    floor: float,
    slack: float,
    valid: BoolArray,
) -> float:
    """The largest gain of a valid operator at Y, or `floor` if none gains more. What costs more is asked last.

    valid[r, x] is set for the valid operators whose gain is at most `slack` below the largest so far.
    """
    for r in range(len(cliques)):
        reached = np.zeros(0, dtype=np.bool_)
        for x in range(pattern.shape[0]):
            if gains[r, x] >= floor - slack:
                if kind == INSERT and len(reached) == 0:
                    reached = reached_from(out, y, cliques[r], y)
                if _is_valid(pattern, out, kind, x, y, cliques[r], reached, permitted):
                    valid[r, x] = True
                    floor = max(floor, gains[r, x])
    return floor
