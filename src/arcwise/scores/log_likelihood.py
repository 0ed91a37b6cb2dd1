"""The maximized log-likelihood, without a penalty."""

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
class LogLikelihood:
    """sum_jk N_jk ln(N_jk / N_j). It never falls when an arc is added: for comparing, not for searching.

    arc_prior: a factor on the network's prior for each arc (1: none).
    """

    kind: ClassVar[str] = "log-likelihood"
    accepts: ClassVar[frozenset[Kind]] = DISCRETE_ONLY
    score_equivalent: ClassVar[bool] = True
    reference: ClassVar[str] = "Fisher 1922"

    arc_prior: ArcPrior = 1.0

    def __post_init__(self) -> None:
        check_arc_prior(self.arc_prior)

    @takes_table
    def bind(self, data: Dataset) -> BoundScore:
        from arcwise.scores.counted import CountedScore
        from arcwise.stats.cells import LOG_LIKELIHOOD
        from arcwise.stats.counts import counts_of

        return CountedScore(
            counts_of(data), LOG_LIKELIHOOD, log_arc_prior=log_arc_prior(self.arc_prior, data.n_columns)
        )
