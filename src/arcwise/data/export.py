"""A Dataset as a table of another library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from arcwise.data.dataset import Dataset
from arcwise.errors import DataError
from arcwise.machine import thread_count

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa


def to_polars(data: Dataset) -> pl.DataFrame:
    """Levels become an Enum, which keeps those that no row has; polars calls every Enum ordered."""
    thread_count("POLARS_MAX_THREADS")
    import polars as pl

    series = []
    for column in data.columns:
        if column.levels:
            labels = pl.Series(column.name, column.levels, dtype=pl.Enum(column.levels))
            series.append(labels.gather(column.values.astype(np.uint32)))
        else:
            series.append(pl.Series(column.name, column.values))
    return pl.DataFrame(series)


def to_pandas(data: Dataset) -> pd.DataFrame:
    """Levels become categories."""
    library = _library("pandas")
    columns = {
        c.name: library.Categorical.from_codes(c.values.astype(np.intp), list(c.levels), ordered=c.ordered)
        if c.levels
        else np.array(c.values)
        for c in data.columns
    }
    return cast("pd.DataFrame", library.DataFrame(columns))


def to_arrow(data: Dataset) -> pa.Table:
    """Levels become a dictionary."""
    library = _library("pyarrow")
    columns = {
        c.name: library.DictionaryArray.from_arrays(c.values.astype(np.int32), list(c.levels), ordered=c.ordered)
        if c.levels
        else library.array(c.values)
        for c in data.columns
    }
    return library.table(columns)


def _library(name: str) -> Any:
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError:
        raise DataError(f"{name} is not installed; install it with 'pip install {name}', or use to_polars()") from None
