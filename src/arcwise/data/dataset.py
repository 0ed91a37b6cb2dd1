"""The table every method works on: named columns, continuous (float64) or discrete (small-integer codes)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np
from numpy.typing import NDArray

from arcwise.checking import checked
from arcwise.errors import DataError, unknown_name

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from arcwise.data.reading.door import Reading, TableLike

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
CodeArray = NDArray[np.uint8] | NDArray[np.uint16]
MAX_LEVELS = 65_536  # codes are at most 16 bits wide
Missing = Literal["error", "drop", "state"]


class Kind(StrEnum):
    """What the values of a column are."""

    CONTINUOUS = "continuous"
    DISCRETE = "discrete"


def code_dtype(cardinality: int) -> type[np.uint8] | type[np.uint16]:
    """The smallest integer type that holds the codes 0..cardinality-1."""
    return np.uint8 if cardinality <= 256 else np.uint16


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One variable. `values` is a read-only view: float64 if continuous, codes into `levels` if discrete.

    `ordered` says that the levels have a natural order (numbers, bins, ordered categories).
    """

    name: str
    kind: Kind
    values: NDArray[Any]
    levels: tuple[str, ...] = ()
    ordered: bool = False

    def __post_init__(self) -> None:
        view = self.values.view()  # so that the caller's own array stays writeable
        view.setflags(write=False)
        object.__setattr__(self, "values", view)

    @property
    def cardinality(self) -> int:
        """Number of levels; 0 for a continuous column."""
        return len(self.levels)


@dataclass(frozen=True, slots=True)
class TypingDecision:
    """Why a column became continuous or discrete; `doubtful` when another reading is plausible."""

    column: str
    kind: Kind
    reason: str
    doubtful: bool = False


@dataclass(frozen=True, eq=False)
class Dataset:
    """An immutable table. `decisions` logs how each column was typed, `warnings` what looked doubtful."""

    columns: tuple[Column, ...]
    decisions: tuple[TypingDecision, ...] = ()
    warnings: tuple[str, ...] = ()

    @staticmethod
    def from_frame(frame: TableLike, *, names: Sequence[str] | None = None, **reading: Unpack[Reading]) -> Dataset:
        """From a pandas, polars or pyarrow table, a dict of arrays, or a 2-D NumPy array.

        Kinds are inferred; `continuous` and `discrete` overrule by column name, `drop` leaves columns out, `missing`
        and `na` say what missing values do and how they are written, and `names` names the columns of an array. The
        result's `decisions` say what was inferred and why.
        """
        from arcwise.data.reading.door import as_dataset

        return as_dataset(frame, names=names, **reading)

    def to_polars(self) -> pl.DataFrame:
        """A polars table: numbers as float64, levels as an Enum of their labels."""
        from arcwise.data.export import to_polars

        return to_polars(self)

    def to_pandas(self) -> pd.DataFrame:
        """A pandas table: numbers as float64, levels as categories, ordered if the levels are."""
        from arcwise.data.export import to_pandas

        return to_pandas(self)

    def to_arrow(self) -> pa.Table:
        """A pyarrow table: numbers as float64, levels as a dictionary, ordered if the levels are."""
        from arcwise.data.export import to_arrow

        return to_arrow(self)

    @checked
    def head(self, n: int = 5) -> pl.DataFrame:
        """The first `n` rows as a polars table, to look at."""
        return Dataset(tuple(replace(c, values=c.values[: max(n, 0)]) for c in self.columns)).to_polars()

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        return tuple(column.kind for column in self.columns)

    @cached_property
    def cardinalities(self) -> tuple[int, ...]:
        """Levels of each column; 0 where continuous."""
        return tuple(column.cardinality for column in self.columns)

    @property
    def n_rows(self) -> int:
        return len(self.columns[0].values) if self.columns else 0

    @property
    def n_columns(self) -> int:
        return len(self.columns)

    def __repr__(self) -> str:
        n_continuous = self.kinds.count(Kind.CONTINUOUS)
        return (
            f"Dataset({self.n_rows} rows, {self.n_columns} columns: "
            f"{n_continuous} continuous, {self.n_columns - n_continuous} discrete)"
        )

    def index(self, name: str) -> int:
        """Position of the column called `name`."""
        try:
            return self._positions[name]
        except (KeyError, TypeError):
            raise DataError(unknown_name("column", name, self.names)) from None

    def column(self, name: str) -> Column:
        return self.columns[self.index(name)]

    @checked
    def select(self, names: Iterable[str]) -> Dataset:
        """The same rows with only these columns, in this order. No values are copied."""
        columns = tuple(self.column(name) for name in names)
        kept = {column.name for column in columns}
        return replace(self, columns=columns, decisions=tuple(d for d in self.decisions if d.column in kept))

    def by_name(self) -> Dataset:
        """Columns in the order of their names.

        Learners work on this view, so that ties broken by position are broken by name and the order of the
        columns in the user's file cannot change a result, not even in the last bit.
        """
        return self if list(self.names) == sorted(self.names) else self.select(sorted(self.names))

    def codes(self) -> CodeArray:
        """All columns as one (n_columns, n_rows) matrix of codes; every column must be discrete."""
        for column in self.columns:
            if column.kind is not Kind.DISCRETE:
                raise DataError(f"column {column.name!r} is continuous and must be discretized first")
        dtype = code_dtype(max(self.cardinalities, default=0))
        matrix: NDArray[Any] = np.empty((self.n_columns, self.n_rows), dtype=dtype)
        for row, column in zip(matrix, self.columns, strict=True):
            row[:] = column.values
        return matrix

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}
