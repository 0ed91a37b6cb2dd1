"""Discrete columns with levels that are known beforehand, from a network, thresholds or a recipe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from arcwise.data.dataset import code_dtype
from arcwise.data.kinds import Typed
from arcwise.data.levels import label_numbers, wide_code_dtype
from arcwise.errors import DataError, unknown_name
from arcwise.printing import counted, listed


def recoded(column: Typed, levels: Sequence[str]) -> Typed:
    """The same column with its codes in `levels`; "3.0" is found as "3", and "True" as "true"."""
    place = label_places(column.labels, levels)
    strange = strange_cell(column, place)
    if strange is not None:
        row, label = strange
        raise DataError(f"column {column.name!r}, row {row + 1}: {unknown_name('level', label, levels)}")
    own = np.maximum(place, 0).astype(code_dtype(len(levels)))
    codes = own[column.values] if len(own) else np.zeros(len(column.values), dtype=own.dtype)  # no cell is recorded
    return replace(column, values=codes, labels=tuple(levels))


def strange_cell(column: Typed, place: np.ndarray) -> tuple[int, str] | None:
    """(position, label) of the first recorded cell whose label has no place, -1."""
    seen = np.bincount(column.present(), minlength=len(place)) > 0
    strange = np.flatnonzero(seen & (place < 0))
    if not len(strange):
        return None
    hit = np.isin(column.values, strange)
    row = int(np.argmax(hit if column.missing is None else hit & ~column.missing))
    return row, column.labels[int(column.values[row])]


def label_places(labels: Sequence[str], levels: Sequence[str]) -> np.ndarray:
    """The position of each label in `levels`, -1 where it is none of them."""
    exact = {level: i for i, level in enumerate(levels)}
    numbers = {number: i for i, number in enumerate(label_numbers(levels)) if not np.isnan(number)}
    truths = {level.casefold(): i for i, level in enumerate(levels) if level.casefold() in ("true", "false")}
    found = []
    for label, number in zip(labels, label_numbers(labels), strict=True):
        near = numbers.get(number, truths.get(label.casefold(), -1))
        found.append(exact.get(label, near))
    return np.array(found, dtype=np.intp)


def with_levels(column: Typed, known: Sequence[str]) -> tuple[Typed, str]:
    """The same column with the known levels in their order; levels that are new come behind, and a sentence tells."""
    place = label_places(column.labels, known)
    seen = np.bincount(column.present(), minlength=len(place)) > 0
    new = np.flatnonzero(seen & (place < 0))
    place[new] = len(known) + np.arange(len(new))
    labels = (*known, *(column.labels[i] for i in new))
    table = np.maximum(place, 0).astype(wide_code_dtype(len(labels)))
    codes = table[column.values] if len(table) else np.zeros(len(column.values), dtype=table.dtype)
    fresh = replace(column, values=codes, labels=labels, ordered=column.ordered and not len(new))
    if not len(new):
        return fresh, ""
    rows = int(column.rows()[new].sum())
    names = listed([repr(column.labels[i]) for i in new])
    what = "the new level" if len(new) == 1 else "new levels"
    return fresh, (
        f"column {column.name!r} has {what} {names} in {counted(rows, 'row')}, which the recipe does not know; add to "
        f"`levels` of the recipe what is right, and merge what is another spelling"
    )
