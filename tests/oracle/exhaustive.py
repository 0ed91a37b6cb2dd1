"""Slow twins of exact search: every set, every subset, every DAG."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np

from tests.oracle.graphs import all_dags


def colexicographic(m, size):
    return sorted(combinations(range(m), size), key=lambda chosen: chosen[::-1])


def undominated(score_of, margin):
    """{set: score} of the sets that score more than every smaller set kept, by more than margin (1 + |its score|)."""
    kept = {}
    for chosen in sorted(score_of, key=len):
        rivals = [score for other, score in kept.items() if set(other) < set(chosen)]
        most = max(rivals, default=-np.inf)
        if not rivals or score_of[chosen] > most + margin * (1 + abs(most)):
            kept[chosen] = score_of[chosen]
    return kept


def best_on_subset(parent_sets, members):
    """The best score of a network on `members`; parent_sets: a list of (child, parents, score)."""
    if not members:
        return 0.0
    candidates = []
    for sink in members:
        rest = members - {sink}
        own = [score for child, parents, score in parent_sets if child == sink and parents <= rest]
        candidates.append(best_on_subset(parent_sets, rest) + max(own, default=-np.inf))
    return max(candidates)


def permitted(adj, known, max_parents):
    """Whether the knowledge permits the graph, and no column has more parents than its limit or what is required."""
    if (known.required & ~adj).any() or (adj & ~(known.allowed | known.required)).any():
        return False
    return bool(np.all(adj.sum(axis=0) <= np.maximum(known.required.sum(axis=0), max_parents)))


def best_of_all_dags(score, data, known, max_parents):
    """The highest total of all permitted DAGs over the columns of `data`, which is sorted by name."""
    n = data.n_columns
    local = {}
    bound = score.bind(data)
    for child, size in product(range(n), range(n)):
        for parents in combinations([u for u in range(n) if u != child], size):
            local[child, parents] = bound.local_score(child, parents)
    graphs = [adj for adj in all_dags(n) if permitted(adj, known, max_parents)]
    return max(sum(local[v, tuple(adj[:, v].nonzero()[0].tolist())] for v in range(n)) for adj in graphs)
