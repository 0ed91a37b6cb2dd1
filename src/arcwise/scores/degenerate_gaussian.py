"""The degenerate Gaussian score of Andrews, Ramsey and Cooper, for mixed data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.reading.door import takes_table
from arcwise.parts.protocols import BoundScore
from arcwise.scores.options import ArcPrior, check_arc_prior, log_arc_prior


@checked
@dataclass(frozen=True, kw_only=True)
class DegenerateGaussian:
    """The Gaussian BIC of a table in which each discrete column is a block of indicators, one for each level but one.

    -(N/2) [ln|S| + a ln(2 pi) + a] - (ln N / 2) (a + a (a + 1) / 2 + a b), S the covariance of the child's a dimensions
    given the parents' b. Equal to `gaussian-bic` where all columns are continuous.
    arc_prior: a factor on the network's prior for each arc (1: none).
    """

    kind: ClassVar[str] = "degenerate-gaussian"
    accepts: ClassVar[frozenset[Kind]] = frozenset(Kind)
    score_equivalent: ClassVar[bool] = True
    reference: ClassVar[str] = "Andrews, Ramsey and Cooper 2019"

    arc_prior: ArcPrior = 1.0

    def __post_init__(self) -> None:
        check_arc_prior(self.arc_prior)

    @takes_table
    def bind(self, data: Dataset) -> BoundScore:
        from arcwise.scores.factored import bic_of
        from arcwise.stats.moments import Moments

        return bic_of(Moments.of(data), log_arc_prior(self.arc_prior, data.n_columns))
