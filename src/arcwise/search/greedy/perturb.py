"""Random moves away from a local optimum, for restarts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from arcwise.parts.knowledge import BoundKnowledge

BoolMatrix = NDArray[np.bool_]


def perturb(
    adj: BoolMatrix,
    known: BoundKnowledge,
    max_parents: int | None,
    moves: int,
    rng: np.random.Generator,
    fits: Callable[[int, list[int]], bool],
) -> BoolMatrix:
    """A copy after up to so many random legal moves: each drawn pair gains, loses or turns its arc.

    fits(child, parents): the family's table is within the search's limit.
    """
    adj = adj.copy()
    n = adj.shape[0]
    limit = n if max_parents is None else max_parents

    def may_add(u: int, v: int) -> bool:
        parents = adj[:, v].nonzero()[0].tolist()
        return bool(known.allowed[u, v]) and len(parents) < limit and fits(v, [*parents, u]) and not _leads(adj, v, u)

    for _ in range(moves if n > 1 else 0):
        u, v = rng.choice(n, size=2, replace=False)
        if adj[v, u]:
            u, v = v, u
        if adj[u, v]:
            if known.required[u, v]:
                continue
            adj[u, v] = False
            turn = rng.random() < 0.5
            if turn and may_add(v, u):
                adj[v, u] = True
        elif may_add(u, v):
            adj[u, v] = True
    return adj


def _leads(adj: BoolMatrix, start: int, end: int) -> bool:
    """Whether a directed path leads from one node to another."""
    met = waiting = adj[start]
    while waiting.any() and not met[end]:
        waiting = adj[waiting].any(axis=0) & ~met
        met = met | waiting
    return bool(met[end])
