"""Correlations of two normal variables that are seen through cells only.

Polychoric: both variables are seen by the cell that they are in. Polyserial: one of them is seen itself. The thresholds
are known, so that the log likelihood of the counts n_ij is a function of rho alone,

    L = sum_ij n_ij ln pi_ij(rho),    L' = sum_ij n_ij pi_ij' / pi_ij.

pi_ij is made of the distribution function Phi2 at the corners of the cell. By Plackett's identity dPhi2 / drho is the
density of the bivariate normal there, which gives pi_ij', and Phi2 is Phi Phi and its integral from 0 to rho. That is
the way of Drezner and Wesolowsky, with rho = sin t and, for |rho| above .925, Genz's expansion at 1. L' is brought to
zero by scoring, rho + L' / (N sum pi'^2 / pi), which stays between the last rho with L' > 0 and that with L' < 0.
"""

from math import asin, erfc, exp, log, pi, sin, sqrt

import numpy as np
from numpy.typing import NDArray

from arcwise._kernels.compiled import inner, kernel
from arcwise._kernels.types import FloatArray

MOST = 1.0 - 1e-6  # |rho| is at most this
CLOSE = 0.925  # from here on the integral would need many nodes
ROUNDING = 1e-15  # a smaller share of a cell, the difference of four numbers, may be nothing but this
LEAST_SHARE = 1e-300  # of a cell given a score, which has all its digits
STEPS = 100
SMALL_STEP = 1e-10

_FEW, _SOME, _MANY = (np.polynomial.legendre.leggauss(n) for n in (6, 12, 20))
FEW_NODES, FEW_WEIGHTS = (part.copy() for part in _FEW)
SOME_NODES, SOME_WEIGHTS = (part.copy() for part in _SOME)
MANY_NODES, MANY_WEIGHTS = (part.copy() for part in _MANY)


@inner
def _below(x):
    """Phi(x)."""
    return 0.5 * erfc(-x / sqrt(2.0))


@inner
def _close(h, k, rho):
    """P(X > h, Y > k) for .925 <= |rho| < 1 (Genz 2004)."""
    if rho < 0.0:
        k = -k
    hk = h * k
    rest = (1.0 - rho) * (1.0 + rho)
    a = sqrt(rest)
    bs = (h - k) ** 2
    c, d = (4.0 - hk) / 8.0, (12.0 - hk) / 80.0
    found = 0.0
    power = -(bs / rest + hk) / 2.0
    if power > -100.0:
        found = a * exp(power) * (1.0 - c * (bs - rest) * (1.0 - d * bs) / 3.0 + c * d * rest * rest)
    if hk > -100.0:
        b = sqrt(bs)
        found -= exp(-hk / 2.0) * sqrt(2.0 * pi) * _below(-b / a) * b * (1.0 - c * bs * (1.0 - d * bs) / 3.0)
    a *= 0.5
    total = 0.0
    for i in range(MANY_NODES.shape[0]):
        xs = (a * (1.0 + MANY_NODES[i])) ** 2
        power = -(bs / xs + hk) / 2.0
        if power > -100.0:
            rs = sqrt(1.0 - xs)
            smooth = 1.0 + c * xs * (1.0 + 5.0 * d * xs)
            exact = exp(-(hk / 2.0) * xs / (1.0 + rs) ** 2) / rs
            total += MANY_WEIGHTS[i] * exp(power) * (smooth - exact)
    found = (a * total - found) / (2.0 * pi)
    if rho > 0.0:
        return found + _below(-max(h, k))
    if h >= k:
        return -found
    between = _below(k) - _below(h) if h < 0.0 else _below(-h) - _below(-k)
    return between - found


@inner
def _corners(rho, rows, columns, out):
    """out[i + 1, j + 1] = Phi2(rows[i], columns[j]); its edges, margins and zeros, are there already."""
    n, m = rows.shape[0], columns.shape[0]
    if abs(rho) >= CLOSE:
        for i in range(n):
            for j in range(m):
                out[i + 1, j + 1] = _close(-rows[i], -columns[j], rho)
        return
    nodes, weights = MANY_NODES, MANY_WEIGHTS
    if abs(rho) < 0.3:
        nodes, weights = FEW_NODES, FEW_WEIGHTS
    elif abs(rho) < 0.75:
        nodes, weights = SOME_NODES, SOME_WEIGHTS
    for i in range(n):
        for j in range(m):
            out[i + 1, j + 1] = 0.0
    half = 0.5 * asin(rho)
    for at in range(nodes.shape[0]):
        s = sin(half * (1.0 + nodes[at]))
        inverse = 1.0 / ((1.0 - s) * (1.0 + s))
        weight = weights[at] * half / (2.0 * pi)
        for i in range(n):
            h = rows[i]
            for j in range(m):
                k = columns[j]
                out[i + 1, j + 1] += weight * exp((s * h * k - 0.5 * (h * h + k * k)) * inverse)
    for i in range(n):
        for j in range(m):
            out[i + 1, j + 1] += out[i + 1, m + 1] * out[n + 1, j + 1]


@inner
def _densities(rho, rows, columns, out):
    """out[i + 1, j + 1] = phi2(rows[i], columns[j]); its edges are 0."""
    rest = (1.0 - rho) * (1.0 + rho)
    front = 1.0 / (2.0 * pi * sqrt(rest))
    for i in range(rows.shape[0]):
        h = rows[i]
        for j in range(columns.shape[0]):
            k = columns[j]
            out[i + 1, j + 1] = front * exp((rho * h * k - 0.5 * (h * h + k * k)) / rest)


@inner
def _framed(rows, columns):
    """Room for Phi2 at all corners, with those at infinity."""
    n, m = rows.shape[0], columns.shape[0]
    out = np.zeros((n + 2, m + 2))
    for i in range(n):
        out[i + 1, m + 1] = _below(rows[i])
    for j in range(m):
        out[n + 1, j + 1] = _below(columns[j])
    out[n + 1, m + 1] = 1.0
    return out


@kernel
def cell_shares(rho: float, rows: FloatArray, columns: FloatArray) -> FloatArray:
    """The probability of each cell that these thresholds make of a bivariate normal."""
    corners = _framed(rows, columns)
    _corners(rho, rows, columns, corners)
    out = np.empty((rows.shape[0] + 1, columns.shape[0] + 1))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = corners[i + 1, j + 1] - corners[i, j + 1] - corners[i + 1, j] + corners[i, j]
    return out


@inner
def _at_end(place, last):
    """The share that the first and the last cell each have of values from elsewhere."""
    return 0.5 * (place == 0) + 0.5 * (place == last)


@inner
def _slope_polychoric(rho, counts, n_rows, rows, columns, astray, corners, densities, shares):
    """(L' / N, its expected fall, sum pi'^2 / pi, L); shares become those of the cells.

    With astray = (a, b) the cell of a row has nothing to do with the first variable in a share a of the rows, where it
    is the first or the last one, and likewise for the second variable.
    """
    _corners(rho, rows, columns, corners)
    _densities(rho, rows, columns, densities)
    n, m = rows.shape[0], columns.shape[0]
    slope = information = likelihood = 0.0
    both = (1.0 - astray[0]) * (1.0 - astray[1])
    for i in range(n + 1):
        first_astray = astray[0] * _at_end(i, n)
        first = (1.0 - astray[0]) * (corners[i + 1, m + 1] - corners[i, m + 1])
        for j in range(m + 1):
            share = corners[i + 1, j + 1] - corners[i, j + 1] - corners[i + 1, j] + corners[i, j]
            change = densities[i + 1, j + 1] - densities[i, j + 1] - densities[i + 1, j] + densities[i, j]
            second_astray = astray[1] * _at_end(j, m)
            second = (1.0 - astray[1]) * (corners[n + 1, j + 1] - corners[n + 1, j])
            share = both * share + first_astray * (second + second_astray) + first * second_astray
            shares[i, j] = share
            change *= both
            if share > ROUNDING:
                information += change * change / share
            if counts[i, j] > 0:
                slope += counts[i, j] * change / max(share, ROUNDING)
                likelihood += counts[i, j] * log(max(share, ROUNDING))
    return slope / n_rows, information, likelihood


@inner
def _next(rho, slope, information, low, high):
    """(Where to look next: by scoring, or in the middle between the ends; the ends, of which rho is one now)."""
    if slope > 0.0:
        low = rho
    else:
        high = rho
    new = rho + slope / information if information > 0.0 else rho
    if not low < new < high:
        new = 0.5 * (low + high)
    return new, low, high


@kernel
def polychoric(
    counts: NDArray[np.int64], rows: FloatArray, columns: FloatArray, astray: tuple[float, float]
) -> tuple[float, float, FloatArray]:
    """(The correlation behind a table of counts with these thresholds, L there, the shares of the cells there).

    astray: for both variables the share of values that come from elsewhere, below or above all others.
    """
    corners = _framed(rows, columns)
    densities = np.zeros_like(corners)
    shares = np.empty((rows.shape[0] + 1, columns.shape[0] + 1))
    n_rows, likelihood = counts.sum(), 0.0
    low, high, rho = -MOST, MOST, 0.0
    for _ in range(STEPS):
        slope, information, likelihood = _slope_polychoric(
            rho, counts, n_rows, rows, columns, astray, corners, densities, shares
        )
        new, low, high = _next(rho, slope, information, low, high)
        moved = abs(new - rho)
        rho = new
        if moved < SMALL_STEP:
            break
    return rho, likelihood, shares


@inner
def _slope_polyserial(rho, counts, totals, scores, cuts):
    """(L', its expected fall, sum n p'^2 / p), p the probability of a cell given the score."""
    rest = (1.0 - rho) * (1.0 + rho)
    deviation = sqrt(rest)
    slope = information = 0.0
    n = cuts.shape[0]
    for i in range(scores.shape[0]):
        z = scores[i]
        below, above, low_change = 0.0, 1.0, 0.0  # Phi(u), 1 - Phi(u) and phi(u) u' at the lower threshold
        for j in range(n + 1):
            if j < n:
                u = (cuts[j] - rho * z) / deviation
                next_below, next_above = _below(u), _below(-u)
                high_change = exp(-0.5 * u * u) / sqrt(2.0 * pi) * (rho * cuts[j] - z) / (rest * deviation)
            else:
                next_below, next_above, high_change = 1.0, 0.0, 0.0
            share = max(next_below - below if next_below < 0.5 else above - next_above, LEAST_SHARE)
            change = high_change - low_change
            if counts[i, j] > 0:
                slope += counts[i, j] * change / share
            if share > ROUNDING:
                information += totals[i] * change * change / share
            below, above, low_change = next_below, next_above, high_change
    return slope, information


@kernel
def polyserial(counts: NDArray[np.int64], scores: FloatArray, cuts: FloatArray) -> float:
    """The correlation of a variable with these values, one for each row of counts, and one seen by thresholds."""
    totals = counts.sum(axis=1)
    low, high, rho = -MOST, MOST, 0.0
    for _ in range(STEPS):
        slope, information = _slope_polyserial(rho, counts, totals, scores, cuts)
        new, low, high = _next(rho, slope, information, low, high)
        moved = abs(new - rho)
        rho = new
        if moved < SMALL_STEP:
            break
    return rho


@kernel
def add_joint_counts(
    codes: NDArray[np.uint8],
    weights: NDArray[np.int64],
    pairs: NDArray[np.intp],
    places: NDArray[np.intp],
    out: NDArray[np.int64],
) -> None:
    """Count the rows of each cell of the tables of these pairs of columns.

    codes (columns, rows): the cells. weights: how often each row counts; empty: once. places (pairs, 2): where the
    table of a pair begins in `out`, and its width.
    """
    n_rows, weighted = codes.shape[1], weights.shape[0] > 0
    for p in range(pairs.shape[0]):
        first, second = codes[pairs[p, 0]], codes[pairs[p, 1]]
        start, width = places[p, 0], places[p, 1]
        for row in range(n_rows):
            out[start + np.intp(first[row]) * width + np.intp(second[row])] += weights[row] if weighted else 1
