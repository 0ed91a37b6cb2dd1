"""A trained network with one layer of tanh units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypedDict

import numpy as np

from arcwise.data.dataset import FloatArray
from arcwise.errors import GraphError
from arcwise.networks.models.training import Task, in_blocks, network_values


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
