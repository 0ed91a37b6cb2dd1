"""What the options of scores share: the prior for arcs, and the way to a score of counts."""

from __future__ import annotations

from math import log
from typing import Literal, Protocol

from arcwise.data.dataset import Dataset, FloatArray, Kind
from arcwise.errors import check_positive
from arcwise.parts.protocols import BoundScore
from arcwise.stats.cells import Cells

DISCRETE_ONLY = frozenset({Kind.DISCRETE})
SPARSE: Literal["sparse"] = "sparse"
CHANCE_ARCS = 0.1  # for each column, the most that "sparse" lets columns without relations have, on average

ArcPrior = float | Literal["sparse"]


class WithArcPrior(Protocol):
    """Options of a score that has a prior for arcs."""

    @property
    def arc_prior(self) -> ArcPrior: ...


def check_arc_prior(score: WithArcPrior) -> None:
    if score.arc_prior != SPARSE:
        check_positive(score, "arc_prior")


def log_arc_prior(kappa: ArcPrior, n_columns: int) -> float:
    """ln kappa: what each arc adds to the log score (Heckerman, Geiger and Chickering 1995; 1 means no prior).

    "sparse" is kappa = 2 CHANCE_ARCS / (n - 1). Under independence a Bayes factor for an arc has the mean 1, so it
    exceeds 1 / kappa with a probability of at most kappa (Markov's inequality), and the n (n - 1) / 2 pairs of n
    columns have at most CHANCE_ARCS n such arcs on average, however few the rows.
    """
    if isinstance(kappa, str):
        return log(2 * CHANCE_ARCS / (n_columns - 1)) if n_columns > 1 else 0.0
    return log(kappa)


def counted_score(
    data: Dataset,
    cells: Cells,
    arc_prior: ArcPrior,
    *,
    per_parameter: float = 0.0,
    per_column: FloatArray | None = None,
    per_arc: float = 0.0,
) -> BoundScore:
    """The sums over the cells of families less what they cost (see counted.py)."""
    from arcwise.scores.counted import CountedScore
    from arcwise.stats.counts import counts_of

    log_prior = log_arc_prior(arc_prior, data.n_columns) - per_arc
    return CountedScore(counts_of(data), cells, per_parameter, per_column, log_prior)
