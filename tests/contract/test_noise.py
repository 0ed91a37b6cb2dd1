"""What steck and the default method make of columns that have nothing to do with each other."""

from __future__ import annotations

import numpy as np
import pytest

import arcwise
from arcwise.catalog import DEFAULT_METHOD
from benchmarks.noise import BANDS, noise_tables


@pytest.mark.parametrize(("method", "tables"), [("steck", 100), (DEFAULT_METHOD, 16)])
def test_less_than_one_edge_for_ten_columns_of_noise(method, tables):
    found = []
    for table in noise_tables(tables):
        levels = [name for name, values in table.columns.items() if values.dtype.kind == "U"]
        result = arcwise.learn(table.columns, method, discrete=levels)
        found.append((table.n_rows, 10 * result.cpdag.n_edges / len(table.columns)))
    for low, high in BANDS:
        assert np.mean([share for rows, share in found if low <= rows <= high]) < 1
    assert np.mean([share for _, share in found]) < 0.3


@pytest.mark.parametrize(("method", "tables"), [("steck", 20), (DEFAULT_METHOD, 6)])
def test_they_still_find_a_relation_in_few_rows(method, tables):
    rng = np.random.default_rng(2)
    missed = 0
    for _ in range(tables):
        columns = rng.normal(size=(6, 60))
        columns[1] = 0.9 * columns[0] + 0.4 * columns[1]
        result = arcwise.learn({f"c{i}": column for i, column in enumerate(columns)}, method)
        missed += not result.cpdag.adjacent("c0", "c1")
    assert missed <= tables // 10
