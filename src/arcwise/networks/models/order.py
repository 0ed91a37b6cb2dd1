"""How many normal densities a mixture has: chosen by BIC, or by rows held out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log

import numpy as np

from arcwise.data.dataset import FloatArray
from arcwise.networks.models.densities import log_densities
from arcwise.networks.models.training import Task, Training, fit_weights

HELD_OUT = 0.3  # share of the rows


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A network with its weights and the log-likelihood of its rows."""

    task: Task
    weights: FloatArray
    log_likelihood: float

    @property
    def bic(self) -> float:
        """ln p(D | weights) - (d / 2) ln N with d parameters; higher is better."""
        return self.log_likelihood - 0.5 * self.task.n_parameters * log(max(self.task.rows, 1))


def fit_network(task: Task, training: Training) -> Fit:
    """The network trained on all rows; a mixture has the number of components that `training.order` chooses."""
    if training.order == "hold-out" and task.order:
        return _fit(task.with_order(_by_hold_out(task, training)), training)
    return max((_fit(one, training) for one in _candidates(task, training)), key=lambda fit: fit.bic)


def choose_order(task: Task, training: Training) -> int:
    """Components of the mixture; 0 for a softmax."""
    if not task.order or training.components == 1:
        return task.order
    return _by_hold_out(task, training) if training.order == "hold-out" else fit_network(task, training).task.order


def _candidates(task: Task, training: Training) -> list[Task]:
    """The network with 1, 2 ... components, as long as it has fewer parameters than there are rows."""
    if not task.order:
        return [task]
    orders = [task.with_order(k) for k in range(1, training.components + 1)]
    return [orders[0], *(one for one in orders[1:] if one.n_parameters < one.rows)]


def _fit(task: Task, training: Training) -> Fit:
    """Every training has the same random starts, whatever was trained before."""
    weights = fit_weights(task, training, np.random.default_rng(training.seed))
    return Fit(task, weights, float(log_densities(task, weights, 0.0).sum()))


def _by_hold_out(task: Task, training: Training) -> int:
    """The order that gives the last rows the highest likelihood after training on the others."""
    trained_on = task.rows - int(HELD_OUT * task.rows)

    def held_out(one: Task) -> float:
        fitted = _fit(one.head(trained_on), training)
        return float(log_densities(one, fitted.weights, 0.0)[trained_on:].sum())

    return max(_candidates(task, training), key=held_out).order


def bic_of(task: Task, training: Training) -> float:
    """The BIC of a family, with the best number of components.

    A network with as many parameters as there are rows can fit anything, which is no evidence: it scores as if the
    inputs explained nothing.
    """
    if task.n_inputs and task.n_parameters >= task.rows:
        return replace(fit_network(task.without_inputs(), training), task=task).bic
    return fit_network(task, training).bic
