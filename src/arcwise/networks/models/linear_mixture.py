"""Mixtures of linear models: p(x | pi) = sum_k a_k N(x; b_k0 + sum_j b_kj pi_j, s_k^2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypedDict

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import Column, Dataset, FloatArray, Kind
from arcwise.data.reading.door import takes_columns
from arcwise.errors import GraphError
from arcwise.networks.columns import Columns, continuous_values


class LinearMixtureContent(TypedDict):
    """What `LinearMixture.to_dict` gives."""

    child: str
    parents: list[str]
    weights: list[float]
    coefficients: list[list[float]]
    sds: list[float]


@checked
@dataclass(frozen=True, eq=False)
class LinearMixture:
    """K linear models: `weights` (K,) sum to 1, `coefficients` (K, 1 + parents) begin with the intercept.

    A network gives it the names of its child and parents.
    """

    kind: ClassVar[str] = "linear-mixture"
    content: ClassVar[type] = LinearMixtureContent
    levels: ClassVar[tuple[str, ...]] = ()

    weights: FloatArray
    coefficients: FloatArray
    sds: FloatArray
    child: str = ""
    parents: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for attribute in ("weights", "coefficients", "sds"):
            try:
                array = np.array(getattr(self, attribute), dtype=np.float64)
            except (TypeError, ValueError, OverflowError):
                raise GraphError(f"the {attribute} of a mixture must be an array of numbers") from None
            array.setflags(write=False)
            object.__setattr__(self, attribute, array)
        k, shape = self.weights.size, self.coefficients.shape
        if not (self.weights.shape == self.sds.shape == shape[:1] == (k,) and len(shape) == 2):
            raise GraphError(f"a mixture of {k} weights needs {k} rows of coefficients and {k} sds")
        if not (k and self.weights.min() >= 0 and abs(self.weights.sum() - 1) < 1e-9 and self.sds.min() > 0):
            raise GraphError("the weights of a mixture must be 0 or more and sum to 1, its sds be positive")
        if self.child and shape[1] != 1 + len(self.parents):
            needed = f"an intercept and {len(self.parents)} coefficients"
            raise GraphError(f"the mixture of node {self.child!r} needs {needed}")

    def means(self, parents: FloatArray) -> FloatArray:
        """Mean of each component in each row, shape (K, n_rows); `parents` is (parents, n_rows)."""
        return self.coefficients[:, 1:] @ parents + self.coefficients[:, :1]

    @property
    def columns(self) -> dict[str, tuple[str, ...]]:
        return dict.fromkeys((self.child, *self.parents), ())

    @takes_columns
    def log_density(self, data: Dataset) -> FloatArray:
        """(n_rows,) ln p(child | parents)."""
        standard = (continuous_values(data, self.child) - self._means(data)) / self.sds[:, None]
        with np.errstate(divide="ignore"):  # a component of weight 0 adds nothing
            heights = np.log(self.weights / self.sds)[:, None] - 0.5 * np.log(2 * np.pi)
        return np.logaddexp.reduce(heights - 0.5 * standard**2, axis=0)

    @takes_columns
    def expected(self, data: Dataset) -> FloatArray:
        """(n_rows,) E[child | parents]: the predictor of least squared error."""
        return self.weights @ self._means(data)

    def sample(self, parents: Columns, rng: np.random.Generator, noises: np.random.Generator | None = None) -> Column:
        """`noises` may come from a stream of their own: a shorter sample is then the head of a longer one."""
        means, rows = self._means(parents), parents.n_rows
        component = np.searchsorted(np.cumsum(self.weights)[:-1], rng.random(rows), side="right")
        noise = (noises or rng).standard_normal(rows)
        values = means[component, np.arange(rows)] + self.sds[component] * noise
        return Column(self.child, Kind.CONTINUOUS, values)

    def renamed(self, called: Mapping[str, str]) -> LinearMixture:
        return replace(self, child=called[self.child], parents=tuple(called[name] for name in self.parents))

    def normals(self, parents: Columns) -> tuple[FloatArray, FloatArray, FloatArray, float]:
        means = self._means(parents).T
        with np.errstate(divide="ignore"):
            logs = np.log(self.weights)
        return np.broadcast_to(logs, means.shape), means, np.broadcast_to(self.sds, means.shape), 0.0

    def own_units(self, z: FloatArray) -> FloatArray:
        return z

    def to_dict(self) -> dict[str, Any]:
        arrays = {name: getattr(self, name).tolist() for name in ("weights", "coefficients", "sds")}
        return {"kind": self.kind, "child": self.child, "parents": list(self.parents), **arrays}

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> LinearMixture:
        weights, coefficients, sds = (content[name] for name in ("weights", "coefficients", "sds"))
        return LinearMixture(weights, coefficients, sds, content["child"], tuple(content["parents"]))

    def _means(self, data: Columns) -> FloatArray:
        values = [continuous_values(data, parent) for parent in self.parents]
        return self.means(np.array(values).reshape(len(values), data.n_rows))
