"""Columns that name the rows and say nothing about them: identifiers, row numbers, free text.

Such columns are left out, and that is told with the way to keep them. Whole numbers that only may be an identifier
are kept and doubted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import Kind
from arcwise.data.faults import ColumnError
from arcwise.data.kinds import Typed
from arcwise.data.levels import PROBE, label_numbers, whole_numbers
from arcwise.data.notation import CENSORED, UNIT, dated, leading_zeros, measured, negative_option, turned_negative
from arcwise.data.reading.raw import Origin
from arcwise.printing import column_option, counted, option

Naming = Literal["row-number", "identifier", "hashed-id", "free-text", "date", "leading-zeros"]
PATTERN_ROWS = 3  # fewer rows are too few to call a column an identifier
NUMBERED_ROWS = 10  # fewer whole numbers in a row may be a measurement
IDENTIFIER_LEVELS = 50
WORDS = 3.0  # mean number of words of a cell from which on text is a note
# N different integers in a range of M: were they drawn at random from it, the most even draw there is, the chance of no
# two alike would be about exp(-N^2 / 2M). Below e^-7, one in a thousand, they were given out, not measured.
UNLIKELY = 7.0
_NAME = re.compile(r"(?:.*[\s_.-])?(?:id|key|index|idx|nr|no|uuid|guid)[\s_.]*|unnamed: 0", re.IGNORECASE)
_ROW_NAME = re.compile(
    r"(?:.*[\s_.-])?(?:id|index|idx|nr|no|row|rownum|row_?number|#)[\s_.]*|unnamed: 0", re.IGNORECASE
)
_HASH = re.compile(r"(?=.*\d)(?:[0-9a-f]{8,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A column that is not read. why: what the warning says of it, with the way to keep it."""

    column: Typed
    what: Naming
    why: str


def names_rows(column: Typed) -> LeftOut | None:
    """Why a column is left out; None if it is kept. Who declares a column keeps it."""
    if column.declared:
        return None
    if column.origin is Origin.NUMBER:
        return _numbered(column)
    return _named(column) if column.origin is Origin.TEXT else None


def _named(column: Typed) -> LeftOut | None:
    """Text that is different in every row, or nearly."""
    n_cells, n_levels = column.n_recorded, column.n_labels
    mostly_distinct = n_levels > IDENTIFIER_LEVELS and 2 * n_levels > n_cells
    if n_cells < PATTERN_ROWS or (n_levels < n_cells and not mostly_distinct):
        return None
    values = f"column {column.name!r} has {counted(n_levels, 'distinct text value')} in {counted(n_cells, 'row')}"
    if not np.isnan(label_numbers(column.labels)).any():
        as_numbers, as_levels = option("continuous", column.name), option("discrete", column.name)
        if not leading_zeros(column.labels):
            raise ColumnError(
                f"{values} that are all numbers; leave the column out with {option('drop', column.name)}, read them as "
                f"numbers with {as_numbers}, or keep them as levels with {as_levels}",
                f"{n_levels:,} numbers as text: --continuous or --drop",
            )
        why = f"{values} that are all numbers with leading zeros, left out; read them as numbers with {as_numbers}"
        return LeftOut(column, "leading-zeros", f"{why}, or keep them as levels with {as_levels}")
    if example := dated(column.labels):
        why = f"{values} that are dates or times (such as {example!r}), left out; read them as numbers with"
        return LeftOut(column, "date", f"{why} {option('dates', column.name)}")
    what, looks = naming(column.labels)
    if what == "identifier" and (example := measured(column.labels)):
        raise _measured_error(column, values, example)
    why = f"{values}, so it looks like {looks}, left out; keep it with {option('discrete', column.name)}"
    return LeftOut(column, what, why)


def _measured_error(column: Typed, values: str, example: str) -> ColumnError:
    unit = UNIT.search(example)
    if CENSORED.match(example):
        remedy = f"take such cells as numbers with {option('censored', column.name)}"
    elif odd := next((label for label in column.labels if turned_negative(label)), ""):
        example = odd
        remedy = f"read them as negative numbers with {negative_option(column.name, odd)}"
    elif unit is not None:
        remedy = f"leave the unit out with {column_option('units', column.name, unit[1])}"
    else:
        remedy = "write them as plain numbers in the table"
    return ColumnError(
        f"{values} that look like numbers with something beside them (such as {example!r}); {remedy}, or leave the "
        f"column out with {option('drop', column.name)}",
        f"numbers with something beside them, such as {example!r}",
    )


def naming(labels: Sequence[str]) -> tuple[Naming, str]:
    """What text that differs from row to row is, as a code and in words."""
    some = labels[:: max(len(labels) // PROBE, 1)]
    if sum(len(label.split()) for label in some) >= WORDS * len(some):
        return "free-text", "free text"
    if all(_HASH.fullmatch(label.strip()) for label in some) and len({len(label) for label in some}) == 1:
        return "hashed-id", "an identifier (a hash)"
    return "identifier", "an identifier"


def _numbered(column: Typed) -> LeftOut | None:
    """Whole numbers that count the rows one by one, or all differ in a column that is called an identifier."""
    whole = _whole(column)
    if whole is None:
        return None
    low, high, n = int(whole.min()), int(whole.max()), column.n_recorded
    if high - low < n - 1:  # some must be alike
        return None
    cells = f"column {column.name!r} has a different whole number in each of {counted(n, 'row')} ({low} to {high})"
    keep = f"left out; keep it with {option('continuous', column.name)}"
    counts = low in (0, 1) or _ROW_NAME.fullmatch(column.name)
    if n >= NUMBERED_ROWS and counts and high - low == n - 1 and _by_one(column, whole):
        return LeftOut(column, "row-number", f"{cells}, one more in each row, so it looks like a row number, {keep}")
    if _NAME.fullmatch(column.name) and _all_differ(column, whole):
        return LeftOut(column, "identifier", f"{cells}, so it looks like an identifier, {keep}")
    return None


def _whole(column: Typed) -> NDArray[Any] | None:
    if column.kind is Kind.DISCRETE:
        return None
    return whole_numbers(column.present()) if column.n_recorded >= PATTERN_ROWS else None


def _by_one(column: Typed, whole: NDArray[Any]) -> bool:
    """Whether each number is one more than the one before."""
    told = None if column.once is None else column.once.by_one
    return bool((np.diff(whole) == 1).all()) if told is None else told


def doubted(column: Typed) -> str:
    """A sentence if integers are all different though their range is narrow; nothing more says that they are names."""
    if column.origin is not Origin.NUMBER or column.declared:
        return ""
    whole = _whole(column)
    if whole is None:
        return ""
    low, high, n = int(whole.min()), int(whole.max()), column.n_recorded
    numbers_the_rows = low in (0, 1) and high - low == n - 1
    if not (numbers_the_rows or n * n >= 2 * UNLIKELY * (high - low + 1)) or not _all_differ(column, whole):
        return ""
    what = "it looks like a row number" if numbers_the_rows else "it looks like an identifier"
    return (
        f"column {column.name!r} has a different whole number in each of {counted(n, 'row')} ({low} to {high}), so "
        f"{what}; leave it out with {option('drop', column.name)}, or keep it with "
        f"{option('continuous', column.name)}"
    )


def _all_differ(column: Typed, values: NDArray[Any]) -> bool:
    """Whether no value occurs twice; the first rows mostly tell."""
    if column.once is not None:
        return column.once.differ() if column.once.differ is not None else len(values) == column.n_recorded
    rows = PROBE
    while True:
        ordered = np.sort(values[:rows])
        if (ordered[1:] == ordered[:-1]).any():
            return False
        if rows >= len(values):
            return True
        rows *= 10
