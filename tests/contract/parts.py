"""Data on which every part in the catalog must keep its promises."""

from __future__ import annotations

import numpy as np

from arcwise.data.dataset import Column, Dataset, Kind
from tests.oracle.counting import discrete_table

NAMES = ["delta", "alpha", "echo", "bravo", "foxtrot", "charlie"]


def discrete_data(n_rows=300):
    return discrete_table(np.random.default_rng(11), [3, 2, 4, 2, 3, 2], n_rows, NAMES)


def mixed_data(n_rows=300):
    """The same table with noise on half of its columns, so that they are continuous."""
    rng = np.random.default_rng(12)
    columns = [
        Column(c.name, Kind.CONTINUOUS, c.values + rng.normal(0, 0.35, n_rows)) if i % 2 else c
        for i, c in enumerate(discrete_data(n_rows).columns)
    ]
    return Dataset(tuple(columns))


def continuous_data(n_rows=300):
    """The same table with noise on every column."""
    rng = np.random.default_rng(13)
    columns = discrete_data(n_rows).columns
    return Dataset(tuple(Column(c.name, Kind.CONTINUOUS, c.values + rng.normal(0, 0.35, n_rows)) for c in columns))


def reorder_rows(data, order):
    return Dataset(tuple(Column(c.name, c.kind, c.values[order], c.levels, c.ordered) for c in data.columns))


def snapshot(data):
    return [(c.name, c.values.tobytes(), c.levels) for c in data.columns]
