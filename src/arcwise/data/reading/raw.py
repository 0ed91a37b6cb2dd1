"""Tables as a source hands them over: names, rows and raw columns, before anything is decided about them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import Dataset, Kind

if TYPE_CHECKING:
    import polars as pl

BoolArray = NDArray[np.bool_]


class Origin(StrEnum):
    """What a column was in its source; decides how its kind is inferred and which checks apply."""

    NUMBER = "number"
    TEXT = "text"
    BOOL = "bool"
    CATEGORY = "category"


@dataclass(frozen=True, slots=True, eq=False)
class Once:
    """What a column tells no more when equal cells stand in it only once, in the order in which they come first.

    times: rows that have each cell; first: the first of these rows. last: the cell of the last row. Of columns that are
    too long to keep all cells: n_distinct, how many texts there are; by_one, whether each number is one more than the
    one before; differ, which finds out whether no number occurs twice.
    """

    times: NDArray[np.int64]
    first: NDArray[np.int64]
    last: int = 0
    n_distinct: int = 0
    by_one: bool | None = None
    differ: Callable[[], bool] | None = None


def rows_of(cells: BoolArray, once: Once | None) -> int:
    """How many rows have the cells that are marked."""
    return int(np.count_nonzero(cells) if once is None else once.times[cells].sum())


def row_of(cell: int, once: Once | None) -> int:
    """The first row that has this cell; rows count from 0."""
    return int(cell if once is None else once.first[cell])


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """Integers or floats. Cells under `missing` mean nothing, nor do NaN cells; None when none is missing.

    `note` says what was understood or left out to read them as numbers (percent signs, thousands marks). `cells` is the
    text they were read from, where it is plain numbers of a text file. `doubt` is a sentence to be told.
    """

    name: str
    values: NDArray[Any]
    missing: BoolArray | None = None
    note: str = ""
    cells: pl.Series | None = None
    doubt: str = ""
    once: Once | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """A polars series of text, null where missing; cells equal to one of `words`, `numbers` or `markers` are, too.

    A cell that begins with `mark` stood in quotes: what follows is its text, and no marker.
    """

    name: str
    cells: pl.Series
    markers: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    mark: str = ""
    numbers: tuple[float, ...] = ()
    once: Once | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """Codes into `labels`, which stand in their final order; a missing cell has some valid code."""

    name: str
    codes: NDArray[Any]
    labels: tuple[str, ...]
    missing: BoolArray | None
    origin: Origin
    ordered: bool = False
    once: Once | None = None

    def rows(self) -> NDArray[np.int64]:
        """How many rows have each level."""
        present, once = (slice(None) if self.missing is None else ~self.missing), self.once
        times = None if once is None else once.times[present]
        return np.bincount(self.codes[present], times, len(self.labels)).astype(np.int64)


Raw = Numbers | Text | Levels


@dataclass(frozen=True, slots=True)
class Words:
    """What the caller calls missing in one column: as text, and as numbers where the words are numbers."""

    texts: frozenset[str] = frozenset()
    numbers: tuple[float, ...] = ()


NO_WORDS = Words()
THE_TABLE = "the table"  # what a table in memory is called


@dataclass(frozen=True, eq=False)
class Source:
    """`column(position, wanted, words)` reads one column; it is called only for columns that are kept.

    wanted: the kind that the caller declared. words: what the caller calls missing. label: for messages.
    notes: what is doubtful about the table as a whole, one sentence each. delimiter: between cells of a text table.
    path: of a file, as it was given.
    """

    names: tuple[str, ...]
    n_rows: int
    column: Callable[[int, Kind | None, Words], Raw]
    label: str = THE_TABLE
    notes: tuple[str, ...] = ()
    delimiter: str = ""
    path: str = ""

    @cached_property
    def positions(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}


def as_source(data: Dataset) -> Source:
    """A Dataset to be read again."""
    return Source(data.names, data.n_stored, lambda i, wanted, words: _as_raw(data, i))


def _as_raw(data: Dataset, position: int) -> Raw:
    column = data.columns[position]
    if column.kind is Kind.CONTINUOUS:
        return Numbers(column.name, column.values, column.missing)
    return Levels(column.name, column.values, column.levels, column.missing, Origin.CATEGORY, column.ordered)
