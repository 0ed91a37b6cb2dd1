"""The bound form of every score that is computed from a correlation matrix."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

from arcwise._kernels.gaussian.families import Factored, family_scores, toggle_row
from arcwise.data.dataset import FloatArray, IntArray
from arcwise.printing import listed
from arcwise.stats.moments import Moments

PIVOT_FLOOR = 1e-10  # what is left over of a column that others determine: far above rounding, far below any noise
MOST_WORK = 1 << 28  # multiplications of one kernel call
DECISIVE = 0.5  # a row with more than this share of a column's variance decides its correlations alone


class FactoredScore:
    """A score that a kernel reads from a correlation matrix. `warnings`: what is doubtful about this data here."""

    def __init__(self, factored: Factored, warnings: tuple[str, ...] = ()) -> None:
        self.factored, self.warnings = factored, warnings
        self._plain = tuple(factored)
        self._widest = int(np.diff(factored.starts).max(initial=1))  # most dimensions of a column

    def local_score(self, child: int, parents: Sequence[int]) -> float:
        return float(self.local_scores(child, np.array([list(parents)], dtype=np.intp))[0])

    def toggle_row(self, child: int, parents: IntArray, may_add: NDArray[np.bool_]) -> FloatArray | None:
        """None for a family so wide that its neighbours would take one kernel call too long."""
        if len(may_add) * ((len(parents) + 1) * self._widest) ** 3 > MOST_WORK:
            return None
        row: FloatArray = toggle_row(self._plain, child, parents, np.ascontiguousarray(may_add))
        return row

    def local_scores(self, child: int, parent_sets: IntArray) -> FloatArray:
        sets = np.ascontiguousarray(parent_sets, dtype=np.intp)
        if len(sets) > 1 and len(sets) * ((sets.shape[1] + 1) * self._widest) ** 3 > MOST_WORK:
            return np.concatenate([self.local_scores(child, half) for half in np.array_split(sets, 2)])
        scores: FloatArray = family_scores(self._plain, child, sets)
        return scores


def bic_of(moments: Moments, log_arc_prior: float) -> FactoredScore:
    """ln p(child | parents) at its maximum, less (ln N / 2) for each parameter.

    -(N/2) [ln|S| + a ln(2 pi) + a] - (ln N / 2) (a + a (a + 1) / 2 + a b), S the covariance of the child's a dimensions
    given the parents' b: there are a means, a (a + 1) / 2 covariances and a b coefficients.
    """
    n_rows, sizes = moments.n_rows, moments.sizes
    half_log_rows = 0.5 * log(max(n_rows, 1))
    log_sds = np.add.reduceat(np.append(moments.log_sds, 0.0), moments.starts[:-1]) * (sizes > 0)
    own = -n_rows * (log_sds + sizes * 0.5 * (1.0 + log(2 * np.pi))) - half_log_rows * sizes * (sizes + 3) / 2
    d, at_least_one = len(moments.log_sds), np.maximum(sizes, 1)
    factored = Factored(
        correlations=moments.correlations,
        starts=moments.starts,
        floors=np.full(d, PIVOT_FLOOR),
        own=own,
        base=np.zeros(d + 1),
        power=np.full(d + 1, n_rows / 2),
        det_weight=0.0,
        # An arc at a constant column costs a parameter, whatever arcs are worth, so that it never pays.
        costs=half_log_rows * np.outer(at_least_one, at_least_one) - log_arc_prior * np.outer(sizes > 0, sizes > 0),
        most_rank=n_rows - 1,
    )
    return FactoredScore(factored, notes_on(moments))


def notes_on(moments: Moments) -> tuple[str, ...]:
    """What makes linear relations doubtful here."""
    sizes, notes = moments.sizes, []
    extreme = [
        name
        for name, first, size in zip(moments.names, moments.starts[:-1], sizes, strict=True)
        if size == 1 and moments.n_rows >= 20 and moments.top_shares[first] > DECISIVE
    ]
    if extreme:
        notes.append(
            f"{listed(extreme)}: one row has most of the variance, so that a linear relation rests on it; "
            "take logarithms or ranks, or use a method that discretizes"
        )
    if moments.n_rows <= sizes.sum():
        notes.append(
            f"{moments.n_rows} rows for {sizes.sum()} dimensions: a family with many parents fits by chance; "
            "limit max_parents"
        )
    return tuple(notes)
