"""Columns of levels by multinomial logistic regression on features of their parents, or by a table."""

import math

import numpy as np

from arcwise._kernels.compiled import inner, kernel, lean
from arcwise._kernels.features.smooth_families import additive_gain, enter
from arcwise._kernels.features.smooth_rows import ENOUGH, STRAIGHT, UNBENT, Regression, Workspace
from arcwise._kernels.types import IntArray

NEWTON_STEPS = 12
MOST_WEIGHTS = 200  # of a logistic regression
MOST_TABLE = 5  # rows that a cell of a table has at least, on average


@kernel
def levels_gain(data: Regression, work: Workspace, child: int, columns: IntArray, n_columns: int) -> float:
    """Gain over no parents of a column of levels, by Newton's method."""
    families = data.families
    n_levels, n = data.cardinalities[child], data.features.shape[1]
    work.found[2], work.found[3], work.found[4] = 0, UNBENT, STRAIGHT
    stand_in = additive_gain(families, child, columns, n_columns, work.room)
    rank = np.int64(0)
    for p in range(n_columns):
        first = families.starts[columns[p]]
        rank = enter(families, first, first + work.room.taken[p], work.room.factor, rank)
    members, q, codes = work.room.factor.members, rank + 1, data.codes[child]
    work.found[0], work.found[1] = rank, rank
    sizes = np.zeros(n_levels)
    for i in range(n):
        sizes[codes[i]] += data.weights[i]
    present = np.empty(n_levels, dtype=np.int64)
    k = 0
    for level in range(n_levels):
        present[level] = k if sizes[level] > 0.0 else -1
        k += sizes[level] > 0.0
    null, m = 0.0, k - 1
    beta, trial = np.zeros((m, q)), np.zeros((m, q))
    last = 0.0
    for level in range(n_levels):
        if sizes[level] > 0.0:
            null += sizes[level] * math.log(sizes[level] / families.n_rows)
            if present[level] == m:
                last = sizes[level]
    for level in range(n_levels):
        if 0 <= present[level] < m:
            beta[present[level], 0] = math.log(sizes[level] / last)
    d = m * q
    if d > MOST_WEIGHTS:  # the regression of the contrasts stands for it
        return max(stand_in, _table(data, child, columns, n_columns, k, null))
    hessian, slope = np.empty((d, d)), np.empty(d)
    x, eta = np.empty(q), np.empty(m)
    x[0] = 1.0
    best = null
    for _ in range(NEWTON_STEPS):
        for a in range(d):
            slope[a] = 0.0
            for b in range(d):
                hessian[a, b] = 0.0
        for i in range(n):
            for c in range(rank):
                x[c + 1] = data.features[members[c], i]
            top = 0.0
            for level in range(m):
                value = 0.0
                for c in range(q):
                    value += beta[level, c] * x[c]
                eta[level] = value
                top = max(top, value)
            total = math.exp(-top)
            for level in range(m):
                eta[level] = math.exp(eta[level] - top)
                total += eta[level]
            w = data.weights[i]
            for level in range(m):
                share = eta[level] / total
                eta[level] = share
                left = w * ((1.0 if present[codes[i]] == level else 0.0) - share)
                for c in range(q):
                    slope[level * q + c] += left * x[c]
            for level in range(m):
                for other in range(level + 1):
                    h = w * eta[level] * ((1.0 if other == level else 0.0) - eta[other])
                    for c in range(q):
                        hx = h * x[c]
                        for e in range(q):
                            hessian[level * q + c, other * q + e] += hx * x[e]
        for a in range(d):
            hessian[a, a] += 1e-6 * families.n_rows
        _solve(hessian, slope, d)
        share, found, value = 1.0, False, best
        while share > 0.02:
            for level in range(m):
                for c in range(q):
                    trial[level, c] = beta[level, c] + share * slope[level * q + c]
            value = _log_likelihood(data, codes, present, members, rank, trial, eta)
            if value > best:
                found = True
                break
            share *= 0.5
        if not found:
            break
        for level in range(m):
            for c in range(q):
                beta[level, c] = trial[level, c]
        gain = value - best
        best = value
        if gain < ENOUGH:
            break
    found = best - null - families.price * m * rank
    return max(found, _table(data, child, columns, n_columns, k, null))


@lean
def _log_likelihood(data, codes, present, members, rank, beta, eta):
    total, m = 0.0, beta.shape[0]
    for i in range(codes.shape[0]):
        top = 0.0
        for level in range(m):
            value = beta[level, 0]
            for c in range(rank):
                value += beta[level, c + 1] * data.features[members[c], i]
            eta[level] = value
            top = max(top, value)
        own = eta[present[codes[i]]] if present[codes[i]] < m else 0.0
        sum_ = math.exp(-top)
        for level in range(m):
            sum_ += math.exp(eta[level] - top)
        total += data.weights[i] * (own - top - math.log(sum_))
    return total


@lean
def _solve(matrix, vector, n):
    """vector := matrix^-1 vector for a positive definite matrix, of which the lower half is read."""
    for j in range(n):
        for k in range(j):
            value = matrix[j, k]
            for e in range(k):
                value -= matrix[j, e] * matrix[k, e]
            matrix[j, k] = value / matrix[k, k]
        value = matrix[j, j]
        for e in range(j):
            value -= matrix[j, e] * matrix[j, e]
        matrix[j, j] = math.sqrt(max(value, 1e-12))
    for j in range(n):
        value = vector[j]
        for e in range(j):
            value -= matrix[j, e] * vector[e]
        vector[j] = value / matrix[j, j]
    for j in range(n - 1, -1, -1):
        value = vector[j]
        for e in range(j + 1, n):
            value -= matrix[e, j] * vector[e]
        vector[j] = value / matrix[j, j]


@inner
def _table(data, child, columns, n_columns, n_present, null):
    """Gain of a table over no parents, where all parents have levels without an order and rows fill its cells."""
    cells = np.int64(1)
    for p in range(n_columns):
        if data.cardinalities[columns[p]] <= 0:
            return -math.inf
        cells *= data.cardinalities[columns[p]]
        if cells * data.cardinalities[child] * MOST_TABLE > data.families.n_rows:
            return -math.inf
    n_levels = data.cardinalities[child]
    counts = np.zeros((cells, n_levels))
    for i in range(data.features.shape[1]):
        cell = np.int64(0)
        for p in range(n_columns):
            cell = cell * data.cardinalities[columns[p]] + data.codes[columns[p], i]
        counts[cell, data.codes[child, i]] += data.weights[i]
    found, filled = -null, np.int64(0)
    for cell in range(cells):
        total = 0.0
        for level in range(n_levels):
            total += counts[cell, level]
        filled += total > 0.0
        for level in range(n_levels):
            if counts[cell, level] > 0.0:
                found += counts[cell, level] * math.log(counts[cell, level] / total)
    return found - data.families.price * (n_present - 1) * (filled - 1)
