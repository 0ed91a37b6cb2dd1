"""Slow twins of the Gaussian scores: regressions by least squares, marginal likelihoods row by row."""

from __future__ import annotations

from math import log, pi

import numpy as np
from scipy.special import multigammaln
from scipy.stats import multivariate_t

from arcwise.data.dataset import Column, Dataset, Kind

FLOOR = 1e-10


def continuous_table(values, names=None):
    """Rows by columns to a Dataset."""
    names = names or [f"x{j:02d}" for j in range(values.shape[1])]
    return Dataset(
        tuple(Column(name, Kind.CONTINUOUS, column.copy()) for name, column in zip(names, values.T, strict=True))
    )


def matrix(data):
    return np.column_stack([column.values for column in data.columns])


def gaussian_bic(values, child, parents):
    """Maximized likelihood of a regression with an intercept, less ln(N) / 2 a parameter."""
    n = len(values)
    y = values[:, child]
    inputs = np.column_stack([np.ones(n), values[:, list(parents)] - values[:, list(parents)].mean(axis=0)])
    residual = y - y.mean() - inputs @ np.linalg.lstsq(inputs, y - y.mean(), rcond=1e-6)[0]
    s2 = max(np.mean(residual**2), FLOOR * y.var())
    return -n / 2 * (log(2 * pi * s2) + 1) - log(n) / 2 * (len(parents) + 2)


def embedding(column):
    """A continuous column as it is; a discrete one as indicators of the levels that occur, without the first."""
    if column.kind is Kind.CONTINUOUS:
        return column.values[:, None]
    occurring = np.unique(column.values)[1:]
    return (column.values[:, None] == occurring).astype(float)


def degenerate_gaussian(data, child, parents):
    n = data.n_rows
    a = embedding(data.columns[child])
    b = np.column_stack([np.ones(n), *(embedding(data.columns[p]) for p in parents)])
    residual = a - b @ np.linalg.lstsq(b, a, rcond=None)[0]
    size, width = a.shape[1], b.shape[1] - 1
    log_det = np.linalg.slogdet(residual.T @ residual / n)[1]
    parameters = size + size * (size + 1) / 2 + size * width
    return -n / 2 * (log_det + size * (log(2 * pi) + 1)) - log(n) / 2 * parameters


def log_marginal(values, members, a_mu, a_w, nu):
    """ln p of the columns `members`, as published (Kuipers, Moffa and Heckerman 2014, with T = t I)."""
    n_rows, n = values.shape
    size = len(members)
    if size == 0:
        return 0.0
    y = values[:, members]
    t = a_mu * (a_w - n - 1) / (a_mu + 1)
    away = y.mean(axis=0) - nu[members]
    scatter = (y - y.mean(axis=0)).T @ (y - y.mean(axis=0))
    joined = t * np.eye(size) + scatter + n_rows * a_mu / (n_rows + a_mu) * np.outer(away, away)
    dof = a_w - n + size
    return (
        size / 2 * log(a_mu / (n_rows + a_mu))
        - size * n_rows / 2 * log(pi)
        + multigammaln((n_rows + dof) / 2, size)
        - multigammaln(dof / 2, size)
        + dof / 2 * size * log(t)
        - (n_rows + dof) / 2 * np.linalg.slogdet(joined)[1]
    )


def log_marginal_by_rows(values, members, a_mu, a_w, nu):
    """The same as a product of predictive densities: each row is multivariate t given the rows before it."""
    n, size = values.shape[1], len(members)
    kappa, dof, mean = a_mu, a_w - n + size, nu[members].astype(float)
    spread = a_mu * (a_w - n - 1) / (a_mu + 1) * np.eye(size)
    total = 0.0
    for row in values[:, members]:
        free = dof - size + 1
        total += multivariate_t.logpdf(row, mean, spread * (kappa + 1) / (kappa * free), free)
        away = row - mean
        spread = spread + kappa / (kappa + 1) * np.outer(away, away)
        mean = mean + away / (kappa + 1)
        kappa, dof = kappa + 1, dof + 1
    return total


def bge(values, child, parents, a_mu=1.0, a_w=None, nu=None):
    a_w = values.shape[1] + a_mu + 1 if a_w is None else a_w
    nu = values.mean(axis=0) if nu is None else np.full(values.shape[1], nu)
    family = [*parents, child]
    return log_marginal(values, family, a_mu, a_w, nu) - log_marginal(values, list(parents), a_mu, a_w, nu)
