"""The likelihood of smooth regressions: each column given its parents, from the rows themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, FloatArray, IntArray, Kind
from arcwise.data.reading.door import takes_table
from arcwise.data.row_order import sorted_rows
from arcwise.errors import check_least
from arcwise.parts.protocols import BoundScore
from arcwise.scores.options import SPARSE, ArcPrior, check_arc_prior, log_arc_prior
from arcwise.scores.smooth import MOST_ROWS, few_rows, nominal
from arcwise.stats.row_sample import sample_of
from arcwise.stats.threads import map_threads, threads_here

SEED = 0  # of the sample
FEW_ROWS = 500  # below this a thread costs more than it saves


@checked
@dataclass(frozen=True, kw_only=True)
class SmoothRegression:
    """The BIC of each column's regression on its parents: curves, products of curves, and a spread that varies.

    Numbers: the normal score, bent by two parameters, is a sum of curves of the parents and of products of such curves,
    plus normal noise whose spread may depend on the parents; every part is as rich as its BIC says. Levels: multinomial
    logistic regression on curves of the parents, or a table. features, arc_prior: as for `smooth`. rows: of a longer
    table a random sample of so many is read.
    """

    kind: ClassVar[str] = "smooth-regression"
    accepts: ClassVar[frozenset[Kind]] = frozenset(Kind)
    score_equivalent: ClassVar[bool] = False
    model: ClassVar[str] = "smooth"
    reference: ClassVar[str] = "Bühlmann, Peters and Ernest 2014; Harvey 1976; Jones and Pewsey 2009"

    features: int | None = None
    arc_prior: ArcPrior = SPARSE
    rows: int = MOST_ROWS

    def __post_init__(self) -> None:
        check_least(self, features=1, rows=2)
        check_arc_prior(self)

    @takes_table
    def bind(self, data: Dataset) -> BoundScore:
        from arcwise.stats.ranks import features_for

        read = _readable(data, self.rows)
        said = (
            ()
            if read.n_rows == data.n_rows
            else (f"what the curves explain was judged by {read.n_rows:,} of {data.n_rows:,} rows",)
        )
        return SmoothRegressionScore(
            read,
            features_for(read.n_rows) if self.features is None else self.features,
            log_arc_prior(self.arc_prior, data.n_columns),
            said,
        )


def _readable(data: Dataset, rows: int) -> Dataset:
    """The rows that are read, in an order that depends on their cells only; of more stored ones a random sample."""
    if data.n_stored > rows:
        data = sample_of(data, rows, np.random.default_rng(SEED))
    elif data.elsewhere is not None:
        data = data.take(np.arange(data.n_stored))
    return data.take(sorted_rows(data))


def _cardinalities(data: Dataset) -> IntArray:
    """Levels of each column; 0 for numbers, -1 for those with a pile of equal ones."""
    from arcwise.stats.ranks import cells_of

    piled = [-1 if one.is_piled else 0 for one in cells_of(data)]
    return np.array([n or pile for n, pile in zip(data.cardinalities, piled, strict=True)], dtype=np.int64)


class SmoothRegressionScore:
    """The score with the features of all rows inside. `warnings`: what makes it doubtful here."""

    def __init__(self, data: Dataset, features: int, log_arc_prior: float, said: Sequence[str]) -> None:
        from arcwise._kernels.features.smooth_families import SmoothFamilies
        from arcwise._kernels.features.smooth_regression import steps_of
        from arcwise._kernels.features.smooth_rows import Regression
        from arcwise.stats.moments import Moments
        from arcwise.stats.ranks import feature_matrix

        moments = Moments.of(data, ranks=features)
        levels = nominal(data)
        self.warnings = (*said, *few_rows(moments))
        codes = np.zeros((data.n_columns, data.n_stored), dtype=np.int64)
        for j in np.flatnonzero(data.cardinalities):
            codes[j] = data.columns[j].values
        weights = np.ones(data.n_stored) if data.weights is None else data.weights.astype(np.float64)
        self.data = Regression(
            families=SmoothFamilies(
                correlations=moments.correlations,
                starts=np.asarray(moments.starts, dtype=np.int64),
                nominal=levels,
                n_rows=moments.n_rows,
                price=0.5 * log(max(moments.n_rows, 2)),
                arc_cost=-log_arc_prior,
                canonical=False,
            ),
            features=feature_matrix(data, features),
            codes=codes,
            cardinalities=_cardinalities(data),
            weights=weights,
            weighted=data.weights is not None,
        )
        self._steps = steps_of(self.data)

    def local_score(self, child: int, parents: Sequence[int]) -> float:
        return float(self.local_scores(child, np.array([list(parents)], dtype=np.intp))[0])

    def local_scores(self, child: int, parent_sets: IntArray) -> FloatArray:
        """Nats above no parents at all."""
        from arcwise._kernels.features.smooth_regression import regression_scores

        def ask(share: IntArray) -> FloatArray:
            return regression_scores(self.data, self._steps, child, share, np.empty(0, dtype=np.int64))

        sets = np.ascontiguousarray(parent_sets, dtype=np.intp)
        share = -(-len(sets) // threads_here())
        if len(sets) < 2 or self.data.features.shape[1] < FEW_ROWS:
            return ask(sets)
        return np.concatenate(map_threads(ask, [sets[first : first + share] for first in range(0, len(sets), share)]))
