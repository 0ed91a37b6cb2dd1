"""Slow twins of the top-down searches: every partition is scored from scratch; score(thresholds), higher is better."""

from __future__ import annotations

from itertools import combinations

import numpy as np


def tolerance(score):
    return 1e-9 * (1 + abs(score))


def without(thresholds, t):
    return [other for other in thresholds if other != t]


def single_pass(score, candidates):
    """Tran: remove t if DL(-t) <= DL(all), each judged on its own."""
    whole = score(candidates)
    return [t for t in candidates if score(without(candidates, t)) < whole - tolerance(whole)]


def rows_joined(values, thresholds, t):
    """Rows of the level that removing t makes."""
    level = np.searchsorted(without(thresholds, t), values, side="right")
    return int(np.sum(level == np.searchsorted(without(thresholds, t), t)))


def removals(score, candidates, values):
    """The cheapest threshold again and again, of equally cheap ones that with the fewest rows, then the lower."""
    now, order = list(candidates), []
    while now:
        scores = {t: score(without(now, t)) for t in now}
        best = max(scores.values())
        tied = [t for t in now if scores[t] >= best - tolerance(best)]
        order.append(min(tied, key=lambda t: (rows_joined(values, now, t), t)))
        now = without(now, order[-1])
    return order


def agglomerative(score, candidates, values):
    """The best set of thresholds on the way down to none, of equally good ones the smallest."""
    order = removals(score, candidates, values)
    path = [[t for t in candidates if t not in order[:k]] for k in range(len(order) + 1)]
    scores = [score(thresholds) for thresholds in path]
    best = max(scores)
    return [thresholds for thresholds, s in zip(path, scores, strict=True) if s >= best - tolerance(best)][-1]


def exhaustive(score, candidates):
    """The best of all 2^(m - 1) sets of thresholds, of equally good ones the first with the fewest."""
    sets = [list(chosen) for r in range(len(candidates) + 1) for chosen in combinations(candidates, r)]
    scores = [score(chosen) for chosen in sets]
    best = max(scores)
    return next(chosen for chosen, s in zip(sets, scores, strict=True) if s >= best - tolerance(best))
