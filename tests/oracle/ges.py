"""Slow twin of greedy equivalence search: every member of a class, every change of one arc, the class that follows."""

from __future__ import annotations

from itertools import permutations

from tests.oracle.graphs import acyclic, class_key, extensions, pattern_by_rules

PHASES = ("insert", "delete", "turn")


def members(adj):
    """Every DAG that is equivalent to `adj`."""
    return extensions(*pattern_by_rules(adj))


def changed_graphs(adj, phase):
    """`adj` with one arc more, one less, or one turned round, where that is a DAG."""
    for u, v in permutations(range(len(adj)), 2):
        after = adj.copy()
        if phase == "insert" and not adj[u, v] and not adj[v, u]:
            after[u, v] = True
        elif phase == "delete" and adj[u, v]:
            after[u, v] = False
        elif phase == "turn" and adj[u, v]:
            after[u, v], after[v, u] = False, True
        else:
            continue
        if acyclic(after):
            yield after


def neighbouring_classes(adj, phase):
    """{class: one of its DAGs} for all classes that a change of one arc in some member leads to, but for its own."""
    found = {class_key(after): after for member in members(adj) for after in changed_graphs(member, phase)}
    found.pop(class_key(adj), None)
    return found


def greedy_search(adj, total, turning=False, obeys=lambda adj: True):
    """A DAG of the class where the search from `adj` ends. `total` scores a DAG; a class needs one that `obeys`."""
    score, moved = total(adj), True
    while moved:
        moved = False
        for phase in PHASES if turning else PHASES[:2]:
            while True:
                near = neighbouring_classes(adj, phase).values()
                open_to = [after for after in near if any(obeys(member) for member in members(after))]
                best = max(open_to, key=total, default=None)
                if best is None or total(best) <= score + 1e-9 * (1 + abs(score)):
                    break
                adj, score, moved = best, total(best), turning
    return adj
