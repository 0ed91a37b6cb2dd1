"""The Bayesian-Dirichlet score with a uniform joint prior."""

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
class BDeu:
    """sum_j {lnG(a_j) - lnG(a_j + N_j) + sum_k [lnG(a_jk + N_jk) - lnG(a_jk)]}, a_jk = ess / (q r), a_j = ess / q.

    ess: equivalent sample size. arc_prior: a factor on the network's prior for each arc (1: none).
    """

    kind: ClassVar[str] = "bdeu"
    accepts: ClassVar[frozenset[Kind]] = DISCRETE_ONLY
    score_equivalent: ClassVar[bool] = True
    reference: ClassVar[str] = "Buntine 1991; Heckerman, Geiger and Chickering 1995"

    ess: float = 1.0
    arc_prior: ArcPrior = 1.0

    def __post_init__(self) -> None:
        check_positive("ess", self.ess)
        check_arc_prior(self.arc_prior)

    @property
    def cells(self) -> Cells:
        return Cells(self.ess)

    @takes_table
    def bind(self, data: Dataset) -> BoundScore:
        from arcwise.scores.counted import CountedScore
        from arcwise.stats.counts import counts_of

        return CountedScore(counts_of(data), self.cells, log_arc_prior=log_arc_prior(self.arc_prior, data.n_columns))
