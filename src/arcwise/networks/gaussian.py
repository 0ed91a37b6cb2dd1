"""Linear-Gaussian networks: every node is a linear function of its parents plus independent normal noise."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from arcwise.checking import Seed, checked
from arcwise.data.accepting import takes_known_table
from arcwise.data.dataset import Dataset, FloatArray
from arcwise.data.reading.door import Reading, TableLike, read_alike
from arcwise.errors import GraphError
from arcwise.graph.dag import Dag
from arcwise.networks.columns import continuous_dataset, continuous_values
from arcwise.networks.streams import checked_rows, stream


@checked
@dataclass(frozen=True, eq=False, repr=False)
class GaussianNetwork:
    """x_j - means[j] = sum_i weights[i, j] (x_i - means[i]) + sds[j] e_j, with e_j ~ N(0, 1) independent.

    `weights[i, j]` other than 0 is the edge i -> j; `means` are the nodes' means, not intercepts.
    """

    names: tuple[str, ...]
    weights: FloatArray
    sds: FloatArray
    means: FloatArray
    dag: Dag = field(init=False)

    def __post_init__(self) -> None:
        names = tuple(self.names)
        n = len(names)
        arrays = {
            "weights": _numbers("weights", self.weights, (n, n)),
            "sds": _numbers("sds", self.sds, (n,)),
            "means": _numbers("means", self.means, (n,)),
        }
        dag = Dag.from_adjacency(names, arrays["weights"] != 0)
        for name, sd in zip(names, arrays["sds"], strict=True):
            if sd <= 0:
                raise GraphError(f"node {name!r} has noise of standard deviation {sd:g}; it must be positive")
        for attribute, value in {"names": names, "dag": dag, **arrays}.items():
            object.__setattr__(self, attribute, value)

    @checked
    def sample(self, n: int, seed: Seed) -> Dataset:
        """`n` independent rows; with the same seed, a shorter sample is the head of a longer one."""
        rows = checked_rows(n, len(self.names))
        deviations = np.empty((len(self.names), rows))
        for name in self.dag.topological_order:
            j = self.dag.index(name)
            deviations[j] = self.sds[j] * stream(seed, "Gaussian sample", j).standard_normal(rows)
            for i in np.flatnonzero(self.weights[:, j]):
                deviations[j] += self.weights[i, j] * deviations[i]
        return continuous_dataset(self.names, deviations + self.means[:, None])

    def covariance(self) -> FloatArray:
        """Exact covariance: with x = x W + e in row vectors, S = (I - W)^-T diag(sds^2) (I - W)^-1."""
        inverse = np.linalg.inv(np.eye(len(self.names)) - self.weights)
        result: FloatArray = (inverse.T * self.sds**2) @ inverse
        return (result + result.T) / 2

    def read_table(self, data: TableLike, **reading: Unpack[Reading]) -> Dataset:
        """Whatever holds a table, the columns of the nodes read as numbers; one row is enough."""
        return read_alike(data, dict.fromkeys(self.names, ()), **reading)

    @takes_known_table
    def log_density(self, data: Dataset) -> FloatArray:
        """Log density of each row, shape (n_rows,); columns are matched by name."""
        values = np.stack([continuous_values(data, name) for name in self.names])
        deviations = values - self.means[:, None]
        residuals = (deviations - self.weights.T @ deviations) / self.sds[:, None]
        constant = np.log(self.sds).sum() + 0.5 * len(self.names) * np.log(2 * np.pi)
        result: FloatArray = -0.5 * (residuals**2).sum(axis=0) - constant
        return result

    def standardized(self) -> GaussianNetwork:
        """The same graph and correlations with every node at mean 0 and variance 1.

        Without it variances grow along the edges and betray the order of the nodes.
        """
        scale = np.sqrt(np.diag(self.covariance()))
        weights = self.weights * scale[:, None] / scale
        return GaussianNetwork(self.names, weights, self.sds / scale, np.zeros_like(self.means))

    def __reduce__(self) -> tuple[Any, ...]:
        # Unpickled arrays are writable again; going through the constructor keeps the network immutable.
        return GaussianNetwork, (self.names, self.weights, self.sds, self.means)

    def __repr__(self) -> str:
        return f"GaussianNetwork({len(self.names)} nodes, {self.dag.n_edges} edges)"


def _numbers(what: str, values: ArrayLike, shape: tuple[int, ...]) -> FloatArray:
    """A read-only float64 copy, finite and of the given shape."""
    try:
        result = np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise GraphError(f"{what} of the network must be an array of numbers of shape {shape}") from None
    if result.shape != shape or not np.isfinite(result).all():
        raise GraphError(f"{what} of the network must be finite numbers of shape {shape}, not {result.shape}")
    result.setflags(write=False)
    return result
