"""Tables in memory as sources of raw columns: pandas, polars, pyarrow (by way of narwhals), dicts, NumPy arrays."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcwise.data.reading.cells import from_array, from_pandas, from_series
from arcwise.data.reading.raw import Raw
from arcwise.data.source import Source
from arcwise.data.validate import check_names
from arcwise.data.wording import counted
from arcwise.errors import DataError

Reader = Callable[[int], Raw]  # the raw column at a position; called only for columns that are kept


def open_frame(frame: Any, names: Sequence[str] | None = None) -> Source:
    """The columns of a table in memory, which is never written to.

    Contiguous float64 columns are shared, not copied. `names` names the columns of a NumPy array, which are
    called x0, x1, ... without it. A dict of single values is one row.
    """
    column_names, n_rows, reader = _open(frame, names)
    check_names(column_names)
    return Source(tuple(column_names), n_rows, lambda i, wanted, words: reader(i))


def _open(frame: Any, names: Sequence[str] | None) -> tuple[list[str], int, Reader]:
    """(column names, number of rows, reader of one column)."""
    if isinstance(frame, np.ndarray):
        return _open_array(frame, names)
    if names is not None:
        raise DataError("names is only for NumPy arrays; rename the columns of the table itself instead")
    if isinstance(frame, Mapping):
        return _open_mapping(frame)
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(frame, pandas.DataFrame):
        return _open_pandas(frame)
    return _open_frame(frame)


def _open_pandas(frame: Any) -> tuple[list[str], int, Reader]:
    """Without a detour over narwhals, which takes longer than a small table does."""
    keys, columns = zip(*frame.items(), strict=True) if frame.shape[1] else ((), ())
    names = [str(key) for key in keys]
    return names, len(frame), lambda i: from_pandas(names[i], columns[i])


def _open_array(array: NDArray[Any], names: Sequence[str] | None) -> tuple[list[str], int, Reader]:
    if array.ndim != 2:
        raise DataError(
            f"the array has {counted(array.ndim, 'dimension')}, but a table needs 2; reshape it to (rows, columns)"
        )
    n_rows, n_columns = array.shape
    labels = [f"x{i}" for i in range(n_columns)] if names is None else [str(name) for name in _several(names)]
    if len(labels) != n_columns:
        wanted = counted(n_columns, "column")
        raise DataError(f"{counted(len(labels), 'name')} given for an array of {wanted}; give one for each")
    columns = array.T if isinstance(array, np.ma.MaskedArray) else np.ascontiguousarray(array.T)
    return labels, n_rows, lambda i: from_array(labels[i], columns[i])


def _several(names: Any) -> Iterable[Any]:
    return names if isinstance(names, Iterable) and not isinstance(names, str | bytes) else [names]


def _open_mapping(table: Mapping[Any, Any]) -> tuple[list[str], int, Reader]:
    names = [str(name) for name in table]
    columns = list(table.values())
    if columns and all(isinstance(cell, str) or np.isscalar(cell) or cell is None for cell in columns):
        columns = [[cell] for cell in columns]
    lengths = [_length(name, column) for name, column in zip(names, columns, strict=True)]
    for name, length in zip(names, lengths, strict=True):
        if length != lengths[0]:
            raise DataError(
                f"column {name!r} has {length:,} values but {names[0]!r} has {lengths[0]:,}; make all "
                f"columns equally long"
            )
    return names, lengths[0] if lengths else 0, lambda i: _from_values(names[i], columns[i])


def _length(name: str, column: Any) -> int:
    try:
        length = len(column)
    except TypeError:
        length = -1
    if length < 0 or isinstance(column, (str, bytes)) or getattr(column, "ndim", 1) != 1:
        raise DataError(f"column {name!r} is not a list of values; give a 1-D array or list for each column")
    return length


def _from_values(name: str, column: Any) -> Raw:
    """A column of a dict: an array, a series of any library, or a sequence of Python values."""
    import narwhals as nw

    if isinstance(column, np.ndarray):
        return from_array(name, column)
    if type(column).__module__ == "pyarrow.lib" and hasattr(column, "dictionary_encode"):
        import pyarrow as pa

        column = pa.chunked_array(column.chunks if hasattr(column, "chunks") else [column], type=column.type)
    series = nw.from_native(column, series_only=True, pass_through=True)
    if isinstance(series, nw.Series):
        return from_pandas(name, column) if series.implementation.is_pandas() else from_series(name, series)
    objects = np.empty(len(column), dtype=object)
    objects[:] = list(column)
    return from_array(name, objects)


def _open_frame(frame: Any) -> tuple[list[str], int, Reader]:
    import narwhals as nw
    from narwhals.exceptions import DuplicateError

    try:
        table = nw.from_native(frame)
    except DuplicateError:  # report it by name, as everywhere
        check_names([str(name) for name in getattr(frame, "column_names", None) or frame.columns])
        raise
    except TypeError:
        raise DataError(
            f"cannot read a table from a {type(frame).__name__}; give a pandas, polars or pyarrow table, a "
            f"dict of arrays, a 2-D NumPy array or the path of a file"
        ) from None
    if isinstance(table, nw.LazyFrame):
        table = table.collect()
    series = list(table.iter_columns())
    names = [str(one.name) for one in series]
    return names, len(table), lambda i: from_series(names[i], series[i])
