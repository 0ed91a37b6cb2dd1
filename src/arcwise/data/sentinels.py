"""Numbers that stand for "missing": -9, -99, 999 and the like, apart from all other values of a column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import Kind
from arcwise.data.kinds import Typed
from arcwise.data.levels import label_numbers, number_label
from arcwise.data.reading.raw import Once, Origin, rows_of
from arcwise.printing import counted, listed, na_option

# Numbers that are often written for "missing", largest first, so that one does not hide behind another: nines, and
# beside them the eights and sevens of as many digits, as surveys have them for "refused" and "does not know".
FAMILIES = (
    *(tuple(sign * float(nine * digits) for nine in "987") for digits in (6, 5, 4, 3, 2, 1) for sign in (-1, 1)),
    *((sign * number,) for number in (9999.9, 999.99, 999.9, 99.99, 99.9) for sign in (-1, 1)),
)
NINES = frozenset(family[0] for family in FAMILIES)

SENTINELS = frozenset(code for family in FAMILIES for code in family)
TOGETHER = 3  # columns with the same ones, from which on one sentence is enough


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
    continuous = column.kind is Kind.CONTINUOUS
    rest, codes = apart(values, _recorded_once(column) if continuous else None)
    if not codes:
        return None
    if continuous:
        counts = [rows_of(values == code, _recorded_once(column)) for code in codes]
        return Sentinels(tuple(number_label(code) for code in codes), tuple(counts), rest)
    rows = column.rows()
    words = [column.labels[int(np.argmax(values == code))] for code in codes]
    return Sentinels(tuple(words), tuple(int(rows[values == code].sum()) for code in codes), rest)


def sentinel_doubts(columns: Sequence[Typed]) -> list[str]:
    """What is told of such numbers, of several columns with the same ones together."""
    same: dict[tuple[str, ...], list[tuple[str, Sentinels]]] = {}
    for column in columns:
        if (found := sentinels(column)) is not None:
            same.setdefault(found.words, []).append((column.name, found))
    told = []
    for words, group in same.items():
        if len(group) < TOGETHER:
            told += [f"column {name!r} has {one.told()}; {_remedy(name, words)}" for name, one in group]
            continue
        names = listed([repr(name) for name, _ in group])
        told.append(
            f"columns {names} have {listed(words)}, apart from their other values; {_remedy(group[0][0], words)}, and "
            f"likewise for the others, or with what 'arcwise check' proposes"
        )
    return told


def _remedy(name: str, words: Sequence[str]) -> str:
    return f"if that means missing, say so with {na_option(name, *words)}"


def _recorded_once(column: Typed) -> Once | None:
    """Of the cells that are not missing."""
    once = column.once
    if once is None or column.missing is None:
        return once
    return replace(once, times=once.times[~column.missing], first=once.first[~column.missing])


def apart(values: NDArray[Any], once: Once | None = None) -> tuple[tuple[float, float] | None, list[float]]:
    """((lowest, highest) of the other values, those that look like codes for "missing"); values may have NaN.

    Negative ones if no other value is negative, or any that are farther from the others than they are from each
    other. Among words, which are NaN, every such number is a code.
    """
    others = values[~np.isnan(values)]
    if not len(others) or (others.min() not in SENTINELS and others.max() not in SENTINELS):
        return None, []
    if len(others) < len(values):
        found = sorted(set(others.tolist()))
        known = any(code in NINES for code in found) and SENTINELS.issuperset(found)
        return None, found if known else []
    codes = _only_negative(others, once)
    others = others[~np.isin(others, codes)]
    for family in FAMILIES:
        there = [code for code in family if code in others]
        if there[:1] != [family[0]]:
            continue
        far = next((some for some in (there, there[:1]) if _far(others, some)), [])
        others, codes = others[~np.isin(others, far)], [*codes, *far]
    return ((float(others.min()), float(others.max())), codes) if codes else (None, [])


def _only_negative(values: NDArray[Any], once: Once | None) -> list[float]:
    """All negative values, if they are codes and others are there.

    A single -9.0 among numbers with fractions is none: so may a temperature be.
    """
    negative = np.unique(values[values < 0])
    if not 0 < len(negative) < len(np.unique(values)) or not SENTINELS.issuperset(negative.tolist()):
        return []
    single = rows_of(values < 0, once) == 1 and negative[0] >= -9 and bool((values % 1 != 0).any())
    return [] if single else negative.tolist()


def _far(values: NDArray[Any], codes: list[float]) -> bool:
    """Whether the codes are beyond all other values, and farther from them than these are from each other."""
    left = values[~np.isin(values, codes)]
    if not len(left):
        return False
    start, end = float(left.min()), float(left.max())
    gap = start - max(codes) if max(codes) < start else min(codes) - end
    return start < end and gap >= end - start
