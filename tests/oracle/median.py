"""Margaritis's tests as they are defined, in plain Python, for a few hundred rows.

A variable is a list of values; `discrete` says which variables have levels instead of numbers.
"""

from __future__ import annotations

from collections import Counter
from math import exp, expm1, gcd, inf, lgamma, log, log1p
from statistics import median


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
    return of_counts(Counter(zip(a, b, strict=True)), Counter(a), Counter(b))


def of_counts(cells, rows, columns):
    n, k_a, k_b = sum(rows.values()), len(rows), len(columns)
    if k_a == 1 or k_b == 1:
        return 0.0

    def likelihood(counts, size, pseudo):
        known = lgamma(pseudo * size) - lgamma(pseudo * size + n)
        return known + sum(lgamma(pseudo + count) - lgamma(pseudo) for count in counts.values())

    return likelihood(cells, k_a * k_b, 1) - likelihood(rows, k_a, k_b) - likelihood(columns, k_b, k_a)


def evenly_halved(a):
    """Of cells a against something that has one half of each cell: the most independent that it could look."""
    rows, half = Counter(a), len(a) / 2
    return of_counts({(i, j): rows[i] / 2 for i in rows for j in (0, 1)}, rows, {0: half, 1: half})


def grids(n, resolutions):
    """2, 4, 8, ... bins: as many as told, or those with no more cells than rows in the table of two variables."""
    told = range(1, resolutions + 1) if resolutions else range(1, 40)
    return [2**r for r in told if resolutions or r == 1 or 4**r <= n]


def joint(variables, discrete, b):
    return list(zip(*(bins(v, b, d) for v, d in zip(variables, discrete, strict=True)), strict=True))


def mixture(a, b, discrete_a, discrete_b, resolutions=None):
    """ln of the mean Bayes factor over the resolutions, of the variables in a against those in b."""
    factors = []
    for size in grids(len(a[0]), resolutions):
        cells_a, cells_b = joint(a, discrete_a, size), joint(b, discrete_b, size)
        if factors and len(set(cells_a)) * len(set(cells_b)) > len(cells_a):
            break
        factors.append(log_bayes_factor(cells_a, cells_b))
    return log_mean(factors)


def at_best(a, discrete_a, resolutions=None):
    """The mixture for a variable that halves each cell of those in a."""
    factors = []
    for size in grids(len(a[0]), resolutions):
        cells = joint(a, discrete_a, size)
        if factors and 2 * len(set(cells)) > len(cells):
            break
        factors.append(evenly_halved(cells))
    return log_mean(factors)


def log_mean(factors):
    top = max(factors)
    return top + log(sum(exp(factor - top) for factor in factors) / len(factors))


def log_independence(log_factor, prior):
    """ln Pr(independent), the prior odds times the Bayes factor against it."""
    odds = log((1 - prior) / prior) + log_factor
    return -odds - log1p(exp(-odds)) if odds > 0 else -log1p(exp(odds))


def recursive_median(
    x, y, z, discrete, *, prior=0.5, resolutions=None, min_leaf=1, slice_weights="rows", literal=False, previous=-1
):
    """(ln I, ln U) of Margaritis's Figure 2; z is a list of variables, discrete the kinds of x, y and those of z.

    Where all of z is constant, U is that of something which could have varied and showed no difference. literal: U is
    the prior there, which a table with one column of cells gives, as the paper's test has it.
    """
    n = len(x)
    if n <= 1:
        return log(prior), log(prior)
    varying = [k for k in range(len(z)) if len(set(z[k])) > 1]
    log_i = log_independence(mixture([x], [y], discrete[:1], discrete[1:2], resolutions), prior)
    if varying or literal:
        log_u = log_independence(mixture([x, y], z, discrete[:2], discrete[2:], resolutions), prior)
    else:
        log_u = log_independence(at_best([x, y], discrete[:2], resolutions), prior)
    log_i = log(exp(log_i + log_u) + prior * -expm1(log_u))
    if not varying or n <= min_leaf:
        return log_i, log_u

    dependence = {k: mixture([x, y], [z[k]], discrete[:2], [discrete[2 + k]], resolutions) for k in varying}
    axis = None
    for k in [(previous + 1 + step) % len(z) for step in range(len(z))]:
        if k in varying and (axis is None or is_above(dependence[k], dependence[axis])):
            axis = k

    options = {"prior": prior, "resolutions": resolutions, "min_leaf": min_leaf, "previous": axis}
    options |= {"slice_weights": slice_weights, "literal": literal}
    split_i = split_u = 0.0
    pieces = parts(z[axis], discrete[2 + axis])
    shares = [len(part) / n for part in pieces]
    if slice_weights == "range" and not discrete[2 + axis]:
        shares = range_shares(z[axis])
    for part, share in zip(pieces, shares, strict=True):
        take = [[v[row] for row in part] for v in (x, y, *z)]
        part_i, part_u = recursive_median(take[0], take[1], take[2:], discrete, **options)
        split_i += share * part_i
        split_u += share * part_u
    return (log_i, log_u) if is_above(log_u, split_u) else (split_i, split_u)


def is_above(a, b):
    return b == -inf or a > b + 1e-9 * (1 + abs(b))


def parts(z, discrete):
    """Rows by level, or those up to the median and those above; where none is above, the largest value apart."""
    rows = range(len(z))
    if discrete:
        return [[row for row in rows if z[row] == level] for level in sorted(set(z))]
    ordered = sorted(z)
    last = ordered[(len(z) + 1) // 2 - 1]
    if last == ordered[-1]:
        last = max(value for value in z if value < last)
    return [[row for row in rows if z[row] <= last], [row for row in rows if z[row] > last]]


def range_shares(z):
    """(z* - min) / (max - min) and the rest, z* the median; half-way to the largest value where that is cut off."""
    low, high, at = min(z), max(z), median(z)
    if at == high:
        at = (high + max(value for value in z if value < high)) / 2
    return [(at - low) / (high - low), (high - at) / (high - low)]


def without_copies(columns, discrete):
    """The columns without the rows that are copies of others: see arcwise.independence.copies."""
    rows = list(zip(*columns, strict=True))
    times = Counter(rows)
    left = dict.fromkeys(times, 1)
    if not any(comes_back_whole(rows, key) for key, is_discrete in enumerate(discrete) if not is_discrete):
        written = gcd(*times.values()) if len(times) >= 20 else 1
        left = {row: count // written for row, count in times.items()}
    return [list(column) for column in zip(*(row for row, count in left.items() for _ in range(count)), strict=True)]


def comes_back_whole(rows, key):
    blocks = {}
    for row in rows:
        blocks.setdefault(row[key], []).append(row[:key] + row[key + 1 :])
    ordered = [blocks[value] for value in sorted(blocks)]
    shared = [block for block in ordered if len(block) > 1]
    if not shared or len(ordered) == 1:
        return False
    mixed = sum(len(block) for block in shared if len(set(block)) > 1) / sum(map(len, shared))
    least = [tuple(map(min, zip(*block, strict=True))) for block in ordered]
    apart = sum(a != b for a, b in zip(least[1:], least[:-1], strict=True)) / (len(least) - 1)
    return apart * len(shared) >= 5 and mixed <= 0.25 * apart
