"""Columns of a dataset matched to the nodes of a network by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from arcwise.data.dataset import Column, Dataset, FloatArray, IntArray, Kind
from arcwise.errors import DataError, unknown_name


def state_codes(data: Dataset, name: str, states: Sequence[str]) -> IntArray:
    """Codes of column `name` as positions in `states`: levels are matched by label, not by order."""
    column = data.column(name)
    if column.kind is not Kind.DISCRETE:
        raise DataError(f"column {name!r} is continuous but its node is discrete; discretize it first")
    positions = {state: i for i, state in enumerate(states)}
    lookup = np.array([positions.get(level, -1) for level in column.levels], dtype=np.intp)
    codes: IntArray = lookup[column.values]
    if codes.size and codes.min() < 0:
        strange = column.levels[int(column.values[int(np.argmin(codes))])]
        raise DataError(f"column {name!r}: " + unknown_name("state", strange, states))
    return codes


def continuous_values(data: Dataset, name: str) -> FloatArray:
    """Values of column `name`, which must be continuous."""
    column = data.column(name)
    if column.kind is not Kind.CONTINUOUS:
        raise DataError(f"column {name!r} is discrete but its node is continuous; read it as continuous")
    values: FloatArray = column.values
    return values


def continuous_dataset(names: Iterable[str], values: Iterable[FloatArray]) -> Dataset:
    """One continuous column per name."""
    pairs = zip(names, values, strict=True)
    return Dataset(tuple(Column(name, Kind.CONTINUOUS, np.ascontiguousarray(array)) for name, array in pairs))


def rows_of(data: Dataset, rows: slice) -> Dataset:
    """Some of the rows, without a copy."""
    return Dataset(tuple(Column(c.name, c.kind, c.values[rows], c.levels, c.ordered) for c in data.columns))
