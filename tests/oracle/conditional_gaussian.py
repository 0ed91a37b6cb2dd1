"""Slow twin of the conditional Gaussian BIC: least squares row by row, one configuration after the other."""

from __future__ import annotations

from itertools import product
from math import inf, log, pi

import numpy as np

from arcwise.data.dataset import Kind

FLOOR = 1e-10


def log_likelihood(data, child, parents, *, least_rows=1, unbiased=False):
    """(log-likelihood of a number, parameters). unbiased: variances as bnlearn has them, divided by N - k - 1."""
    columns = data.columns
    levels = [p for p in parents if columns[p].kind is Kind.DISCRETE]
    numbers = [p for p in parents if columns[p].kind is Kind.CONTINUOUS]
    y = columns[child].values
    strata, possible = [], 1
    for states in product(*(range(columns[p].cardinality) for p in levels)):
        rows = np.ones(data.n_rows, dtype=bool)
        for p, state in zip(levels, states, strict=True):
            rows &= columns[p].values == state
        if rows.any():
            strata.append(rows)
    strata.sort(key=np.sum)  # stable
    n_few = sum(rows.sum() < least_rows for rows in strata)
    if n_few:
        while n_few < len(strata) and sum(rows.sum() for rows in strata[:n_few]) < least_rows:
            n_few += 1
        strata = [np.logical_or.reduce(strata[:n_few]), *strata[n_few:]]
    for p in levels:
        possible *= columns[p].cardinality
    total = 0.0
    for rows in strata:
        n, own = int(rows.sum()), y[rows]
        if n < len(numbers) + 2 or own.var() <= FLOOR * y.var():
            return -inf, possible * (len(numbers) + 2)
        inputs = np.column_stack(
            [np.ones(n), *(columns[p].values[rows] - columns[p].values[rows].mean() for p in numbers)]
        )
        residual = own - inputs @ np.linalg.lstsq(inputs, own, rcond=1e-9)[0]
        squares = max(float(residual @ residual), FLOOR * n * own.var())
        variance = squares / (n - inputs.shape[1] if unbiased else n)
        total -= 0.5 * n * log(2 * pi * variance) + 0.5 * squares / variance
    return total, possible * (len(numbers) + 2)


def bic(data, child, parents, **options):
    """BIC of any family without a barred arc: a number as above, levels by their tables."""
    price = 0.5 * log(data.n_rows)
    own = data.columns[child]
    if own.kind is Kind.CONTINUOUS:
        found, parameters = log_likelihood(data, child, parents, **options)
        return found - price * parameters
    if any(data.columns[p].kind is Kind.CONTINUOUS for p in parents):
        return -inf
    total, possible = 0.0, 1
    for p in parents:
        possible *= data.columns[p].cardinality
    for states in product(*(range(data.columns[p].cardinality) for p in parents)):
        rows = np.ones(data.n_rows, dtype=bool)
        for p, state in zip(parents, states, strict=True):
            rows &= data.columns[p].values == state
        counts = np.bincount(own.values[rows], minlength=own.cardinality)
        total += sum(k * log(k / counts.sum()) for k in counts if k)
    return total - price * possible * (own.cardinality - 1)
