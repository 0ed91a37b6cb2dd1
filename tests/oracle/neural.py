"""Slow twins of the networks: one row at a time, formulas as in the papers."""

from __future__ import annotations

from math import exp, log, pi, sqrt, tanh

import numpy as np


def outputs(weights, x, hidden, n_outputs):
    """z of one row x."""
    p, at = len(x), 0
    units = []
    for _ in range(hidden):
        units.append(tanh(sum(w * v for w, v in zip(weights[at : at + p], x, strict=True)) + weights[at + p]))
        at += p + 1
    z = []
    for _ in range(n_outputs):
        z.append(sum(w * v for w, v in zip(weights[at : at + hidden], units, strict=True)) + weights[at + hidden])
        at += hidden + 1
    assert at == len(weights)
    return z


def log_sum(logs):
    return max(logs) + log(sum(exp(value - max(logs)) for value in logs))


def log_density(z, target, floor):
    """ln sum_k alpha_k N(target; mu_k, sd_k^2)."""
    k = len(z) // 3
    logs = []
    for logit, mu, s in zip(z[:k], z[k : 2 * k], z[2 * k :], strict=True):
        sd = floor + exp(s)
        logs.append(logit - log_sum(z[:k]) - (target - mu) ** 2 / (2 * sd * sd) - log(sd * sqrt(2 * pi)))
    return log_sum(logs)


def loss(weights, inputs, targets, hidden, n_outputs, floor, decay):
    """-sum ln p + (decay / 2) sum of squared weights, but for the outputs' biases; floor 0: a softmax."""
    total = 0.0
    for x, target in zip(np.asarray(inputs).T, targets, strict=True):
        z = outputs(weights, x, hidden, n_outputs)
        total -= log_density(z, target, floor) if floor else z[int(target)] - log_sum(z)
    split = hidden * (len(inputs) + 1)
    free = np.asarray(weights[split:]).reshape(n_outputs, hidden + 1)[:, :-1]
    return total + 0.5 * decay * (np.square(weights[:split]).sum() + np.square(free).sum())


def slopes(function, weights, step=1e-5):
    """Central differences."""
    found = np.empty(len(weights))
    for j in range(len(weights)):
        up, down = weights.copy(), weights.copy()
        up[j] += step
        down[j] -= step
        found[j] = (function(up) - function(down)) / (2 * step)
    return found


def before_data(target, levels):
    """What is expected before any data: 1 / r for each of r levels, Student's t_3 with variance 1 for a number."""
    return 1 / levels if levels else 2 / (pi * (1 + target * target) ** 2)


def batches(n_rows, lam):
    """Rows seen at the end of each batch (Monti and Cooper's schedule, from the practical start)."""
    seen = [min(n_rows, 10)]
    while seen[-1] < n_rows:
        seen.append(min(n_rows, seen[-1] + max(1, int(np.ceil(lam * seen[-1])))))
    return seen
