"""The Bayesian score of a linear-Gaussian network, with a normal-Wishart prior."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import ClassVar

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.reading.door import takes_table
from arcwise.errors import OptionError, check_positive
from arcwise.parts.protocols import BoundScore, check_kinds
from arcwise.scores.options import ArcPrior, check_arc_prior, log_arc_prior


@checked
@dataclass(frozen=True, kw_only=True)
class BGe:
    """ln p(family) - ln p(parents), with the constants of Kuipers, Moffa and Heckerman; formulas in docs/methods.

    a_mu: rows that the prior mean is worth. a_w: those of the prior covariance (none: columns + a_mu + 1, the least
    usual). nu: prior mean of every column (none: its own mean). standardize: measure each column in its own standard
    deviations, so that units do not matter; as published they do.
    arc_prior: a factor on the network's prior for each arc (1: none).
    """

    kind: ClassVar[str] = "bge"
    accepts: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    score_equivalent: ClassVar[bool] = True
    reference: ClassVar[str] = "Geiger and Heckerman 1994; Kuipers, Moffa and Heckerman 2014"

    a_mu: float = 1.0
    a_w: float | None = None
    nu: float | None = None
    standardize: bool = False
    arc_prior: ArcPrior = 1.0

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
        return bge_of(Moments.of(data), prior, log_arc_prior(self.arc_prior, data.n_columns))
