"""The joint normal distribution of a network of linear Gaussians."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from arcwise.data.dataset import FloatArray
from arcwise.errors import GraphError
from arcwise.graph.dag import Dag
from arcwise.networks.models.linear_gaussian import LinearGaussian, Slope
from arcwise.networks.models.protocol import ConditionalModel


class LinearForm(NamedTuple):
    """x_j - means[j] = sum_i weights[i, j] (x_i - means[i]) + sds[j] e_j, with e_j ~ N(0, 1) independent."""

    weights: FloatArray
    sds: FloatArray
    means: FloatArray

    def covariance(self) -> FloatArray:
        """Exact: with x = x W + e in row vectors, S = (I - W)^-T diag(sds^2) (I - W)^-1."""
        inverse = np.linalg.inv(np.eye(len(self.sds)) - self.weights)
        result: FloatArray = (inverse.T * self.sds**2) @ inverse
        return (result + result.T) / 2


def linear_form(dag: Dag, models: Sequence[ConditionalModel]) -> LinearForm:
    """Read-only arrays in the order of the nodes."""
    n = dag.n_nodes
    form = LinearForm(np.zeros((n, n)), np.zeros(n), np.zeros(n))
    for name in dag.topological_order:
        j, mean = dag.index(name), 0.0
        model = models[j]
        if not isinstance(model, LinearGaussian) or not all(isinstance(term, Slope) for term in model.terms):
            raise GraphError(f"node {name!r} is no linear Gaussian with numbers as parents; fit with model='gaussian'")
        for term in model.terms:
            i = dag.index(term.parent)
            mean += float(term.weight * (form.means[i] - term.centre) / term.scale)  # type: ignore[union-attr]
            form.weights[i, j] = model.coefficients[term.parent]
        form.sds[j], form.means[j] = model.sd, model.centre + model.scale * mean
    for array in form:
        array.setflags(write=False)
    return form
