"""Continuous columns read as states: what values each state has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import inf, isfinite, lgamma, log, pi
from typing import Any, TypedDict

import numpy as np

from arcwise.data.dataset import FloatArray, IntArray
from arcwise.data.discretization import format_numbers
from arcwise.errors import GraphError

FARTHEST = 1e300  # squared distance in standard deviations: beyond it nothing is told apart
GRID, HALVINGS = 1000, 50  # of the search for crossings of densities
SMALLEST = 5e-324
FREEDOM = 4.0  # degrees of Student's density where tails are heavy


class StatesContent(TypedDict):
    """What `States.to_dict` gives."""

    means: list[float]
    sds: list[float]
    shares: list[float]
    heavy: bool


@dataclass(frozen=True)
class States:
    """A column whose values are noisy readings of states: p(value) = sum of shares[s] f(value; means[s], sds[s]).

    Means ascend. f is the normal density, or, if tails are `heavy`, Student's with 4 degrees of freedom.
    """

    means: tuple[float, ...]
    sds: tuple[float, ...]
    shares: tuple[float, ...]
    heavy: bool = False

    def __post_init__(self) -> None:
        if not len(self.means) == len(self.sds) == len(self.shares) > 0:
            raise GraphError("states need a mean, a standard deviation and a share each")
        sound = all(map(isfinite, (*self.means, *self.sds, *self.shares)))
        if not sound or min(self.sds) <= 0 or min(self.shares) < 0 or any(a > b for a, b in pairwise(self.means)):
            raise GraphError("means of states must ascend, standard deviations be above 0, shares 0 or more")

    def __len__(self) -> int:
        return len(self.means)

    def log_densities(self, values: FloatArray) -> FloatArray:
        """(values, states) ln f(value; state)."""
        sds = np.array(self.sds)
        with np.errstate(over="ignore"):
            squares = np.minimum(((values[:, None] - np.array(self.means)) / sds) ** 2, FARTHEST)
        if not self.heavy:
            return -0.5 * squares - np.log(sds) - 0.5 * log(2.0 * pi)
        constant = lgamma((FREEDOM + 1) / 2) - lgamma(FREEDOM / 2) - 0.5 * log(FREEDOM * pi)
        return constant - np.log(sds) - (FREEDOM + 1) / 2 * np.log1p(squares / FREEDOM)

    def likelihoods(self, values: FloatArray) -> FloatArray:
        """(values, states) in proportion to f, the largest of each value 1."""
        logs = self.log_densities(values)
        return np.exp(logs - logs.max(axis=1, keepdims=True))

    def log_density(self, values: FloatArray) -> FloatArray:
        """(values,) ln p(value), whatever the state."""
        with np.errstate(divide="ignore"):
            logs = self.log_densities(values) + np.log(self.shares)
        top = logs.max(axis=1)
        return top + np.log(np.exp(logs - top[:, None]).sum(axis=1))

    def thresholds(self) -> FloatArray:
        """Where the most probable state of a value by itself changes; a state that is never that has no interval."""
        share = np.linspace(0.0, 1.0, GRID)
        grid = np.unique(np.concatenate([(1.0 - share) * self.means[0] + share * self.means[-1], self.means]))
        winners = self._probable(grid)
        changes = np.flatnonzero(np.diff(winners) > 0)  # with unequal spreads a wide state may win again far away
        return np.unique([self._crossing(grid[i], grid[i + 1], winners[i]) for i in changes])

    def _probable(self, values: FloatArray) -> IntArray:
        with np.errstate(divide="ignore"):
            return np.argmax(self.log_densities(values) + np.log(self.shares), axis=1)

    def _crossing(self, low: float, high: float, winner: int) -> float:
        """The value between these up to which this state is the most probable."""
        for _ in range(HALVINGS):
            middle = low / 2 + high / 2
            still = self._probable(np.array([middle]))[0] == winner
            low, high = (middle, high) if still else (low, middle)
        return high

    @property
    def separation(self) -> float:
        """The least distance between means of neighbouring states, in their mean standard deviation; inf for one."""
        pairs = zip(pairwise(self.means), pairwise(self.sds), strict=True)
        return min(((b / 2 - a / 2) / max(s / 4 + t / 4, SMALLEST) for (a, b), (s, t) in pairs), default=inf)

    @property
    def labels(self) -> tuple[str, ...]:
        """A level for each state: "near 1.02"."""
        return tuple(f"near {mean}" for mean in _told_apart(self.means))

    def describe(self) -> str:
        """One line: `3 states near 1.02, 2, 3.1 (sd 0.35)`."""
        ends = (format_numbers(np.array([sd]))[0] for sd in (min(self.sds), max(self.sds)))
        spread = " to ".join(dict.fromkeys(ends))
        return f"{len(self)} states near {', '.join(format_numbers(np.array(self.means)))} (sd {spread})"

    def to_dict(self) -> dict[str, Any]:
        return {"means": list(self.means), "sds": list(self.sds), "shares": list(self.shares), "heavy": self.heavy}

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> States:
        means, sds, shares = (tuple(content[name]) for name in ("means", "sds", "shares"))
        return States(means, sds, shares, content["heavy"])


def _rounded(values: tuple[float, ...]) -> list[str]:
    return [f"{value:.3g}" for value in values]


def _told_apart(values: tuple[float, ...]) -> list[str]:
    """Three significant digits, or as many as it takes to tell them apart."""
    texts = _rounded(values)
    return texts if len(set(texts)) == len(texts) else format_numbers(np.array(values))
