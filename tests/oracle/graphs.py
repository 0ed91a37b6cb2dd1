"""Slow, obvious twins of the graph functions: enumeration and definitions instead of algorithms."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

BoolArray = NDArray[np.bool_]


def acyclic(adj: BoolArray) -> bool:
    """No walk of n steps exists, that is, A^n = 0."""
    return not np.linalg.matrix_power(adj.astype(np.int64), len(adj)).any() if len(adj) else True


def all_dags(n: int) -> Iterator[BoolArray]:
    """Every labelled DAG on n nodes, by trying the three states of every pair."""
    pairs = list(combinations(range(n), 2))
    for states in product(range(3), repeat=len(pairs)):
        adj = np.zeros((n, n), dtype=np.bool_)
        for (i, j), state in zip(pairs, states, strict=True):
            adj[i, j], adj[j, i] = state == 1, state == 2
        if acyclic(adj):
            yield adj


def random_dag(rng: np.random.Generator, n: int, density: float) -> BoolArray:
    """A DAG whose nodes are in no particular order."""
    order = rng.permutation(n)
    return np.triu(rng.random((n, n)) < density, k=1)[np.ix_(order, order)]


def colliders(adj: BoolArray) -> frozenset[tuple[int, int, int]]:
    n = len(adj)
    return frozenset(
        (i, k, j)
        for i, k, j in product(range(n), repeat=3)
        if i < j and adj[i, k] and adj[j, k] and not adj[i, j] and not adj[j, i]
    )


def class_key(adj: BoolArray) -> tuple[bytes, frozenset[tuple[int, int, int]]]:
    """Verma and Pearl: a class is a skeleton with its v-structures."""
    return (adj | adj.T).tobytes(), colliders(adj)


@cache
def classes(n: int) -> tuple[tuple[BoolArray, ...], ...]:
    """The Markov equivalence classes on n nodes, each as the list of its DAGs."""
    groups: dict[object, list[BoolArray]] = {}
    for adj in all_dags(n):
        groups.setdefault(class_key(adj), []).append(adj)
    return tuple(tuple(members) for members in groups.values())


def common_pattern(members: tuple[BoolArray, ...]) -> tuple[BoolArray, BoolArray]:
    """(directed, undirected): the arrows that all members share, and the other adjacencies."""
    directed = np.logical_and.reduce(members)
    skeleton = members[0] | members[0].T
    return directed, skeleton & ~directed & ~directed.T


def meek_by_sweeps(directed: BoolArray, undirected: BoolArray) -> tuple[BoolArray, BoolArray]:
    """Meek's four rules, tried for every four nodes until nothing changes."""
    d, u = directed.copy(), undirected.copy()
    nodes = range(len(d))

    def joined(i: int, j: int) -> bool:
        return bool(d[i, j] or d[j, i] or u[i, j])

    def holds(a: int, b: int) -> bool:
        others = [i for i in nodes if i not in {a, b}]
        one = any(d[c, a] and not joined(c, b) for c in others)
        two = any(d[a, c] and d[c, b] for c in others)
        pairs = [(c, e) for c in others for e in others if c != e]
        three = any(u[a, c] and u[a, e] and d[c, b] and d[e, b] and not joined(c, e) for c, e in pairs)
        four = any(u[a, e] and d[e, c] and d[c, b] and joined(a, c) and not joined(b, e) for c, e in pairs)
        return one or two or three or four

    changed = True
    while changed:
        changed = False
        for a, b in product(nodes, repeat=2):
            if u[a, b] and holds(a, b):
                d[a, b], u[a, b], u[b, a], changed = True, False, False, True
    return d, u


def pattern_by_rules(adj: BoolArray) -> tuple[BoolArray, BoolArray]:
    """The CPDAG of a DAG by its v-structures and Meek's rules."""
    directed = np.zeros_like(adj)
    for i, k, j in colliders(adj):
        directed[i, k] = directed[j, k] = True
    return meek_by_sweeps(directed, (adj | adj.T) & ~directed & ~directed.T)


def extensions(directed: BoolArray, undirected: BoolArray) -> list[BoolArray]:
    """Every DAG with these arrows and skeleton and no v-structure that the arrows do not already make."""
    lines = [(i, j) for i, j in np.argwhere(undirected) if i < j]
    skeleton = directed | directed.T | undirected
    wanted = {(i, k, j) for i, k, j in colliders(directed) if not skeleton[i, j]}
    found = []
    for ways in product((False, True), repeat=len(lines)):
        adj = directed.copy()
        for (i, j), forward in zip(lines, ways, strict=True):
            adj[(i, j) if forward else (j, i)] = True
        if acyclic(adj) and colliders(adj) == wanted:
            found.append(adj)
    return found


def separated_by_paths(adj: BoolArray, x: int, y: int, given: set[int]) -> bool:
    """d-separation by its definition: walk every simple path and ask whether it is blocked."""
    n = len(adj)
    below = np.linalg.matrix_power(np.eye(n, dtype=np.int64) + adj, n) > 0  # below[i, j]: j is i or a descendant

    def open_at(a: int, b: int, c: int) -> bool:
        if adj[a, b] and adj[c, b]:
            return any(below[b, g] for g in given)
        return b not in given

    def active(path: list[int]) -> bool:
        if path[-1] == y:
            return True
        for after in range(n):
            if after in path or not (adj[path[-1], after] or adj[after, path[-1]]):
                continue
            if (len(path) == 1 or open_at(path[-2], path[-1], after)) and active([*path, after]):
                return True
        return False

    return not active([x])
