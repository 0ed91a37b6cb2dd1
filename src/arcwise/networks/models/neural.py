"""Conditional models by neural networks: softmax networks for discrete columns, mixture density networks for others.

The latter are those of Bishop (1994); how many normal densities they have is chosen by BIC, or by rows held out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import isfinite, log, sqrt
from typing import Any, ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.data.complete import check_complete
from arcwise.data.dataset import Column, Dataset, FloatArray, Kind
from arcwise.data.reading.door import takes_columns, takes_table
from arcwise.errors import DataError, GraphError
from arcwise.networks.columns import Columns, continuous_values
from arcwise.networks.models import inputs
from arcwise.networks.models.densities import log_densities, log_mixture, mixture, prior_share
from arcwise.networks.models.inputs import (
    Input,
    InputContent,
    Standard,
    StandardContent,
    encode,
    in_random_order,
    on_grid,
    sd_floor,
)
from arcwise.networks.models.softmax import SoftmaxModel
from arcwise.networks.models.training import (
    DEFAULT,
    Order,
    Perceptron,
    PerceptronContent,
    Task,
    Training,
    fit_weights,
    make_task,
)
from arcwise.networks.tables import as_states
from arcwise.printing import printable

HELD_OUT = 0.3  # share of the rows


class MixtureContent(PerceptronContent, StandardContent):
    """What `MixtureDensityNetwork.to_dict` gives."""

    child: str
    parents: list[InputContent]
    floor: float
    share: float


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MixtureDensityNetwork:
    """p(z | parents) = (1 - share) sum_k alpha_k N(z; mu_k, sd_k^2) + share t(z), z the standardized child.

    ln alpha (up to a constant), mu and ln(sd - floor) are the outputs of a network with tanh units; t is Student's
    density with 3 degrees of freedom and variance 1. Densities and values are those of the child in its own units.
    """

    kind: ClassVar[str] = "mixture-density-network"
    content: ClassVar[type] = MixtureContent
    levels: ClassVar[tuple[str, ...]] = ()

    child: str
    standard: Standard
    inputs: tuple[Input, ...]
    network: Perceptron
    floor: float
    share: float

    def __post_init__(self) -> None:
        self.network.check(self.child, sum(one.width for one in self.inputs), 3 * max(self.components, 1), self.share)
        if not (0 < self.floor < 1 and isfinite(self.standard.centre) and self.standard.spread >= 0):
            raise GraphError(
                f"the model of {self.child!r} needs a floor between 0 and 1 and a finite centre and spread"
            )

    @property
    def parents(self) -> tuple[str, ...]:
        return tuple(sorted(one.name for one in self.inputs))

    @property
    def components(self) -> int:
        return self.network.outputs // 3

    @property
    def columns(self) -> dict[str, tuple[str, ...]]:
        return {self.child: (), **{one.name: one.levels for one in self.inputs}}

    @takes_columns
    def log_density(self, data: Dataset) -> FloatArray:
        """(n_rows,) ln p(child | parents)."""
        values = self.standard.standardized(continuous_values(data, self.child))
        return log_mixture(self._outputs(data), values, self.floor, self.share) - self.standard.log_unit

    @takes_columns
    def expected(self, data: Dataset) -> FloatArray:
        """(n_rows,) E[child | parents] = (1 - share) sum_k alpha_k mu_k, in the child's units."""
        logs, means, _ = mixture(self._outputs(data), self.floor)
        return self.standard.own_units((1.0 - self.share) * np.sum(np.exp(logs) * means, axis=0))

    def sample(self, parents: Columns, rng: np.random.Generator) -> Column:
        logs, means, sds = mixture(self._outputs(parents), self.floor)
        uniform, noise = rng.random((2, parents.n_rows)), rng.standard_normal(parents.n_rows)
        edges = np.cumsum(np.exp(logs), axis=0)[:-1]
        chosen = np.count_nonzero(edges <= uniform[0], axis=0), np.arange(parents.n_rows)
        within = means[chosen] + sds[chosen] * noise
        outside = rng.standard_t(3, parents.n_rows) / sqrt(3)
        values = self.standard.own_units(np.where(uniform[1] < self.share, outside, within))
        return Column(self.child, Kind.CONTINUOUS, values)

    def normals(self, parents: Columns) -> tuple[FloatArray, FloatArray, FloatArray, float]:
        logs, means, sds = (part.T for part in mixture(self._outputs(parents), self.floor))
        return logs, means, sds, self.share

    def own_units(self, z: FloatArray) -> FloatArray:
        return self.standard.own_units(z)

    def renamed(self, called: Mapping[str, str]) -> MixtureDensityNetwork:
        known = tuple(replace(one, name=called[one.name]) for one in self.inputs)
        return replace(self, child=called[self.child], inputs=known)

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "child": self.child,
            **asdict(self.standard),
            "parents": [inputs.to_dict(one) for one in self.inputs],
            "floor": self.floor,
            "share": self.share,
            **self.network.to_dict(),
        }

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> MixtureDensityNetwork:
        return MixtureDensityNetwork(
            child=content["child"],
            standard=inputs.standard_from_dict(content),
            inputs=tuple(inputs.from_dict(one) for one in content["parents"]),
            network=Perceptron.from_dict(content),
            floor=float(content["floor"]),
            share=float(content["share"]),
        )

    def __repr__(self) -> str:
        given = f" given {', '.join(self.parents)}" if self.parents else ""
        size = f"{self.components} components, {self.network.hidden} hidden units"
        return printable(f"MixtureDensityNetwork({self.child}{given}: {size})")

    def _outputs(self, data: Columns) -> FloatArray:
        return self.network.outputs_at(inputs.encode(self.inputs, data))


class SoftmaxContent(PerceptronContent):
    """What `SoftmaxNetwork.to_dict` gives."""

    child: str
    levels: list[str]
    ordered: bool
    parents: list[InputContent]
    share: float


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SoftmaxNetwork(SoftmaxModel):
    """P(child = k | parents) = (1 - share) softmax(z)_k + share / levels, z the outputs of a network with tanh units.

    share: what is left of the uniform distribution, 0 without inputs (the frequencies are smoothed themselves).
    """

    kind: ClassVar[str] = "softmax-network"
    content: ClassVar[type] = SoftmaxContent

    child: str
    levels: tuple[str, ...]
    inputs: tuple[Input, ...]
    network: Perceptron
    share: float
    ordered: bool = False

    def __post_init__(self) -> None:
        self.network.check(self.child, sum(one.width for one in self.inputs), len(self.levels), self.share)

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "child": self.child,
            "levels": list(self.levels),
            "ordered": self.ordered,
            "parents": [inputs.to_dict(one) for one in self.inputs],
            "share": self.share,
            **self.network.to_dict(),
        }

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> SoftmaxNetwork:
        return SoftmaxNetwork(
            child=content["child"],
            levels=as_states(content["child"], content["levels"]),
            inputs=tuple(inputs.from_dict(one) for one in content["parents"]),
            network=Perceptron.from_dict(content),
            share=float(content["share"]),
            ordered=content["ordered"],
        )

    def __repr__(self) -> str:
        given = f" given {', '.join(self.parents)}" if self.parents else ""
        size = f"{len(self.levels)} levels, {self.network.hidden} hidden units"
        return printable(f"SoftmaxNetwork({self.child}{given}: {size})")

    def outputs(self, data: Columns) -> FloatArray:
        return self.network.outputs_at(inputs.encode(self.inputs, data))


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


@takes_table
@checked
def fit_neural(
    data: Dataset,
    child: str,
    parents: Sequence[str],
    *,
    components: int = DEFAULT.components,
    order: Order = DEFAULT.order,
    hidden: int = DEFAULT.hidden,
    decay: float = DEFAULT.decay,
    prior: float = DEFAULT.prior,
    restarts: int = DEFAULT.restarts,
    iterations: int = DEFAULT.iterations,
    seed: int = DEFAULT.seed,
) -> SoftmaxNetwork | MixtureDensityNetwork:
    """A softmax network for a discrete child, a mixture density network for a continuous one; see `Training`.

    The order of the parents and of the rows does not matter, nor do names and units: both go by their contents.
    """
    training = Training(
        components=components, order=order, hidden=hidden, decay=decay,
        prior=prior, restarts=restarts, iterations=iterations, seed=seed,
    )  # fmt: skip
    if not data.n_rows:
        raise DataError(f"the table has no rows; fitting a model of {child!r} needs at least 1")
    data = data.select([child, *sorted(parents)])
    check_complete(data, "fitting a neural network")
    table, places = in_random_order(data, seed)
    column = table.column(child)
    known = tuple(Input.of(table.columns[j]) for j in places if j > 0)
    read = on_grid(encode(known, table))
    if column.kind is Kind.DISCRETE:
        fit = fit_network(make_task(read, column.values, hidden, levels=column.cardinality), training)
        network, share = Perceptron.of(fit.task, fit.weights), prior_share(fit.task, prior)
        return SoftmaxNetwork(child, column.levels, known, network, share, column.ordered)
    standard = Standard.of(column.values)
    z = on_grid(standard.standardized(column.values))
    fit = fit_network(make_task(read, z, hidden, floor=sd_floor(z)), training)
    network, share = Perceptron.of(fit.task, fit.weights), prior_share(fit.task, prior)
    return MixtureDensityNetwork(child, standard, known, network, fit.task.floor, share)
