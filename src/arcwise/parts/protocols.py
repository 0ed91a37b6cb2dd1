"""The shapes of the parts. Structural: a class need not inherit from these to be one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import Dataset, FloatArray, IntArray, Kind
from arcwise.data.discretization import Discretization
from arcwise.graph.dag import Dag
from arcwise.parts.knowledge import NONE, Knowledge
from arcwise.parts.monitor import SILENT, Monitor
from arcwise.results.result import LearnResult


@runtime_checkable
class Score(Protocol):
    """Options of a decomposable network score: a frozen, keyword-only dataclass without data."""

    kind: ClassVar[str]
    accepts: ClassVar[frozenset[Kind]]

    @property
    def score_equivalent(self) -> bool:
        """Whether networks of one equivalence class always have the same score."""
        ...

    def bind(self, data: Dataset) -> BoundScore: ...


class BoundScore(Protocol):
    """A score with the sufficient statistics of one data set inside. Higher is better, always."""

    def local_score(self, child: int, parents: Sequence[int]) -> float: ...

    def local_scores(self, child: int, parent_sets: IntArray) -> FloatArray:
        """Scores of one child with k parent sets: (k, w), padded with -1. The order of parents is immaterial."""
        ...


@runtime_checkable
class ToggleScore(Protocol):
    """A bound score that knows a family and all its neighbours in one call, which counts no table of a family."""

    def toggle_row(self, child: int, parents: IntArray, may_add: NDArray[np.bool_]) -> FloatArray | None:
        """row[u]: the score of `child` with u toggled in its `parents` (ascending); row[child]: as they are.

        Minus infinity where u is no parent and may not be added. None: better ask for the scores one by one.
        """
        ...


@runtime_checkable
class CompiledFamilies(Protocol):
    """A bound score that a compiled search can ask without Python."""

    def families(self) -> Any:
        """What its kernels need (_kernels/counts/toggled.py); None: ask in Python."""
        ...


@runtime_checkable
class IndependenceTest(Protocol):
    """Options of a test of X against Y given Z: a frozen, keyword-only dataclass without data.

    level: what a learner compares with unless told otherwise. Columns count as independent when the test's value is
    that much or more: a p-value of 0.05, a probability of independence as large as before the data.
    """

    kind: ClassVar[str]
    accepts: ClassVar[frozenset[Kind]]

    @property
    def level(self) -> float: ...

    def bind(self, data: Dataset) -> BoundTest: ...


class BoundTest(Protocol):
    """A test with the sufficient statistics of one data set inside. The significance level belongs to the learner."""

    def test(self, x: int, y: int, given: Sequence[int]) -> TestResult: ...

    def p_values(self, x: int, y: int, given_sets: IntArray) -> FloatArray:
        """Values for one pair with k conditioning sets: (k, w), padded with -1; NaN where there is no answer."""
        ...


@dataclass(frozen=True, slots=True)
class TestResult:
    """value: the p-value, or for a Bayesian test the probability of independence.

    NaN stands for no answer: too few rows, or rows that tell nothing. What follows from that is the learner's choice.

    details: what else the test knows by name (degrees of freedom, probability that the slices are enough).
    """

    value: float
    statistic: float | None = None
    details: Mapping[str, float] = field(default_factory=dict)

    __test__ = False  # not a test case, whatever its name says


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
