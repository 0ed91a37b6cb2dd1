"""Means, errors and differences of held-out densities, row by row."""

from __future__ import annotations

from math import sqrt


def estimate(values):
    """(mean, standard error) by the definitions."""
    n = len(values)
    mean = sum(values) / n
    variance = sum((value - mean) ** 2 for value in values) / (n - 1)
    return mean, sqrt(variance / n)


def difference(one, other):
    return estimate([a - b for a, b in zip(one, other, strict=True)])


def held_out(table, n, seed):
    """[(rows learned from, rows foretold)] of each fold, as lists of tuples, weights written out."""
    import numpy as np

    from arcwise.networks.streams import stream

    names = sorted(table.names)
    rows = sorted(
        row
        for i in range(table.n_stored)
        for row in [tuple(float(table.column(name).values[i]) for name in names)]
        for _ in range(1 if table.weights is None else int(table.weights[i]))
    )
    order = stream(seed, "folds").permutation(len(rows))
    fold = np.array(order) % n
    return [
        (
            [row for row, k in zip(rows, fold, strict=True) if k != part],
            [row for row, k in zip(rows, fold, strict=True) if k == part],
        )
        for part in range(n)
    ]
