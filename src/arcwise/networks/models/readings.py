"""What a state of a column says about the value that is read: the densities of `States`, and a share for strays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite, log, log1p
from typing import Any

import numpy as np

from arcwise.data.dataset import Column, FloatArray, IntArray, Kind
from arcwise.data.states import FREEDOM, States, StatesContent
from arcwise.errors import GraphError
from arcwise.networks.models.densities import log_before_data
from arcwise.networks.models.linear_gaussian import LARGEST, standardized
from arcwise.networks.models.moments import mixed_moments
from arcwise.networks.models.regression import location


class ReadingsContent(StatesContent):
    """What `Readings.to_dict` gives."""

    column: str
    centre: float
    scale: float
    stray: float


@dataclass(frozen=True)
class Readings:
    """A column whose values are noisy readings of the levels of its node.

    p(value | state) = (1 - stray) f(value; state) + stray t((value - centre) / scale) / scale, with f that of `states`
    and t Student's density with 3 degrees of freedom and variance 1. A stray value says nothing about the state, and
    costs no more than one of a heavy tail does: with normal tails alone a single one could cost thousands of nats.
    """

    column: str
    states: States
    centre: float = 0.0
    scale: float = 1.0
    stray: float = 0.0

    def __post_init__(self) -> None:
        if not (isfinite(self.centre) and 0 < self.scale < np.inf and 0 <= self.stray < 1):
            raise GraphError(f"the readings of {self.column!r} need a centre, a scale above 0 and a share below 1")

    @staticmethod
    def of(column: str, states: States, values: FloatArray) -> Readings:
        """Strays have the place and spread of all values, and the share 1 / (n + 1): they are worth one row."""
        centre, spread = location(values)
        return Readings(column, states, centre, spread or abs(centre) or 1.0, 1.0 / (len(values) + 1))

    @property
    def means(self) -> tuple[float, ...]:
        """Of the value in each state, but for strays."""
        return self.states.means

    @property
    def variances(self) -> FloatArray:
        """Of the value in each state, but for strays."""
        with np.errstate(over="ignore"):
            squares = np.square(self.states.sds)
        return squares * (FREEDOM / (FREEDOM - 2.0)) if self.states.heavy else squares

    def moments(self, shares: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(mean, standard deviation) of a value whose state has these probabilities, (n, states)."""
        return mixed_moments(shares, np.array(self.means), self.variances)

    def log_densities(self, values: FloatArray) -> FloatArray:
        """(values, states) ln p(value | state)."""
        logs = self.states.log_densities(values)
        if not self.stray:
            return logs
        return np.logaddexp(log1p(-self.stray) + logs, self._log_stray(values)[:, None])

    def genuine(self, values: FloatArray) -> FloatArray:
        """(values, states) the probability that a value of this state is no stray."""
        if not self.stray:
            return np.ones((len(values), len(self.states)))
        return np.exp(log1p(-self.stray) + self.states.log_densities(values) - self.log_densities(values))

    def sample(self, codes: IntArray, rng: np.random.Generator) -> Column:
        """A value for each state."""
        n, heavy = len(codes), self.states.heavy
        noise = rng.standard_t(FREEDOM, n) if heavy else rng.standard_normal(n)
        is_stray, far = rng.random(n) < self.stray, rng.standard_t(3, n) / np.sqrt(3)
        with np.errstate(over="ignore"):
            values = np.array(self.states.means)[codes] + np.array(self.states.sds)[codes] * noise
            values = np.where(is_stray, self.centre + self.scale * far, values)
        return Column(self.column, Kind.CONTINUOUS, np.clip(values, -LARGEST, LARGEST))

    def to_dict(self) -> dict[str, Any]:
        own = {"column": self.column, "centre": self.centre, "scale": self.scale, "stray": self.stray}
        return {**own, **self.states.to_dict()}

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> Readings:
        numbers = (float(content[name]) for name in ("centre", "scale", "stray"))
        return Readings(content["column"], States.from_dict(content), *numbers)

    def _log_stray(self, values: FloatArray) -> FloatArray:
        return log(self.stray) + log_before_data(standardized(values, self.centre, self.scale)) - log(self.scale)
