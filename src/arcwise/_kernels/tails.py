"""Logarithms of the tails that tests need, so that no p-value is lost below the smallest float.

Two-sided normal: ln P(|Z| > z) = ln erfc(z / sqrt 2). Chi-squared: ln Q(df / 2, x / 2), Q the regularized upper
incomplete gamma function, by its series below the bulk and by Legendre's continued fraction above it.
"""

from math import erfc, exp, lgamma, log, log1p, pi, sqrt

import numpy as np

from arcwise._kernels.compiled import inner, kernel
from arcwise._kernels.types import FloatArray

FAR = 30.0  # beyond this many standard deviations three terms of the asymptotic series are exact to a float
PRECISION = 1e-16
TINY = 1e-300


@kernel
def log_normal_tail(z: float) -> float:
    """ln P(|Z| > z) for z >= 0."""
    if z < FAR:
        return log(erfc(z / sqrt(2.0)))
    w = 1.0 / (z * z)
    return -0.5 * z * z - log(z * sqrt(pi / 2.0)) + log1p(-w * (1.0 - 3.0 * w * (1.0 - 5.0 * w)))


@kernel
def log_chi_squared_tail(x: float, df: float) -> float:
    """ln P(chi-squared with df degrees of freedom > x); 0 where df or x is 0. O(sqrt df) terms."""
    if df <= 0 or x <= 0.0:
        return 0.0
    a, h = 0.5 * df, 0.5 * x
    front = a * log(h) - h - lgamma(a)
    if h < a + 1.0:
        term = 1.0 / a
        total = term
        step = a
        while term > PRECISION * total:
            step += 1.0
            term *= h / step
            total += term
        return log1p(-min(exp(front + log(total)), 1.0 - PRECISION))
    # Lentz's way through 1 / (h + 1 - a - 1 (1 - a) / (h + 3 - a - 2 (2 - a) / (h + 5 - a - ...)))
    b = h + 1.0 - a
    c = 1.0 / TINY
    d = 1.0 / b
    total = d
    i = 0.0
    change = 0.0
    while abs(change - 1.0) > 4.0 * PRECISION:
        i += 1.0
        b += 2.0
        d = 1.0 / _away_from_zero(b - i * (i - a) * d)
        c = _away_from_zero(b - i * (i - a) / c)
        change = c * d
        total *= change
    return front + log(total)


@inner
def _away_from_zero(value):
    return value if abs(value) > TINY else TINY


@kernel
def log_chi_squared_tails(statistics: FloatArray, dfs: FloatArray) -> FloatArray:
    """The same for arrays; NaN stays NaN."""
    out = np.empty(statistics.shape[0])
    for s in range(out.shape[0]):
        out[s] = statistics[s] if np.isnan(statistics[s]) else log_chi_squared_tail(statistics[s], dfs[s])
    return out
