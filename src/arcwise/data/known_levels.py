"""Levels of a new table found among those that are known: by label, or as the same number or truth value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from arcwise.data.dataset import code_dtype
from arcwise.data.kinds import Typed
from arcwise.data.levels import label_numbers
from arcwise.errors import DataError, unknown_name


def recoded(column: Typed, levels: Sequence[str]) -> Typed:
    """The same column with its codes in `levels`; "3.0" is found as "3", and "True" as "true"."""
    place = _places(column.labels, levels)
    seen = np.bincount(column.values, minlength=len(place)) > 0
    strange = np.flatnonzero(seen & (place < 0))
    if len(strange):
        row = int(np.argmax(np.isin(column.values, strange)))
        label = column.labels[int(column.values[row])]
        raise DataError(f"column {column.name!r}, row {row + 1}: {unknown_name('level', label, levels)}")
    codes = np.maximum(place, 0)[column.values].astype(code_dtype(len(levels)))
    return replace(column, values=codes, labels=tuple(levels))


def _places(labels: Sequence[str], levels: Sequence[str]) -> np.ndarray:
    """The position of each label in `levels`, -1 where it is none of them."""
    exact = {level: i for i, level in enumerate(levels)}
    numbers = {number: i for i, number in enumerate(label_numbers(levels)) if not np.isnan(number)}
    truths = {level.casefold(): i for i, level in enumerate(levels) if level.casefold() in ("true", "false")}
    found = []
    for label, number in zip(labels, label_numbers(labels), strict=True):
        near = numbers.get(number, truths.get(label.casefold(), -1))
        found.append(exact.get(label, near))
    return np.array(found, dtype=np.intp)
