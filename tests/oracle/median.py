"""Margaritis's tests as they are defined, in plain Python, for a few hundred rows.

A variable is a list of values; `discrete` says which variables have levels instead of numbers.
"""

from __future__ import annotations

from collections import Counter
from math import exp, expm1, inf, lgamma, log, log1p


def bins(values, b, discrete):
    """Cells of one variable: its levels, or b bins by the middle of the ranks that a value holds."""
    if discrete:
        return list(values)
    n = len(values)
    below = {value: sum(other < value for other in values) for value in set(values)}
    rows = Counter(values)
    return [b * (2 * below[value] + rows[value]) // (2 * n) for value in values]


def log_bayes_factor(a, b):
    """Of the joint multinomial against two independent ones, one pseudo-count for each cell of a and b."""
    n, k_a, k_b = len(a), len(set(a)), len(set(b))
    if k_a == 1 or k_b == 1:
        return 0.0

    def likelihood(counts, cells, pseudo):
        known = lgamma(pseudo * cells) - lgamma(pseudo * cells + n)
        return known + sum(lgamma(pseudo + count) - lgamma(pseudo) for count in counts)

    joint = likelihood(Counter(zip(a, b, strict=True)).values(), k_a * k_b, 1)
    return joint - likelihood(Counter(a).values(), k_a, k_b) - likelihood(Counter(b).values(), k_b, k_a)


def mixture(a, b, discrete_a, discrete_b, resolutions=3):
    """ln of the mean Bayes factor over the resolutions, of the variables in a against those in b."""
    factors = []
    for r in range(resolutions):
        cells_a = list(zip(*(bins(v, 2 ** (r + 1), d) for v, d in zip(a, discrete_a, strict=True)), strict=True))
        cells_b = list(zip(*(bins(v, 2 ** (r + 1), d) for v, d in zip(b, discrete_b, strict=True)), strict=True))
        if r > 0 and len(set(cells_a)) * len(set(cells_b)) > len(cells_a):
            break
        factors.append(log_bayes_factor(cells_a, cells_b))
    top = max(factors)
    return top + log(sum(exp(factor - top) for factor in factors) / len(factors))


def log_independence(log_factor, prior):
    """ln Pr(independent), the prior odds times the Bayes factor against it."""
    odds = log((1 - prior) / prior) + log_factor
    return -odds - log1p(exp(-odds)) if odds > 0 else -log1p(exp(odds))


def recursive_median(x, y, z, discrete, *, prior=0.5, resolutions=3, min_leaf=1, previous=-1):
    """(ln I, ln U) of Margaritis's Figure 2; z is a list of variables, discrete the kinds of x, y and those of z."""
    n = len(x)
    if n <= 1:
        return log(prior), log(prior)
    varying = [k for k in range(len(z)) if len(set(z[k])) > 1]
    log_i = log_independence(mixture([x], [y], discrete[:1], discrete[1:2], resolutions), prior)
    log_u = 0.0
    if varying:
        log_u = log_independence(mixture([x, y], z, discrete[:2], discrete[2:], resolutions), prior)
        log_i = log(exp(log_i + log_u) + prior * -expm1(log_u))
    if not varying or n <= min_leaf:
        return log_i, log_u

    dependence = {k: mixture([x, y], [z[k]], discrete[:2], [discrete[2 + k]], resolutions) for k in varying}
    axis = None
    for k in [(previous + 1 + step) % len(z) for step in range(len(z))]:
        if k in varying and (axis is None or is_above(dependence[k], dependence[axis])):
            axis = k

    options = {"prior": prior, "resolutions": resolutions, "min_leaf": min_leaf, "previous": axis}
    split_i = split_u = 0.0
    for part in parts(z[axis], discrete[2 + axis]):
        take = [[v[row] for row in part] for v in (x, y, *z)]
        part_i, part_u = recursive_median(take[0], take[1], take[2:], discrete, **options)
        split_i += len(part) / n * part_i
        split_u += len(part) / n * part_u
    return (log_i, log_u) if is_above(log_u, split_u) else (split_i, split_u)


def is_above(a, b):
    return b == -inf or a > b + 1e-9 * (1 + abs(b))


def parts(z, discrete):
    """Rows by level, or those up to the median and those above; where none is above, the largest value apart."""
    rows = range(len(z))
    if discrete:
        return [[row for row in rows if z[row] == level] for level in sorted(set(z))]
    ordered = sorted(z)
    median = ordered[(len(z) + 1) // 2 - 1]
    if median == ordered[-1]:
        median = max(value for value in z if value < median)
    return [[row for row in rows if z[row] <= median], [row for row in rows if z[row] > median]]
