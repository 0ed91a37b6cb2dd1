"""Means and standard deviations of mixtures."""

from __future__ import annotations

import numpy as np

from arcwise.data.dataset import FloatArray


def mixed_moments(shares: FloatArray, means: FloatArray, variances: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(mean, standard deviation) of mixtures of distributions with these means and variances. shares: (n, each)."""
    expected = shares @ means
    away = means - expected[:, None]
    with np.errstate(over="ignore"):
        return expected, np.sqrt((shares * (variances + away * away)).sum(axis=1))
