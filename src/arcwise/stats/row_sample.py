"""Some rows of a long table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arcwise.data.dataset import Dataset, IntArray, WeightArray
from arcwise.errors import DataError

STRETCH = 1 << 20  # rows whose weights are added up at a time


def sample_of(data: Dataset, rows: int, rng: np.random.Generator) -> Dataset:
    """So many rows of a table, without replacement, in their order and in memory. A row of weight 3 is three rows."""
    chosen = np.sort(rng.choice(data.n_rows, rows, replace=False, shuffle=False))
    if data.n_rows == data.n_stored:
        return data.take(chosen)
    if data.weights is None:  # they are elsewhere, as the rows are
        raise DataError("rows with weights that are on a cluster cannot be sampled; learn from them on one machine")
    stored, times = np.unique(_owners(data.weights, chosen), return_counts=True)
    return replace(replace(data, weights=None).take(stored), weights=times.astype(np.int64))


def _owners(weights: WeightArray, rows: IntArray) -> IntArray:
    """The stored rows that have these rows, which ascend: each stands for as many as its weight says."""
    owners, before = np.empty(len(rows), dtype=np.intp), 0
    for start in range(0, len(weights), STRETCH):
        upto = before + np.cumsum(weights[start : start + STRETCH])
        first, last = np.searchsorted(rows, [before, upto[-1]])
        owners[first:last] = start + np.searchsorted(upto, rows[first:last], side="right")
        before = int(upto[-1])
    return owners
