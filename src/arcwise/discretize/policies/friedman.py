"""Friedman and Goldszmidt's description length of thresholds, searched greedily, or by Tran from the top down."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import FloatArray, IntArray
from arcwise.discretize.policies.policy import NetworkScore
from arcwise.errors import OptionError, check_least, unknown_name
from arcwise.parts.protocols import ColumnSearch, Score
from arcwise.scores.dirichlet import BDeu
from arcwise.scores.likelihood import MDL

if TYPE_CHECKING:  # it brings the compiled kernels along
    from arcwise.discretize.thresholds.neighbourhood import Neighbourhood

MODES = ("auto", "single-pass", "agglomerative", "exhaustive")


@checked
@dataclass(frozen=True, kw_only=True)
class Friedman:
    """-DL: the network's MDL score with N I(Y; parents) for the likelihood, less the length of the thresholds' names.

    A cut is chosen by information gain and kept while the description gets shorter. patience: cuts in a row that may
    make it longer before the search gives up; a symmetric relation shows only after the second cut.
    """

    kind: ClassVar[str] = "friedman"
    reference: ClassVar[str] = "Friedman and Goldszmidt 1996"
    scores: ClassVar[tuple[type[NetworkScore], ...]] = (BDeu, MDL)
    stops_with: ClassVar[str] = "score"

    patience: int = 0

    def __post_init__(self) -> None:
        check_least(self, patience=0)

    def network_score(self, score: NetworkScore) -> Score:
        return MDL(arc_prior=score.arc_prior)

    def local(self, score: NetworkScore) -> FriedmanLocal:
        return FriedmanLocal()

    def searcher(self, score: NetworkScore, n_rows: int) -> ColumnSearch:
        from arcwise.discretize.thresholds.grow import GreedySearch, StepTables

        return GreedySearch(self.local(score), StepTables(n_rows), self.patience)

    def column_term(self, values: FloatArray, starts: IntArray) -> float:
        """N H(Y), which turns the log-likelihood into N I(Y; parents), less the length of the thresholds' names.

        Y and what is left to say of X once Y is known take N H(X) together: a constant, left out.
        """
        counts = np.diff(starts)
        n_distinct = 1 + int(np.count_nonzero(values[1:] != values[:-1]))
        return self.discrete_term(counts) - policy_length(n_distinct, len(counts))

    def discrete_term(self, counts: IntArray) -> float:
        """N H(Y): the constant that is left out of a discrete column's length, so that all columns count alike."""
        held = counts[counts > 0]
        n = int(held.sum())
        return n * log(n) - float(np.sum(held * np.log(held)))

    def most_levels(self, n_rows: int) -> int | None:
        return None


@dataclass(frozen=True, slots=True)
class FriedmanLocal:
    """-DL_local = N I(Y; parents) + sum over children N I(child; its parents)
    - ln r - (ln N / 2) [q (r - 1) + sum over children q_c (r_c - 1)] - (m - 1) H((r - 1) / (m - 1)).
    """

    level_sign: float = -1.0  # N I has - sum_k F(n_k): a column without parents gains nothing by cuts
    density_floor: float | None = None

    def pseudo_counts(self, around: Neighbourhood, r: int) -> FloatArray:
        return np.full(len(around.sizes), -1.0)

    def constant(self, around: Neighbourhood, r: int) -> float:
        parameters = around.q * (r - 1) + float(np.sum(r * around.child_q * (around.child_levels - 1)))
        return -(log(r) + 0.5 * log(around.n_rows) * parameters + policy_length(around.n_distinct, r))


def policy_length(n_distinct: int, r: int) -> float:
    """(m - 1) H((r - 1) / (m - 1)): naming r - 1 of the m - 1 possible thresholds."""
    possible, chosen = n_distinct - 1, r - 1
    if chosen in (0, possible):
        return 0.0
    p = chosen / possible
    return -possible * (p * log(p) + (1 - p) * log(1 - p))


@checked
@dataclass(frozen=True, kw_only=True)
class TopDown:
    """Friedman and Goldszmidt's score, searched from a threshold between any two values downwards.

    mode: "single-pass" (Tran) removes at once every threshold that does not pay on its own, "agglomerative" the
    cheapest again and again, "exhaustive" finds the best of all; "auto" agglomerates to 100 levels, then is exhaustive.
    """

    kind: ClassVar[str] = "top-down"
    reference: ClassVar[str] = "Tran 2013"
    scores: ClassVar[tuple[type[NetworkScore], ...]] = Friedman.scores
    stops_with: ClassVar[str] = "score"

    mode: str = "auto"

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise OptionError(unknown_name("value of option 'mode':", str(self.mode), MODES))

    def network_score(self, score: NetworkScore) -> Score:
        return Friedman().network_score(score)

    def column_term(self, values: FloatArray, starts: IntArray) -> float:
        return Friedman().column_term(values, starts)

    def discrete_term(self, counts: IntArray) -> float:
        return Friedman().discrete_term(counts)

    def most_levels(self, n_rows: int) -> int | None:
        return None

    def local(self, score: NetworkScore) -> FriedmanLocal:
        return Friedman().local(score)

    def searcher(self, score: NetworkScore, n_rows: int) -> ColumnSearch:
        from arcwise.discretize.thresholds.coarsen import TopDownSearch, x_log_x
        from arcwise.discretize.thresholds.grow import GreedySearch, StepTables

        counts = np.arange(n_rows + 1, dtype=np.float64)
        return TopDownSearch(self.mode, GreedySearch(self.local(score), StepTables(n_rows)), x_log_x(counts))
