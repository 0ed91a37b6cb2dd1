"""Quantiles of a mixture of normal distributions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arcwise.data.dataset import FloatArray
from arcwise.networks.questions.posterior import SHARES

FARTHEST = 8.0  # standard deviations
STEPS = 80  # of halving: more than a float has digits


def quantiles(weights: FloatArray, means: FloatArray, sds: FloatArray, shares: Sequence[float] = SHARES) -> list[float]:
    """Where sum_k weights_k Phi((x - means_k) / sds_k) reaches the shares, by halving."""
    from scipy.special import ndtr

    wanted = np.array(shares)
    low = np.full(len(wanted), float((means - FARTHEST * sds).min()))
    high = np.full(len(wanted), float((means + FARTHEST * sds).max()))
    for _ in range(STEPS):
        middle = 0.5 * low + 0.5 * high
        below = ndtr((middle[:, None] - means) / sds) @ weights < wanted
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return (0.5 * low + 0.5 * high).tolist()
