"""Tran's top-down search for the thresholds with the shortest description."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import FloatArray, IntArray
from arcwise.discretize.policies.friedman import Friedman, FriedmanLocal
from arcwise.discretize.policies.policy import NetworkScore
from arcwise.errors import OptionError, unknown_name
from arcwise.parts.protocols import ColumnSearch, Score

MODES = ("auto", "single-pass", "agglomerative", "exhaustive")


@checked
@dataclass(frozen=True, kw_only=True)
class TopDown:
    """Friedman and Goldszmidt's score, searched from a threshold between any two values downwards.

    mode: "single-pass" (Tran) removes at once every threshold that does not pay on its own, "agglomerative" the
    cheapest again and again, "exhaustive" finds the best of all; "auto" agglomerates to 100 levels, then is exhaustive.
    """

    kind: ClassVar[str] = "top-down"
    reference: ClassVar[str] = "Tran 2013"
    scores: ClassVar[tuple[type[NetworkScore], ...]] = Friedman.scores
    stops_with: ClassVar[str] = "score"

    mode: str = "auto"

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise OptionError(unknown_name("value of option 'mode':", str(self.mode), MODES))

    def network_score(self, score: NetworkScore) -> Score:
        return Friedman().network_score(score)

    def column_term(self, values: FloatArray, starts: IntArray) -> float:
        return Friedman().column_term(values, starts)

    def discrete_term(self, counts: IntArray) -> float:
        return Friedman().discrete_term(counts)

    def most_levels(self, n_rows: int) -> int | None:
        return None

    def local(self, score: NetworkScore) -> FriedmanLocal:
        return Friedman().local(score)

    def searcher(self, score: NetworkScore, n_rows: int) -> ColumnSearch:
        from arcwise.discretize.thresholds.coarsen import TopDownSearch, x_log_x
        from arcwise.discretize.thresholds.grow import GreedySearch, StepTables

        counts = np.arange(n_rows + 1, dtype=np.float64)
        return TopDownSearch(self.mode, GreedySearch(self.local(score), StepTables(n_rows)), x_log_x(counts))
