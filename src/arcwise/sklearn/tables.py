"""X as scikit-learn gives it, an array or a frame, to a Dataset; new rows with the levels that were learned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Number
from typing import Any

import narwhals as nw
import numpy as np
from narwhals.exceptions import DuplicateError
from sklearn import __version__ as _version
from sklearn.utils.validation import validate_data

from arcwise.data.dataset import Column, Dataset, Kind, code_dtype
from arcwise.data.known_levels import label_places
from arcwise.data.reading.door import as_dataset, read_alike
from arcwise.data.validate import Names
from arcwise.errors import DataError

Columns = dict[str, Any]  # an array or a series of each feature, by name
Schema = dict[str, tuple[str, ...]]  # the levels of each feature, none if it is continuous
_CELLS = (str, Number, np.generic, type(None))
_MISSING_TYPES = ("NAType", "NaTType")
_SEES_EVERY_FRAME = tuple(map(int, _version.split(".")[:2])) >= (1, 9)


def new_columns(estimator: Any, X: Any) -> Columns:
    """The features of a table to learn from; the estimator notes their number and their names."""
    return _columns(estimator, X, reset=True)


def known_columns(estimator: Any, X: Any) -> Columns:
    """The features of new rows, which must be those that the estimator was fitted to."""
    return _columns(estimator, X, reset=False)


def kinds_said(estimator: Any) -> dict[str, Any]:
    """What the parameters of an estimator say of the kinds of columns."""
    return {name: getattr(estimator, name) for name in ("continuous", "discrete", "ordered")}


def whole_table(columns: Columns, kinds: Mapping[str, Any]) -> Dataset:
    """A table to learn from, with all of its columns: who names features keeps them, also one that counts the rows.

    kinds: what is said of them: continuous, discrete, ordered. Text that names the rows is refused, since nothing can
    be learned about new ones from it.
    """
    table = as_dataset(columns, **kinds)
    lost = [name for name in columns if name not in table.names]
    if not lost:
        return table
    words = next((name for name in lost if np.asarray(columns[name]).dtype.kind not in "iufb"), None)
    if words is not None:
        told = next(warning for warning in table.warnings if repr(words) in warning)
        raise DataError(told.replace("left out; keep it", "which no feature can be; leave it out, or keep it"))
    numbers = [*as_list(kinds["continuous"]), *lost]
    return as_dataset(columns, **{**kinds, "continuous": numbers})


def as_list(names: Names | None) -> list[Any]:
    """One name, several or none, as a list."""
    if names is None:
        return []
    return list(names) if isinstance(names, Iterable) and not isinstance(names, str) else [names]


def schema_of(table: Dataset) -> Schema:
    """What has to be known of a table to read new rows like it."""
    return {column.name: column.levels for column in table.columns}


def known_table(columns: Columns, schema: Mapping[str, tuple[str, ...]]) -> Dataset:
    """New rows with the kinds and levels that were learned; a level that was not seen then counts as missing.

    So a rare level that is in no row of a training fold does not end a cross-validation.
    """
    discrete = [name for name, levels in schema.items() if levels]
    continuous = [name for name, levels in schema.items() if not levels]
    table = read_alike(columns, dict.fromkeys(schema, ()), discrete=discrete, continuous=continuous)
    return Dataset(tuple(_recoded(column, schema[column.name]) for column in table.columns))


def _columns(estimator: Any, X: Any, *, reset: bool) -> Columns:
    frame = _frame(X)
    columns: list[Any]
    if frame is None:
        rows = 2 if reset else 1
        values = validate_data(
            estimator, X, reset=reset, dtype=None, ensure_all_finite="allow-nan", ensure_min_samples=rows
        )
        if values.dtype == object:
            _check_cells(values)
        columns = list(np.ascontiguousarray(values.T))
    else:
        seen = X if _SEES_EVERY_FRAME or hasattr(X, "__dataframe__") else _Header(frame)
        validate_data(estimator, seen, reset=reset, skip_check_array=True)
        columns = [series.to_native() for series in frame.iter_columns()]
    own = getattr(estimator, "feature_names_in_", None)
    # Without names of their own features are called as `get_feature_names_out` and `Dataset.from_frame` call them.
    names = [f"x{i}" for i in range(estimator.n_features_in_)] if own is None else own
    return dict(zip(map(str, names), columns, strict=True))


class _Header:
    """Names and shape of a frame by the interchange protocol: from 1.6 to 1.8 scikit-learn finds names by that alone.

    polars 2 has given it up.
    """

    def __init__(self, frame: nw.DataFrame[Any]) -> None:
        self.shape, self._names = frame.shape, frame.columns

    def __dataframe__(self) -> _Header:
        return self

    def column_names(self) -> list[str]:
        return self._names


def _frame(X: Any) -> nw.DataFrame[Any] | None:
    try:
        frame = nw.from_native(X, eager_only=True, pass_through=True)
    except DuplicateError:
        raise DataError("X has several columns of one name; rename them, so that each has a name of its own") from None
    return frame if isinstance(frame, nw.DataFrame) else None


def _check_cells(values: Any) -> None:
    """Objects that are neither text nor numbers are a TypeError in scikit-learn."""
    for kind in set(map(type, values.ravel().tolist())):
        if not issubclass(kind, _CELLS) and kind.__name__ not in _MISSING_TYPES:
            raise TypeError(f"a cell of X is a {kind.__name__}, but the argument must be a string or a number")


def _recoded(column: Column, levels: tuple[str, ...]) -> Column:
    if column.kind is Kind.CONTINUOUS:
        return column
    place = label_places(column.levels, levels)
    if not len(place):  # no cell is recorded, so there are no labels to look up
        return Column(column.name, Kind.DISCRETE, np.zeros(len(column.values), np.uint8), levels, False, column.missing)
    found = place[column.values]
    unknown = found < 0 if column.missing is None else (found < 0) | column.missing
    codes = np.maximum(found, 0).astype(code_dtype(len(levels)))
    return Column(column.name, Kind.DISCRETE, codes, levels, column.ordered, unknown)
