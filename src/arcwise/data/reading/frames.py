"""Tables in memory as sources of raw columns: pandas, polars, pyarrow (by way of narwhals), dicts, NumPy arrays.

Python loops over cells only when they are objects.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from arcwise.data.levels import canonical_order, code_texts, distinct_values, number_label, text_levels, wide_code_dtype
from arcwise.data.reading.raw import BoolArray, Levels, Numbers, Origin, Raw, Source, Text
from arcwise.data.validate import check_names
from arcwise.errors import DataError
from arcwise.printing import counted, option

if TYPE_CHECKING:
    import narwhals as nw
    import polars as pl

Reader = Callable[[int], Raw]  # the raw column at a position; called only for columns that are kept
_NUMBER_TYPES = (int, float, Decimal, Fraction, np.integer, np.floating)
_BOOL_TYPES = (bool, np.bool_)
_MISSING_TYPES = frozenset({"NoneType", "NAType", "NaTType"})
_TIME_TYPES = frozenset({"date", "datetime", "time", "Timestamp", "datetime64"})


def open_frame(frame: Any, names: Sequence[str] | None = None) -> Source:
    """The columns of a table in memory, which is never written to.

    Contiguous float64 columns are shared, not copied. `names` names the columns of a NumPy array, which are
    called x0, x1, ... without it. A dict of single values is one row.
    """
    column_names, n_rows, reader = _open(frame, names)
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
    """Without a detour over narwhals, nor over a Series for each column: both take longer than a small table does."""
    names = list(map(str, _listed(frame.columns)))
    quick = getattr(frame, "_iter_column_arrays", None)
    columns = list(quick()) if quick else [frame.iloc[:, i] for i in range(len(names))]
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


def from_series(name: str, series: nw.Series[Any]) -> Raw:
    """A column of any data frame that narwhals knows."""
    import narwhals as nw

    dtype = series.dtype
    if dtype.is_numeric():
        return _numeric_series(name, series, dtype)
    if dtype == nw.Duration:
        raise _type_error(name, "duration")
    if dtype.is_temporal():
        return _time_text(name, series.to_list())
    if dtype == nw.Boolean:
        filled = series.fill_null(False).to_numpy().astype(np.bool_)
        return _bools(name, filled, _nulls(series))
    if dtype == nw.String:
        return _text_series(name, series)
    if dtype in (nw.Categorical, nw.Enum):
        return _category_series(name, series)
    if dtype == nw.Object:
        return from_objects(name, series.to_numpy(), _nulls(series))
    if series.null_count() == len(series):
        return Numbers(name, np.zeros(len(series)), np.ones(len(series), dtype=np.bool_))
    raise _type_error(name, str(dtype).partition("(")[0].lower())


def from_pandas(name: str, column: Any) -> Raw:
    """A pandas Series or its array: numbers, categories and text without a detour, all else by way of narwhals."""
    dtype = column.dtype
    if isinstance(dtype, np.dtype) and dtype.kind != "O":
        return from_array(name, column if isinstance(column, np.ndarray) else column.to_numpy())
    values = getattr(column, "array", column)
    if hasattr(dtype, "categories") and (found := getattr(values, "codes", None)) is not None:
        codes, missing = _filled_codes(np.asarray(found))
        return _categories(name, codes, _listed(dtype.categories), missing, ordered=bool(dtype.ordered))
    if values is column:
        column = sys.modules["pandas"].Series(column, copy=False)
    if column.dtype == "str" or str(column.dtype).startswith(("string", "object")):
        try:
            codes, cells = column.factorize()
        except TypeError:  # a list or a dict among the cells
            return from_objects(name, column.to_numpy(), None)
        labels = cells.tolist()
        if labels and all(type(label) is str for label in labels):
            codes, missing = _filled_codes(codes)
            return text_levels(name, codes, labels, missing)
    import narwhals as nw

    return from_series(name, nw.from_native(column, series_only=True))


def _listed(index: Any) -> list[Any]:
    """What is in a pandas index; an arrow array of text gives it sooner than pandas does."""
    in_arrow = getattr(index.dtype, "storage", "") == "pyarrow"
    return list(index.array.__arrow_array__().to_pylist() if in_arrow else index.to_numpy(dtype=object))


def _nulls(series: nw.Series[Any]) -> BoolArray | None:
    nulls: BoolArray = series.is_null().to_numpy().astype(np.bool_)
    return nulls if nulls.any() else None


def from_array(name: str, values: NDArray[Any]) -> Raw:
    """A 1-D NumPy array, masked or not."""
    missing: BoolArray | None = None
    if isinstance(values, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(values)
        values, missing = values.data, mask if mask.any() else None
    kind = values.dtype.kind
    if kind == "b":
        return _bools(name, values, missing)
    if kind in "iuf":
        return Numbers(name, values, missing)
    if kind in "OUT":
        objects = values.astype(object)
        if missing is not None:
            objects[missing] = None
        return from_objects(name, objects, None)
    if kind == "M":
        return _time_text(name, values.astype("datetime64[s]").tolist(), missing)
    strange = {"m": "duration", "c": "complex", "S": "bytes", "V": "structured"}
    raise _type_error(name, strange.get(kind, str(values.dtype)))


def from_objects(name: str, values: NDArray[Any], missing: BoolArray | None) -> Raw:
    """An array of Python objects: all text (fast), or numbers, or true/false, or text mixed with numbers."""
    import polars as pl

    try:
        return Text(name, pl.Series(name, values, dtype=pl.String))
    except (TypeError, pl.exceptions.PolarsError):  # something other than str and None
        pass
    if missing is None:
        missing = np.array([_is_missing(value) for value in values], dtype=np.bool_)
    present = values[~missing]
    types = set(map(type, present.tolist()))
    if all(issubclass(t, _BOOL_TYPES) for t in types):
        filled = np.zeros(len(values), dtype=np.bool_)
        filled[~missing] = present.astype(np.bool_)
        return _bools(name, filled, missing if missing.any() else None)
    if types and all(issubclass(t, (int, np.integer)) for t in types):
        for dtype in (np.int64, np.uint64):  # exact also beyond 2^53
            with suppress(OverflowError):
                whole = np.zeros(len(values), dtype=dtype)
                whole[~missing] = present.astype(dtype)
                return Numbers(name, whole, missing if missing.any() else None)
    if all(issubclass(t, _NUMBER_TYPES) for t in types):
        numbers = np.full(len(values), np.nan)
        try:
            numbers[~missing] = present.astype(np.float64)
        except OverflowError:
            raise DataError(
                f"column {name!r} holds integers beyond the range of floats; rescale it or leave it out with "
                f"{option('drop', name)}"
            ) from None
        return Numbers(name, numbers)
    if all(t.__name__ in _TIME_TYPES for t in types):
        return _time_text(name, values.tolist(), missing)
    _refuse_foreign(name, values, missing, types)
    cells = [None if gone else _cell_text(value) for value, gone in zip(values, missing, strict=True)]
    return Text(name, pl.Series(name, cells, dtype=pl.String))


def _is_missing(value: object) -> bool:
    return type(value).__name__ in _MISSING_TYPES or (isinstance(value, float) and math.isnan(value))


def _cell_text(value: Any) -> str:
    if isinstance(value, _BOOL_TYPES):
        return "true" if value else "false"
    return value if isinstance(value, str) else number_label(value)


def _refuse_foreign(name: str, values: NDArray[Any], missing: BoolArray, types: set[type]) -> None:
    """Only text, numbers and true/false can be levels."""
    foreign = {t for t in types if not issubclass(t, (str, *_BOOL_TYPES, *_NUMBER_TYPES))}
    if not foreign:
        return
    row = next(i for i, value in enumerate(values) if not missing[i] and type(value) in foreign)
    raise DataError(
        f"column {name!r} holds a {type(values[row]).__name__} in row {row + 1}, which is neither a number "
        f"nor text; convert it or leave the column out with {option('drop', name)}"
    )


def _time_text(name: str, moments: Iterable[Any], missing: BoolArray | None = None) -> Text:
    """Dates and times as text files have them: what becomes of them is decided as for these."""
    import polars as pl

    cells = [None if _is_missing(moment) else str(moment).removesuffix(" 00:00:00") for moment in moments]
    if missing is not None:
        cells = [None if gone else cell for cell, gone in zip(cells, missing, strict=True)]
    return Text(name, pl.Series(name, cells, dtype=pl.String))


def _type_error(name: str, kind: str) -> DataError:
    return DataError(
        f"column {name!r} holds {kind} values, which are neither numbers nor text; convert it or leave it "
        f"out with {option('drop', name)}"
    )


def _numeric_series(name: str, series: nw.Series[Any], dtype: nw.dtypes.DType) -> Numbers:
    import narwhals as nw

    whole = dtype.is_integer()
    if dtype.is_decimal() or (whole and dtype in (nw.Int128, nw.UInt128)):
        series, whole = series.cast(nw.Float64), False
    values = series.to_numpy()
    if whole and values.dtype.kind not in "iu":  # nulls have no place in an integer array
        return Numbers(name, series.fill_null(0).to_numpy(), _nulls(series))
    if values.dtype.kind not in "iuf":
        values = series.fill_null(float("nan")).to_numpy().astype(np.float64)
    return Numbers(name, values)


def _bools(name: str, values: BoolArray, missing: BoolArray | None) -> Levels:
    """False before true; a value that does not occur is no level."""
    present = (values if missing is None else values[~missing]).astype(np.uint8)
    distinct = distinct_values(present)
    labels = tuple("true" if value else "false" for value in distinct)
    codes = values.astype(np.uint8) if len(distinct) == 2 else np.zeros(len(values), dtype=np.uint8)
    return Levels(name, codes, labels, missing, Origin.BOOL)


def _text_series(name: str, series: nw.Series[Any]) -> Raw:
    native = series.to_native()
    if series.implementation.is_polars():
        return Text(name, native)
    if series.implementation.is_pyarrow():
        return Text(name, _from_arrow(native))
    values = np.empty(len(series), dtype=object)
    values[:] = series.to_list()
    return from_objects(name, values, _nulls(series))


def _from_arrow(array: Any) -> pl.Series:
    import polars as pl

    series = pl.from_arrow(array)
    assert isinstance(series, pl.Series)  # an arrow array is one column
    return series.cast(pl.String)


def _category_series(name: str, series: nw.Series[Any]) -> Levels:
    """Declared categories stay levels, also the unobserved ones, and keep their order where it was declared.

    polars Categorical and unordered arrow dictionaries list categories as they were met: those are sorted.
    """
    native = series.to_native()
    if series.implementation.is_polars():
        import polars as pl

        if native.dtype == pl.Enum:
            codes, missing = _filled_codes(native.to_physical().cast(pl.Int64).fill_null(-1).to_numpy())
            return _categories(name, codes, native.dtype.categories.to_list(), missing, ordered=True)
        return replace(code_texts([Text(name, native)])[0], origin=Origin.CATEGORY)
    array = native if series.implementation.is_pyarrow() else native.array.__arrow_array__()
    codes, categories = _unified(array.chunks if hasattr(array, "chunks") else [array])
    filled, missing = _filled_codes(codes)
    levels = _categories(name, filled, categories, missing, array.type.ordered)
    return levels if levels.ordered else _sorted_levels(levels)


def _unified(chunks: Sequence[Any]) -> tuple[NDArray[Any], list[Any]]:
    """(codes with -1 for null, categories) of arrow dictionaries, each of which may list its own, also null."""
    place: dict[Any, int] = {}
    parts: list[NDArray[Any]] = [np.zeros(0, dtype=np.int64)]
    for chunk in chunks:
        own = np.array([place.setdefault(value, len(place)) for value in chunk.dictionary.to_pylist()], dtype=np.int64)
        indices = chunk.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        parts.append(np.append(own, -1)[indices])  # -1 is the last place, too
    return np.concatenate(parts), list(place)


def _filled_codes(codes: NDArray[Any]) -> tuple[NDArray[Any], BoolArray | None]:
    """Codes with -1 for missing, as (valid codes, where missing)."""
    if codes.min(initial=0) >= 0:
        return codes, None
    missing = codes < 0
    return np.where(missing, 0, codes), missing


def _categories(
    name: str, codes: NDArray[Any], categories: Sequence[Any], missing: BoolArray | None, ordered: bool
) -> Levels:
    """Levels of declared categories; one that is null (arrow dictionaries may have such) is no level but missing."""
    all_text = set(map(type, categories)) <= {str}
    if not all_text and any(map(_is_missing, categories)):
        void = np.array([_is_missing(category) for category in categories], dtype=np.bool_)
        gone = void[codes]
        missing = gone if missing is None else missing | gone
        codes = (np.cumsum(~void) - 1).clip(0)[codes]
        categories = [category for category, empty in zip(categories, void, strict=True) if not empty]
    labels = tuple(categories) if all_text else tuple(map(_category_text, categories))
    if len(set(labels)) < len(labels):
        twice = min(label for label in labels if labels.count(label) > 1)
        raise DataError(f"two categories of column {name!r} are both written {twice!r}; rename one of them")
    if not labels:
        return Levels(name, np.zeros(len(codes), dtype=np.uint8), (), missing, Origin.CATEGORY, ordered)
    return Levels(name, codes.astype(wide_code_dtype(len(labels))), labels, missing, Origin.CATEGORY, ordered)


def _category_text(category: Any) -> str:
    return _cell_text(category) if isinstance(category, (*_BOOL_TYPES, *_NUMBER_TYPES)) else str(category)


def _sorted_levels(levels: Levels) -> Levels:
    order, _ = canonical_order(levels.labels)
    rank = np.zeros(max(len(order), 1), dtype=levels.codes.dtype)
    rank[order] = np.arange(len(order))
    return replace(levels, codes=rank[levels.codes], labels=tuple(levels.labels[i] for i in order))
