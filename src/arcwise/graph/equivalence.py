"""Markov equivalence on boolean matrices: CPDAGs, v-structures, Meek's rules; and the way back from a pattern to a DAG.

`adj[i, j]` and `directed[i, j]` mean i -> j; `undirected` is symmetric. Everything works on sets of neighbours, so that
the cost follows the number of edges and the degrees, not n^3. A pattern is extended as Dor and Tarsi do, or to the
nearest thing to it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import combinations

import numpy as np

from arcwise.graph.adjacency import BoolArray, child_lists, reachable, topological_sort

Sets = list[set[int]]
Cost = tuple[int, int, int]


def _sets(matrix: BoolArray) -> Sets:
    return [set(row) for row in child_lists(matrix)]


def v_structures(adj: BoolArray) -> list[tuple[int, int, int]]:
    """Every i -> k <- j with i < j not adjacent, as (i, k, j), sorted."""
    found = [
        (i, k, j)
        for k, parents in enumerate(child_lists(adj.T))
        for i, j in combinations(parents, 2)
        if not adj[i, j] and not adj[j, i]
    ]
    return sorted(found)


def equivalent(one: BoolArray, other: BoolArray) -> bool:
    """Whether two DAGs have the same skeleton and the same v-structures (Verma & Pearl)."""
    same_skeleton = np.array_equal(one | one.T, other | other.T)
    return same_skeleton and v_structures(one) == v_structures(other)


def covered_edges(adj: BoolArray) -> list[tuple[int, int]]:
    """Every i -> j with Pa(j) = Pa(i) + {i}: those whose reversal stays in the class (Chickering 1995)."""
    parents = _sets(adj.T)
    tails, heads = np.nonzero(adj)
    pairs = zip(tails.tolist(), heads.tolist(), strict=True)
    return [(i, j) for i, j in pairs if parents[j] == parents[i] | {i}]


def cpdag(adj: BoolArray) -> tuple[BoolArray, BoolArray]:
    """(directed, undirected) matrices of the DAG's class, by Chickering's (1995) edge labelling. O(n^2 + e).

    The labelling takes heads in topological order and, for a head y, looks at the highest tail x first.
    Each of its cases then labels every edge into y at once:
    a compelled w -> x with w no parent of y, or a z -> y with z != x no parent of x: all compelled;
    otherwise w -> y is compelled for the compelled w -> x, and the rest is reversible.
    """
    order = topological_sort(adj)
    rank = {node: place for place, node in enumerate(order)}
    parents = _sets(adj.T)
    compelled: Sets = [set() for _ in order]
    for y in order:
        if parents[y]:
            x = max(parents[y], key=rank.__getitem__)
            reversible = compelled[x] <= parents[y] and parents[y] - {x} <= parents[x]
            compelled[y] = compelled[x] if reversible else parents[y]
    directed = np.zeros(adj.shape, dtype=np.bool_)
    heads = np.repeat(np.arange(len(adj)), [len(tails) for tails in compelled])
    directed[[x for tails in compelled for x in tails], heads] = True
    rest = adj & ~directed
    return directed, rest | rest.T


def meek(
    directed: BoolArray, undirected: BoolArray, bidirected: BoolArray | None = None
) -> tuple[BoolArray, BoolArray]:
    """(directed, undirected) closed under Meek's rules R1 to R4. No orientation ever closes a directed cycle.

    Bidirected edges only count as adjacencies. Undirected edges wait in a queue in index order; orienting
    one puts back the edges that a rule could now reach. O(e deg^2) rule checks.
    """
    state = _Mixed(directed, undirected, bidirected)
    waiting = deque(sorted((a, b) for a, heads in enumerate(state.lines) for b in heads))
    queued = set(waiting)
    while waiting:
        a, b = waiting.popleft()
        queued.discard((a, b))
        if b not in state.lines[a] or not state.implied(a, b) or state.has_path(b, a):
            continue
        state.orient(a, b)
        # R1-R3 conclude about edges at a or b; R4 about edges at a line neighbour of a.
        for end in sorted({a, b} | state.lines[a]):
            for other in sorted(state.lines[end]):
                for edge in ((end, other), (other, end)):
                    if edge not in queued:
                        queued.add(edge)
                        waiting.append(edge)
    return state.matrices()


class _Mixed:
    """Neighbour sets of a partially directed graph while arrows are being added to it."""

    def __init__(self, directed: BoolArray, undirected: BoolArray, bidirected: BoolArray | None) -> None:
        skeleton = directed | directed.T | undirected
        self.children, self.parents = _sets(directed), _sets(directed.T)
        self.lines = _sets(undirected)
        self.adjacent = _sets(skeleton if bidirected is None else skeleton | bidirected)

    def implied(self, a: int, b: int) -> bool:
        """Whether a rule turns the line a - b into a -> b."""
        if self.parents[a] - self.adjacent[b] - {b}:  # R1: c -> a - b, c and b not adjacent
            return True
        if self.children[a] & self.parents[b]:  # R2: a -> c -> b
            return True
        through = self.lines[a] & self.parents[b]  # R3: a - c -> b, a - d -> b, c and d not adjacent
        if any(d not in self.adjacent[c] for c, d in combinations(sorted(through), 2)):
            return True
        # R4: a - d -> c -> b, a and c adjacent, b and d not adjacent
        return any(
            d not in self.adjacent[b]
            for c in self.parents[b] & self.adjacent[a]
            for d in self.parents[c] & self.lines[a]
        )

    def has_path(self, start: int, end: int) -> bool:
        stack, seen = [start], {start}
        while stack:
            heads = self.children[stack.pop()]
            if end in heads:
                return True
            stack.extend(heads - seen)
            seen |= heads
        return False

    def orient(self, a: int, b: int) -> None:
        self.lines[a].discard(b)
        self.lines[b].discard(a)
        self.children[a].add(b)
        self.parents[b].add(a)

    def matrices(self) -> tuple[BoolArray, BoolArray]:
        n = len(self.lines)
        directed, undirected = np.zeros((n, n), dtype=np.bool_), np.zeros((n, n), dtype=np.bool_)
        for a in range(n):
            directed[a, list(self.children[a])] = True
            undirected[a, list(self.lines[a])] = True
        return directed, undirected


@dataclass(frozen=True, slots=True, eq=False)
class Extension:
    """A DAG with the skeleton of a partially directed graph.

    `consistent`: it has the arrows and colliders of that graph and no others. If not, `stuck` holds the nodes that were
    left when this could no longer be.
    """

    adjacency: BoolArray
    consistent: bool
    stuck: tuple[int, ...]


def best_effort_extension(directed: BoolArray, undirected: BoolArray) -> Extension:
    """Dor and Tarsi's extension; where it gets stuck, the node that does least harm goes next.

    A sink has no children and each of its line neighbours is adjacent to all its other neighbours: turning its edges
    into it makes no new collider, and it leaves the graph. The highest position goes first, so that free edges run from
    low to high. Where no sink is left, the next node is the one that turns the fewest arrows round, then makes the
    fewest colliders, then has the highest position. Arrows are turned only where all nodes left have a child, that is,
    where there is a directed cycle, and only arrows of cycles. A removal changes the costs of its neighbours alone:
    O(e (deg^2 + log e)) without cycles.
    """
    left = _Left(directed, undirected)
    costs = {x: left.cost(x) for x in range(len(directed))}
    waiting = list(costs.values())
    heapify(waiting)
    result = np.zeros(directed.shape, dtype=np.bool_)
    stuck: tuple[int, ...] = ()
    while costs:
        while costs.get(-waiting[0][2]) != waiting[0]:
            heappop(waiting)  # its node has left, or costs something else since
        turned, made, place = waiting[0]
        if turned or made:
            stuck = stuck or tuple(sorted(costs))
        x = -min(costs[node] for node in left.last_cycles(costs))[2] if turned else -place
        near = left.remove(x)
        del costs[x]
        result[list(near), x] = True
        for y in near:
            costs[y] = left.cost(y)
            heappush(waiting, costs[y])
    result.setflags(write=False)
    return Extension(result, not stuck, stuck)


class _Left:
    """Neighbour sets of the nodes that are left."""

    def __init__(self, directed: BoolArray, undirected: BoolArray) -> None:
        matrices = (directed, directed.T, undirected, directed | directed.T | undirected)
        self.sets = [[set(row) for row in child_lists(matrix)] for matrix in matrices]
        self.children, self.parents, self.lines, self.adjacent = self.sets

    def cost(self, x: int) -> Cost:
        """(arrows turned round, colliders made, minus the position) if all edges of x are turned into it."""
        lines, near = self.lines[x], self.adjacent[x]
        pairs = ((y, z) for y in lines for z in near if z > y or z not in lines)  # two lines are one pair
        return len(self.children[x]), sum(z not in self.adjacent[y] for y, z in pairs), -x

    def last_cycles(self, nodes: Iterable[int]) -> set[int]:
        """Nodes that reach each other and no others, where every node that is left has a child."""
        above: set[int] = set()
        for x in nodes:
            if x not in above:
                last = x  # no node seen so far lies below it, so all that lie below it lie above it, too
                above |= {x} | reachable(self.parents, [x])
        return reachable(self.children, [last])

    def remove(self, x: int) -> set[int]:
        """Take x out; its neighbours."""
        near = self.adjacent[x]
        for sets in self.sets:
            for y in near:
                sets[y].discard(x)
            sets[x] = set()
        return near
