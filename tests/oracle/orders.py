"""Best order score search, slowly: every place of every column, every family asked of the score."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

TIE = 1e-9


def grow_shrink(bound, child, before, *, candidates, required=(), max_parents=None, tie=TIE):
    """(score, parents) of a child: grown among the columns before it, then shrunk; ties go to the smaller column."""
    parents, most = sorted(required), len(candidates) if max_parents is None else max_parents
    score = bound.local_score(child, parents)
    while len(parents) < most:
        options = {u: bound.local_score(child, sorted([*parents, u])) for u in before - set(parents) if candidates[u]}
        best = max(options.values(), default=-np.inf)
        if best <= score + tie:
            break
        chosen = min(u for u, value in options.items() if value >= best - tie)
        parents, score = sorted([*parents, chosen]), options[chosen]
    while loose := [u for u in parents if u not in required]:
        options = {u: bound.local_score(child, [w for w in parents if w != u]) for u in loose}
        best = max(options.values())
        if best <= score + tie:
            break
        chosen = min(u for u, value in options.items() if value >= best - tie)
        parents, score = [w for w in parents if w != chosen], options[chosen]
    return score, set(parents)


def score_of_order(bound, order: Sequence[int], allowed, required, max_parents=None):
    """(total score, adjacency) of the network that grow-shrink finds for an order."""
    n, total = len(order), 0.0
    adj = np.zeros((n, n), dtype=bool)
    for i, child in enumerate(order):
        score, parents = grow_shrink(
            bound, child, set(order[:i]), candidates=allowed[:, child],
            required=set(required[:, child].nonzero()[0].tolist()), max_parents=max_parents,
        )  # fmt: skip
        total += score
        adj[sorted(parents), child] = True
    return total, adj


def best_places(bound, order: Sequence[int], x: int, allowed, required, max_parents=None):
    """The total score with x at each place of the order; minus infinity where a required edge would point back."""
    rest = [w for w in order if w != x]
    totals = []
    for i in range(len(order)):
        moved = [*rest[:i], x, *rest[i:]]
        place = {w: k for k, w in enumerate(moved)}
        legal = all(place[u] < place[v] for u, v in np.argwhere(required).tolist())
        totals.append(score_of_order(bound, moved, allowed, required, max_parents)[0] if legal else -np.inf)
    return totals


def tucked(order: Sequence[int], adj, x: int, y: int):
    """(the order with y and its ancestors that stand behind x just before x, how many columns those are)."""
    ancestors, before = {y}, -1
    while len(ancestors) > before:
        before = len(ancestors)
        ancestors |= {int(u) for w in ancestors for u in adj[:, w].nonzero()[0]}
    at = list(order).index(x)
    moving = [w for w in order[at + 1 :] if w in ancestors]
    return [*order[:at], *moving, *(w for w in order[at:] if w not in moving)], len(moving)
