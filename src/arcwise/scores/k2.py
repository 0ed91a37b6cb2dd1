"""The score of Cooper and Herskovits: a Dirichlet prior of ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from arcwise.contracts.protocols import BoundScore
from arcwise.data.accepting import takes_table
from arcwise.data.dataset import Dataset, Kind
from arcwise.scores.options import DISCRETE_ONLY, log_arc_prior


@dataclass(frozen=True, kw_only=True)
class K2:
    """The Bayesian-Dirichlet score with every a_jk = 1. Not score-equivalent: it prefers some orientations.

    arc_prior: a factor on the network's prior for each arc (1: none).
    """

    kind: ClassVar[str] = "k2"
    accepts: ClassVar[frozenset[Kind]] = DISCRETE_ONLY
    score_equivalent: ClassVar[bool] = False
    reference: ClassVar[str] = "Cooper and Herskovits 1992"

    arc_prior: float = 1.0

    def __post_init__(self) -> None:
        log_arc_prior(self.arc_prior)

    @takes_table
    def bind(self, data: Dataset) -> BoundScore:
        from arcwise.scores.counted import CountedScore
        from arcwise.stats.cells import Cells
        from arcwise.stats.counts import Counts

        return CountedScore(Counts(data), Cells(1.0, spread=False), log_arc_prior=log_arc_prior(self.arc_prior))
