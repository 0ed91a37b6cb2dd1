"""Scutari and Nagarajan's threshold by looking at every t; averaged networks by looking at every cycle."""

from __future__ import annotations

import numpy as np


def inclusion_threshold(shares, grid=20_001):
    """The t that minimises the mean of |F(x) - t| over fine x, then the edges above its quantile."""
    x = (np.arange(grid - 1) + 0.5) / (grid - 1)
    cdf = (np.asarray(shares)[:, None] <= x).mean(axis=0)
    candidates = np.unique(cdf)
    distances = [np.abs(cdf - t).mean() for t in candidates]
    t = candidates[int(np.argmin(distances))]
    quantile = min([s for s in np.unique([0.0, *shares]) if (np.asarray(shares) <= s).mean() >= t - 1e-12])
    above = [s for s in shares if s > quantile]
    return min(above, default=1.0)


def reaches(edges, start, end):
    """Whether a directed way leads from start to end, by trying all of them."""
    return start == end or any(reaches(edges - {(a, b)}, b, end) for a, b in edges if a == start)
