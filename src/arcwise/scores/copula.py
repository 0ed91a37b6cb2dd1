"""The linear score of normal scores: columns that follow a Gaussian copula, whatever each of them looks like."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.reading.door import takes_table
from arcwise.parts.protocols import BoundScore
from arcwise.scores.options import SPARSE, ArcPrior, check_arc_prior, log_arc_prior

Ties = Literal["latent", "mid-ranks"]
Outliers = Literal["modelled", "as-they-are"]
DEARER = 2.0  # power of what is known of two columns, by which an arc between them costs more: docs/methods/copula.md


@checked
@dataclass(frozen=True, kw_only=True)
class Copula:
    """The Gaussian BIC of the normal variables that increasing functions turned into the columns.

    Their correlations are those of normal scores, Phi^-1((rank - 1/2) / N). Relations need only be monotone, and
    nothing changes under an increasing function of a column. Levels that are not said to be in order are blocks of
    contrasts, as in `degenerate-gaussian`.
    ties: latent for the most probable correlations where many values are equal, and dearer arcs there; mid-ranks for
    normal scores throughout. outliers: modelled for columns of which a share at either end turns out to have nothing to
    do with the others; as-they-are for values like any other. arc_prior: a factor on the network's prior for each arc
    (1: none).
    """

    kind: ClassVar[str] = "copula"
    accepts: ClassVar[frozenset[Kind]] = frozenset(Kind)
    score_equivalent: ClassVar[bool] = True
    reference: ClassVar[str] = "Liu, Lafferty and Wasserman 2009; Harris and Drton 2013; Olsson 1979"

    ties: Ties = "latent"
    outliers: Outliers = "modelled"
    arc_prior: ArcPrior = SPARSE

    def __post_init__(self) -> None:
        check_arc_prior(self)

    @takes_table
    def bind(self, data: Dataset) -> BoundScore:
        from arcwise.scores.factored import FactoredScore, bic_of
        from arcwise.stats.latent_normal import latent_correlations, notes_on
        from arcwise.stats.moments import Moments

        moments = Moments.transformed(data, "normal-scores")
        log_prior = log_arc_prior(self.arc_prior, data.n_columns)
        latent = latent_correlations(
            data,
            moments.starts,
            moments.correlations,
            ties=self.ties == "latent",
            outliers=self.outliers == "modelled",
        )
        plain = bic_of(replace(moments, correlations=latent.correlations), log_prior)
        dearer = np.outer(latent.known, latent.known) ** -DEARER
        factored = plain.factored._replace(costs=plain.factored.costs * dearer)
        return FactoredScore(factored, (*plain.warnings, *notes_on(data, latent)))
