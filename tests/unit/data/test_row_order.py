"""Rows in an order of their own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.data.row_order import alike, distinct_rows, sorted_rows


def table(seed=0, n=60):
    rng = np.random.default_rng(seed)
    levels = Column("a", Kind.DISCRETE, rng.integers(0, 2, n).astype(np.uint8), ("x", "y"), missing=rng.random(n) < 0.3)
    number = Column("b", Kind.CONTINUOUS, rng.integers(0, 3, n).astype(float), missing=rng.random(n) < 0.3)
    return Dataset((levels, number))


def rows_of(data):
    """Each row as text."""
    cells = []
    for column in data.columns:
        gone = np.zeros(data.n_stored, bool) if column.missing is None else column.missing
        cells.append(["?" if miss else str(value) for value, miss in zip(column.values, gone, strict=True)])
    return [" ".join(row) for row in zip(*cells, strict=True)]


def test_any_order_gives_the_same_rows():
    data = table()
    turned = data.take(np.random.default_rng(1).permutation(60))
    assert rows_of(data.take(sorted_rows(data))) == rows_of(turned.take(sorted_rows(turned)))


def test_distinct_rows_count_what_they_stand_for():
    for data in (table(), table().weighted(np.arange(60) % 4), replace(table(), columns=table().columns[:1])):
        found = distinct_rows(data)
        names = rows_of(found)
        assert len(set(names)) == len(names)
        assert sorted(rows_of(found.repeated())) == sorted(rows_of(data.repeated()))
        again = distinct_rows(data.repeated().take(np.random.default_rng(2).permutation(data.n_rows)))
        assert rows_of(again) == names
        np.testing.assert_array_equal(again.weights, found.weights)
    assert distinct_rows(table().take([])).n_stored == 0


def test_rows_alike():
    marks = np.random.default_rng(0).random((40, 11)) < 0.1
    groups = list(alike(marks))
    assert sorted(np.concatenate(groups).tolist()) == list(range(40))
    assert len(groups) == len(np.unique(marks, axis=0))
    for rows in groups:
        assert (marks[rows] == marks[rows[0]]).all()
    assert [rows.tolist() for rows in alike(np.zeros((3, 0), dtype=bool))] == [[0, 1, 2]]
    assert list(alike(np.zeros((0, 4), dtype=bool))) == []
