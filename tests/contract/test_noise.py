"""What the default method makes of columns that have nothing to do with each other."""

from __future__ import annotations

import numpy as np

import arcwise
from benchmarks.noise import BANDS, noise_tables


def test_the_default_finds_less_than_one_edge_for_ten_columns_of_noise():
    found = []
    for table in noise_tables():
        levels = [name for name, values in table.columns.items() if values.dtype.kind == "U"]
        result = arcwise.learn(table.columns, discrete=levels)
        found.append((table.n_rows, 10 * result.cpdag.n_edges / len(table.columns)))
    for low, high in BANDS:
        assert np.mean([share for rows, share in found if low <= rows <= high]) < 1
    assert np.mean([share for _, share in found]) < 0.3


def test_it_still_finds_a_relation_in_few_rows():
    rng = np.random.default_rng(2)
    missed = 0
    for _ in range(20):
        columns = rng.normal(size=(6, 60))
        columns[1] = 0.9 * columns[0] + 0.4 * columns[1]
        result = arcwise.learn({f"c{i}": column for i, column in enumerate(columns)})
        missed += not result.cpdag.adjacent("c0", "c1")
    assert missed <= 2
