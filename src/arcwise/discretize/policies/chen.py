"""Chen, Wheeler and Kochenderfer's objective for the thresholds of one column."""

from __future__ import annotations

from dataclasses import dataclass
from math import lgamma
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import FloatArray, IntArray
from arcwise.discretize.policies.policy import NetworkScore
from arcwise.parts.protocols import ColumnSearch, Score
from arcwise.scores.dirichlet import K2, BDeu

if TYPE_CHECKING:  # it brings the compiled kernels along
    from arcwise.discretize.thresholds.neighbourhood import Neighbourhood


@checked
@dataclass(frozen=True, kw_only=True)
class Chen:
    """Thresholds that make the parents and children of a column probable, few and in gaps: the best of all.

    The objective judges one column. The joint score that ranks the rounds of the loop is ours: K2 of the network and,
    for each continuous column, -ln p(its levels) under K2 without parents, and the prior of its thresholds.
    """

    kind: ClassVar[str] = "chen"
    reference: ClassVar[str] = "Chen, Wheeler and Kochenderfer 2017"
    exact: ClassVar[bool] = True
    scores: ClassVar[tuple[type[NetworkScore], ...]] = (BDeu, K2)
    stops_with: ClassVar[str] = "graph"

    def network_score(self, score: NetworkScore) -> Score:
        return K2(arc_prior=score.arc_prior)

    def local(self, score: NetworkScore) -> ChenLocal:
        return ChenLocal()

    def searcher(self, score: NetworkScore, n_rows: int) -> ColumnSearch:
        from arcwise.discretize.policies.chen_search import ChenSearch
        from arcwise.discretize.thresholds.best_partition import ExactSearch
        from arcwise.discretize.thresholds.grow import GreedySearch, StepTables

        local = self.local(score)
        return ChenSearch(ExactSearch(local, GreedySearch(local, StepTables(n_rows)), threshold_prior))

    def column_term(self, values: FloatArray, starts: IntArray) -> float:
        """With it a column without parents counts for its prior alone. The column's own levels stand for lam."""
        if values[0] == values[-1]:
            return 0.0
        n, r = len(values), len(starts) - 1
        levels = lgamma(r) - lgamma(r + n) + sum(lgamma(count + 1) for count in np.diff(starts))
        inner = starts[1:-1]
        gaps = np.log(_cut_probability(r * _share(values, values[inner - 1], values[inner])))
        widths = r * _share(values, values[starts[:-1]], values[starts[1:] - 1])
        return float(np.sum(gaps) - np.sum(widths)) - levels

    def discrete_term(self, counts: IntArray) -> float:
        return 0.0

    def most_levels(self, n_rows: int) -> int | None:
        return None


@dataclass(frozen=True, slots=True)
class ChenLocal:
    """ln p(parents | level) + sum over children of ln p(child | its parents), uniform Dirichlet priors (K2).

    In an interval with n rows, n_j of them with configuration j of the q that the parents have, the first part is
    sum_j ln n_j! - ln (n + q - 1)! + ln (q - 1)!: it does not depend on the number of levels, nor do the children's.
    """

    level_sign: float = -1.0
    density_floor: float | None = None

    def pseudo_counts(self, around: Neighbourhood, r: int) -> FloatArray:
        out = np.ones(len(around.sizes))
        out[2:-1:2] = around.child_levels
        out[-1] = around.q
        return out

    def constant(self, around: Neighbourhood, r: int) -> float:
        return 0.0


def threshold_prior(around: Neighbourhood) -> tuple[FloatArray, FloatArray]:
    """Terms of the first and of the last value of an interval a..b, for all distinct values u; R: their range.

    Together ln(1 - exp(-lam (u_b+1 - u_b) / R)) - lam (u_b - u_a) / R, in the last interval without the logarithm: a
    cut is likely in a wide gap. lam: the most levels of any column.
    """
    values = around.values
    u = values[np.append(True, values[1:] != values[:-1])]
    place = around.most_levels * _share(values, u[:1], u)
    gaps = around.most_levels * _share(values, u[:-1], u[1:])
    return place, np.append(np.log(_cut_probability(gaps)), 0.0) - place


def _share(values: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray:
    """(high - low) / range; halved first, because a difference may overflow."""
    share: FloatArray = (high / 2 - low / 2) / (values[-1] / 2 - values[0] / 2)
    return share


def _cut_probability(gaps: FloatArray) -> FloatArray:
    probability: FloatArray = np.maximum(-np.expm1(-gaps), np.finfo(np.float64).tiny)
    return probability
