"""A mixture density network (Bishop 1994): a continuous column given parents of any kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from math import isfinite, sqrt
from typing import Any, ClassVar

import numpy as np

from arcwise.data.dataset import Column, Dataset, FloatArray, Kind
from arcwise.data.reading.door import takes_columns
from arcwise.errors import GraphError
from arcwise.networks.columns import Columns, continuous_values
from arcwise.networks.models import inputs
from arcwise.networks.models.densities import log_mixture, mixture
from arcwise.networks.models.inputs import Input, InputContent, Standard, StandardContent
from arcwise.networks.models.perceptron import Perceptron, PerceptronContent
from arcwise.printing import printable


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
