"""Networks with one layer of tanh units, and how their weights are found.

Thousands of small fits are the usual work, so a whole training is one call of a compiled kernel.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import FloatArray
from arcwise.errors import OptionError, check_least

Order = Literal["bic", "hold-out"]
MOST_PRIOR = 1e9  # of `prior` and `decay`: data then counts for nothing
MOST_HIDDEN = 32  # units, however many inputs: else a column of a thousand levels would ask for half a million weights
TRIAL_ITERATIONS = 30  # of each start, before the most promising of them is trained to the end
ENOUGH = 0.05  # nats: training ends when PATIENCE iterations together gain less
PATIENCE = 10
START_RANGE = 0.5  # first weights are uniform between minus and plus this
REMEMBERED = 40  # steps of L-BFGS: 20 need half as many iterations again, more than 60 gain nothing ...
MOST_REMEMBERED = 1 << 22  # ... unless there are so many weights that they would fill the memory
WORK_PER_CALL = 1 << 28  # rows times weights times iterations of one kernel call: less than a second


@dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """What networks are like and how they are trained: the options of the neural scores and of `fit_neural`.

    components: most normal densities in the mixture of a continuous column; order: how their number is chosen.
    hidden: fewest hidden units; there are max(hidden, ceil(inputs / 2)), the latter at most MOST_HIDDEN. decay: weights
    have a normal prior with this precision. prior: cases that the distribution before any data is worth. restarts:
    random starts of a training, of which the most promising is trained to the end. iterations: most of a training.
    """

    components: int = 3
    order: Order = "bic"
    hidden: int = 3
    decay: float = 1.0
    prior: float = 1.0
    restarts: int = 3
    iterations: int = 100
    seed: int = 0

    def __post_init__(self) -> None:
        check_least(self, components=1, hidden=1, restarts=0, iterations=1, seed=0)
        for option in ("decay", "prior"):
            value = getattr(self, option)
            if not 0 <= value <= MOST_PRIOR:
                raise OptionError(f"option {option!r} must be a number from 0 to {MOST_PRIOR:g}, not {value!r}")
        if self.order not in ("bic", "hold-out"):
            raise OptionError(f"option 'order' must be 'bic' or 'hold-out', not {self.order!r}")


DEFAULT = Training()


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """Rows to learn from, and the shape of the network that does.

    inputs (blocks, p, block) and targets (blocks, block) hold `rows` rows, padded with zeros. Targets are standardized
    numbers for a mixture of `order` normal densities, whose sds are above `floor`; for a softmax they are codes of
    levels, and order and floor are 0.
    """

    inputs: FloatArray
    targets: FloatArray
    rows: int
    hidden: int
    outputs: int
    order: int
    floor: float

    @property
    def n_inputs(self) -> int:
        return int(self.inputs.shape[1])

    @property
    def n_weights(self) -> int:
        return self.hidden * (self.n_inputs + 1) + self.outputs * (self.hidden + 1)

    @property
    def n_parameters(self) -> int:
        """Weights, but for those of one output: a softmax only knows differences."""
        return self.n_weights - (self.hidden + 1)

    def head(self, rows: int) -> Task:
        """The same with the first rows only."""
        return replace(self, rows=rows)

    def with_order(self, order: int) -> Task:
        return replace(self, order=order, outputs=3 * order)

    def target_values(self) -> FloatArray:
        """(rows,)."""
        return self.targets.ravel()[: self.rows]


def make_task(inputs: FloatArray, targets: NDArray[Any], hidden: int, *, levels: int = 0, floor: float = 0.0) -> Task:
    """inputs (p, n_rows), targets (n_rows,): codes below `levels`, or standardized numbers and their `floor`."""
    p, rows = inputs.shape
    units = max(hidden, min(-(-p // 2), MOST_HIDDEN)) if p else 0
    blocks = np.ascontiguousarray(in_blocks(targets[None].astype(np.float64))[:, 0])
    return Task(in_blocks(inputs), blocks, rows, units, levels or 3, 0 if levels else 1, float(floor))


def in_blocks(values: FloatArray) -> FloatArray:
    """(p, n_rows) as (blocks, p, block), padded with zeros."""
    from arcwise._kernels.neural_layers import STRETCH

    p, rows = values.shape
    blocks = -(-rows // STRETCH)
    padded = np.zeros((p, blocks * STRETCH))
    padded[:, :rows] = values
    return np.ascontiguousarray(padded.reshape(p, blocks, STRETCH).transpose(1, 0, 2))


def network_values(blocks: FloatArray, rows: int, hidden: int, outputs: int, weights: FloatArray) -> FloatArray:
    """(outputs, rows): what the network gives before softmax or exponential, for inputs in blocks."""
    from arcwise._kernels.neural_training import network_outputs

    z: FloatArray = network_outputs(blocks, rows, hidden, outputs, weights)
    return z


def outputs_of(task: Task, weights: FloatArray) -> FloatArray:
    """(outputs, rows) for the rows of a task."""
    return network_values(task.inputs, task.rows, task.hidden, task.outputs, weights)


def fit_weights(task: Task, training: Training, rng: np.random.Generator, warm: FloatArray | None = None) -> FloatArray:
    """Weights that minimize -sum ln p(target | inputs) + (decay / 2) sum w^2, over all w but the outputs' biases.

    Random starts and `warm`, the weights for fewer rows, are trained for a while, and the best of them to the end.
    A softmax without inputs has a closed form: (n_k + a) / (n + r a) with a = prior, or 1 (Laplace) without one.
    """
    if not task.n_inputs and not task.order:
        return _frequencies(task, training.prior or 1.0)
    starts = [] if warm is None else [warm]
    fresh = training.restarts if task.hidden else min(training.restarts, 1)  # without hidden units all are the same
    starts += [first_weights(task, rng) for _ in range(max(fresh, 1 - len(starts)))]
    runs = [Run(task, training.decay, weights) for weights in starts]
    if len(runs) > 1:
        for run in runs:
            run.advance(min(TRIAL_ITERATIONS, training.iterations))
    best = min(runs, key=lambda run: run.loss)
    best.advance(training.iterations - best.iterations)
    return best.weights


def first_weights(task: Task, rng: np.random.Generator) -> FloatArray:
    """Small random weights; the outputs' biases describe the targets without regard to the inputs.

    A softmax begins with the frequencies of the levels, a mixture with its means at quantiles.
    """
    weights = rng.uniform(-START_RANGE, START_RANGE, task.n_weights)
    biases = weights[task.hidden * (task.n_inputs + 1) :].reshape(task.outputs, -1)[:, -1]
    if not task.order:
        biases[:] = _frequencies(task, 1.0)
        return weights
    k = task.order
    biases[:k] = 0.0
    biases[k : 2 * k] = np.quantile(task.target_values(), (np.arange(k) + 0.5) / k) if k > 1 else 0.0
    biases[2 * k :] = np.log(max(1.0 / k - task.floor, 0.1))
    return weights


def _frequencies(task: Task, a: float) -> FloatArray:
    """ln((n_k + a) / (n + r a)) of each level."""
    counts = np.bincount(task.target_values().astype(np.intp), minlength=task.outputs)
    logs: FloatArray = np.log((counts + a) / (task.rows + a * task.outputs))
    return logs


class Run:
    """A training under way: its weights, its loss, and what L-BFGS remembers."""

    def __init__(self, task: Task, decay: float, weights: FloatArray) -> None:
        self.task, self.decay, self.weights = task, float(decay), weights.copy()
        self.loss = inf
        self.converged = False
        self.evaluations = 0
        remembered = int(np.clip(MOST_REMEMBERED // len(weights), 5, REMEMBERED))
        self._ring = np.empty((2, remembered, len(weights)))
        self._curvatures = np.empty(remembered)
        self._recent = np.full(PATIENCE, inf)
        self._progress = np.zeros(2, dtype=np.intp)

    @property
    def iterations(self) -> int:
        """Done so far."""
        return int(self._progress[1])

    def advance(self, iterations: int, enough: float = ENOUGH) -> None:
        """Go on for so many iterations, or until PATIENCE of them together gain less than `enough`."""
        from arcwise._kernels.neural_training import train

        task = self.task
        at_once = max(1, WORK_PER_CALL // max(task.rows * task.n_weights, 1))
        while iterations > 0 and not self.converged:
            now = min(iterations, at_once)
            self.loss, evaluations, self.converged = train(
                task.inputs, task.targets, task.rows, task.hidden, task.outputs, task.floor, self.decay,
                self.weights, self._ring, self._curvatures, self._recent, self._progress, now, enough,
            )  # fmt: skip
            self.evaluations += evaluations
            iterations -= now
