"""What is said about a table beside the network: of a long one the same as of a short one, in little memory."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest

from arcwise.data import dataset
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.data.rows.store import open_store, write_store
from arcwise.graph.dag import Dag
from arcwise.results.columns import MANY_VALUES, DataSummary
from arcwise.stats import ordered
from arcwise.stats.determined import determined
from arcwise.stats.levels import rows_of_levels
from arcwise.stats.missingness import missing_with, missingness_doubts
from arcwise.stats.on_all_rows import following
from arcwise.stats.relations import relations


def numbers(name, values, missing=None):
    return Column(name, Kind.CONTINUOUS, np.asarray(values, dtype=np.float64), missing=missing)


def levels(name, codes, n, missing=None):
    labels = tuple(f"{name}{k}" for k in range(n))
    return Column(name, Kind.DISCRETE, np.asarray(codes, dtype=np.uint8), labels, missing=missing)


def clinic(n=6000, seed=3):
    """Columns that follow from others, sums and products among them."""
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 3, n), rng.integers(0, 4, n)
    x, y, u, v = rng.normal(size=n), 5 + rng.random(n), 1 + rng.random(n), 2 + rng.random(n)
    return Dataset(
        (
            levels("a", a, 3),
            levels("b", b, 4),
            levels("both", (a + b) % 3, 3),
            levels("free", rng.integers(0, 3, n), 3),
            numbers("dose", np.round(10.0 * a + b, 1)),
            numbers("product", 3 * u * v),
            numbers("sum", 2 * x - y + 4),
            numbers("u", u),
            numbers("v", v),
            numbers("x", x),
            numbers("y", y),
        )
    )


def with_gaps(data, share=0.1):
    """Cells that go missing; those of `x` depend on `a`."""
    rng = np.random.default_rng(8)
    columns = []
    for column in data.columns:
        odds = np.where(data.column("a").values == 1, 0.6, 0.1) if column.name == "x" else share
        columns.append(replace(column, missing=rng.random(data.n_stored) < odds))
    return replace(data, columns=tuple(columns))


@pytest.fixture
def long(monkeypatch):
    """From here on, tables of some thousand rows are long ones."""

    def begin():
        monkeypatch.setattr(dataset, "MANY_ROWS", 1000)

    return begin


TABLES = {
    "complete": clinic(),
    "with gaps": with_gaps(clinic()),
    "with weights": clinic().weighted(np.random.default_rng(1).integers(1, 5, 6000)),
    "with both": with_gaps(clinic()).weighted(np.random.default_rng(1).integers(1, 5, 6000)),
}


@pytest.mark.parametrize("name", TABLES)
def test_summaries_are_the_same(name, long):
    data = TABLES[name]
    short = DataSummary.of(data)
    long()
    assert DataSummary.of(data) == short


def test_many_different_values_are_counted_so_far(long):
    data = Dataset((numbers("x", np.random.default_rng(1).random(MANY_VALUES + 500)),))
    assert DataSummary.of(data).columns[0].n_distinct == MANY_VALUES + 500
    long()
    assert DataSummary.of(data).columns[0].n_distinct == MANY_VALUES


@pytest.mark.parametrize("name", TABLES)
def test_relations_and_determined_columns_are_the_same(name, long):
    data = TABLES[name]
    graph = Dag(data.names, [("a", "both"), ("b", "both"), ("a", "dose"), ("b", "dose"), ("free", "a")])
    short = determined(data, graph.cpdag(), graph), relations(data)
    assert [sentence.split("'")[1] for sentence in short[0]] == ["both", "dose"]
    assert [sentence.split("'")[1] for sentence in short[1].values()] == ["y", "v"]
    long()
    assert (determined(data, graph.cpdag(), graph), relations(data)) == short


def test_one_row_that_differs_is_found_among_all(long):
    """Some rows do not show it."""
    data = clinic(40_000)
    graph = Dag(data.names, [("a", "both"), ("b", "both")])
    codes, sums = data.column("both").values.copy(), data.column("sum").values.copy()
    codes[7] = (codes[7] + 1) % 3
    sums[7] += 50.0
    spoilt = {"both": replace(data.column("both"), values=codes), "sum": replace(data.column("sum"), values=sums)}
    other = replace(data, columns=tuple(spoilt.get(column.name, column) for column in data.columns))
    long()
    assert len(determined(data, graph.cpdag(), graph)) == 1
    assert determined(other, graph.cpdag(), graph) == []
    assert len(relations(other)) == len(relations(data)) - 1


def test_copies_are_not_said_to_follow(long):
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 3, 5000)
    data = Dataset((levels("a", codes, 3), levels("b", (codes + 1) % 3, 3)))
    graph = Dag(("a", "b"), [("a", "b")])
    assert determined(data, graph.cpdag(), graph) == []
    long()
    assert determined(data, graph.cpdag(), graph) == []


def test_too_many_states_are_not_kept_apart():
    wide = [levels(f"c{k}", np.zeros(10), 200) for k in range(4)]
    assert following(Dataset(tuple(wide))) is None


def test_why_cells_are_missing(long):
    data = with_gaps(clinic(40_000))
    found = missing_with(data)
    assert found["x"][0] == "a"
    long()
    assert missing_with(data)["x"][0] == "a"
    assert "as 32,768 of the rows show" in missingness_doubts(data)[0]


def test_rows_of_levels(long):
    data = TABLES["with both"].select(["a", "b", "both"])
    whole = [np.bincount(c.recorded, minlength=c.cardinality).tolist() for c in data.repeated().columns]
    assert [counts.tolist() for counts in rows_of_levels(data)] == whole


STEPS = {
    "summary": DataSummary.of,
    "relations": relations,
    "missing cells": missing_with,
    "determined": lambda table: determined(table, GRAPH.cpdag(), GRAPH),
    "in a line": repr,
    "first rows": lambda table: table.head(),
}
GRAPH = Dag(clinic(10).names, [("a", "both"), ("b", "both"), ("a", "dose"), ("b", "dose"), ("free", "a")])


@pytest.mark.parametrize("gaps", [False, True])
def test_nothing_as_long_as_a_column_is_made(gaps, long, tmp_path, monkeypatch):
    """An array of eight bytes for each row would be as large as a column of numbers: of 100 million rows 0.8 GB."""
    sizes, peaks = (500_000, 1_000_000), {}
    long()
    monkeypatch.setattr(ordered, "GATHERED", 1 << 12)  # how many are gathered is a matter of the numbers,
    monkeypatch.setenv("ARCWISE_THREADS", "1")  # and what threads have one of their number
    for n in sizes:
        write_store(tmp_path / f"{n}.arcwise", with_gaps(clinic(n)) if gaps else clinic(n))
        mapped = open_store(tmp_path / f"{n}.arcwise")
        for name, step in STEPS.items():
            step(mapped)  # what is compiled or kept is not counted
            tracemalloc.start()
            step(mapped)
            peaks[name, n] = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
    small, large = sizes
    growth = {name: (peaks[name, large] - peaks[name, small]) / (large - small) for name in STEPS}
    assert max(growth.values()) < 4, growth  # bytes a row
