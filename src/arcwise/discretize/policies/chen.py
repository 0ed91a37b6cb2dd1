"""Chen, Wheeler and Kochenderfer's objective for the thresholds of one column, and their way from column to column."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from hashlib import blake2b
from math import lgamma
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import FloatArray, IntArray
from arcwise.discretize.bins.equal_width import equal_width_cuts
from arcwise.discretize.policies.policy import NetworkScore, improves
from arcwise.parts.protocols import ColumnSearch, Partition, Score
from arcwise.scores.dirichlet import K2, BDeu

if TYPE_CHECKING:  # it brings the compiled kernels along
    from arcwise.discretize.thresholds.best_partition import ExactSearch
    from arcwise.discretize.thresholds.neighbourhood import Neighbourhood

REPEATS = 3  # times that a column is cut anew in the same surroundings


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
    return (high / 2 - low / 2) / (values[-1] / 2 - values[0] / 2)


def _cut_probability(gaps: FloatArray) -> FloatArray:
    return np.maximum(-np.expm1(-gaps), np.finfo(np.float64).tiny)


@dataclass(frozen=True, slots=True, eq=False)
class ChenSearch:
    """The best partition; for a column without neighbours as many bins of equal width as any column has levels.

    Columns judge the same arc by different objectives, and lam changes with all of them: no common score rises, and
    they could change each other for ever. So surroundings that come back often have had their say.
    """

    exact: ExactSearch
    met: Counter[tuple[int, bytes]] = field(default_factory=Counter)

    def evaluate(self, around: Neighbourhood, starts: IntArray) -> Partition:
        return self.exact.evaluate(around, starts)

    def find(self, around: Neighbourhood) -> tuple[Partition, int]:
        if not _isolated(around):
            return self.exact.find(around)
        values = around.values
        inner = np.searchsorted(values, equal_width_cuts(values, around.most_levels))
        return self.evaluate(around, np.concatenate([[0], inner, [around.n_rows]]).astype(np.intp)), 1

    def improve(self, around: Neighbourhood, present: IntArray) -> tuple[Partition | None, int]:
        new, weighed = self.find(around)
        return (new if self.accepts(around, new, present) else None), weighed + (not _isolated(around))

    def accepts(self, around: Neighbourhood, new: Partition, present: IntArray) -> bool:
        if _isolated(around):
            return not np.array_equal(new.starts, present)
        if not improves(new, self.evaluate(around, present)):
            return False
        surroundings = blake2b(around.values.tobytes() + around.codes.tobytes()).digest()
        self.met[around.most_levels, surroundings] += 1
        return self.met[around.most_levels, surroundings] <= REPEATS


def _isolated(around: Neighbourhood) -> bool:
    return around.q == 1.0 and len(around.child_q) == 0
