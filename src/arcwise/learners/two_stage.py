"""Discretize, then learn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.data.accepting import takes_table
from arcwise.data.dataset import Dataset
from arcwise.discretize import EqualFrequency
from arcwise.errors import OptionError
from arcwise.graph.dag import Dag
from arcwise.parts.knowledge import NONE, Knowledge
from arcwise.parts.monitor import SILENT, Monitor
from arcwise.parts.protocols import Discretizer, Learner, WatchedDiscretizer
from arcwise.results.result import LearnResult
from arcwise.search import HillClimb


@checked
@dataclass(frozen=True, kw_only=True)
class TwoStage:
    """Cut every continuous column with `discretizer`, then learn from the discrete table with `search`.

    Any learner can be the search: one that scores networks, asks tests, or does both. The result is of its kind.
    """

    kind: ClassVar[str] = "two-stage"
    reference: ClassVar[str] = "Fu 2005"

    discretizer: Discretizer = EqualFrequency()
    search: Learner = HillClimb()

    def __post_init__(self) -> None:
        if hasattr(self.search, "discretizer") or hasattr(self.search, "policy"):
            raise OptionError(
                f"option 'search' cannot be {self.search.kind!r}, which cuts columns itself: {self.discretizer.kind!r} "
                "leaves none to cut; take a learner such as 'hill-climb', 'mmhc' or 'pc'"
            )

    @takes_table
    def learn(
        self,
        data: Dataset,
        *,
        rng: np.random.Generator,
        knowledge: Knowledge = NONE,
        monitor: Monitor = SILENT,
        start: Dag | None = None,
    ) -> LearnResult:
        if isinstance(self.discretizer, WatchedDiscretizer):
            cuts = self.discretizer.fit_watched(data, monitor)
        else:
            cuts = self.discretizer.fit(data)
        result = self.search.learn(cuts.apply(data), rng=rng, knowledge=knowledge, monitor=monitor, start=start)
        return replace(result, discretization=cuts)
