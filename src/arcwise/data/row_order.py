"""An order of the rows of a table that depends on what they say, not on how they came."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arcwise.data.dataset import Dataset, IntArray


def sorted_rows(table: Dataset) -> IntArray:
    """Positions of the rows in that order."""
    keys = []
    for column in reversed(table.columns):
        keys.append(column.values)
        if column.missing is not None:
            keys.append(column.missing)
    return np.lexsort(keys)


def distinct_rows(table: Dataset) -> Dataset:
    """The different rows in that order, each once, with a weight that says how many rows it stands for."""
    order = sorted_rows(table)
    weights = np.ones(table.n_stored, dtype=np.int64) if table.weights is None else table.weights
    new = np.zeros(table.n_stored, dtype=np.bool_)
    new[:1] = True
    for column in table.columns:
        for values in (column.values[order], *(() if column.missing is None else (column.missing[order],))):
            there = values if values.dtype.kind != "f" else np.nan_to_num(values, nan=0.0)  # NaN is no other than NaN
            new[1:] |= there[1:] != there[:-1]
    starts = np.flatnonzero(new)
    counts = np.add.reduceat(weights[order], starts) if len(starts) else weights
    return replace(replace(table, weights=None).take(order[starts]), weights=counts)
