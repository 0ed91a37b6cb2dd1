"""Smooth relations, slowly: features row by row, least squares by QR, canonical correlations by singular values."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Any

import numpy as np
from numpy.polynomial.legendre import Legendre
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.stats import norm, rankdata

from arcwise.data.dataset import Column, Dataset, Kind

FloatArray = NDArray[np.float64]
LADDER = (1, 2, 3, 5, 8, 13, 21)


def has_order(column: Column) -> bool:
    return column.kind is Kind.CONTINUOUS or column.ordered or column.cardinality == 2


def features(column: Column, most: int) -> FloatArray:
    """(rows, features), rounded to 13 bits: normal scores and Legendre polynomials, or contrasts."""
    values, n = column.values, len(column.values)
    if has_order(column):
        u = (rankdata(values) - 0.5) / n
        raw = [norm.ppf(u), *(Legendre.basis(k)(2 * u - 1) for k in range(2, most + 1))]
    else:
        present, sizes = np.unique(values, return_counts=True)
        largest = present[np.argsort(-sizes, kind="stable")[0]]
        raw = [(values == level).astype(float) for level in present if level != largest]
    found: list[FloatArray] = []
    for one in raw:
        left = one - one.mean()
        before = left @ left
        for _ in range(2):
            for other in found:
                left = left - (other @ left) / n * other
        if left @ left > 1e-6 * before and left @ left > 0:
            found.append(left / np.sqrt(left @ left / n))
    rounded = np.rint(np.column_stack(found) * 2**13) if found else np.zeros((n, 0))
    return (rounded - rounded.mean(axis=0)) / rounded.std(axis=0)


def blocks(data: Dataset, most: int) -> list[FloatArray]:
    return [features(column, most) for column in data.repeated().columns]


def log_left(target: FloatArray, explained_by: Sequence[FloatArray]) -> float:
    """ln|S|: the covariance of the targets' residuals."""
    n = len(target)
    design = np.column_stack([np.ones(n), *explained_by])
    residual = target - design @ np.linalg.lstsq(design, target, rcond=None)[0]
    return float(np.linalg.slogdet(residual.T @ residual / n)[1])


def canonical(own: FloatArray, parents: Sequence[FloatArray], arc_cost: float) -> float:
    n, price = len(own), log(len(own)) / 2
    both = np.column_stack(parents)
    base = np.linalg.qr(both - both.mean(axis=0))[0]
    mine = np.linalg.qr(own - own.mean(axis=0))[0]
    rho = np.linalg.svd(mine.T @ base, compute_uv=False)
    a, b = own.shape[1], both.shape[1]
    gains = -n / 2 * np.cumsum(np.log(1 - rho**2))
    ranks = np.arange(1, len(rho) + 1)
    return float(np.max(gains - price * ranks * (a + b - ranks))) - arc_cost * len(parents)


def taken(own: FloatArray, parents: Sequence[FloatArray], levels: Sequence[bool]) -> tuple[list[int], float]:
    """(features of each parent, score) of the additive form. own: the child's first feature, or all contrasts."""
    n, price = len(own), log(len(own)) / 2 * own.shape[1]
    sizes = [one.shape[1] if nominal else 1 for one, nominal in zip(parents, levels, strict=True)]

    def score(sizes: Sequence[int]) -> float:
        used = [one[:, :size] for one, size in zip(parents, sizes, strict=True)]
        return -n / 2 * log_left(own, used) - price * sum(sizes)

    best = score(sizes)
    while True:
        tried = []
        for p, one in enumerate(parents):
            steps = sorted({min(step, one.shape[1]) for step in LADDER})
            for size in [step for step in steps if step > sizes[p]][:2]:
                trial = [*sizes[:p], size, *sizes[p + 1 :]]
                tried.append((score(trial), trial))
        if not tried or max(tried)[0] <= best + 1e-9 * (1 + abs(best)):
            return sizes, best
        best, sizes = max(tried, key=lambda one: one[0])


def additive(own: FloatArray, parents: Sequence[FloatArray], levels: Sequence[bool], arc_cost: float) -> float:
    return taken(own, parents, levels)[1] - arc_cost * len(parents)


def _stage(f: int, g: int) -> int:
    return {(0, 0): 0, (0, 1): 1, (1, 0): 1, (1, 1): 2}.get((f, g), 3)


def products(one: FloatArray, other: FloatArray, nominal: tuple[bool, bool]) -> list[list[FloatArray]]:
    """Those of two parents by stage, standardized; all features of levels are of the first stage."""
    found: list[list[FloatArray]] = [[], [], [], []]
    for f in range(one.shape[1] if nominal[0] else min(one.shape[1], 3)):
        for g in range(other.shape[1] if nominal[1] else min(other.shape[1], 3)):
            both = one[:, f] * other[:, g]
            both = both - both.mean()
            if both @ both / len(both) > 1e-9:
                stage = _stage(0 if nominal[0] else f, 0 if nominal[1] else g)
                found[stage].append(both / np.sqrt(both @ both / len(both)))
    return found


def spread(residual: FloatArray, design: FloatArray) -> float:
    """The most that ln sigma^2 = c + design d gains over a constant: half of what two minima differ by."""
    n, squares = len(residual), residual**2 / np.mean(residual**2)

    def loss(d: FloatArray) -> Any:
        exponents = design @ d
        return n / 2 * (np.log(np.mean(squares * np.exp(-exponents))) + exponents.mean())

    return -float(minimize(loss, np.zeros(design.shape[1]), method="BFGS").fun)


def logistic(codes: NDArray[Any], design: FloatArray) -> float:
    """The most that a multinomial logistic regression gains over shares alone."""
    n, (levels, codes) = len(codes), np.unique(codes, return_inverse=True)
    x, m = np.column_stack([np.ones(n), design]), len(levels) - 1
    shares = np.bincount(codes) / n

    def loss(flat: FloatArray) -> Any:
        eta = np.column_stack([x @ flat.reshape(x.shape[1], m), np.zeros(n)])
        return -(eta[np.arange(n), codes] - np.logaddexp.reduce(eta, axis=1)).sum()

    found = minimize(loss, np.zeros(x.shape[1] * m), method="BFGS", options={"gtol": 1e-4})
    return -float(found.fun) - n * float(shares @ np.log(shares))
