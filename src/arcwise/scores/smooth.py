"""Relations of any smooth shape, scored in closed form from one matrix of correlations of features of ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import BoolArray, Dataset, FloatArray, IntArray, Kind
from arcwise.data.reading.door import takes_table
from arcwise.errors import check_least
from arcwise.parts.protocols import BoundScore
from arcwise.scores.options import SPARSE, ArcPrior, check_arc_prior, log_arc_prior
from arcwise.stats.threads import map_threads, threads_here

if TYPE_CHECKING:
    from arcwise.stats.moments import Moments

NONE = np.empty(0, dtype=np.intp)
WORTH_SHARING = 12  # families: another thread costs as much as two or three
MOST_ROWS = 1 << 14  # what more bring is in docs/methods/smooth.md
Form = Literal["additive", "canonical"]


@checked
@dataclass(frozen=True, kw_only=True)
class Smooth:
    """The BIC of smooth relations between columns, from features of their ranks.

    A column with an order has its normal score and Legendre polynomials of its ranks as features, levels without one
    their contrasts. additive: -N/2 ln s2 - (ln N / 2) b, s2 the variance of the child's normal score that b features of
    the parents leave over, each parent with as many as pay; the likelihood of additive curves with normal noise of one
    spread. canonical: -N/2 sum_i ln(1 - rho_i^2) - (ln N / 2) r (a + b - r), the r leading canonical correlations
    between the a features of the child and the b features of the parents: a reduced-rank regression of the features,
    which also sees spreads that vary and relations that are no function, but counts a strong linear relation more than
    once.

    form: additive or canonical. features: of a column, at most (none: 3 below 400 rows, 5 from 800, 8 from 4000).
    arc_prior: a factor on the network's prior for each arc (1: none). rows: N is at most this: of long tables, what few
    features leave out of a relation would count as evidence for further edges; correlations are those of all rows.
    """

    kind: ClassVar[str] = "smooth"
    accepts: ClassVar[frozenset[Kind]] = frozenset(Kind)
    score_equivalent: ClassVar[bool] = False
    model: ClassVar[str] = "smooth"
    reference: ClassVar[str] = "Harris and Drton 2013; Izenman 1975"

    form: Form = "canonical"
    features: int | None = None
    arc_prior: ArcPrior = SPARSE
    rows: int = MOST_ROWS

    def __post_init__(self) -> None:
        check_least(self, features=1, rows=2)
        check_arc_prior(self)

    @takes_table
    def bind(self, data: Dataset) -> BoundScore:
        from arcwise.stats.moments import Moments
        from arcwise.stats.ranks import features_for

        return SmoothScore(
            Moments.of(data, ranks=features_for(data.n_rows) if self.features is None else self.features),
            nominal=nominal(data),
            canonical=self.form == "canonical",
            log_arc_prior=log_arc_prior(self.arc_prior, data.n_columns),
            rows=self.rows,
        )


def nominal(data: Dataset) -> BoolArray:
    """Which columns have levels without an order."""
    from arcwise.stats.ranks import is_ordered

    return np.array([not is_ordered(column) for column in data.columns], dtype=np.bool_)


class SmoothScore:
    """The score with the correlations of the features inside. `warnings`: what makes it doubtful here."""

    def __init__(
        self, moments: Moments, *, nominal: BoolArray, canonical: bool, log_arc_prior: float, rows: int
    ) -> None:
        n_rows = min(moments.n_rows, rows)
        self.warnings = few_rows(moments)
        self._families = (
            _orthonormal(moments) if canonical else moments.correlations,
            np.asarray(moments.starts, dtype=np.int64),
            nominal,
            n_rows,
            0.5 * log(max(n_rows, 2)),
            -log_arc_prior,
            canonical,
        )

    def local_score(self, child: int, parents: Sequence[int]) -> float:
        return float(self.local_scores(child, np.array([list(parents)], dtype=np.intp))[0])

    def local_scores(self, child: int, parent_sets: IntArray) -> FloatArray:
        """Nats above no parents at all."""
        from arcwise._kernels.features.smooth_families import smooth_scores

        sets = np.ascontiguousarray(parent_sets, dtype=np.intp)
        common = _in_all(sets) if self._families[-1] else NONE
        if len(sets) < WORTH_SHARING or threads_here() == 1:
            return smooth_scores(self._families, child, common, sets)
        share = -(-len(sets) // threads_here())
        shares = [sets[first : first + share] for first in range(0, len(sets), share)]
        return np.concatenate(map_threads(lambda some: smooth_scores(self._families, child, common, some), shares))


def _in_all(sets: IntArray) -> IntArray:
    """The columns that are in every one of several sets, ascending."""
    if len(sets) < 3:
        return NONE
    found = np.bincount(sets[sets >= 0])
    return np.flatnonzero(found == len(sets))


def _orthonormal(moments: Moments) -> FloatArray:
    """The correlations with the features of each column orthonormal to the last bit: in `moments` they are rounded."""
    correlations = moments.correlations.copy()
    for first, last in pairwise(moments.starts.tolist()):
        if last - first > 1:
            own = slice(first, last)
            inverse = np.linalg.inv(np.linalg.cholesky(correlations[own, own]))
            correlations[own] = inverse @ correlations[own]
            correlations[:, own] = correlations[:, own] @ inverse.T
            correlations[own, own] = np.eye(last - first)
    return correlations


def few_rows(moments: Moments) -> tuple[str, ...]:
    """What to say of a table with hardly more rows than features."""
    if moments.n_rows > moments.sizes.max(initial=0) * 4:
        return ()
    return (
        f"{moments.n_rows} rows for up to {moments.sizes.max(initial=0)} features of a column: hardly any relation can "
        "show; choose fewer features",
    )
