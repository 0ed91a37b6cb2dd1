"""Rows of each level of each discrete column, wherever the rows are, without the counting kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arcwise.data.dataset import Column, Dataset, WeightArray
from arcwise.data.rows.elsewhere import asked
from arcwise.data.rows.matrix import let_go
from arcwise.stats.threads import map_threads

FEW_LEVELS = 16  # a look at all rows for each of so many is quicker than one that counts them ...
FEW_ROWS = 4000  # ... unless there are only so many
STRETCH = 1 << 18  # rows looked at at a time, so that nothing as long as a column is made


def rows_of_levels(data: Dataset) -> list[WeightArray]:
    """For each column, all of them discrete, how many rows have each level; weights count, missing cells do not."""
    return asked(data, _Levels()) if data.columns else []


@dataclass(frozen=True, slots=True)
class _Levels:
    def of(self, rows: Dataset, first: int) -> list[WeightArray]:
        work = map_threads if rows.n_stored > STRETCH else map
        return list(work(lambda column: _counted(column, rows.weights), rows.columns))

    def join(self, answers: Sequence[list[WeightArray]]) -> list[WeightArray]:
        return [sum(some[1:], some[0]) for some in zip(*answers, strict=True)]


def _counted(column: Column, weights: WeightArray | None) -> WeightArray:
    counts = np.zeros(column.cardinality, dtype=np.int64)
    for start in range(0, len(column.values), STRETCH):
        stretch = slice(start, start + STRETCH)
        codes, times = column.values[stretch], None if weights is None else weights[stretch]
        if column.missing is not None:
            there = ~column.missing[stretch]
            codes, times = codes[there], None if times is None else times[there]
        if times is None and column.cardinality <= FEW_LEVELS and len(codes) > FEW_ROWS:
            counts += [np.count_nonzero(codes == level) for level in range(column.cardinality)]
        else:  # sums of whole numbers far below 2^53, so exact
            counts += np.bincount(codes, times, column.cardinality).astype(np.int64)
        let_go(column.values[None, stretch])
    return counts
