"""What models of a discrete column have in common whose outputs z, one for each level, become probabilities."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from arcwise.data.dataset import Column, Dataset, FloatArray, Kind, code_dtype
from arcwise.data.reading.door import takes_columns
from arcwise.errors import GraphError
from arcwise.networks.columns import Columns, state_codes
from arcwise.networks.models.densities import log_probabilities
from arcwise.networks.models.inputs import Input

if TYPE_CHECKING:
    from typing import Self

Weights = tuple[tuple[float, ...], ...]  # of each level, the constant last; an empty one: it had no rows


class SoftmaxModel:
    """P(child = k | parents) = (1 - share) softmax(z)_k + share / levels, z = outputs(parents)."""

    __slots__ = ()

    child: str
    levels: tuple[str, ...]
    inputs: tuple[Input, ...]
    share: float
    ordered: bool

    @abstractmethod
    def outputs(self, data: Columns) -> FloatArray:
        """(levels, rows) z."""

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
        return self._log_probabilities(data)[codes, np.arange(data.n_rows)]

    @takes_columns
    def expected(self, data: Dataset) -> FloatArray:
        """(n_rows, levels) the probability of each level."""
        return np.ascontiguousarray(np.exp(self._log_probabilities(data)).T)

    def sample(self, parents: Columns, rng: np.random.Generator) -> Column:
        edges = np.cumsum(np.exp(self._log_probabilities(parents)).T, axis=1)[:, :-1]
        codes = np.count_nonzero(edges <= rng.random(parents.n_rows)[:, None], axis=1)
        values = codes.astype(code_dtype(len(self.levels)))
        return Column(self.child, Kind.DISCRETE, values, levels=self.levels, ordered=self.ordered)

    def renamed(self, called: Mapping[str, str]) -> Self:
        known = tuple(replace(one, name=called[one.name]) for one in self.inputs)
        return replace(self, child=called[self.child], inputs=known)  # type: ignore[type-var]

    def _log_probabilities(self, data: Columns) -> FloatArray:
        return log_probabilities(self.outputs(data), self.share)


def check_weights(child: str, levels: tuple[str, ...], weights: Weights, width: int, share: float) -> None:
    """Refuse weights of another length than `width`, or that are no numbers."""
    rows = [row for row in weights if row]
    if len(weights) != len(levels) or not rows or any(len(row) != width for row in rows):
        raise GraphError(f"the model of {child!r} needs {width} weights for each level that has any")
    if not all(isfinite(weight) for row in rows for weight in row) or not 0 <= share < 1:
        raise GraphError(f"the weights of the model of {child!r} must be finite, its share from 0 to below 1")


def linear_outputs(weights: Weights, x: FloatArray) -> FloatArray:
    """(levels, rows) of the weights times (x, 1); minus infinity for a level without weights."""
    z = np.full((len(weights), x.shape[1]), -np.inf)
    for level, row in enumerate(weights):
        if row:
            z[level] = np.array(row[:-1]) @ x + row[-1]
    return z
