"""Prediction of each batch of rows by a network that was trained on those before it (Dawid 1984)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import ceil

import numpy as np

from arcwise.data.dataset import FloatArray
from arcwise.networks.models.densities import log_before_data, log_densities, prior_share
from arcwise.networks.models.neural import choose_order
from arcwise.networks.models.training import Task, Training, fit_weights

FIRST_ROWS = 10  # predicted before anything is learned
ROWS_PER_INPUT = 2  # with fewer a network without inputs predicts


def prequential(task: Task, training: Training, lam: float) -> float:
    """sum over the rows of ln p(target | inputs, weights trained on all rows before its batch).

    The order of a mixture is chosen once, on all rows. Every training begins with the weights of the one before, and,
    since those are often a poor optimum for more rows, with a few random starts. Until there are rows enough for the
    inputs they are left out, so that all families predict the first batches alike.
    """
    task = task.with_order(choose_order(task, training)) if task.order else task
    rng = np.random.default_rng(training.seed)
    weights: FloatArray | None = None
    batches = list(_batches(task.rows, lam))
    total = _before_data(task.head(batches[0]))
    used = task.without_inputs() if task.n_inputs else task
    for seen, last in pairwise(batches):
        if used is not task and seen >= ROWS_PER_INPUT * task.n_inputs:
            used, weights = task, None
        trained_on = used.head(seen)
        weights = fit_weights(trained_on, training, rng, weights)
        share = prior_share(trained_on, training.prior)
        total += float(log_densities(used.head(last), weights, share)[seen:].sum())
    return total


def _batches(rows: int, lam: float) -> Iterator[int]:
    """Rows seen after each batch: the first ones, then lam as many again, until there are no more."""
    seen = min(rows, FIRST_ROWS)
    yield seen
    while seen < rows:
        seen = min(rows, seen + max(1, ceil(lam * seen)))
        yield seen


def _before_data(task: Task) -> float:
    """ln p of rows under 1 / r for each of r levels, Student's t for standardized numbers."""
    if task.order:
        return float(log_before_data(task.target_values()).sum())
    return -task.rows * float(np.log(task.outputs))
