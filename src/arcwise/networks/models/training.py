"""Networks with one layer of tanh units, and how their weights are found.

Thousands of small fits are the usual work, so a whole training is one call of a compiled kernel.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any, Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import FloatArray, IntArray
from arcwise.errors import GraphError, OptionError, check_least

Order = Literal["bic", "hold-out"]
MOST_PRIOR = 1e9  # of `prior` and `decay`: data then counts for nothing
MOST_HIDDEN = 32  # units, however many inputs: else a column of a thousand levels would ask for half a million weights
TRIAL_ITERATIONS = 30  # of each start, before the most promising of them is trained to the end
ENOUGH = 0.05  # nats: training ends when PATIENCE iterations together gain less
PATIENCE = 10
START_RANGE = 0.5  # first weights are uniform between minus and plus this
REPEATED = 5  # rows with the same value, and ...
REPEATED_SHARE = 0.001  # ... this share of all rows make it worth a component of its own to begin with
REMEMBERED = 40  # steps of L-BFGS: 20 need half as many iterations again, more than 60 gain nothing ...
MOST_REMEMBERED = 1 << 22  # ... unless there are so many weights that they would fill the memory
MOST_UNITS, MOST_COMPONENTS = 10_000, 1_000  # weights of more would not fit into memory with many inputs
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
        for option, most in (("components", MOST_COMPONENTS), ("hidden", MOST_UNITS)):
            if getattr(self, option) > most:
                raise OptionError(f"option {option!r} must be at most {most}, not {getattr(self, option)!r}")
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
    levels, and order and floor are 0. alone: the best mixtures without inputs that are known, by rows and order; tasks
    with the same targets may share them.
    """

    inputs: FloatArray
    targets: FloatArray
    rows: int
    hidden: int
    outputs: int
    order: int
    floor: float
    alone: dict[tuple[int, int], FloatArray] = field(default_factory=dict)

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

    def without_inputs(self) -> Task:
        return replace(self, inputs=self.inputs[:, :0].copy(), hidden=0)

    def output_layer(self, weights: FloatArray) -> FloatArray:
        """The part of the weights that makes outputs of hidden units, (outputs, hidden + 1); the last are biases."""
        return weights[self.hidden * (self.n_inputs + 1) :].reshape(self.outputs, -1)

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
    from arcwise._kernels.neural.layers import STRETCH

    p, rows = values.shape
    blocks = -(-rows // STRETCH)
    padded = np.zeros((p, blocks * STRETCH))
    padded[:, :rows] = values
    return np.ascontiguousarray(padded.reshape(p, blocks, STRETCH).transpose(1, 0, 2))


def network_values(blocks: FloatArray, rows: int, hidden: int, outputs: int, weights: FloatArray) -> FloatArray:
    """(outputs, rows): what the network gives before softmax or exponential, for inputs in blocks."""
    from arcwise._kernels.neural.training import network_outputs

    return network_outputs(blocks, rows, hidden, outputs, weights)


def outputs_of(task: Task, weights: FloatArray) -> FloatArray:
    """(outputs, rows) for the rows of a task."""
    return network_values(task.inputs, task.rows, task.hidden, task.outputs, weights)


def fit_weights(task: Task, training: Training, rng: np.random.Generator, warm: FloatArray | None = None) -> FloatArray:
    """Weights that minimize -sum ln p(target | inputs) + (decay / 2) sum w^2, over all w but the outputs' biases.

    Random starts and `warm`, the weights for fewer rows, are trained for a while, and the best of them to the end.
    One start of a mixture is the best mixture without inputs. So inputs gain nothing by luck: what can be found without
    them, such as a spike on a value that is often repeated, is there to begin with.
    A softmax without inputs has a closed form: (n_k + a) / (n + r a) with a = prior, or 1 (Laplace) without one.
    """
    if not task.n_inputs and not task.order:
        return _frequencies(task, training.prior or 1.0)
    starts = [] if warm is None else [warm]
    fresh = max(training.restarts, 1 - len(starts))
    if fresh and not task.n_inputs:
        starts += mixtures_to_begin_with(task)
    elif fresh and task.order:
        starts += [_without_regard_to_inputs(task, training, rng)]
        fresh -= 1
    if task.n_inputs:
        starts += [first_weights(task, rng) for _ in range(fresh)]
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
    biases = task.output_layer(weights)[:, -1]
    biases[:] = _at_quantiles(task) if task.order else _frequencies(task, 1.0)
    return weights


def mixtures_to_begin_with(task: Task) -> list[FloatArray]:
    """Biases of mixtures without inputs: the means at quantiles; and spikes on values that are often repeated.

    Where one value has a large share the quantiles coincide, and components that are equal stay equal for ever. Hence
    for each j below K: j narrow components on repeated values, the others at quantiles of the rest.
    """
    k = task.order
    values, counts = np.unique(task.target_values(), return_counts=True)
    often = np.flatnonzero(counts >= max(REPEATED, REPEATED_SHARE * task.rows))
    # What a spike gains over N(0, 1): n_j (ln(n_j / (n floor)) + z^2 / 2).
    gains = counts[often] * (np.log(counts[often] / (task.rows * task.floor)) + 0.5 * np.square(values[often]))
    often = often[np.argsort(-gains, kind="stable")][: k - 1]
    starts = [_with_spikes(task, values, counts, often[: j + 1]) for j in range(min(len(often), len(values) - 1))]
    plain = _at_quantiles(task)
    distinct = len(np.unique(plain[k : 2 * k])) == k
    return [plain, *starts] if distinct or not starts else starts


def _with_spikes(task: Task, values: FloatArray, counts: IntArray, spikes: IntArray) -> FloatArray:
    """Biases: a component of twice the least sd on each of the values at `spikes`, the others on what is left."""
    others = np.repeat(np.delete(values, spikes), np.delete(counts, spikes))
    left = task.order - len(spikes)
    shares = np.concatenate([counts[spikes], np.full(left, len(others) / left)]) / task.rows
    means = np.concatenate([values[spikes], _quantiles(others, left)])
    widths = np.full(task.order, max(float(others.std()) / left, task.floor))
    widths[: len(spikes)] = task.floor
    return np.concatenate([np.log(shares), means, np.log(widths)])


def _at_quantiles(task: Task) -> FloatArray:
    """Biases of a mixture of equal shares, the same sd and means at quantiles."""
    k = task.order
    means = _quantiles(task.target_values(), k) if k > 1 else np.zeros(1)
    return np.concatenate([np.zeros(k), means, np.full(k, np.log(max(1.0 / k - task.floor, 0.1)))])


def _quantiles(values: FloatArray, k: int) -> FloatArray:
    return np.quantile(values, (np.arange(k) + 0.5) / k)


def _without_regard_to_inputs(task: Task, training: Training, rng: np.random.Generator) -> FloatArray:
    """The best mixture without inputs: outputs do not listen to the hidden units, which have random weights."""
    weights = rng.uniform(-START_RANGE, START_RANGE, task.n_weights)
    outputs = task.output_layer(weights)
    outputs[:, :-1] = 0.0
    key = task.rows, task.order
    if key not in task.alone:
        task.alone[key] = fit_weights(task.without_inputs(), training, rng)
    outputs[:, -1] = task.alone[key]
    return weights


def _frequencies(task: Task, a: float) -> FloatArray:
    """ln((n_k + a) / (n + r a)) of each level."""
    counts = np.bincount(task.target_values().astype(np.intp), minlength=task.outputs)
    return np.log((counts + a) / (task.rows + a * task.outputs))


class Run:
    """A training under way: its weights, its loss, and what L-BFGS remembers."""

    def __init__(self, task: Task, decay: float, weights: FloatArray) -> None:
        from arcwise._kernels.neural.training import Memory, Objective

        self.weights = weights.copy()
        self._objective = Objective(
            task.inputs, task.targets, task.rows, task.hidden, task.outputs, task.floor, float(decay)
        )
        self.loss = inf
        self.converged = False
        self.evaluations = 0
        remembered = int(np.clip(MOST_REMEMBERED // len(weights), 5, REMEMBERED))
        self._memory = Memory(
            steps=np.empty((remembered, len(weights))),
            changes=np.empty((remembered, len(weights))),
            curvatures=np.empty(remembered),
            recent=np.full(PATIENCE, inf),
            progress=np.zeros(2, dtype=np.intp),
        )

    @property
    def iterations(self) -> int:
        """Done so far."""
        return self._memory.iterations

    def advance(self, iterations: int, enough: float = ENOUGH) -> None:
        """Go on for so many iterations, or until PATIENCE of them together gain less than `enough`."""
        from arcwise._kernels.neural.training import train

        at_once = max(1, WORK_PER_CALL // max(self._objective.rows * len(self.weights), 1))
        while iterations > 0 and not self.converged:
            now = min(iterations, at_once)
            self.loss, evaluations, self.converged = train(self._objective, self.weights, self._memory, now, enough)
            self.evaluations += evaluations
            iterations -= now


class PerceptronContent(TypedDict):
    """What `Perceptron.to_dict` gives."""

    n_inputs: int
    hidden: int
    outputs: int
    weights: list[float]


@dataclass(frozen=True, slots=True, eq=False)
class Perceptron:
    """outputs = V (tanh(W (x, 1)), 1); `weights` holds W (hidden, n_inputs + 1), then V (outputs, hidden + 1).

    Without hidden units the outputs are biases.
    """

    n_inputs: int
    hidden: int
    outputs: int
    weights: FloatArray

    def __post_init__(self) -> None:
        if min(self.n_inputs, self.hidden) < 0 or self.outputs < 1:
            raise GraphError("a network needs 0 or more inputs and hidden units, and 1 or more outputs")
        weights = np.array(self.weights, dtype=np.float64)
        expected = self.hidden * (self.n_inputs + 1) + self.outputs * (self.hidden + 1)
        if weights.shape != (expected,) or not np.isfinite(weights).all():
            raise GraphError(
                f"a network of {self.n_inputs} inputs, {self.hidden} hidden units and {self.outputs} outputs needs "
                f"{expected} weights, all finite"
            )
        weights.setflags(write=False)
        object.__setattr__(self, "weights", weights)

    def check(self, child: str, n_inputs: int, outputs: int, share: float) -> None:
        """Refuse a network that does not fit the model it is part of, so that no kernel reads beyond an array."""
        if (self.n_inputs, self.outputs) != (n_inputs, outputs) or not 0 <= share < 1:
            raise GraphError(
                f"the model of {child!r} needs a network of {n_inputs} inputs and {outputs} outputs, and a share from "
                f"0 to below 1, not {self.n_inputs}, {self.outputs} and {share}"
            )

    @staticmethod
    def of(task: Task, weights: FloatArray) -> Perceptron:
        return Perceptron(task.n_inputs, task.hidden, task.outputs, weights)

    def outputs_at(self, inputs: FloatArray) -> FloatArray:
        """(outputs, n_rows) for inputs (n_inputs, n_rows)."""
        return network_values(in_blocks(inputs), inputs.shape[1], self.hidden, self.outputs, self.weights)

    def to_dict(self) -> dict[str, Any]:
        return {
            "n_inputs": self.n_inputs,
            "hidden": self.hidden,
            "outputs": self.outputs,
            "weights": self.weights.tolist(),
        }

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> Perceptron:
        n_inputs, hidden, outputs = (content[name] for name in ("n_inputs", "hidden", "outputs"))
        return Perceptron(n_inputs, hidden, outputs, np.array(content["weights"], dtype=np.float64))
