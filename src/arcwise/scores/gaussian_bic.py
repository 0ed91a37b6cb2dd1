"""The Bayesian information criterion of a linear-Gaussian network, in which levels may be indicators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.reading.door import takes_table
from arcwise.parts.protocols import BoundScore, check_kinds
from arcwise.scores.options import ArcPrior, check_arc_prior, log_arc_prior


@checked
@dataclass(frozen=True, kw_only=True)
class GaussianBIC:
    """-(N/2) [ln(2 pi s2) + 1] - (ln N / 2) (|parents| + 2), s2 the child's variance that a linear fit leaves over.

    It does not depend on the units of the columns. arc_prior: a factor on the network's prior for each arc (1: none).
    """

    kind: ClassVar[str] = "gaussian-bic"
    accepts: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    score_equivalent: ClassVar[bool] = True
    reference: ClassVar[str] = "Schwarz 1978; Geiger and Heckerman 1994"

    arc_prior: ArcPrior = 1.0

    def __post_init__(self) -> None:
        check_arc_prior(self)

    @takes_table
    def bind(self, data: Dataset) -> BoundScore:
        from arcwise.scores.factored import bic_of
        from arcwise.stats.moments import Moments

        check_kinds(self, data)
        return bic_of(Moments.of(data), log_arc_prior(self.arc_prior, data.n_columns))


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
        check_arc_prior(self)

    @takes_table
    def bind(self, data: Dataset) -> BoundScore:
        from arcwise.scores.factored import bic_of
        from arcwise.stats.moments import Moments

        return bic_of(Moments.of(data), log_arc_prior(self.arc_prior, data.n_columns))
