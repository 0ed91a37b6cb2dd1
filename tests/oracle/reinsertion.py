"""Slow twins of the search for the best reinsertion: every set of parents with every set of children."""

from __future__ import annotations

from itertools import chain, combinations

import numpy as np

from tests.oracle.moves import closure, is_acyclic


def subsets(items, most=None):
    items = list(items)
    most = len(items) if most is None else most
    return chain.from_iterable(combinations(items, size) for size in range(most + 1))


def total(local_score, adj):
    return sum(local_score(v, adj[:, v].nonzero()[0].tolist()) for v in range(len(adj)))


def best_reinsertion(local_score, adj, target, max_parents):
    """The best total score of all acyclic graphs that differ from `adj` only in arcs at the target."""
    others = [u for u in range(len(adj)) if u != target]
    best = -np.inf
    for parents in subsets(others, max_parents):
        for children in subsets([u for u in others if u not in parents]):
            after = adj.copy()
            after[target], after[:, target] = False, False
            after[list(parents), target] = True
            after[target, list(children)] = True
            if is_acyclic(after) and after.sum(axis=0).max() <= max_parents:
                best = max(best, total(local_score, after))
    return best


def ancestors_without(adj, target):
    """[p, c]: c is p or an ancestor of p in the graph without the target."""
    severed = adj.copy()
    severed[target], severed[:, target] = False, False
    return closure(severed).T


def best_parents(sets, scores, ancestors, gains, fixed, tolerance):
    """(s, value, ties, joined) by looking at every set; None where no set is possible."""
    found = []
    for s, parents in enumerate(sets):
        barred = np.zeros(len(gains), dtype=bool)
        for p in parents:
            barred |= ancestors[p]
        if not barred[fixed].any():
            joined = (gains > 0) & ~barred
            found.append((s, scores[s] + gains[joined].sum(), joined))
    if not found:
        return None
    best = max(value for _, value, _ in found)
    tied = [one for one in found if one[1] >= best - tolerance]
    return tied[0][0], tied[0][1], len(tied) - 1, tied[0][2]


def undominated_sets(local_score, child, candidates, most, max_cells, cells):
    """{set: score} of the sets that score better than each of their subsets; `cells(set)` is the size of its table."""
    scores = {frozenset(s): local_score(child, s) for s in subsets(candidates, most) if cells(s) <= max_cells or not s}
    return {s: score for s, score in scores.items() if all(score > scores[t] + 1e-6 for t in scores if t < s)}
