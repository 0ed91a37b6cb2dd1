"""Slow twins of the search for the best partition: every partition, and a dynamic program without any bound."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import comb, exp, factorial, log

import numpy as np
from scipy.special import gammaln, xlogy


def best_of_all(score, candidates, tolerance):
    """(thresholds, score) of the best of 2^(m - 1) partitions; ties: fewest levels, then lower cuts from the top."""
    scored = [
        (list(cuts), score(list(cuts))) for k in range(len(candidates) + 1) for cuts in combinations(candidates, k)
    ]
    top = max(value for _, value in scored)
    tied = [(cuts, value) for cuts, value in scored if value >= top - tolerance]
    return min(tied, key=lambda pair: (len(pair[0]), pair[0][::-1]))


def cell_function(pseudo_count, counts):
    """f of _kernels/sweep.py, worked out at once."""
    if pseudo_count > 0:
        return gammaln(pseudo_count + counts) - gammaln(pseudo_count)
    if pseudo_count == 0:
        return np.where(counts > 0, gammaln(np.maximum(counts, 1)), 0.0)
    return xlogy(counts, counts)


def interval_matrix(around, score, r):
    """W[a, b]: weight of the interval from distinct value a up to, not including, b; -inf where there is none."""
    values = around.values
    inner = np.flatnonzero(values[1:] != values[:-1]) + 1
    starts = np.concatenate([[0], inner, [len(values)]])
    m = len(starts) - 1
    weight = np.zeros((m + 1, m + 1))
    pseudo = score.pseudo_counts(around, r)
    for p, codes in enumerate(around.codes):
        sign = score.level_sign if p == len(around.codes) - 1 else around.signs[p]
        counts = np.zeros((len(values) + 1, int(around.sizes[p])))
        counts[1:] = np.cumsum(codes[:, None] == np.arange(around.sizes[p]), axis=0)
        at = counts[starts]
        for a in range(m):
            weight[a, a + 1 :] += sign * cell_function(pseudo[p], at[a + 1 :] - at[a]).sum(axis=1)
    if score.density_floor is not None:
        edges = np.concatenate([values[:1], (values[inner - 1] + values[inner]) / 2, values[-1:]])
        widths = edges[None, :] - edges[:, None]
        allowed = widths >= score.density_floor * (values[-1] - values[0])
        rows = starts[None, :] - starts[:, None]
        weight = np.where(allowed, weight - rows * np.log(np.where(allowed, widths, 1.0)), -np.inf)
    weight[np.tril_indices(m + 1)] = -np.inf
    return weight


def best_with_levels(weight, most):
    """best[k]: the highest sum of the weights of k intervals that cover everything, k = 0..most."""
    at = np.full(len(weight), -np.inf)
    at[0] = 0.0
    best = [-np.inf]
    for _ in range(most):
        at = np.max(at[:, None] + weight, axis=0)
        best.append(at[-1])
    return np.array(best)


def best_by_levels(around, score, most):
    """best[r] for r = 1..most levels: the highest local score, every weight and sum worked out."""
    return np.array([-np.inf, *(best_with_exactly(around, score, r) for r in range(1, most + 1))])


def best_with_exactly(around, score, r):
    return best_with_levels(interval_matrix(around, score, r), r)[r] + score.constant(around, r)


def chen_cost(values, parents, children, lam, thresholds):
    """Chen's objective, to be minimized, with its factorials and binomials.

    parents: (configuration of each row, number of configurations); children: (state, configuration of its other
    parents, number of states) for each.
    """
    distinct = sorted(set(values))
    span = distinct[-1] - distinct[0]
    total = 0.0
    for low, high in pairwise([-np.inf, *thresholds, np.inf]):
        inside = [i for i, x in enumerate(values) if low <= x < high]
        held = [x for x in distinct if low <= x < high]
        total += lam * (held[-1] - held[0]) / span
        if high < np.inf:
            total -= log(1 - exp(-lam * (min(x for x in distinct if x >= high) - held[-1]) / span))
        configurations, n_configurations = parents
        total += multinomial_cost([configurations[i] for i in inside], n_configurations)
        for state, others, n_states in children:
            for other in {others[i] for i in inside}:
                total += multinomial_cost([state[i] for i in inside if others[i] == other], n_states)
    return total


def multinomial_cost(states, n_states):
    """ln C(n + s - 1, s - 1) + ln(n! / prod n_k!)."""
    n = len(states)
    ways = factorial(n)
    for state in set(states):
        ways //= factorial(states.count(state))
    return log(comb(n + n_states - 1, n_states - 1)) + log(ways)
