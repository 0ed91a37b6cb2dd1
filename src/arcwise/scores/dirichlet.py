"""Bayesian scores of discrete columns with a Dirichlet prior."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.reading.door import takes_table
from arcwise.errors import check_positive
from arcwise.parts.protocols import BoundScore
from arcwise.scores.options import DISCRETE_ONLY, ArcPrior, check_arc_prior, counted_score
from arcwise.stats.cells import Cells


@checked
@dataclass(frozen=True, kw_only=True)
class BDeu:
    """sum_j {lnG(a_j) - lnG(a_j + N_j) + sum_k [lnG(a_jk + N_jk) - lnG(a_jk)]}, a_jk = ess / (q r), a_j = ess / q.

    ess: equivalent sample size. arc_prior: a factor on the network's prior for each arc (1: none).
    """

    kind: ClassVar[str] = "bdeu"
    accepts: ClassVar[frozenset[Kind]] = DISCRETE_ONLY
    model: ClassVar[str] = "cpt"
    score_equivalent: ClassVar[bool] = True
    reference: ClassVar[str] = "Buntine 1991; Heckerman, Geiger and Chickering 1995"

    ess: float = 1.0
    arc_prior: ArcPrior = 1.0

    def __post_init__(self) -> None:
        check_positive(self, "ess")
        check_arc_prior(self)

    @property
    def cells(self) -> Cells:
        return Cells(self.ess)

    @takes_table
    def bind(self, data: Dataset) -> BoundScore:
        return counted_score(data, self.cells, self.arc_prior)


@checked
@dataclass(frozen=True, kw_only=True)
class K2:
    """The Bayesian-Dirichlet score with every a_jk = alpha. Not score-equivalent: it prefers some orientations.

    alpha: pseudo-count of a cell; 1 is K2's uniform prior. arc_prior: a factor on the network's prior for each arc
    (1: none).
    """

    kind: ClassVar[str] = "k2"
    accepts: ClassVar[frozenset[Kind]] = DISCRETE_ONLY
    model: ClassVar[str] = "cpt"
    score_equivalent: ClassVar[bool] = False
    reference: ClassVar[str] = "Cooper and Herskovits 1992"

    alpha: float = 1.0
    arc_prior: ArcPrior = 1.0

    def __post_init__(self) -> None:
        check_positive(self, "alpha")
        check_arc_prior(self)

    @property
    def cells(self) -> Cells:
        return Cells(self.alpha, spread=False)

    @takes_table
    def bind(self, data: Dataset) -> BoundScore:
        return counted_score(data, self.cells, self.arc_prior)
