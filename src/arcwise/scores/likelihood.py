"""The maximized log-likelihood of discrete columns, with penalties and without."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.reading.door import takes_table
from arcwise.parts.protocols import BoundScore
from arcwise.scores.options import DISCRETE_ONLY, ArcPrior, check_arc_prior, counted_score
from arcwise.stats.cells import LOG_LIKELIHOOD


@checked
@dataclass(frozen=True, kw_only=True)
class LogLikelihood:
    """sum_jk N_jk ln(N_jk / N_j). It never falls when an arc is added: for comparing, not for searching.

    arc_prior: a factor on the network's prior for each arc (1: none).
    """

    kind: ClassVar[str] = "log-likelihood"
    accepts: ClassVar[frozenset[Kind]] = DISCRETE_ONLY
    model: ClassVar[str] = "cpt"
    score_equivalent: ClassVar[bool] = True
    reference: ClassVar[str] = "Fisher 1922"

    arc_prior: ArcPrior = 1.0

    def __post_init__(self) -> None:
        check_arc_prior(self)

    @takes_table
    def bind(self, data: Dataset) -> BoundScore:
        return counted_score(data, LOG_LIKELIHOOD, self.arc_prior)


@checked
@dataclass(frozen=True, kw_only=True)
class AIC:
    """sum_jk N_jk ln(N_jk / N_j) - q (r - 1). Higher is better.

    arc_prior: a factor on the network's prior for each arc (1: none).
    """

    kind: ClassVar[str] = "aic"
    accepts: ClassVar[frozenset[Kind]] = DISCRETE_ONLY
    model: ClassVar[str] = "cpt"
    score_equivalent: ClassVar[bool] = True
    reference: ClassVar[str] = "Akaike 1974"

    arc_prior: ArcPrior = 1.0

    def __post_init__(self) -> None:
        check_arc_prior(self)

    @takes_table
    def bind(self, data: Dataset) -> BoundScore:
        return counted_score(data, LOG_LIKELIHOOD, self.arc_prior, per_parameter=1.0)


@checked
@dataclass(frozen=True, kw_only=True)
class BIC:
    """sum_jk N_jk ln(N_jk / N_j) - (ln N / 2) q (r - 1). Higher is better.

    arc_prior: a factor on the network's prior for each arc (1: none).
    """

    kind: ClassVar[str] = "bic"
    accepts: ClassVar[frozenset[Kind]] = DISCRETE_ONLY
    model: ClassVar[str] = "cpt"
    score_equivalent: ClassVar[bool] = True
    reference: ClassVar[str] = "Schwarz 1978"

    arc_prior: ArcPrior = 1.0

    def __post_init__(self) -> None:
        check_arc_prior(self)

    @takes_table
    def bind(self, data: Dataset) -> BoundScore:
        return counted_score(data, LOG_LIKELIHOOD, self.arc_prior, per_parameter=0.5 * log(data.n_rows))


@checked
@dataclass(frozen=True, kw_only=True)
class MDL:
    """-[ln r + ln n + |parents| ln n + (ln N / 2) q (r - 1)] + sum_jk N_jk ln(N_jk / N_j).

    The description length of network and data, negated. n is the number of columns: naming a parent costs ln n.
    arc_prior: a factor on the network's prior for each arc (1: none).
    """

    kind: ClassVar[str] = "mdl"
    accepts: ClassVar[frozenset[Kind]] = DISCRETE_ONLY
    model: ClassVar[str] = "cpt"
    score_equivalent: ClassVar[bool] = True
    reference: ClassVar[str] = "Lam and Bacchus 1994; Friedman and Goldszmidt 1996"

    arc_prior: ArcPrior = 1.0

    def __post_init__(self) -> None:
        check_arc_prior(self)

    @takes_table
    def bind(self, data: Dataset) -> BoundScore:
        name = log(data.n_columns)
        per_column = np.array([log(r) + name for r in data.cardinalities])
        price = 0.5 * log(data.n_rows)
        return counted_score(
            data, LOG_LIKELIHOOD, self.arc_prior, per_parameter=price, per_column=per_column, per_arc=name
        )
