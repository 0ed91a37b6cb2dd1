"""Slow twins of densities by product kernels: the formulas, row by row."""

from __future__ import annotations

from math import exp, log, pi, sqrt

import numpy as np


def nearness(model, data, q, i):
    """w_i of row q of a table and row i of those that are kept."""
    total = 1.0
    for one in model.near:
        x = one.points(data)[q]
        if one.levels:
            total *= 1.0 if x == one.values[i] else one.width
        else:
            total *= exp(-((x - one.values[i]) ** 2) / (2 * one.width**2))
    return total


def _normal(z, width):
    return exp(-(z**2) / (2 * width**2)) / (width * sqrt(2 * pi))


def log_density(model, data, q):
    """Of a continuous child."""
    column = data.column(model.child)
    z = model.own.standard.standardized(column.values[q : q + 1])[0]
    rows = range(len(model.own.values))
    prior = 2 / pi / (1 + z * z) ** 2
    if model.near:
        prior = (sum(_normal(z - model.own.values[i], model.marginal) for i in rows) + prior) / (len(rows) + 1)
    weights = [nearness(model, data, q, i) for i in rows]
    joint = sum(w * _normal(z - model.own.values[i], model.own.width) for i, w in zip(rows, weights, strict=True))
    return log((joint + prior) / (sum(weights) + 1)) - model.own.standard.log_unit


def probabilities(model, data, q):
    """Of the levels of a discrete child."""
    r, codes = len(model.levels), model.own.values.astype(int)
    prior = (np.bincount(codes, minlength=r) + 1 / r) / (len(codes) + 1)
    if not model.near:
        return prior
    found, total = prior.copy(), 1.0
    for i, code in enumerate(codes):
        w = nearness(model, data, q, i)
        other = model.own.width / (1 + (r - 1) * model.own.width)
        kernel = np.full(r, other)
        kernel[code] = 1 / (1 + (r - 1) * model.own.width)
        found += w * kernel
        total += w
    return found / total


def left_out(rows, levels, rates, height, before):
    """The log-likelihood of each row by the others; the child is column 0."""
    total = 0.0
    n = rows.shape[1]
    for i in range(n):
        a, s = before[i], 1.0
        for k in range(n):
            if k == i:
                continue
            pairs = zip(rows, levels, strict=True)
            d = [float(x[i] != x[k]) if is_level else (x[i] - x[k]) ** 2 for x, is_level in pairs]
            w = exp(-sum(rate * own for rate, own in zip(rates[1:], d[1:], strict=True)))
            a += height * w * exp(-rates[0] * d[0])
            s += w
        total += log(a) - log(s)
    return total
