"""The linear score of normal scores: columns that follow a Gaussian copula, whatever each of them looks like."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.reading.door import takes_table
from arcwise.parts.protocols import BoundScore
from arcwise.scores.options import SPARSE, ArcPrior, check_arc_prior, log_arc_prior


@checked
@dataclass(frozen=True, kw_only=True)
class Copula:
    """The Gaussian BIC of a table in which every column has its normal scores, Phi^-1((rank - 1/2) / N).

    Relations need only be monotone, and nothing changes under an increasing function of a column. Levels without an
    order are blocks of contrasts, as in `degenerate-gaussian`.
    arc_prior: a factor on the network's prior
    for each arc (1: none).
    """

    kind: ClassVar[str] = "copula"
    accepts: ClassVar[frozenset[Kind]] = frozenset(Kind)
    score_equivalent: ClassVar[bool] = True
    reference: ClassVar[str] = "Liu, Lafferty and Wasserman 2009; Harris and Drton 2013; Olsson 1979"

    arc_prior: ArcPrior = SPARSE

    def __post_init__(self) -> None:
        check_arc_prior(self)

    @takes_table
    def bind(self, data: Dataset) -> BoundScore:
        from arcwise.scores.factored import bic_of
        from arcwise.stats.moments import Moments

        log_prior = log_arc_prior(self.arc_prior, data.n_columns)
        return bic_of(Moments.transformed(data, "normal-scores"), log_prior)
