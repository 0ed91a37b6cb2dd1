"""Values to level codes. The order of the levels depends on the values alone, never on the order of rows.

Cells that differ as text but are one value as numbers are told: integers beyond 2^53, and 1234 beside 1234.0.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import FloatArray
from arcwise.data.reading.raw import BoolArray, Levels, Numbers, Once, Origin, Text
from arcwise.printing import option

FEW_CELLS = 1 << 12  # up to so many are taken out one by one
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


def _window(values: NDArray[Any], n_rows: int) -> tuple[int, int] | None:
    """(lowest, width) of integers whose span is small enough for a table beside `n_rows` rows, else None."""
    if values.dtype.kind not in "iu" or not len(values):
        return None
    low = int(values.min())
    width = int(values.max()) - low + 1
    return (low, width) if width <= max(1024, 4 * n_rows) else None


def _shifted(values: NDArray[Any], low: int) -> NDArray[np.int64]:
    """values - low as int64; uint64 is subtracted before it is cast, the smaller types after."""
    if values.dtype == np.uint64:
        return (values - np.uint64(low)).astype(np.int64)
    wide = values.astype(np.int64, copy=False)
    return wide - low if low else wide


def distinct_values(values: NDArray[Any]) -> NDArray[Any]:
    """Sorted distinct values; O(N) for integers in a narrow range, else O(N log N)."""
    return _distinct(values, _window(values, len(values)))


def few_distinct(values: NDArray[Any], limit: int) -> NDArray[Any] | None:
    """Sorted distinct values when there are at most `limit` of them, else None."""
    window = _window(values, len(values))
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
    window = _window(distinct[[0, -1]], len(values))
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


def are_numbers(labels: Sequence[str]) -> bool:
    """Whether all labels are finite numbers, as far as their spelling says."""
    return all(_NUMBER.fullmatch(label) for label in labels)


def canonical_order(labels: Sequence[str]) -> tuple[list[int], bool]:
    """Positions of `labels` sorted by value when all are numbers (then also True), else by code points."""
    numbers = label_numbers(labels)
    if len(numbers) and not np.isnan(numbers).any():
        return sorted(range(len(labels)), key=lambda i: (numbers[i], labels[i])), True
    return sorted(range(len(labels)), key=labels.__getitem__), False


def code_texts(columns: Sequence[Text]) -> list[Levels]:
    """Text columns as levels, in two passes of polars over all of them at once; O(cells)."""
    import polars as pl

    if len({len(column.cells) for column in columns}) > 1:  # equal cells stand only once
        return [code_texts([column])[0] for column in columns]
    frame = pl.DataFrame([column.cells.rename(str(i)) for i, column in enumerate(columns)])
    hashed = frame.select(pl.all().cast(pl.Categorical).to_physical())
    groups = [_group(series.to_numpy()) for series in hashed.get_columns()]
    if sum(len(group.example) for group in groups) <= FEW_CELLS:
        cells = tuple(
            [s.item(i) for i in g.example.tolist()] for s, g in zip(frame.iter_columns(), groups, strict=True)
        )
    else:
        examples = [pl.col(str(i)).gather(group.example).cast(pl.String).implode() for i, group in enumerate(groups)]
        cells = frame.select(examples).row(0)
    return [_code_text(*parts) for parts in zip(columns, groups, cells, strict=True)]


class _Group(NamedTuple):
    """Rows grouped by equal cells. `keys` are small integers, `distinct` those that occur, in some order of cells."""

    keys: NDArray[np.int64]
    distinct: NDArray[np.intp]
    example: NDArray[np.intp]  # a row with each distinct key
    missing: BoolArray | None


def _group(keys: NDArray[Any]) -> _Group:
    """Keys are one arbitrary integer per distinct cell; as floats, with NaN, when cells are missing."""
    if keys.dtype.kind == "f":
        missing = np.isnan(keys)
        rows = np.flatnonzero(~missing)
        some = _group(keys[rows].astype(np.int64))
        spread = np.zeros(len(keys), dtype=np.int64)
        spread[rows] = some.keys
        return _Group(spread, some.distinct, rows[some.example], missing)
    window = _window(keys, len(keys))
    if window is None:
        _, example, dense = np.unique(keys, return_index=True, return_inverse=True)
        return _Group(dense, np.arange(len(example)), example, None)
    low, width = window
    small = _shifted(keys, low)
    distinct = np.flatnonzero(np.bincount(small, minlength=width))
    for n in (PROBE, len(small)):  # the first rows mostly show every level
        example = np.full(width, -1, dtype=np.intp)
        example[small[:n]] = np.arange(min(n, len(small)))
        if (example[distinct] >= 0).all():
            break
    return _Group(small, distinct, example[distinct], None)


def _code_text(column: Text, group: _Group, cells: list[str]) -> Levels:
    """`cells` holds the text of each distinct key; those that mean "no value" become missing."""
    missing = group.missing
    width = int(group.distinct.max(initial=0)) + 1
    place = np.zeros(width, dtype=np.intp)  # position of each key among the cells that are kept
    texts = [cell.removeprefix(column.mark) for cell in cells] if column.mark else cells
    pairs = enumerate(zip(cells, texts, strict=True))
    kept = [i for i, (cell, text) in pairs if cell not in column.markers and text not in column.words]
    if column.numbers:
        called = np.isin(label_numbers(texts), column.numbers)
        kept = [i for i in kept if not called[i]]
    if len(kept) < len(cells):
        marked = np.ones(width, dtype=np.bool_)
        marked[group.distinct[kept]] = False
        missing = marked[group.keys] if missing is None else missing | marked[group.keys]
    place[group.distinct[kept]] = np.arange(len(kept))
    return text_levels(column.name, group.keys, [texts[i] for i in kept], missing, place, column.once)


def text_levels(
    name: str,
    codes: NDArray[Any],
    cells: list[str],
    missing: BoolArray | None,
    place: NDArray[np.intp] | None = None,
    once: Once | None = None,
) -> Levels:
    """Text that is already grouped: row i holds cells[codes[i]], or cells[place[codes[i]]]."""
    order, ordered = canonical_order(cells)
    rank = np.zeros(max(len(cells), 1), dtype=wide_code_dtype(len(cells)))
    rank[order] = np.arange(len(cells))
    table = rank if place is None else rank[place]
    return Levels(name, table[codes], tuple(cells[i] for i in order), missing, Origin.TEXT, ordered, once)


def drop_unused(codes: NDArray[Any], labels: tuple[str, ...]) -> tuple[NDArray[Any], tuple[str, ...]]:
    """The same column without the levels that no row has."""
    counts = np.bincount(codes, minlength=len(labels))
    used = np.flatnonzero(counts)
    if len(used) == len(labels):
        return codes, labels
    return encode(codes, used), tuple(labels[i] for i in used)


def merged_integers(raw: Numbers, present: NDArray[Any]) -> str:
    """A sentence if integers of a continuous column that differ become the same float64."""
    if not len(present) or max(abs(float(present.max())), abs(float(present.min()))) < EXACT:
        return ""
    if present.dtype.kind in "iu":
        distinct = np.unique(present)
        labels = [str(value) for value in distinct[np.abs(distinct.astype(np.float64)) >= EXACT]]
    elif raw.cells is not None:
        labels = raw.cells.filter(raw.cells.str.contains(r"^-?[1-9]\d{15,}$")).unique().sort().to_list()
    else:
        return ""
    pair = _equal_pair(labels, label_numbers(labels).tolist())
    if not pair:
        return ""
    return (
        f"column {raw.name!r} has integers beyond 2^53 that differ but are one number to any method (such as "
        f"{pair[0]} and {pair[1]}); keep them apart as levels with {option('discrete', raw.name)}, or leave the column "
        f"out with {option('drop', raw.name)}"
    )


def merged_spellings(raw: Numbers, codes: NDArray[Any], labels: tuple[str, ...], missing: BoolArray | None) -> str:
    """A sentence if a level of a discrete column was written in several ways; `codes` are of the present cells."""
    if raw.cells is None:
        return ""
    cells = raw.cells if missing is None else raw.cells.filter(~missing)
    lengths = np.array([len(label) for label in labels])
    counts = np.bincount(codes, minlength=len(labels))
    if int(cells.str.len_bytes().sum()) == int(lengths @ counts):  # all of them are written as their level is
        return ""
    pair = same_number(cells.unique().sort().to_list())
    if not pair:
        return ""
    return (
        f"column {raw.name!r} writes the same number in different ways (such as {pair[0]!r} and {pair[1]!r}), which "
        f"became one level; if they are codes, keep them apart with {option('discrete', raw.name)}"
    )


def same_number(labels: Sequence[str]) -> tuple[str, str] | None:
    """Two of these labels that are the same number to the last digit, if there are such."""
    numbers = [label for label in labels if are_numbers((label,))]
    return _equal_pair(numbers, [Decimal(label) for label in numbers])


def _equal_pair(labels: Sequence[str], numbers: Sequence[float | Decimal]) -> tuple[str, str] | None:
    seen: dict[float | Decimal, str] = {}
    for label, number in zip(labels, numbers, strict=True):
        if seen.setdefault(number, label) != label:
            return seen[number], label
    return None
