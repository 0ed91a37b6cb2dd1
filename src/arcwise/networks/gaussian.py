"""Linear-Gaussian networks: every node is a linear function of its parents plus independent normal noise."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from arcwise.checking import checked
from arcwise.data.dataset import FloatArray
from arcwise.errors import GraphError
from arcwise.graph.dag import Dag
from arcwise.networks.models.linear_gaussian import LinearGaussian, Slope
from arcwise.networks.network import Network


@checked
class GaussianNetwork(Network):
    """A way to make x_j - means[j] = sum_i weights[i, j] (x_i - means[i]) + sds[j] e_j, e_j ~ N(0, 1) independent.

    `weights[i, j]` other than 0 is the edge i -> j; `means` are the nodes' means, not intercepts. With the same seed,
    a shorter sample is the head of a longer one.
    """

    def __init__(self, names: tuple[str, ...], weights: FloatArray, sds: FloatArray, means: FloatArray) -> None:
        n = len(names)
        matrix = _numbers("weights", weights, (n, n))
        noise, centres = _numbers("sds", sds, (n,)), _numbers("means", means, (n,))
        dag = Dag.from_adjacency(names, matrix != 0)
        for name, sd in zip(names, noise, strict=True):
            if sd <= 0:
                raise GraphError(f"node {name!r} has noise of standard deviation {sd:g}; it must be positive")
        terms: list[list[Slope]] = [[] for _ in names]
        for i, j in np.argwhere(matrix).tolist():
            terms[j].append(Slope(names[i], float(centres[i]), 1.0, float(matrix[i, j])))
        models = tuple(
            LinearGaussian(name, tuple(own), centre, 1.0, sd)
            for name, own, centre, sd in zip(names, terms, centres.tolist(), noise.tolist(), strict=True)
        )
        super().__init__(dag, models, numbered=True)


def _numbers(what: str, values: ArrayLike, shape: tuple[int, ...]) -> FloatArray:
    """A float64 copy, finite and of the given shape."""
    try:
        result = np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise GraphError(f"{what} of the network must be an array of numbers of shape {shape}") from None
    if result.shape != shape or not np.isfinite(result).all():
        raise GraphError(f"{what} of the network must be finite numbers of shape {shape}, not {result.shape}")
    return result
