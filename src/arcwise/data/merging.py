"""Cells that differ as text but are one value as numbers: integers beyond 2^53, and 1234 beside 1234.0."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcwise.data.levels import EXACT, are_numbers, label_numbers
from arcwise.data.reading.raw import BoolArray, Numbers
from arcwise.data.wording import option


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
