"""Scores of linear-Gaussian networks: BIC, in which levels may be indicators, and BGe."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import ClassVar

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.reading.door import takes_table
from arcwise.errors import OptionError, check_positive
from arcwise.parts.protocols import BoundScore, check_kinds
from arcwise.parts.spec import later
from arcwise.scores.options import ArcPrior, check_arc_prior, log_arc_prior
from arcwise.stats.dimensions import Transform


@checked
@dataclass(frozen=True, kw_only=True)
class GaussianBIC:
    """-(N/2) [ln(2 pi s2) + 1] - (ln N / 2) (|parents| + 2), s2 the child's variance that a linear fit leaves over.

    It does not depend on the units of the columns. arc_prior: a factor on the network's prior for each arc (1: none).
    transform: normal-scores for Phi^-1((rank - 1/2) / N) in place of each value, so that relations need only be
    monotone (none: the values).
    """

    kind: ClassVar[str] = "gaussian-bic"
    accepts: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    score_equivalent: ClassVar[bool] = True
    linear: ClassVar[bool] = True
    model: ClassVar[str] = "gaussian"
    reference: ClassVar[str] = "Schwarz 1978; Geiger and Heckerman 1994"

    arc_prior: ArcPrior = 1.0
    transform: Transform = later("none")

    def __post_init__(self) -> None:
        check_arc_prior(self)

    @takes_table
    def bind(self, data: Dataset) -> BoundScore:
        from arcwise.scores.factored import bic_of
        from arcwise.stats.moments import Moments

        check_kinds(self, data)
        return bic_of(Moments.transformed(data, self.transform), log_arc_prior(self.arc_prior, data.n_columns))


@checked
@dataclass(frozen=True, kw_only=True)
class DegenerateGaussian:
    """The Gaussian BIC of a table in which each discrete column is a block of indicators, one for each level but one.

    -(N/2) [ln|S| + a ln(2 pi) + a] - (ln N / 2) (a + a (a + 1) / 2 + a b), S the covariance of the child's a dimensions
    given the parents' b. Equal to `gaussian-bic` where all columns are continuous.
    arc_prior: a factor on the network's prior for each arc (1: none). transform: normal-scores for
    Phi^-1((rank - 1/2) / N) in place of each number or ordered level (none: as they are).
    """

    kind: ClassVar[str] = "degenerate-gaussian"
    accepts: ClassVar[frozenset[Kind]] = frozenset(Kind)
    score_equivalent: ClassVar[bool] = True
    linear: ClassVar[bool] = True
    model: ClassVar[str] = "gaussian"
    reference: ClassVar[str] = "Andrews, Ramsey and Cooper 2019"

    arc_prior: ArcPrior = 1.0
    transform: Transform = later("none")

    def __post_init__(self) -> None:
        check_arc_prior(self)

    @takes_table
    def bind(self, data: Dataset) -> BoundScore:
        from arcwise.scores.factored import bic_of
        from arcwise.stats.moments import Moments

        return bic_of(Moments.transformed(data, self.transform), log_arc_prior(self.arc_prior, data.n_columns))


@checked
@dataclass(frozen=True, kw_only=True)
class BGe:
    """ln p(family) - ln p(parents), with the constants of Kuipers, Moffa and Heckerman; formulas in docs/methods.

    a_mu: rows that the prior mean is worth. a_w: rows that the prior covariance is worth (none: columns + a_mu + 1, the
    least usual). nu: prior mean of every column (none: its own mean). standardize: measure each column in its own
    standard deviations, so that units do not matter; as published they do. arc_prior: a factor on the network's prior
    for each arc (1: none). transform: normal-scores for Phi^-1((rank - 1/2) / N) in place of each value (none: the
    values).
    """

    kind: ClassVar[str] = "bge"
    accepts: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    score_equivalent: ClassVar[bool] = True
    linear: ClassVar[bool] = True
    model: ClassVar[str] = "gaussian"
    reference: ClassVar[str] = "Geiger and Heckerman 1994; Kuipers, Moffa and Heckerman 2014"

    a_mu: float = 1.0
    a_w: float | None = None
    nu: float | None = None
    standardize: bool = False
    arc_prior: ArcPrior = 1.0
    transform: Transform = later("none")

    def __post_init__(self) -> None:
        check_positive(self, "a_mu", "a_w")
        if self.nu is not None and not isfinite(self.nu):
            raise OptionError(f"option 'nu' must be a finite number or none, not {self.nu!r}")
        check_arc_prior(self)

    @takes_table
    def bind(self, data: Dataset) -> BoundScore:
        from arcwise.scores.factored import NormalWishart, bge_of
        from arcwise.stats.moments import Moments

        check_kinds(self, data)
        a_w = data.n_columns + self.a_mu + 1.0 if self.a_w is None else self.a_w
        if a_w <= data.n_columns + 1:
            raise OptionError(
                f"option 'a_w' must be above the number of columns plus 1, that is above {data.n_columns + 1}, "
                f"not {a_w!r}"
            )
        prior = NormalWishart(self.a_mu, a_w - data.n_columns, self.nu, self.standardize)
        return bge_of(Moments.transformed(data, self.transform), prior, log_arc_prior(self.arc_prior, data.n_columns))
