"""Numbers that stand for "missing": -9, -99, 999 and the like, apart from all other values of a column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import Kind
from arcwise.data.kinds import Typed
from arcwise.data.levels import label_numbers, number_label
from arcwise.data.reading.raw import Origin
from arcwise.printing import counted, na_option

# Numbers that are often written for "missing", largest first, so that one does not hide behind another.
SENTINELS = tuple(sign * float("9" * digits) for digits in (6, 5, 4, 3, 2, 1) for sign in (-1, 1))


@dataclass(frozen=True, slots=True)
class Sentinels:
    """words: such numbers as the column writes them, with how many rows have each. rest: the range of the others."""

    words: tuple[str, ...]
    rows: tuple[int, ...]
    rest: tuple[float, float] | None

    def told(self) -> str:
        """ "-99 in 12 rows, apart from its other values (0 to 71)"."""
        cells = ", ".join(f"{word} in {counted(n, 'row')}" for word, n in zip(self.words, self.rows, strict=True))
        if self.rest is None:
            return f"{cells}, apart from its other levels"
        return f"{cells}, apart from its other values ({number_label(self.rest[0])} to {number_label(self.rest[1])})"


def sentinels(column: Typed) -> Sentinels | None:
    """Numbers such as -99 that lie apart from all others of the column, or are the only ones among words."""
    if column.kind is Kind.CONTINUOUS:
        values: NDArray[Any] = column.present()
        if not len(values) or (values.min() not in SENTINELS and values.max() not in SENTINELS):
            return None
    elif column.origin is Origin.CATEGORY or not column.labels:
        return None
    else:
        values = label_numbers(column.labels)
    rest, codes = apart(values)
    if not codes:
        return None
    if column.kind is Kind.CONTINUOUS:
        counts = [int(np.count_nonzero(values == code)) for code in codes]
        return Sentinels(tuple(number_label(code) for code in codes), tuple(counts), rest)
    rows = np.bincount(column.present(), minlength=len(column.labels))
    words = [column.labels[int(np.argmax(values == code))] for code in codes]
    return Sentinels(tuple(words), tuple(int(rows[values == code].sum()) for code in codes), rest)


def sentinel_doubt(column: Typed) -> str:
    """What is told of such numbers; empty if there are none."""
    found = sentinels(column)
    if found is None:
        return ""
    remedy = na_option(column.name, *found.words)
    return f"column {column.name!r} has {found.told()}; if that means missing, say so with {remedy}"


def apart(values: NDArray[Any]) -> tuple[tuple[float, float] | None, list[float]]:
    """((lowest, highest) of the other values, those that look like codes for "missing"); values may have NaN.

    A negative one if no other value is negative, or any if it is farther from the others than they are from each
    other. Among words, which are NaN, every such number is a code.
    """
    others = values[~np.isnan(values)]
    words = len(others) < len(values)
    if not len(others) or (others.min() not in SENTINELS and others.max() not in SENTINELS):
        return None, []
    codes: list[float] = []
    for code in SENTINELS:
        left = others[others != code]
        if len(left) == len(others):
            continue
        if not len(left):
            return (None, [*codes, code]) if words else (None, [])
        start, end = float(left.min()), float(left.max())
        alone = start >= 0 if code < 0 else False
        gap = start - code if code < start else code - end
        if (alone and code < start) or (start < end and gap >= end - start):
            others, codes = left, [*codes, code]
    if not codes or (words and len(others)):
        return None, []
    return (float(others.min()), float(others.max())), codes
