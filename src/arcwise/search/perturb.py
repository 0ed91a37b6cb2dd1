"""Random moves away from a local optimum, for restarts."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from arcwise._kernels.moves import closure
from arcwise.contracts.knowledge import BoundKnowledge

BoolMatrix = NDArray[np.bool_]


class PerturbOptions(Protocol):
    @property
    def max_parents(self) -> int | None: ...
    @property
    def perturbation(self) -> int: ...


def perturb(adj: BoolMatrix, known: BoundKnowledge, options: PerturbOptions, rng: np.random.Generator) -> BoolMatrix:
    """A copy after up to `perturbation` random legal moves: each drawn pair gains, loses or turns its arc."""
    adj = adj.copy()
    n = adj.shape[0]
    limit = n if options.max_parents is None else options.max_parents
    for _ in range(options.perturbation if n > 1 else 0):
        u, v = rng.choice(n, size=2, replace=False)
        if adj[v, u]:
            u, v = v, u
        if adj[u, v]:
            if known.required[u, v]:
                continue
            adj[u, v] = False
            turn = rng.random() < 0.5
            if turn and _may_add(adj, known, v, u, limit):
                adj[v, u] = True
        elif _may_add(adj, known, u, v, limit):
            adj[u, v] = True
    return adj


def _may_add(adj: BoolMatrix, known: BoundKnowledge, u: int, v: int, limit: int) -> bool:
    return bool(known.allowed[u, v] and adj[:, v].sum() < limit and not closure(adj)[v, u])
