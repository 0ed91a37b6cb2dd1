"""Slow, obvious twins of the discretizers: loops, exact fractions and the standard library's statistics."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, log2
from statistics import quantiles, stdev


def labels(values: Sequence[float], thresholds: Sequence[float | Fraction]) -> list[int]:
    """Level of each value: the number of thresholds at or below it."""
    return [sum(t <= x for t in thresholds) for x in values]


def without_gaps(levels: Sequence[int]) -> list[int]:
    """The same levels numbered 0, 1, 2, ... without the empty ones."""
    used = sorted(set(levels))
    return [used.index(level) for level in levels]


def equal_frequency_ranks(values: Sequence[float], bins: int) -> list[int]:
    """Ranks after which to cut: for each ideal rank, the nearest of all ranks that split no tie (then the lower)."""
    x, n = sorted(values), len(values)
    allowed = [rank for rank in range(1, n) if x[rank - 1] < x[rank]]
    ideal = [round(Fraction(j * n, bins)) for j in range(1, bins)]
    return sorted({min(allowed, key=lambda rank: (abs(rank - c), rank)) for c in ideal if allowed})


def equal_frequency_labels(values: Sequence[float], bins: int) -> list[int]:
    x = sorted(values)
    return labels(values, [x[rank] for rank in equal_frequency_ranks(values, bins)])


def equal_width_labels(values: Sequence[float], bins: int) -> list[int]:
    """Exact thresholds, so no rounding; empty bins are then numbered away."""
    low, high = Fraction(min(values)), Fraction(max(values))
    if low == high:
        return [0] * len(values)
    return without_gaps(labels(values, [low + j * (high - low) / bins for j in range(1, bins)]))


def sturges_bins(values: Sequence[float]) -> int:
    return _clamp(1 + log2(len(values)), values)


def scott_bins(values: Sequence[float], dimension: int) -> int:
    width = 3.5 * stdev(values) * len(values) ** (-1 / (2 + dimension))
    return _clamp((max(values) - min(values)) / width, values)


def freedman_diaconis_bins(values: Sequence[float], dimension: int) -> int:
    q1, _, q3 = quantiles(values, n=4, method="inclusive")
    if q1 == q3:
        return scott_bins(values, dimension)
    width = 2 * (q3 - q1) * len(values) ** (-1 / (2 + dimension))
    return _clamp((max(values) - min(values)) / width, values)


def _clamp(ratio: float, values: Sequence[float]) -> int:
    return max(1, min(ceil(round(ratio, 9)), len(set(values))))
