"""Some columns of a wide table: enough to judge methods by."""

from __future__ import annotations

import numpy as np

from arcwise.data.dataset import Column, FloatArray, IntArray
from arcwise.judging.folds import Folds
from arcwise.networks.streams import stream

LOOKED_AT = 2000  # columns at most: their correlations take room
SAMPLE = 1000  # rows that tell how related two columns are
DIGITS = 6  # of a correlation: what is equal but for rounding goes by name


def most_related(folds: Folds, most: int, seed: int) -> tuple[str, ...]:
    """The names of the columns in the strongest pairs, by rank correlation, `most` of them or all.

    Columns without relations would tell methods apart by the shapes of their values alone.
    """
    table = folds.table
    if table.n_columns <= most:
        return table.names
    columns = np.sort(stream(seed, "columns").permutation(table.n_columns)[:LOOKED_AT])
    rows = folds.owner[folds.sample(SAMPLE)]
    ranks = np.array([_ranks(table.columns[i], rows) for i in columns])
    strength = np.abs(np.triu(ranks @ ranks.T, 1)).round(DIGITS)
    chosen: dict[int, None] = {}  # in the order of their pairs
    for pair in np.argsort(-strength, axis=None, kind="stable"):
        for i in np.unravel_index(pair, strength.shape):
            if len(chosen) < most:
                chosen.setdefault(int(columns[i]))
        if len(chosen) == most:
            break
    return tuple(table.names[i] for i in sorted(chosen))


def _ranks(column: Column, rows: IntArray) -> FloatArray:
    """The ranks of the values in these rows, centred and of length 1; missing cells have the middle rank."""
    from scipy.stats import rankdata

    values = column.values[rows].astype(np.float64)
    here = np.ones(len(rows), dtype=np.bool_) if column.missing is None else ~column.missing[rows]
    found = np.zeros(len(rows))
    if here.any():
        found[here] = rankdata(values[here])
        found[here] -= found[here].mean()
    length = np.linalg.norm(found)
    return found / length if length > 0.0 else found
