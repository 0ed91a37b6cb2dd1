"""Slow twins of the max-min learners, from their definitions: every association anew, no order of asking, no memory."""

from __future__ import annotations

from itertools import chain, combinations
from math import log

import numpy as np

from arcwise.constraint.max_min.walk import PlainWalk
from arcwise.parts.protocols import tolerance


def association(test, x, target, given):
    """ln p, NaN where there are too few rows."""
    result = test.test(x, target, given)
    log_p = result.details.get("log_p")
    return log_p if log_p is not None else (log(result.value) if result.value > 0 else -745.0)


def least_over_all_sets(test, x, target, members, log_alpha, max_given):
    """MinAssoc: the largest ln p over all subsets that can be tested; infinity if one of them is independent."""
    most = len(members) if max_given is None else min(max_given, len(members))
    sets = chain.from_iterable(combinations(members, size) for size in range(most + 1))
    values = [v for s in sets if not np.isnan(v := association(test, x, target, s))]
    return np.inf if max(values) >= log_alpha else max(values)


def least_one_by_one(test, x, target, members, log_alpha, max_given):
    """GreedyMinAssoc."""
    given, value = [], association(test, x, target, [])
    while value < log_alpha and (max_given is None or len(given) < max_given):
        rest = sorted(set(members) - set(given))
        options = [(v, u) for u in rest if not np.isnan(v := association(test, x, target, [*given, u]))]
        if not options:
            break
        best = max(v for v, _ in options)
        if best <= value + tolerance(value):
            break
        value, chosen = next((v, u) for v, u in options if v >= best - tolerance(best))
        given.append(chosen)
    return np.inf if value >= log_alpha else value


def parents_and_children(test, target, n, log_alpha, least, max_given=None):
    """MMPC-bar of one target: a column that was independent once stays out."""

    def of(x, members):
        return least(test, x, target, members, log_alpha, max_given)

    given_nothing = {x: association(test, x, target, []) for x in range(n) if x != target}
    left = [x for x, value in given_nothing.items() if value < log_alpha]
    members = []
    while left:
        values = {x: of(x, members) for x in left}
        left = [x for x in left if values[x] < np.inf]
        if left:
            best = min(values[x] for x in left)
            members.append(next(x for x in left if values[x] <= best + tolerance(best)))
            left.remove(members[-1])
    for x in list(members):
        others = [u for u in members if u != x]
        if of(x, others) == np.inf:
            members = others
    return members


def skeleton(test, n, alpha, least, max_given=None, symmetric=True):
    names = np.zeros((n, n), dtype=bool)
    for target in range(n):
        names[target, parents_and_children(test, target, n, log(alpha), least, max_given)] = True
    return names & names.T if symmetric else names | names.T


def only_plain_walks(test, log_alpha, greedy, max_given, required):
    """In place of all_targets._walks: the search in Python also for tests that a kernel could answer."""
    associations = np.full(required.shape, np.nan)
    return lambda: PlainWalk(test, log_alpha, associations, greedy=greedy, max_given=max_given)
