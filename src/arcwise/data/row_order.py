"""Rows sorted by what they say, not by how they came, and rows that are alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from arcwise.data.dataset import BoolArray, Dataset, IntArray


def sorted_rows(table: Dataset) -> IntArray:
    """Positions of the rows in an order that depends on their cells only."""
    keys = []
    for column in reversed(table.columns):
        keys.append(column.values)
        if column.missing is not None:
            keys.append(column.missing)
    return np.lexsort(keys) if keys else np.arange(table.n_stored)


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


def alike(marks: BoolArray) -> Iterator[IntArray]:
    """The rows of a matrix of marks, those with the same marks together."""
    if not marks.size:
        if len(marks):
            yield np.arange(len(marks))
        return
    patterns, group = np.unique(np.packbits(marks, axis=1), axis=0, return_inverse=True)
    order = np.argsort(group.ravel(), kind="stable")
    yield from np.split(order, np.cumsum(np.bincount(group.ravel(), minlength=len(patterns)))[:-1])
