"""The shapes of the parts. Structural: a class need not inherit from these to be one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Protocol, runtime_checkable

import numpy as np

from arcwise.contracts.knowledge import NONE, Knowledge
from arcwise.contracts.monitor import SILENT, Monitor
from arcwise.contracts.results import LearnResult
from arcwise.data.dataset import Dataset, FloatArray, IntArray, Kind
from arcwise.data.discretization import Discretization
from arcwise.graph.dag import Dag


@runtime_checkable
class Score(Protocol):
    """Options of a decomposable network score: a frozen, keyword-only dataclass without data."""

    kind: ClassVar[str]
    accepts: ClassVar[frozenset[Kind]]
    score_equivalent: ClassVar[bool]

    def bind(self, data: Dataset) -> BoundScore: ...


class BoundScore(Protocol):
    """A score with the sufficient statistics of one data set inside. Higher is better, always."""

    def local_score(self, child: int, parents: Sequence[int]) -> float: ...

    def local_scores(self, child: int, parent_sets: IntArray) -> FloatArray:
        """Scores of one child with k parent sets: (k, w), padded with -1. The order of parents is immaterial."""
        ...


@runtime_checkable
class Discretizer(Protocol):
    """Chooses thresholds for the continuous columns from the data alone."""

    kind: ClassVar[str]

    def fit(self, data: Dataset) -> Discretization: ...


@runtime_checkable
class WatchedDiscretizer(Protocol):
    """A discretizer that may take long, and so tells how far it is; stopped, it gives what it has reached."""

    def fit_watched(self, data: Dataset, monitor: Monitor) -> Discretization: ...


@runtime_checkable
class Learner(Protocol):
    """Turns data into a graph. Deterministic given data, options, knowledge and generator."""

    kind: ClassVar[str]

    def learn(
        self,
        data: Dataset,
        *,
        rng: np.random.Generator,
        knowledge: Knowledge = NONE,
        monitor: Monitor = SILENT,
        start: Dag | None = None,
    ) -> LearnResult: ...
