"""Every preset gives the same network by names for any order of rows and columns and on any number of threads."""

from __future__ import annotations

import numpy as np
import pytest

import arcwise
from arcwise import catalog
from arcwise.data.dataset import Column, Dataset, Kind
from tests.contract.parts import NAMES, continuous_data, discrete_data, mixed_data, reorder_rows


def alike_data():
    """Columns that all depend on each other equally: whatever is done to one of them gains as much as for another."""
    hidden = np.arange(200) % 2
    columns = [np.where(np.arange(200) // 14 == k, 1 - hidden, hidden).astype(np.uint8) for k in range(5)]
    return Dataset(tuple(Column(n, Kind.DISCRETE, c, ("no", "yes")) for n, c in zip(NAMES, columns, strict=False)))


def rounded_data():
    """Many equal numbers in each column."""
    columns = continuous_data(200).columns
    return Dataset(tuple(Column(c.name, c.kind, np.round(c.values, 1)) for c in columns))


TABLES = {
    "mixed": mixed_data(200),
    "discrete": discrete_data(200),
    "continuous": continuous_data(200),
    "alike": alike_data(),
    "rounded": rounded_data(),
}


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("method", sorted(catalog.METHODS))
def test_orders_and_threads(method, kind, monkeypatch):
    data, rng = TABLES[kind], np.random.default_rng(21)
    found = []
    for threads in (1, 2, 3):
        monkeypatch.setenv("ARCWISE_THREADS", str(threads))
        result = arcwise.learn(data, method)
        found.append((result.graph, result.cpdag, result.discretization, result.status))
        data = reorder_rows(data.select(list(rng.permutation(data.names))), rng.permutation(data.n_rows))
    assert found[0] == found[1] == found[2]
