"""Prediction of each batch of rows by a network that was trained on those before it (Dawid 1984)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import ceil

import numpy as np

from arcwise.data.dataset import FloatArray
from arcwise.models.densities import HALF_LOG_TWO_PI, log_densities, prior_share
from arcwise.models.order import choose_order
from arcwise.models.training import Task, Training, fit_weights

FIRST_ROWS = 10  # predicted before anything is learned; or two for each input


def prequential(task: Task, training: Training, lam: float) -> float:
    """sum over the rows of ln p(target | inputs, weights trained on all rows before its batch).

    The order of a mixture is chosen once, on all rows. Every training begins with the weights of the one before, and,
    since those are often a poor optimum for more rows, with a few random starts.
    """
    task = task.with_order(choose_order(task, training)) if task.order else task
    rng = np.random.default_rng(training.seed)
    weights: FloatArray | None = None
    batches = list(_batches(task, lam))
    total = _before_data(task.head(batches[0]))
    for seen, last in pairwise(batches):
        trained_on = task.head(seen)
        weights = fit_weights(trained_on, training, rng, weights)
        share = prior_share(trained_on, training.prior)
        total += float(log_densities(task.head(last), weights, share)[seen:].sum())
    return total


def _batches(task: Task, lam: float) -> Iterator[int]:
    """Rows seen after each batch: the first ones, then lam as many again, until there are no more."""
    seen = min(task.rows, max(FIRST_ROWS, 2 * task.n_inputs))
    yield seen
    while seen < task.rows:
        seen = min(task.rows, seen + max(1, ceil(lam * seen)))
        yield seen


def _before_data(task: Task) -> float:
    """ln p of rows under 1 / r for each of r levels, N(0, 1) for standardized numbers."""
    if task.order:
        return float(-0.5 * np.square(task.target_values()).sum() - task.rows * HALF_LOG_TWO_PI)
    return -task.rows * float(np.log(task.outputs))
