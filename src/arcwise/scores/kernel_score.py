"""The bound form of the kernel generalized variance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arcwise._kernels.features.kernel_families import family_scores
from arcwise.data.dataset import Column, Dataset, FloatArray, IntArray, Kind
from arcwise.data.wording import listed
from arcwise.stats.features import FeatureMap, Kernel, correlations, feature_maps

FEW_ROWS = 10  # below this, ten independent normal columns get an arc or more in most tables
ROUNDING = 1e-12  # share of a trace
CROWDED = 0.1  # half of a column within this many sigma: the kernel takes their values for equal


class KernelScore:
    """N I^K - (d_child d_parents / 2) ln N from the correlations of features: no pass over the data.

    dimensions: d of each column. warnings: what about these columns makes the score doubtful, one sentence each.
    """

    def __init__(self, data: Dataset, kernel: Kernel) -> None:
        maps = feature_maps(data, kernel)
        self.dimensions: FloatArray = np.array([part.dimension for part in maps])
        self.warnings = _doubts(data, maps, kernel)
        self._n_rows = data.n_rows
        self._correlations, self._starts = correlations(maps, kernel)

    def local_score(self, child: int, parents: Sequence[int]) -> float:
        return float(self.local_scores(child, np.array([list(parents)], dtype=np.intp))[0])

    def local_scores(self, child: int, parent_sets: IntArray) -> FloatArray:
        """O(p^3) for a set with p features, less what it shares with the set before it."""
        scores: FloatArray = family_scores(
            self._correlations, self._starts, self.dimensions, float(self._n_rows), child, parent_sets
        )
        return scores


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
