"""The description length of network and data, negated."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.reading.door import takes_table
from arcwise.parts.protocols import BoundScore
from arcwise.scores.options import DISCRETE_ONLY, ArcPrior, check_arc_prior, log_arc_prior


@checked
@dataclass(frozen=True, kw_only=True)
class MDL:
    """-[ln r + ln n + |parents| ln n + (ln N / 2) q (r - 1)] + sum_jk N_jk ln(N_jk / N_j).

    n is the number of columns: naming a parent costs ln n.
    arc_prior: a factor on the network's prior for each arc (1: none).
    """

    kind: ClassVar[str] = "mdl"
    accepts: ClassVar[frozenset[Kind]] = DISCRETE_ONLY
    score_equivalent: ClassVar[bool] = True
    reference: ClassVar[str] = "Lam and Bacchus 1994; Friedman and Goldszmidt 1996"

    arc_prior: ArcPrior = 1.0

    def __post_init__(self) -> None:
        check_arc_prior(self.arc_prior)

    @takes_table
    def bind(self, data: Dataset) -> BoundScore:
        from arcwise.scores.counted import CountedScore
        from arcwise.stats.cells import LOG_LIKELIHOOD
        from arcwise.stats.counts import counts_of

        log_columns = log(data.n_columns)
        return CountedScore(
            counts_of(data),
            LOG_LIKELIHOOD,
            per_parameter=0.5 * log(data.n_rows),
            per_column=np.array([log(r) + log_columns for r in data.cardinalities]),
            log_arc_prior=log_arc_prior(self.arc_prior, data.n_columns) - log_columns,
        )
