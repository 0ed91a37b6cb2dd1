"""Slow twins of the move kernels."""

from __future__ import annotations

import numpy as np


def closure(adj):
    """Reachability by repeated squaring of (I + A)."""
    reach = np.eye(len(adj), dtype=bool) | adj
    for _ in range(len(adj)):
        reach = reach | (reach.astype(int) @ reach.astype(int) > 0)
    return reach


def is_acyclic(adj):
    return not np.any(np.diag(closure(adj).astype(int) @ adj.astype(int)))


def legal_moves(delta, adj, may_delete):
    """[(kind, u, v, gain, resulting adjacency)] in the order in which ties are broken."""
    moves = []
    n = len(adj)
    for kind in range(3):
        for u in range(n):
            for v in range(n):
                after = adj.copy()
                if kind == 0:
                    if adj[u, v] or adj[v, u] or u == v:
                        continue
                    after[u, v] = True
                elif not adj[u, v] or not may_delete[u, v]:
                    continue
                else:
                    after[u, v] = False
                    after[v, u] = kind == 2
                gain = delta[u, v] + (delta[v, u] if kind == 2 else 0)
                if np.isfinite(gain) and is_acyclic(after):
                    moves.append((kind, u, v, gain, after))
    return moves


def best_move(delta, adj, may_delete, tolerance, tabu=()):
    """(kind, u, v, gain, ties) or None; `tabu` holds adjacency matrices."""
    moves = [
        move for move in legal_moves(delta, adj, may_delete) if not any(np.array_equal(move[4], seen) for seen in tabu)
    ]
    if not moves:
        return None
    best = max(move[3] for move in moves)
    tied = [move for move in moves if move[3] >= best - tolerance]
    return (*tied[0][:4], len(tied) - 1)
