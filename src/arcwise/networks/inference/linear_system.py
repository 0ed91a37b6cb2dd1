"""The linear Gaussians of a network as equations, solved for the hidden numbers of each row.

See `_kernels/evidence/normal.py`. Numbers are in units of their own scale, from their own centre.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import log, pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcwise._kernels.evidence import normal
from arcwise.data.dataset import BoolArray, FloatArray
from arcwise.networks.models.linear_gaussian import LARGEST, Effects, LinearGaussian, standardized
from arcwise.stats.threads import map_threads, n_threads

FEWEST = 200  # rows for which a thread is worth its start


@dataclass(frozen=True, slots=True, eq=False)
class Conditioned:
    """Of each row: ln p(recorded numbers), the means of all, recorded ones as they are, and covariances if wanted."""

    logs: FloatArray
    means: FloatArray
    covariances: FloatArray


@dataclass(frozen=True, eq=False)
class LinearSystem:
    """models: of the nodes that are numbers, in the order of the columns of `values`."""

    models: Sequence[LinearGaussian]

    @cached_property
    def position(self) -> Mapping[str, int]:
        return {model.child: i for i, model in enumerate(self.models)}

    @cached_property
    def centres(self) -> FloatArray:
        return np.array([model.centre for model in self.models])

    @cached_property
    def scales(self) -> FloatArray:
        return np.array([model.scale for model in self.models])

    @cached_property
    def matrix(self) -> FloatArray:
        """[e, v]: what one unit more of node v adds to the standardized residual of node e."""
        found = np.zeros((len(self.models), len(self.models)))
        for e, model in enumerate(self.models):
            weight = model.scale / model.sd
            found[e, e] = weight
            for term in model.terms:
                if not isinstance(term, Effects):
                    v = self.position[term.parent]
                    found[e, v] -= weight * term.weight * (self.models[v].scale / term.scale)
        return found

    def plays(self, hidden: BoolArray, wanted: BoolArray) -> BoolArray:
        """(rows, nodes): whether the equation of a node says something: it is recorded or wanted, or a child's does."""
        found = ~hidden | wanted
        for e in reversed(self._downward):
            for term in self.models[e].terms:
                if not isinstance(term, Effects):
                    found[:, self.position[term.parent]] |= found[:, e]
        return found

    def condition(
        self,
        values: FloatArray,
        hidden: BoolArray,
        plays: BoolArray,
        codes: Mapping[str, NDArray[Any]],
        *,
        covariances: bool = False,
        noise: FloatArray | None = None,
    ) -> Conditioned:
        """values: (rows, nodes), whatever stands in hidden cells. codes: of the levels that matter.

        With noise, (rows, nodes) of N(0, 1), the means are a draw: least squares turns noise of the equations into
        noise of the solution that has just its covariance.
        """
        n_rows, n_nodes = values.shape
        filled = np.where(hidden, self.centres, values)
        residuals = self._residuals(filled, codes)
        logs, means = np.empty(n_rows), standardized_columns(filled, self.centres, self.scales)
        spread = np.zeros((n_rows if covariances else 0, n_nodes, n_nodes))
        rows = normal.Rows(residuals if noise is None else residuals + noise, plays, hidden)
        count = max(1, min(n_threads(), n_rows // FEWEST))

        def part(edges: tuple[int, int]) -> None:
            square = (n_nodes, n_nodes)
            room = normal.Room(np.empty(square), np.empty(square), np.empty(n_nodes), np.empty(n_nodes, dtype=np.int64))
            normal.condition(self.matrix, rows, *edges, room, means, spread, logs)

        map_threads(part, list(pairwise(n_rows * k // count for k in range(count + 1))))
        weights = np.log([model.scale / model.sd for model in self.models])
        logs += plays @ weights - (~hidden) @ (np.log(self.scales) + 0.5 * log(2 * pi))
        return Conditioned(logs, means, spread)

    def own_units(self, means: FloatArray) -> FloatArray:
        with np.errstate(over="ignore"):
            return np.clip(self.centres + self.scales * means, -LARGEST, LARGEST)

    @cached_property
    def _downward(self) -> list[int]:
        """Parents before children."""
        order: list[int] = []
        done: set[str] = set()
        waiting = list(range(len(self.models)))
        while waiting:
            ready = [e for e in waiting if all(p in done or p not in self.position for p in self.models[e].parents)]
            order += ready
            done |= {self.models[e].child for e in ready}
            waiting = [e for e in waiting if self.models[e].child not in done]
        return order

    def _residuals(self, filled: FloatArray, codes: Mapping[str, NDArray[Any]]) -> FloatArray:
        """What each equation says of the row with 0 in the place of hidden numbers; levels that play no part are 0."""
        found = np.empty_like(filled)
        for e, model in enumerate(self.models):
            own = standardized(filled[:, e], model.centre, model.scale)
            for term in model.terms:
                if isinstance(term, Effects):
                    own -= np.array(term.weights)[codes[term.parent]]
                else:
                    own -= term.weight * standardized(filled[:, self.position[term.parent]], term.centre, term.scale)
            found[:, e] = own * (model.scale / model.sd)
        return found


def standardized_columns(values: FloatArray, centres: FloatArray, scales: FloatArray) -> FloatArray:
    found = np.empty_like(values)
    for e in range(values.shape[1]):
        found[:, e] = standardized(values[:, e], float(centres[e]), float(scales[e]))
    return found
