"""The same table with missing cells, from every kind of source: the same values, levels and masks."""

import math
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from arcwise.data.dataset import Dataset
from arcwise.data.reading.door import as_dataset

Table = dict[str, list[Any]]


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Fractions, whole numbers, words and true/false, with any cells missing, but not all of a column."""
    n = draw(st.integers(2, 30))
    cells: dict[str, st.SearchStrategy[Any]] = {
        "number": st.floats(-1e6, 1e6).map(lambda x: round(x, 3) + 0.0005),
        "whole": st.integers(-3, 3),
        "word": st.sampled_from(["red", "green", "blue green", "b,c"]),
        "truth": st.booleans(),
    }
    table = {name: draw(st.lists(st.none() | one, min_size=n, max_size=n)) for name, one in cells.items()}
    table = {name: column for name, column in table.items() if draw(st.booleans())}
    assume(table and all(any(cell is not None for cell in column) for column in table.values()))
    return {**table, "key": [i % 2 for i in range(n)]}  # the last line of a file with one column may not be empty


def masked(column: list[Any]) -> np.ma.MaskedArray[Any, Any]:
    some = next(cell for cell in column if cell is not None)
    filled = [some if cell is None else cell for cell in column]
    return np.ma.array(filled, mask=[cell is None for cell in column])


def sources(table: Table, folder: Path) -> dict[str, Any]:
    polars = pl.DataFrame({name: pl.Series(column) for name, column in table.items()})
    arrow = pa.table({name: pa.array(column) for name, column in table.items()})
    nan = {name: [math.nan if cell is None else cell for cell in column] for name, column in table.items()}
    polars.write_csv(folder / "t.csv")
    polars.write_csv(folder / "na.tsv", separator="\t", null_value="NA")
    polars.write_parquet(folder / "t.parquet")
    polars.write_ipc(folder / "t.arrow")
    pa.parquet.write_table(arrow, folder / "u.parquet")
    pa.feather.write_feather(arrow, folder / "t.feather")
    coded = {
        name: column.dictionary_encode() if pa.types.is_string(column.type) else column
        for name, column in zip(arrow.column_names, arrow.columns, strict=True)
    }
    return {
        "polars": polars,
        "polars nan": polars.with_columns(pl.col(pl.Float64).fill_null(math.nan)),
        "arrow": arrow,
        "arrow in chunks": pa.concat_tables([arrow.slice(0, 1), arrow.slice(1)]),
        "arrow dictionaries": pa.table(coded),
        "pandas": pd.DataFrame(table),
        "pandas object": pd.DataFrame(table, dtype=object),
        "pandas nan": pd.DataFrame(nan, dtype=object),
        "pandas nullable": pd.DataFrame(table).convert_dtypes(),
        "pandas arrow": arrow.to_pandas(types_mapper=pd.ArrowDtype),
        "dict": table,
        "dict nan": nan,
        "masked": {name: masked(column) for name, column in table.items()},
        **{file: folder / file for file in ("t.csv", "na.tsv", "t.parquet", "u.parquet", "t.arrow", "t.feather")},
    }


def described(data: Dataset) -> list[tuple[Any, ...]]:
    return [
        (
            column.name,
            column.kind,
            column.levels,
            None if column.missing is None else column.missing.tolist(),
            np.nan_to_num(column.values, nan=-7e7).tolist(),
        )
        for column in data.columns
    ]


@settings(deadline=None, max_examples=60 if os.environ.get("CI") else 40)
@given(tables())
@example({"number": [0.5, None, 1.5], "word": [None, "red", None], "truth": [True, None, False], "key": [0, 1, 1]})
def test_all_sources_agree(table: Table) -> None:
    discrete = [name for name in ("word", "truth", "whole") if name in table]
    with tempfile.TemporaryDirectory() as folder:
        found = {name: as_dataset(one, discrete=discrete) for name, one in sources(table, Path(folder)).items()}
    want = described(found["dict"])
    for column, (_, _, levels, missing, values) in zip(table.values(), want, strict=True):
        gone = [cell is None for cell in column]
        assert missing == (gone if any(gone) else None)
        if not levels:
            assert [v for v, none in zip(values, gone, strict=True) if not none] == [c for c in column if c is not None]
        else:
            assert all(value == 0 for value, none in zip(values, gone, strict=True) if none)
    for name, data in found.items():
        assert described(data) == want, name
        for again in (data.to_polars(), data.to_pandas(), data.to_arrow()):
            assert described(as_dataset(again)) == described(data), name
