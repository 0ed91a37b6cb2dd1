"""Mixtures of normal densities with one variance, by expectation and maximisation.

The values may come as bins: `values` are their means and `counts` how many rows each has.
"""

import math

from arcwise._kernels.compiled import lean_kernel
from arcwise._kernels.types import FloatArray

LEAST_SHARE = 1e-12  # of a component, so that it can come back


@lean_kernel
def fit_mixture(
    values: FloatArray,
    counts: FloatArray,
    shares: FloatArray,
    means: FloatArray,
    variance: float,
    least_variance: float,
    steps: int,
    tolerance: float,
    room: FloatArray,
) -> tuple[float, float]:
    """(log-likelihood, variance), shares and means in place; at most so many steps, until a row gains less than that.

    room: (4, components).
    """
    k_all, rows = means.shape[0], 0.0
    weights, sums, firsts, seconds = room[0], room[1], room[2], room[3]
    for b in range(values.shape[0]):
        rows += counts[b]
    before, found = -math.inf, -math.inf
    for _ in range(steps):
        found = -0.5 * rows * math.log(2.0 * math.pi * variance)
        for k in range(k_all):
            sums[k] = firsts[k] = seconds[k] = 0.0
        for b in range(values.shape[0]):
            x, top = values[b], -math.inf
            for k in range(k_all):
                distance = x - means[k]
                weights[k] = -0.5 * distance * distance / variance
                top = max(top, weights[k])
            total = 0.0
            for k in range(k_all):
                weights[k] = shares[k] * math.exp(weights[k] - top)
                total += weights[k]
            found += counts[b] * (math.log(total) + top)
            for k in range(k_all):
                part = weights[k] * counts[b] / total
                sums[k] += part
                firsts[k] += part * x
                seconds[k] += part * x * x
        spread = 0.0
        for k in range(k_all):
            held = max(sums[k], LEAST_SHARE * rows)
            means[k] = firsts[k] / held if sums[k] >= LEAST_SHARE * rows else means[k]
            shares[k] = held / rows
            spread += seconds[k] - means[k] * (2.0 * firsts[k] - means[k] * sums[k])
        variance = max(spread / rows, least_variance)
        if found - before < tolerance * rows:
            break
        before = found
    return found, variance
