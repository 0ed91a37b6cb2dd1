"""Tables are read in forked processes, too, where polars has lost its threads."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import arcwise
from arcwise.data.reading import forked
from arcwise.data.reading.door import as_dataset, read_alike
from arcwise.errors import DataError
from tests.contract.forked import in_fork

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

RNG = np.random.default_rng(3)
NUMBERS = {"a": RNG.normal(size=90), "b": RNG.integers(0, 3, 90)}
COLUMNS = {**NUMBERS, "c": RNG.choice(["left", "right", "1,5"], 90)}


@pytest.fixture(autouse=True)
def threads_of_polars():
    """They run in this process, and so cannot in those that are forked from it."""
    pl.DataFrame(COLUMNS).group_by("c").agg(pl.col("a").mean())


def same(one: arcwise.Dataset, other: arcwise.Dataset) -> bool:
    columns = zip(one.columns, other.columns, strict=True)
    alike = all(
        (a.name, a.kind, a.levels, a.values.tobytes()) == (b.name, b.kind, b.levels, b.values.tobytes())
        for a, b in columns
    )
    return alike and (one.decisions, one.warnings) == (other.decisions, other.warnings)


def in_pieces() -> pl.DataFrame:
    table = pl.DataFrame(COLUMNS).with_columns(pl.col("c").cast(pl.Categorical).alias("d"))
    return pl.concat([table[:40], table[40:]], rechunk=False)


TABLES = {
    "dict": lambda: {name: list(values) for name, values in COLUMNS.items()},
    "pandas": lambda: pd.DataFrame(COLUMNS).astype({"b": "category"}),
    "polars": in_pieces,
    "pyarrow": lambda: pa.table(COLUMNS),
}


@pytest.mark.parametrize("kind", TABLES)
def test_tables_in_memory(kind):
    table = TABLES[kind]()
    options = {"discrete": {"b": 1}.keys(), "na": ["1,5"], "missing": "drop"}
    there = in_fork(lambda: as_dataset(table, **options))
    assert there.n_rows < 90
    assert same(there, as_dataset(table, **options))


@pytest.mark.parametrize("kind", TABLES)
def test_missing_cells_come_through(kind):
    table = TABLES[kind]()
    there, here = in_fork(lambda: as_dataset(table, na=["1,5"])), as_dataset(table, na=["1,5"])
    assert same(there, here)
    assert there.missing_counts() == here.missing_counts() != {}
    for a, b in zip(there.columns, here.columns, strict=True):
        np.testing.assert_array_equal(a.missing, b.missing)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_files(suffix, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = Path(f"table.{suffix}")
    getattr(pl.DataFrame(COLUMNS), f"write_{suffix}")(path)
    assert same(in_fork(lambda: arcwise.read(path)), arcwise.read(path))


def test_tables_of_which_the_levels_are_known():
    known = {"a": (), "c": ("1,5", "left", "right")}
    assert same(in_fork(lambda: read_alike(COLUMNS, known)), read_alike(COLUMNS, known))


def test_a_dataset_that_is_read_anew():
    data = as_dataset(COLUMNS)
    assert same(
        in_fork(lambda: as_dataset(data, na=["left"], missing="drop")), as_dataset(data, na=["left"], missing="drop")
    )


def test_a_path_may_be_given_by_name(tmp_path):
    (tmp_path / "table.csv").write_text("a,b\n" + "1.5,x\n2.5,y\n" * 9, encoding="utf-8")
    assert in_fork(lambda: arcwise.read(path=tmp_path / "table.csv")).n_rows == 18


def test_what_is_no_table_is_told_as_ever():
    with pytest.raises(DataError, match="cannot read a table from a Series"):
        in_fork(lambda: as_dataset(pd.Series([1.0, 2.0])))


def test_errors_are_the_same():
    with pytest.raises(DataError, match=r"^unknown column 'aa'; did you mean 'a'"):
        in_fork(lambda: as_dataset(COLUMNS, discrete=["aa"]))


@pytest.mark.parametrize(
    "table", [NUMBERS, pd.DataFrame(NUMBERS), np.column_stack(list(NUMBERS.values()))], ids=["dict", "pandas", "array"]
)
def test_numbers_need_no_other_process(table, monkeypatch):
    monkeypatch.setattr(forked.subprocess, "run", None)
    assert same(in_fork(lambda: as_dataset(table)), as_dataset(table))


class Own(list):
    """Of this program, which another process cannot know."""

    def __reduce__(self):
        return eval, ("Own",)


@pytest.mark.parametrize("table", [pl.LazyFrame(COLUMNS), {**NUMBERS, "c": Own(COLUMNS["c"])}], ids=["lazy", "class"])
def test_what_cannot_be_handed_over_is_one_sentence(table):
    with pytest.raises(DataError, match=r"cannot be read in a forked process .* 'spawn' or 'forkserver'$"):
        in_fork(lambda: as_dataset(table))


def test_a_process_that_cannot_start_another_one_says_so(monkeypatch):
    monkeypatch.setattr(forked.sys, "executable", "/dev/null")
    with pytest.raises(DataError, match=r"could not start another one .* 'spawn' or 'forkserver'$"):
        in_fork(lambda: as_dataset(COLUMNS))


LATE = """
import multiprocessing, sys
import polars as pl

table = pl.DataFrame({"a": [i % 3 / 2 for i in range(60)], "c": ["xyz"[i % 3] for i in range(60)]})

def late(_):
    import arcwise
    return arcwise.Dataset.from_frame(table).names

if __name__ == "__main__":
    if "early" in sys.argv:
        import arcwise
    table.group_by("c").agg(pl.col("a").mean())
    with multiprocessing.get_context("fork").Pool(1) as pool:
        print(pool.map(late, [0])[0])
"""


@pytest.mark.parametrize("when", ["early", "late"])
def test_forks_before_any_table_was_read_are_noted(when, tmp_path):
    """The program used polars for itself; arcwise is imported before the fork, or not."""
    program = tmp_path / "program.py"
    program.write_text(LATE, encoding="utf-8")
    run = subprocess.run([sys.executable, str(program), when], capture_output=True, text=True, timeout=60, check=True)
    assert run.stdout == "('a', 'c')\n"
