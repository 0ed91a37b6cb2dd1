"""Discretize, then learn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from arcwise.checking import checked
from arcwise.discretize import EqualFrequency
from arcwise.errors import OptionError
from arcwise.parts.protocols import CuttingLearner, Discretizer, Learner, WatchedDiscretizer
from arcwise.problem import Answer, Problem, learn_by_solving
from arcwise.search import HillClimb


@checked
@dataclass(frozen=True, kw_only=True)
class TwoStage:
    """Cut every continuous column with `discretizer`, then learn from the discrete table with `search`.

    The search may be any learner that scores networks, asks tests, or does both. The result is of its kind.
    """

    kind: ClassVar[str] = "two-stage"
    reference: ClassVar[str] = "Fu 2005"
    cuts_columns: ClassVar[bool] = True

    discretizer: Discretizer = EqualFrequency()
    search: Learner = HillClimb()

    def __post_init__(self) -> None:
        if isinstance(self.search, CuttingLearner):
            raise OptionError(
                f"option 'search' cannot be {self.search.kind!r}, which cuts columns itself: {self.discretizer.kind!r} "
                "leaves none to cut; take a learner such as 'hill-climb', 'mmhc' or 'pc'"
            )

    learn = learn_by_solving

    def solve(self, problem: Problem) -> Answer:
        if isinstance(self.discretizer, WatchedDiscretizer):
            cuts = self.discretizer.fit_watched(problem.data, problem.monitor)
        else:
            cuts = self.discretizer.fit(problem.data)
        cut = replace(problem.on(cuts.apply(problem.data)), kept=problem.kept)  # it is cut once, for all that ask
        return replace(self.search.solve(cut), discretization=cuts)
