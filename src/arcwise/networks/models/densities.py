"""What the outputs of a network mean: probabilities of levels, or a mixture of normal densities.

Both are mixed with a share of the distribution before any data: 1 / r for each of r levels, Student's t with 3 degrees
of freedom for a standardized number. A network that has seen few cases is sure of too much, and one such case could
cost any amount. With normal tails it still could: a value 18 sds out costs 163 nats, and whether a component happens to
reach that far would decide about parents. Here it costs 12.
"""

from __future__ import annotations

from math import inf, log, log1p, pi

import numpy as np

from arcwise.data.dataset import FloatArray
from arcwise.networks.models.training import Task, outputs_of

HALF_LOG_TWO_PI = 0.5 * log(2 * pi)
LOG_TWO_OVER_PI = log(2 / pi)


def prior_share(task: Task, prior: float) -> float:
    """The share m / (n + m) of the distribution before any data, after n cases; m is `prior`, times r for r levels.

    So a network that gives the frequencies n_k / n becomes (n_k + prior) / (n + r prior). A softmax without inputs has
    this inside.
    """
    if not task.order and not task.n_inputs:
        return 0.0
    worth = prior if task.order else prior * task.outputs
    return worth / (task.rows + worth) if worth else 0.0


def log_probabilities(z: FloatArray, share: float) -> FloatArray:
    """(levels, rows): ln((1 - share) softmax(z) + share / levels)."""
    logs: FloatArray = z - np.logaddexp.reduce(z, axis=0)
    return logs if not share else np.logaddexp(log1p(-share) + logs, log(share) - log(len(z)))


def mixture(z: FloatArray, floor: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """(ln alpha, mu, sd) of each component in each row, (K, rows) each: sd = floor + e^s."""
    from arcwise._kernels.neural.losses import MOST_LOG_SD

    logits, means, log_sds = np.split(z, 3)
    return logits - np.logaddexp.reduce(logits, axis=0), means, floor + np.exp(np.minimum(log_sds, MOST_LOG_SD))


def log_before_data(values: FloatArray) -> FloatArray:
    """ln t(z), Student's density with 3 degrees of freedom and variance 1: t(z) = (2 / pi) / (1 + z^2)^2."""
    return LOG_TWO_OVER_PI - 2.0 * np.log1p(np.square(values))


def log_mixture(z: FloatArray, values: FloatArray, floor: float, share: float) -> FloatArray:
    """(rows,): ln((1 - share) sum_k alpha_k N(value; mu_k, sd_k^2) + share t(value))."""
    logs, means, sds = mixture(z, floor)
    heights = logs - np.log(sds) - 0.5 * np.square((values - means) / sds)
    within = log1p(-share) + np.logaddexp.reduce(heights, axis=0) - HALF_LOG_TWO_PI
    outside = log(share) if share else -inf
    return np.logaddexp(within, outside + log_before_data(values))


def log_densities(task: Task, weights: FloatArray, share: float) -> FloatArray:
    """(rows,): ln p(target | inputs) of each row of the task."""
    z, targets = outputs_of(task, weights), task.target_values()
    if task.order:
        return log_mixture(z, targets, task.floor, share)
    return log_probabilities(z, share)[targets.astype(np.intp), np.arange(task.rows)]
