"""Columns of a dataset matched to the nodes of a network by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np

from arcwise.data.complete import check_complete
from arcwise.data.dataset import BoolArray, Column, Dataset, FloatArray, IntArray, Kind
from arcwise.errors import DataError, unknown_name
from arcwise.printing import listed


class Columns(Protocol):
    """What models read: a table, or the columns that were drawn so far."""

    @property
    def n_rows(self) -> int: ...

    def column(self, name: str) -> Column: ...


class Drawn:
    """A table that grows column by column.

    Numbers are kept in one piece of memory, which the system hands out several times as fast as many small ones.
    """

    def __init__(self, n_rows: int, n_continuous: int) -> None:
        self.n_rows = n_rows
        self._columns: dict[str, Column] = {}
        self._room = iter(np.empty((n_continuous, n_rows)))

    def add(self, column: Column) -> None:
        if column.kind is Kind.CONTINUOUS:
            values = next(self._room)
            values[:] = column.values
            column = Column(column.name, Kind.CONTINUOUS, values)
        self._columns[column.name] = column

    def column(self, name: str) -> Column:
        return self._columns[name]


def state_codes(data: Columns, name: str, states: Sequence[str]) -> IntArray:
    """Codes of column `name` as positions in `states`: levels are matched by label, not by order. Read only."""
    return _codes(_complete(data.column(name)), states)


def continuous_values(data: Columns, name: str) -> FloatArray:
    """Values of column `name`, which must be continuous."""
    return _numbers(_complete(data.column(name)))


def level_cells(data: Columns, name: str, states: Sequence[str]) -> tuple[IntArray, BoolArray]:
    """(codes as in `state_codes`, which cells are missing): what stands in those means nothing."""
    column = data.column(name)
    return _codes(column, states), _missing(column)


def number_cells(data: Columns, name: str) -> tuple[FloatArray, BoolArray]:
    """(values, which cells are missing)."""
    column = data.column(name)
    return _numbers(column), _missing(column)


def check_shared(data: Dataset, nodes: Iterable[str]) -> None:
    """Refuse a table that has no column of a network."""
    names = list(nodes)
    if not set(names) & set(data.names):
        own = listed([repr(name) for name in names])
        raise DataError(f"the table has no column of the network; check the names, the network has {own}")


def _codes(column: Column, states: Sequence[str]) -> IntArray:
    if column.kind is not Kind.DISCRETE:
        raise DataError(f"column {column.name!r} is continuous but its node is discrete; discretize it first")
    if column.levels == states:  # the same levels in the same order
        return column.values
    positions = {state: i for i, state in enumerate(states)}
    lookup = np.array([positions.get(level, -1) for level in column.levels], dtype=np.intp)
    if not len(lookup):  # no cell is recorded
        return np.zeros(len(column.values), dtype=np.intp)
    codes: IntArray = lookup[column.values]
    if column.missing is not None:
        codes[column.missing] = 0
    if codes.size and codes.min() < 0:
        strange = column.levels[int(column.values[int(np.argmin(codes))])]
        raise DataError(f"column {column.name!r}: " + unknown_name("state", strange, states))
    return codes


def _numbers(column: Column) -> FloatArray:
    if column.kind is not Kind.CONTINUOUS:
        raise DataError(f"column {column.name!r} is discrete but its node is continuous; read it as continuous")
    return column.values


def _missing(column: Column) -> BoolArray:
    return np.zeros(len(column.values), dtype=np.bool_) if column.missing is None else column.missing


def _complete(column: Column) -> Column:
    check_complete(Dataset((column,)), "a model")
    return column


def continuous_dataset(names: Iterable[str], values: Iterable[FloatArray]) -> Dataset:
    """One continuous column per name."""
    pairs = zip(names, values, strict=True)
    return Dataset(tuple(Column(name, Kind.CONTINUOUS, np.ascontiguousarray(array)) for name, array in pairs))
