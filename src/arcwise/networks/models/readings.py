"""What a state of a column says about the value that is read: the densities of `States`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from arcwise.data.dataset import Column, FloatArray, IntArray, Kind
from arcwise.data.states import FREEDOM, States, StatesContent
from arcwise.networks.models.moments import mixed_moments


class ReadingsContent(StatesContent):
    """What `Readings.to_dict` gives."""

    column: str


@dataclass(frozen=True)
class Readings:
    """A column whose values are noisy readings of the levels of its node: p(value | state) is that of `states`."""

    column: str
    states: States

    @property
    def means(self) -> tuple[float, ...]:
        return self.states.means

    @property
    def variances(self) -> FloatArray:
        """Of the value in each state."""
        with np.errstate(over="ignore"):
            squares = np.square(self.states.sds)
        return squares * (FREEDOM / (FREEDOM - 2.0)) if self.states.heavy else squares

    def moments(self, shares: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(mean, standard deviation) of a value whose state has these probabilities, (n, states)."""
        return mixed_moments(shares, np.array(self.means), self.variances)

    def sample(self, codes: IntArray, rng: np.random.Generator) -> Column:
        """A value for each state."""
        n, heavy = len(codes), self.states.heavy
        noise = rng.standard_t(FREEDOM, n) if heavy else rng.standard_normal(n)
        with np.errstate(over="ignore"):
            values = np.array(self.states.means)[codes] + np.array(self.states.sds)[codes] * noise
        largest = np.finfo(np.float64).max
        return Column(self.column, Kind.CONTINUOUS, np.clip(values, -largest, largest))

    def to_dict(self) -> dict[str, Any]:
        return {"column": self.column, **self.states.to_dict()}

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> Readings:
        return Readings(content["column"], States.from_dict(content))
