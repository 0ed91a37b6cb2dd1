"""Held-out densities compared row by row: what two methods share of the luck of a row cancels."""

from __future__ import annotations

from math import inf, sqrt
from typing import NamedTuple

import numpy as np

from arcwise.data.dataset import FloatArray

EQUAL = 1e-9  # nats a row: less than this is rounding


class Estimate(NamedTuple):
    """A mean over rows, in nats a row, and its standard error.

    The mean is minus infinity where a row has no chance, and the error is infinite then, or where there is one row.
    """

    mean: float
    error: float


def estimate(densities: FloatArray) -> Estimate:
    """The mean, and sqrt(sum (x - mean)^2 / (n (n - 1))).

    Rows count as independent. Those of different folds are foretold from shared rows, which this does not see: it is
    an error of the rows drawn, given what was learned.
    """
    n = len(densities)
    with np.errstate(invalid="ignore"):
        mean = float(np.mean(densities)) if n else -inf
    if n < 2 or not np.isfinite(mean):
        return Estimate(mean, inf)
    return Estimate(mean, sqrt(float(np.square(densities - mean).sum()) / (n * (n - 1))))


def difference(one: FloatArray, other: FloatArray) -> Estimate:
    """How many nats a row the first is above the second, by pairs.

    Rows that neither thinks possible tell nothing between them and count as equal.
    """
    possible = np.isfinite(one) | np.isfinite(other)
    with np.errstate(invalid="ignore"):
        gaps = np.where(possible, one - other, 0.0)
    if np.isposinf(gaps).any() and np.isneginf(gaps).any():  # each excludes rows that the other does not
        return Estimate(0.0, inf)
    return estimate(gaps)


def worse(gap: Estimate, errors: float) -> bool:
    """Whether a difference lies below 0 by more than so many standard errors; minus infinity always does."""
    return gap.mean == -inf or gap.mean + errors * gap.error < -EQUAL
