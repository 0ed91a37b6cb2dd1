"""The bound form of the kernel generalized variance."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import numpy as np

from arcwise._kernels.gaussian.families import Factored
from arcwise.data.dataset import Column, Dataset, FloatArray, IntArray, Kind
from arcwise.printing import listed
from arcwise.scores.factored import PIVOT_FLOOR, FactoredScore
from arcwise.stats.features import FeatureMap, Kernel, correlations, feature_maps

FEW_ROWS = 10  # below this, ten independent normal columns get an arc or more in most tables
ROUNDING = 1e-12  # share of a trace
CROWDED = 0.1  # half of a column within this many sigma: the kernel takes their values for equal


class KernelScore:
    """N I^K - (d_child d_parents / 2) ln N from the correlations of features: no pass over the data.

    dimensions: d of each column. warnings: what about these columns makes the score doubtful, one sentence each.
    """

    def __init__(self, data: Dataset, kernel: Kernel) -> None:
        data = data.repeated()
        maps = feature_maps(data, kernel)
        self.dimensions: FloatArray = np.array([part.dimension for part in maps])
        self.warnings = _doubts(data, maps, kernel)
        matrix, starts = correlations(maps, kernel)
        n, d = data.n_columns, len(matrix)
        factored = Factored(
            correlations=matrix,
            starts=starts,
            floors=np.full(d, PIVOT_FLOOR),
            own=np.zeros(n),
            base=np.zeros(d + 1),
            power=np.full(d + 1, data.n_rows / 2),
            det_weight=0.0,
            costs=0.5 * log(max(data.n_rows, 1)) * np.outer(self.dimensions, self.dimensions),
            most_rank=d,
        )
        self._score = FactoredScore(factored)

    def local_score(self, child: int, parents: Sequence[int]) -> float:
        return self._score.local_score(child, parents)

    def local_scores(self, child: int, parent_sets: IntArray) -> FloatArray:
        """O(p^2) for each feature of a set that others do not share, and of the child."""
        return self._score.local_scores(child, parent_sets)


def _doubts(data: Dataset, maps: Sequence[FeatureMap], kernel: Kernel) -> tuple[str, ...]:
    found = []
    if data.n_rows < FEW_ROWS:
        found.append(
            f"the table has fewer than {FEW_ROWS} rows, where the kernel score finds dependences that are not there"
        )
    allowed = max(kernel.residual, ROUNDING)
    capped = [repr(c.name) for c, part in zip(data.columns, maps, strict=True) if part.lost > allowed]
    if capped:
        found.append(
            f"max_rank = {kernel.max_rank} kernel features are too few for {listed(capped)}, whose dependences are "
            "underrated; raise max_rank or sigma, or merge levels"
        )
    crowded = [repr(c.name) for c, part in zip(data.columns, maps, strict=True) if _is_crowded(c, part, kernel)]
    if crowded:
        found.append(
            f"a few far values dominate {listed(crowded)}, so that the kernel hardly tells the others apart; take the "
            "logarithm or clip"
        )
    return tuple(found)


def _is_crowded(column: Column, part: FeatureMap, kernel: Kernel) -> bool:
    """Half of the values lie close together once standardized, without being equal."""
    if column.kind is Kind.DISCRETE or not part.dimension:
        return False
    low, high = _quartiles(part.values)
    if high - low >= CROWDED * kernel.sigma:
        return False
    low, high = _quartiles(column.values)  # standardizing may have made them equal
    return bool(low < high)


def _quartiles(values: FloatArray) -> tuple[float, float]:
    quarter = len(values) // 4
    low, high = np.partition(values, (quarter, -quarter - 1))[[quarter, -quarter - 1]]
    return float(low), float(high)
