"""Values to level codes. The order of the levels depends on the values alone, never on the order of rows."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import FloatArray
from arcwise.data.raw import BoolArray, Levels, Origin, Text

PROBE = 1000  # rows looked at first: a column with many distinct values shows it early
EXACT = 2.0**53  # whole floats below this are exact integers
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|[+-]?inf(inity)?", re.IGNORECASE | re.ASCII)


def wide_code_dtype(cardinality: int) -> type[np.unsignedinteger[Any]]:
    """Like `code_dtype`, but does not end at 65,536 levels: the gate reports too many levels by name."""
    if cardinality <= 256:
        return np.uint8
    return np.uint16 if cardinality <= 65_536 else np.uint32


def whole_numbers(values: NDArray[Any]) -> NDArray[Any] | None:
    """The values as integers, or None when one of them has a fraction (or is infinite, or beyond 2^53)."""
    if values.dtype.kind in "iu":
        return values
    head = values[:64]
    if not (head == np.floor(head)).all() or not (values == np.floor(values)).all():
        return None
    return None if len(values) and np.abs(values).max() >= EXACT else values.astype(np.int64)


def _window(values: NDArray[Any], widest: int) -> tuple[int, int] | None:
    """(lowest, width) of integers that span at most `widest` values, so that a table fits; else None."""
    if values.dtype.kind not in "iu" or not len(values):
        return None
    low = int(values.min())
    width = int(values.max()) - low + 1
    return (low, width) if width <= widest else None


def _shifted(values: NDArray[Any], low: int) -> NDArray[np.int64]:
    """values - low as int64; uint64 is subtracted before it is cast, the smaller types after."""
    if values.dtype == np.uint64:
        return (values - np.uint64(low)).astype(np.int64)
    wide = values.astype(np.int64, copy=False)
    return wide - low if low else wide


def distinct_values(values: NDArray[Any]) -> NDArray[Any]:
    """Sorted distinct values; O(N) for integers in a narrow range, else O(N log N)."""
    return _distinct(values, _window(values, max(1024, 4 * len(values))))


def few_distinct(values: NDArray[Any], limit: int) -> NDArray[Any] | None:
    """Sorted distinct values when there are at most `limit` of them, else None."""
    window = _window(values, max(1024, 4 * len(values)))
    if window is None and len(np.unique(values[:PROBE])) > limit:
        return None
    distinct = _distinct(values, window)
    return distinct if len(distinct) <= limit else None


def _distinct(values: NDArray[Any], window: tuple[int, int] | None) -> NDArray[Any]:
    if window is None:
        return np.unique(values)
    low, width = window
    present = np.flatnonzero(np.bincount(_shifted(values, low), minlength=width))
    return present.astype(np.uint64) + np.uint64(low) if values.dtype == np.uint64 else present + low


def encode(values: NDArray[Any], distinct: NDArray[Any]) -> NDArray[Any]:
    """Position of each value in `distinct`, which is sorted and holds every value."""
    dtype = wide_code_dtype(len(distinct))
    if not len(distinct):
        return np.zeros(len(values), dtype=dtype)
    window = _window(distinct, max(1024, 4 * len(values)))
    if window is None:
        return np.searchsorted(distinct, values).astype(dtype)
    low, width = window
    table = np.zeros(width, dtype=dtype)
    table[_shifted(distinct, low)] = np.arange(len(distinct))
    return table[_shifted(values, low)]


def number_label(value: Any) -> str:
    """The shortest text of a number: "3" for 3.0, "0.1" for float32 0.1."""
    number = float(value)
    return str(int(value)) if number.is_integer() and abs(number) < EXACT else str(value)


def label_numbers(labels: Sequence[str]) -> FloatArray:
    """Labels read as numbers, NaN where a label is not one."""
    return np.array([float(label) if _NUMBER.fullmatch(label) else math.nan for label in labels])


def canonical_order(labels: Sequence[str]) -> tuple[list[int], bool]:
    """Positions of `labels` sorted by value when all are numbers (then also True), else by code points."""
    numbers = label_numbers(labels)
    if len(numbers) and not np.isnan(numbers).any():
        return sorted(range(len(labels)), key=lambda i: (numbers[i], labels[i])), True
    return sorted(range(len(labels)), key=labels.__getitem__), False


def code_texts(columns: Sequence[Text]) -> list[Levels]:
    """Text columns as levels, in two passes of polars over all of them at once; O(cells)."""
    import polars as pl

    frame = pl.DataFrame([column.cells.rename(str(i)) for i, column in enumerate(columns)])
    hashed = frame.select(pl.all().cast(pl.Categorical).to_physical())
    groups = [_group(series.to_numpy()) for series in hashed.get_columns()]
    examples = [pl.col(str(i)).gather(group.example).cast(pl.String).implode() for i, group in enumerate(groups)]
    cells = frame.select(examples).row(0)
    return [_code_text(*parts) for parts in zip(columns, groups, cells, strict=True)]


class _Group(NamedTuple):
    """Rows grouped by equal cells: group of each row, one row of each group, and where there is no cell."""

    codes: NDArray[Any]
    example: NDArray[np.intp]
    missing: BoolArray | None


def _group(keys: NDArray[Any]) -> _Group:
    """Keys are one arbitrary integer per distinct cell; as floats, with NaN, when cells are missing."""
    if keys.dtype.kind != "f":
        distinct = distinct_values(keys)
        codes = encode(keys, distinct)
        example = np.zeros(len(distinct), dtype=np.intp)
        example[codes] = np.arange(len(keys))
        return _Group(codes, example, None)
    missing = np.isnan(keys)
    rows = np.flatnonzero(~missing)
    some = _group(keys[rows].astype(np.int64))
    codes = np.zeros(len(keys), dtype=some.codes.dtype)
    codes[rows] = some.codes
    return _Group(codes, rows[some.example], missing)


def _code_text(column: Text, group: _Group, cells: list[str]) -> Levels:
    """`cells` holds the text of each group."""
    codes, _, missing = group
    if not column.markers.isdisjoint(cells):
        marked = np.array([cell in column.markers for cell in cells])
        missing = marked[codes] if missing is None else missing | marked[codes]
        cells = [cell for cell in cells if cell not in column.markers]
        codes = np.maximum(np.cumsum(~marked) - 1, 0)[codes]  # positions once the marked cells are gone
    return _ranked(column.name, codes, cells, missing)


def _ranked(name: str, codes: NDArray[Any], labels: list[str], missing: BoolArray | None) -> Levels:
    """Levels in canonical order; ordered when all labels are numbers."""
    order, ordered = canonical_order(labels)
    if not labels:
        return Levels(name, np.zeros(len(codes), dtype=np.uint8), (), missing, Origin.TEXT)
    rank = np.zeros(len(labels), dtype=wide_code_dtype(len(labels)))
    rank[order] = np.arange(len(labels))
    return Levels(name, rank[codes], tuple(labels[i] for i in order), missing, Origin.TEXT, ordered)


def drop_unused(codes: NDArray[Any], labels: tuple[str, ...]) -> tuple[NDArray[Any], tuple[str, ...]]:
    """The same column without the levels that no row has."""
    counts = np.bincount(codes, minlength=len(labels))
    used = np.flatnonzero(counts)
    if len(used) == len(labels):
        return codes, labels
    return encode(codes, used), tuple(labels[i] for i in used)
