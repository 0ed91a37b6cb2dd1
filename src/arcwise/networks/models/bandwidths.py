"""Bandwidths of product kernels, by the likelihood of each row given the others (Hall, Racine and Li 2004).

A parent that says nothing gets a bandwidth so wide that it does not matter, found by the same likelihood: nothing has
to be chosen beforehand. The likelihood is what densities are judged by, and here every density has a share of a prior
(see `kernel`), so that a lonely row cannot widen all bandwidths, which is the weakness of it otherwise.
"""

from __future__ import annotations

from math import exp, log, pi, sqrt
from typing import NamedTuple

import numpy as np

from arcwise.data.dataset import BoolArray, FloatArray

WIDEST = 100.0  # standard deviations: such a column does not matter
NARROWEST = 1e-4  # weight of a row with another level, in place of 1
START = 0.5  # of the search, in units of the normal reference rule
MOST_STEPS = 40
ENOUGH = 1e-4  # nats a row


class Columns(NamedTuple):
    """The child first, then its parents: standardized numbers or codes of levels, (columns, rows)."""

    rows: FloatArray
    cards: tuple[int, ...]  # levels of each; 0 of numbers
    floors: FloatArray  # the least bandwidth of each

    @property
    def is_levels(self) -> BoolArray:
        return np.array([card > 0 for card in self.cards])


def rates_of(widths: FloatArray, is_levels: BoolArray) -> FloatArray:
    """What products take: 1 / (2 h^2) of numbers; of levels -ln of the weight of a row with another level."""
    return np.where(is_levels, -np.log(np.minimum(widths, 1.0)), 0.5 / np.square(widths))


def height_of(width: float, card: int) -> float:
    """What makes the kernel of the child sum, or integrate, to 1."""
    return 1.0 / (1.0 + (card - 1) * width) if card else 1.0 / (width * sqrt(2.0 * pi))


def bandwidths(columns: Columns, before: FloatArray) -> FloatArray:
    """(columns,) of numbers h, of levels the weight of a row with another level, from 0 to 1 (Aitchison and Aitken).

    before: (rows,) the density of each child before its neighbours are looked at, worth one row.
    """
    from scipy.optimize import minimize

    from arcwise._kernels.smoothing.products import left_out

    n, is_levels = columns.rows.shape[1], columns.is_levels
    if n < 2:
        return np.ones(len(columns.cards))
    slopes = np.empty(len(columns.cards) + 1)

    def loss(logs: FloatArray) -> tuple[float, FloatArray]:
        """Minus the mean log-likelihood, by the logarithms of the bandwidths."""
        widths = np.exp(logs)
        height = height_of(float(widths[0]), columns.cards[0])
        value = left_out(columns.rows, is_levels, rates_of(widths, is_levels), height, before, slopes)
        # d rate / d ln h = -2 rate of numbers, -1 of levels; d ln height / d ln h = -1 or -(r - 1) h height.
        by_logs = slopes[:-1] * np.where(is_levels, -1.0, -1.0 / np.square(widths))
        card = columns.cards[0]
        by_logs[0] -= slopes[-1] * ((card - 1) * widths[0] * height if card else 1.0)
        return -value / n, -by_logs / n

    low = np.log(np.where(is_levels, NARROWEST, columns.floors))
    high = np.where(is_levels, 0.0, log(WIDEST))
    reference = 1.06 * n ** (-1.0 / (4 + int((~is_levels).sum())))
    first = np.clip(np.log(np.where(is_levels, 0.2, START * reference)), low, high)
    best = minimize(
        loss, first, method="L-BFGS-B", jac=True, bounds=list(zip(low, high, strict=True)),
        options={"maxiter": MOST_STEPS, "ftol": ENOUGH, "gtol": ENOUGH},
    )  # fmt: skip
    return np.exp(best.x)


def for_more_rows(widths: FloatArray, columns: Columns, n_rows: int) -> FloatArray:
    """Bandwidths found from some rows for the n of which they are: h falls as n^(-1 / (4 + d)), with d numbers."""
    is_levels, n = columns.is_levels, columns.rows.shape[1]
    shrink = exp(-log(n_rows / max(n, 1)) / (4 + int((~is_levels).sum())))
    found = np.where(is_levels, widths * shrink**2, widths * shrink)
    found = np.where(is_levels & (widths > 0.99), widths, found)  # what does not matter stays so
    return np.maximum(found, np.where(is_levels, NARROWEST, columns.floors))
