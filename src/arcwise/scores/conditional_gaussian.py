"""The BIC of conditional Gaussian networks: a regression of its own for each configuration of the discrete parents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log
from typing import ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import BoolArray, Dataset, FloatArray, IntArray, Kind
from arcwise.data.reading.door import takes_table
from arcwise.errors import check_least
from arcwise.parts.protocols import BoundScore, Score
from arcwise.printing import listed
from arcwise.scores.gaussian import GaussianBIC
from arcwise.scores.likelihood import BIC
from arcwise.scores.options import ArcPrior, check_arc_prior, log_arc_prior

BARRED = 100.0  # nats a row for each parent: no density that a computer can tell from another gains as much


@checked
@dataclass(frozen=True, kw_only=True)
class ConditionalGaussian:
    """-1/2 sum_c N_c [ln(2 pi s2_c) + 1] - (ln N / 2) q (k + 2) of a number with k continuous parents.

    c runs over the configurations of its discrete parents that occur, of q that are possible; s2_c is the variance that
    the regression in c, with its own intercept and coefficients, leaves over. A discrete column has discrete parents
    only, and the score `bic`. Where all columns are continuous it is `gaussian-bic`. A number cannot have parents for
    which some configuration has fewer than k + 2 rows, or only one value of the number: no density is defined there.

    least_rows: configurations with fewer rows than this share one regression (with the next larger ones if they have
    fewer together). arc_prior: a factor on the network's
    prior for each arc (1: none).
    """

    kind: ClassVar[str] = "conditional-gaussian"
    accepts: ClassVar[frozenset[Kind]] = frozenset(Kind)
    score_equivalent: ClassVar[bool] = True  # among the networks that it permits
    linear: ClassVar[bool] = True
    model: ClassVar[str] = "conditional-gaussian"
    reference: ClassVar[str] = "Lauritzen and Wermuth 1989; Bøttcher 2004"

    least_rows: int = 1
    arc_prior: ArcPrior = 1.0

    def __post_init__(self) -> None:
        check_least(self, least_rows=1)
        check_arc_prior(self)

    @takes_table
    def resolve(self, data: Dataset) -> Score:
        """The score of tables with one kind of columns, where there is one."""
        if all(kind is Kind.CONTINUOUS for kind in data.kinds):
            return GaussianBIC(arc_prior=self.arc_prior)
        if all(kind is Kind.DISCRETE for kind in data.kinds):
            return BIC(arc_prior=self.arc_prior)
        return self

    @takes_table
    def permitted(self, data: Dataset) -> BoolArray:
        """[u, v]: whether u -> v has a place in a network: not from a number to levels."""
        discrete = np.array([kind is Kind.DISCRETE for kind in data.kinds], dtype=np.bool_)
        return discrete[:, None] | ~discrete[None, :]

    @takes_table
    def bind(self, data: Dataset) -> BoundScore:
        from arcwise.scores.counted import CountedScore

        chosen = self.resolve(data)
        if chosen is not self:
            bound = chosen.bind(data)
            return replace(bound, warnings=_too_many_levels(data, bound)) if isinstance(bound, CountedScore) else bound
        return ConditionalScore(data, self.least_rows, log_arc_prior(self.arc_prior, data.n_columns))


class ConditionalScore:
    """The score with the moments of all strata that were met inside. `warnings`: what makes it doubtful here."""

    def __init__(self, data: Dataset, least_rows: int, log_prior: float) -> None:
        from arcwise.scores.factored import bic_of
        from arcwise.stats.moments import Moments
        from arcwise.stats.strata import StrataMoments

        is_level = np.array([kind is Kind.DISCRETE for kind in data.kinds], dtype=np.bool_)
        names = np.array(data.names, dtype=object)
        table = data.select(names[is_level].tolist())
        self._levels = BIC().bind(table)
        self._numbers = bic_of(Moments.of(data.select(names[~is_level].tolist())), 0.0)
        self._strata = StrataMoments(data, least_rows)
        self._is_level = np.append(is_level, False)  # of -1, nobody
        self._place = np.append(np.where(is_level, np.cumsum(is_level), np.cumsum(~is_level)) - 1, -1)
        self._among_moments = np.full(len(self._is_level), -1, dtype=np.intp)
        self._among_moments[self._strata.numbers] = np.arange(len(self._strata.numbers))
        self._n_rows, self._half_log = data.n_rows, 0.5 * log(max(data.n_rows, 1))
        self._log_prior = log_prior
        constant = ~is_level & (self._among_moments[:-1] < 0)
        self._pays = np.append(~constant, False)  # an arc at a constant number costs what it does, whatever arcs gain
        self.warnings = (
            *self._numbers.warnings,
            *self._unfit(data, least_rows),
            *_too_many_levels(table, self._levels),
        )

    def local_score(self, child: int, parents: Sequence[int]) -> float:
        return float(self.local_scores(child, np.array([list(parents)], dtype=np.intp))[0])

    def local_scores(self, child: int, parent_sets: IntArray) -> FloatArray:
        """One look at the rows for each set of discrete parents that was not met before; O(q k^3) a family."""
        sets = np.ascontiguousarray(parent_sets, dtype=np.intp)
        if self._is_level[child]:
            scores, barred = self._of_level(child, sets)
        else:
            scores, barred = self._of_number(child, sets)
        if barred.any():
            alone = self.local_score(child, [])
            scores[barred] = alone - BARRED * self._n_rows * np.count_nonzero(sets[barred] >= 0, axis=1)
        if self._log_prior and self._pays[child]:
            scores += self._log_prior * np.count_nonzero(self._pays[sets], axis=1)
        return scores

    def _of_level(self, child: int, sets: IntArray) -> tuple[FloatArray, BoolArray]:
        """(scores, whether the parents are barred)."""
        barred = ((sets >= 0) & ~self._is_level[sets]).any(axis=1)
        places = np.where(barred[:, None], -1, self._place[sets])
        return self._levels.local_scores(int(self._place[child]), places), barred

    def _of_number(self, child: int, sets: IntArray) -> tuple[FloatArray, BoolArray]:
        from arcwise._kernels.gaussian.strata import StrataTable, strata_log_likelihoods
        from arcwise.scores.factored import PIVOT_FLOOR

        scores, barred = np.empty(len(sets)), np.zeros(len(sets), dtype=np.bool_)
        numbers = np.where(self._is_level[sets], -1, sets)
        n_numbers = np.count_nonzero(numbers >= 0, axis=1)
        for levels, at in _by_levels(np.where(self._is_level[sets], sets, -1)).items():
            if not levels:
                scores[at] = self._numbers.local_scores(int(self._place[child]), self._place[numbers[at]])
                continue
            own, others = int(self._among_moments[child]), self._among_moments[numbers[at]]
            wanted = np.unique(np.append(others, own))
            strata = self._strata.of(levels, wanted[wanted >= 0].tolist())
            if strata is None:
                barred[at] = True
                continue
            price = self._half_log * strata.possible * (n_numbers[at] + 2)
            if own < 0:
                scores[at] = 2 * self._half_log - price  # 0 without parents
            elif not len(strata.correlations):
                barred[at] = True
            else:
                table = StrataTable(strata.rows, strata.log_variances, strata.correlations, PIVOT_FLOOR)
                found = strata_log_likelihoods(tuple(table), *_placed(strata.places, own, others))
                barred[at] = np.isneginf(found)
                scores[at] = found - price
        return scores, barred

    def _unfit(self, data: Dataset, least_rows: int) -> tuple[str, ...]:
        """Which arcs from single columns no network can have, and why."""
        rare, flat, many = [], [], []
        for j in np.flatnonzero(self._is_level[:-1]).tolist():
            strata = self._strata.of((j,))
            if not self._strata.numbers:
                break
            if strata is None:
                many.append(data.names[j])
                continue
            if not len(strata.correlations):
                rare.append(data.names[j])
                continue
            constant = np.isneginf(strata.log_variances).any(axis=0)
            flat += [(data.names[j], data.names[self._strata.numbers[i]]) for i in np.flatnonzero(constant)]
        found = []
        if many:
            found.append(
                f"{listed(many)}: too many levels for regressions of {len(self._strata.numbers)} numbers in each of "
                f"them, so that no number can depend on it; merge levels, or leave columns out"
            )
        if rare:
            found.append(
                f"{listed(rare)}: some level has a single row, too few for a regression of its own, so that no number "
                f"can depend on it; merge rare levels, or set least_rows above {least_rows}"
            )
        if flat:
            pairs = listed([f"{number} in {level}" for level, number in flat])
            found.append(
                f"numbers with a single value in some level have no density there, so that an arc between them is not "
                f"looked for: {pairs}; use the score degenerate-gaussian, or discretize"
            )
        return tuple(found)


def _too_many_levels(levels: Dataset, bound: BoundScore) -> tuple[str, ...]:
    """Pairs of discrete columns that no relation could join: what one tells of the other costs more than all of it."""
    half_log = 0.5 * log(max(levels.n_rows, 1))
    more = np.array(levels.cardinalities, dtype=np.float64) - 1.0
    nats = np.array([-bound.local_score(j, []) for j in range(levels.n_columns)]) - half_log * more
    price, gain = half_log * np.multiply.outer(more, more), np.minimum.outer(nats, nats)
    pairs = np.argwhere(np.triu((gain > 0.0) & (price > gain), 1)).tolist()
    if not pairs:
        return ()
    names = [f"{levels.names[u]!r} and {levels.names[v]!r}" for u, v in pairs]
    return (
        f"the levels of {listed(names)} are too many for {levels.n_rows:,} rows: BIC never pays for an edge between "
        "them; merge levels, or use a score such as bdeu",
    )


def _placed(places: IntArray, own: int, others: IntArray) -> tuple[int, IntArray]:
    """The child and its parents, -1 where there is none, by their places among the moments."""
    return int(places[own]), np.where(others >= 0, places[others], -1)


def _by_levels(sets: IntArray) -> dict[tuple[int, ...], IntArray]:
    """Rows of `sets` by the columns, ascending, that stand in them beside -1."""
    found: dict[tuple[int, ...], list[int]] = {}
    for row, members in enumerate(np.sort(sets, axis=1).tolist()):
        found.setdefault(tuple(u for u in members if u >= 0), []).append(row)
    return {levels: np.array(rows, dtype=np.intp) for levels, rows in found.items()}
