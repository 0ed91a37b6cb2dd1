"""Akaike's information criterion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.reading.door import takes_table
from arcwise.parts.protocols import BoundScore
from arcwise.scores.options import DISCRETE_ONLY, ArcPrior, check_arc_prior, log_arc_prior


@checked
@dataclass(frozen=True, kw_only=True)
class AIC:
    """sum_jk N_jk ln(N_jk / N_j) - q (r - 1). Higher is better.

    arc_prior: a factor on the network's prior for each arc (1: none).
    """

    kind: ClassVar[str] = "aic"
    accepts: ClassVar[frozenset[Kind]] = DISCRETE_ONLY
    score_equivalent: ClassVar[bool] = True
    reference: ClassVar[str] = "Akaike 1974"

    arc_prior: ArcPrior = 1.0

    def __post_init__(self) -> None:
        check_arc_prior(self.arc_prior)

    @takes_table
    def bind(self, data: Dataset) -> BoundScore:
        from arcwise.scores.counted import CountedScore
        from arcwise.stats.cells import LOG_LIKELIHOOD
        from arcwise.stats.counts import counts_of

        prior = log_arc_prior(self.arc_prior, data.n_columns)
        return CountedScore(counts_of(data), LOG_LIKELIHOOD, per_parameter=1.0, log_arc_prior=prior)
