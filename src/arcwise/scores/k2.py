"""The score of Cooper and Herskovits: a Dirichlet prior with the same pseudo-count in every cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.reading.door import takes_table
from arcwise.parts.protocols import BoundScore
from arcwise.scores.options import DISCRETE_ONLY, ArcPrior, check_arc_prior, check_positive, log_arc_prior
from arcwise.stats.cells import Cells


@checked
@dataclass(frozen=True, kw_only=True)
class K2:
    """The Bayesian-Dirichlet score with every a_jk = alpha. Not score-equivalent: it prefers some orientations.

    alpha: pseudo-count of a cell; 1 is K2's uniform prior. arc_prior: a factor on the network's prior for each arc
    (1: none).
    """

    kind: ClassVar[str] = "k2"
    accepts: ClassVar[frozenset[Kind]] = DISCRETE_ONLY
    score_equivalent: ClassVar[bool] = False
    reference: ClassVar[str] = "Cooper and Herskovits 1992"

    alpha: float = 1.0
    arc_prior: ArcPrior = 1.0

    def __post_init__(self) -> None:
        check_positive("alpha", self.alpha)
        check_arc_prior(self.arc_prior)

    @property
    def cells(self) -> Cells:
        return Cells(self.alpha, spread=False)

    @takes_table
    def bind(self, data: Dataset) -> BoundScore:
        from arcwise.scores.counted import CountedScore
        from arcwise.stats.counts import counts_of

        return CountedScore(counts_of(data), self.cells, log_arc_prior=log_arc_prior(self.arc_prior, data.n_columns))
