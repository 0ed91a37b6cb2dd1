"""A mixture of states with neighbours, fitted by expectation and maximisation: the obvious way, with whole arrays."""

from __future__ import annotations

from math import gamma, log, pi

import numpy as np


def densities(values, means, variances, freedom):
    """(rows, states)."""
    squares = (values[:, None] - means) ** 2 / variances
    if freedom == 0:
        return np.exp(-0.5 * squares) / np.sqrt(2 * pi * variances)
    constant = gamma((freedom + 1) / 2) / gamma(freedom / 2) / np.sqrt(freedom * pi * variances)
    return constant * (1 + squares / freedom) ** (-(freedom + 1) / 2)


def fit(values, counts, own, children, shares, *, common, freedom, least, prior, steps):
    """(log-likelihood, shares, means, variances). children: (states of the child, configuration of its other parents,
    number of its levels) each."""
    _n, k = shares.shape
    means = variances = None
    found = -np.inf
    for step in range(steps):
        held = shares * counts[:, None]
        table = np.full((own.max() + 1, k), prior / k)
        np.add.at(table, own, held)
        table /= table.sum(axis=1, keepdims=True)
        factors = table[own]
        for levels, group, card in children:
            cells = np.full((group.max() + 1, card, k), prior / card)
            np.add.at(cells, (group, levels), held)
            cells /= cells.sum(axis=1, keepdims=True)
            factors = factors * cells[group, levels]
        weights = held
        if freedom and step:
            weights = held * (freedom + 1) / (freedom + (values[:, None] - means) ** 2 / variances)
        means = (weights * values[:, None]).sum(axis=0) / weights.sum(axis=0)
        spread = (weights * (values[:, None] - means) ** 2).sum(axis=0)
        own_variances = (spread + 2 * least) / (held.sum(axis=0) + 2)
        pooled = spread.sum() / held.sum()
        variances = np.maximum(np.full(k, pooled) if common else own_variances, least)
        joint = factors * densities(values, means, variances, freedom)
        found = float((counts * np.log(joint.sum(axis=1))).sum())
        shares = joint / joint.sum(axis=1, keepdims=True)
    return found, shares, means, variances


def two_normals(values, means, sd, share):
    """ln of a mixture of two normal densities, for known answers."""
    first = share * np.exp(-0.5 * ((values - means[0]) / sd) ** 2)
    second = (1 - share) * np.exp(-0.5 * ((values - means[1]) / sd) ** 2)
    return np.log(first + second) - log(sd) - 0.5 * log(2 * pi)
