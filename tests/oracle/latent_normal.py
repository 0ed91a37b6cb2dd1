"""Correlations of normal variables seen through cells, slowly: integrals by quadrature, maxima by trying."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from scipy.integrate import quad
from scipy.optimize import minimize_scalar
from scipy.stats import norm


def phi2(h, k, rho):
    """P(X <= h, Y <= k): the integral over x, cut where P(Y <= k | x) has its step."""
    spread = np.sqrt(1 - rho * rho)
    step = k / rho if rho else 0.0
    ends = sorted({-9.0, *(np.clip(step + spread * at / max(abs(rho), 0.1), -9, h) for at in (-9, -2, 0, 2, 9)), h})
    parts = pairwise(ends)
    return sum(quad(lambda x: norm.pdf(x) * norm.cdf((k - rho * x) / spread), a, b, epsabs=1e-13)[0] for a, b in parts)


def shares(rho, rows, columns):
    corners = np.zeros((len(rows) + 2, len(columns) + 2))
    for i, h in enumerate([*rows, 9.0], 1):
        for j, k in enumerate([*columns, 9.0], 1):
            corners[i, j] = phi2(h, k, rho)
    return np.diff(np.diff(corners, axis=0), axis=1)


def shares_with_astray(rho, rows, columns, astray):
    """The same if values come from elsewhere, from either end, in a share of the rows of both variables."""
    table = shares(rho, rows, columns)
    ends = [np.array([0.5, *[0.0] * (n - 2), 0.5]) for n in table.shape]
    (a, b), first, second = astray, table.sum(axis=1), table.sum(axis=0)
    return (
        (1 - a) * (1 - b) * table
        + a * (1 - b) * np.outer(ends[0], second)
        + (1 - a) * b * np.outer(first, ends[1])
        + a * b * np.outer(*ends)
    )


def thresholds(counts):
    return norm.ppf(np.cumsum(counts)[:-1] / np.sum(counts))


def polychoric(table):
    rows, columns = thresholds(table.sum(axis=1)), thresholds(table.sum(axis=0))

    def loss(rho):
        return -np.sum(table * np.log(np.maximum(shares(rho, rows, columns), 1e-300)))

    return minimize_scalar(loss, bounds=(-0.9999, 0.9999), method="bounded", options={"xatol": 1e-8}).x


def polyserial(scores, levels):
    """scores, levels: of each row."""
    cuts = np.array([-np.inf, *thresholds(np.bincount(levels)), np.inf])

    def loss(rho):
        at = (cuts[None, :] - rho * scores[:, None]) / np.sqrt(1 - rho * rho)
        share = np.diff(norm.cdf(at), axis=1)[np.arange(len(levels)), levels]
        return -np.sum(np.log(np.maximum(share, 1e-300)))

    return minimize_scalar(loss, bounds=(-0.9999, 0.9999), method="bounded", options={"xatol": 1e-9}).x
