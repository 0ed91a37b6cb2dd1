"""A softmax network: a discrete column given parents of any kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from arcwise.data.dataset import Column, Dataset, FloatArray, Kind, code_dtype
from arcwise.data.reading.door import takes_columns
from arcwise.networks.columns import Columns, state_codes
from arcwise.networks.models import inputs
from arcwise.networks.models.densities import log_probabilities
from arcwise.networks.models.inputs import Input, InputContent
from arcwise.networks.models.perceptron import Perceptron, PerceptronContent
from arcwise.networks.tables import as_states
from arcwise.printing import printable


class SoftmaxContent(PerceptronContent):
    """What `SoftmaxNetwork.to_dict` gives."""

    child: str
    levels: list[str]
    ordered: bool
    parents: list[InputContent]
    share: float


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SoftmaxNetwork:
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

    @property
    def parents(self) -> tuple[str, ...]:
        return tuple(sorted(one.name for one in self.inputs))

    @property
    def columns(self) -> dict[str, tuple[str, ...]]:
        return {self.child: self.levels, **{one.name: one.levels for one in self.inputs}}

    @takes_columns
    def log_density(self, data: Dataset) -> FloatArray:
        """(n_rows,) ln P(child | parents)."""
        codes = state_codes(data, self.child, self.levels)
        result: FloatArray = self._log_probabilities(data)[codes, np.arange(data.n_rows)]
        return result

    @takes_columns
    def expected(self, data: Dataset) -> FloatArray:
        """(n_rows, levels) the probability of each level."""
        return np.ascontiguousarray(np.exp(self._log_probabilities(data)).T)

    def sample(self, parents: Columns, rng: np.random.Generator) -> Column:
        edges = np.cumsum(np.exp(self._log_probabilities(parents)).T, axis=1)[:, :-1]
        codes = np.count_nonzero(edges <= rng.random(parents.n_rows)[:, None], axis=1)
        values = codes.astype(code_dtype(len(self.levels)))
        return Column(self.child, Kind.DISCRETE, values, levels=self.levels, ordered=self.ordered)

    def renamed(self, called: Mapping[str, str]) -> SoftmaxNetwork:
        known = tuple(replace(one, name=called[one.name]) for one in self.inputs)
        return replace(self, child=called[self.child], inputs=known)

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

    def _log_probabilities(self, data: Columns) -> FloatArray:
        return log_probabilities(self.network.outputs_at(inputs.encode(self.inputs, data)), self.share)
