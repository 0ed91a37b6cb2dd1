"""The table every method works on: named columns, continuous (float64) or discrete (small-integer codes)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from arcwise.checking import checked
from arcwise.data.complete import check_complete
from arcwise.data.provenance import NOT_KNOWN, Provenance
from arcwise.data.rows.matrix import let_go
from arcwise.errors import DataError, unknown_name
from arcwise.machine import check_fits, thread_count
from arcwise.printing import counted

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from arcwise.data.findings import Report
    from arcwise.data.reading.door import Reading, TableLike
    from arcwise.data.rows.elsewhere import Elsewhere

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
BoolArray = NDArray[np.bool_]
WeightArray = NDArray[np.int64]
CodeArray = NDArray[np.uint8] | NDArray[np.uint16]
MAX_LEVELS = 65_536  # codes are at most 16 bits wide
MOST_ROWS = 2**31 - 1  # counts are 32 bits wide
BLOCK_ROWS = 1 << 15  # rows in a block: enough work for a thread, and their joint codes stay in cache
MANY_ROWS = 1 << 22  # a column with more is neither copied nor sorted: the memory and the time would be felt
Missing = Literal["learn", "error", "drop", "state"]
MISSING_BY_DEFAULT: Missing = "learn"


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

    `ordered` says that the levels have a natural order (numbers, bins, ordered categories). `missing` marks the rows
    without a value, None where every row has one. What stands in `values` there means nothing: NaN if continuous, code
    0 if discrete, since kernels do not check bounds.
    """

    name: str
    kind: Kind
    values: NDArray[Any]
    levels: tuple[str, ...] = ()
    ordered: bool = False
    missing: BoolArray | None = None

    def __post_init__(self) -> None:
        values, missing = self.values, self.missing
        if missing is not None:
            missing = _read_only(missing) if missing.any() else None
            object.__setattr__(self, "missing", missing)
        if missing is not None:
            values = _blanked(values, missing, self.kind)
        object.__setattr__(self, "values", _read_only(values))

    @property
    def recorded(self) -> NDArray[Any]:
        """The values that are there."""
        return self.values if self.missing is None else self.values[~self.missing]

    @property
    def cardinality(self) -> int:
        """Number of levels; 0 for a continuous column."""
        return len(self.levels)

    @property
    def shown_kind(self) -> str:
        """Its kind as people are told it: continuous, ordered or discrete. Two levels are just two levels."""
        return "ordered" if self.ordered and self.cardinality > 2 else self.kind.value


class HasKind(Protocol):
    """A column, or what is known of one."""

    @property
    def shown_kind(self) -> str: ...


def kinds_in_words(columns: Iterable[HasKind]) -> str:
    """ "5 continuous, 3 discrete", or "5 continuous, 2 ordered, 1 discrete" where some are ordered."""
    counts = Counter(column.shown_kind for column in columns)
    named = ("continuous", "ordered", "discrete") if counts["ordered"] else ("continuous", "discrete")
    return ", ".join(f"{counts[kind]} {kind}" for kind in named if counts[kind] or not counts["ordered"])


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    view = array.view()  # so that the caller's own array stays writeable
    view.setflags(write=False)
    return view


def _blanked(values: NDArray[Any], missing: BoolArray, kind: Kind) -> NDArray[Any]:
    """The values with what stands for a missing one; the same array where it stands there already."""
    there = values[missing]
    if np.isnan(there).all() if kind is Kind.CONTINUOUS else not there.any():
        return values
    return np.where(missing, np.array(np.nan if kind is Kind.CONTINUOUS else 0, dtype=values.dtype), values)


@dataclass(frozen=True, slots=True)
class TypingDecision:
    """Why a column became continuous or discrete; `doubtful` when another reading is plausible."""

    column: str
    kind: Kind
    reason: str
    doubtful: bool = False


class Block(NamedTuple):
    """Some rows: the values of each column, and how many times each row counts (None: once)."""

    columns: tuple[NDArray[Any], ...]
    weights: WeightArray | None


class Rows(Protocol):
    """Rows as they come, one block after another; what is learned from rows is additive over blocks.

    Statistics see rows only through this, so they need not know whether a table lies in memory, in files or elsewhere.
    n_rows counts rows with their weights, n_stored as they come.
    """

    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def kinds(self) -> tuple[Kind, ...]: ...
    @property
    def cardinalities(self) -> tuple[int, ...]: ...
    @property
    def n_rows(self) -> int: ...
    @property
    def n_stored(self) -> int: ...

    def blocks(self) -> Iterator[Block]: ...


@dataclass(frozen=True, eq=False)
class Dataset:
    """An immutable table. `decisions` logs how each column was typed, `warnings` what looked doubtful.

    weights: how many times each stored row counts (none: once). `n_rows` counts rows with their weights, so it is the N
    of every formula; `n_stored` is the length of the arrays. Cells may be missing: `Column.missing` says which. What
    needs every cell asks for it by `check_complete`, and `codes` and `blocks` do, too. `provenance`: how it was read.
    elsewhere: where the rows are if not here; the columns then have no values, and rows with weights have them there.
    """

    columns: tuple[Column, ...]
    decisions: tuple[TypingDecision, ...] = ()
    warnings: tuple[str, ...] = ()
    weights: WeightArray | None = None
    provenance: Provenance = NOT_KNOWN
    elsewhere: Elsewhere | None = None

    @staticmethod
    def from_frame(frame: TableLike, *, names: Sequence[str] | None = None, **reading: Unpack[Reading]) -> Dataset:
        """From a pandas, polars or pyarrow table, a dict of arrays, or a 2-D NumPy array.

        Kinds are inferred; `continuous`, `discrete` and `ordered` (levels in an order) overrule by column name, `drop`
        leaves columns out, `missing` says what becomes of missing cells ("learn" keeps them as missing) and `na` how
        they are written, and `names` names the columns of an array. The result's `decisions` say what was inferred and
        why.
        """
        from arcwise.data.reading.door import as_dataset

        return as_dataset(frame, names=names, **reading)

    def report(self) -> Report:
        """What is odd about the table, with the evidence and what to do about it; see `arcwise.check`."""
        from arcwise.data.findings import check

        return check(self)

    def to_polars(self) -> pl.DataFrame:
        """A polars table: numbers as float64, levels as an Enum of their labels; missing cells are null.

        An Enum has an order, so three levels or more without one are Categorical.
        """
        thread_count("POLARS_MAX_THREADS")
        import polars as pl

        series = []
        for column in self.repeated().columns:
            if column.levels:
                loose = column.cardinality > 2 and not column.ordered
                dtype = pl.Categorical() if loose else pl.Enum(column.levels)
                labels = pl.Series(column.name, column.levels, dtype=dtype)
                codes = pl.Series(column.values.astype(np.uint32))
                if column.missing is not None:
                    codes = codes.set(pl.Series(column.missing), None)
                series.append(labels.gather(codes))
            else:
                series.append(pl.Series(column.name, column.values, nan_to_null=column.missing is not None))
        return pl.DataFrame(series)

    def to_frame(self) -> pl.DataFrame:
        """The table as a frame: `to_polars`."""
        return self.to_polars()

    def to_pandas(self) -> pd.DataFrame:
        """A pandas table: numbers as float64, levels as categories, ordered if the levels are; NaN is missing."""
        pandas = _library("pandas")
        categories = pandas.Categorical.from_codes
        columns = {
            c.name: categories(_with_minus_one(c), list(c.levels), ordered=c.ordered)
            if c.levels
            else np.array(c.values)
            for c in self.repeated().columns
        }
        return pandas.DataFrame(columns)

    def to_arrow(self) -> pa.Table:
        """A pyarrow table: numbers as float64, levels as a dictionary, ordered if the levels are; nulls are missing."""
        arrow = _library("pyarrow")
        coded = arrow.DictionaryArray.from_arrays
        columns = {
            c.name: coded(arrow.array(c.values.astype(np.int32), mask=c.missing), list(c.levels), ordered=c.ordered)
            if c.levels
            else arrow.array(c.values, mask=c.missing)
            for c in self.repeated().columns
        }
        return arrow.table(columns)

    @checked
    def head(self, n: int = 5) -> pl.DataFrame:
        """The first `n` rows as a polars table, to look at."""
        return replace(self.take(slice(max(n, 0))), weights=None).to_polars()

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

    @cached_property
    def n_rows(self) -> int:
        """Rows of the table that this one stands for: each stored row as often as its weight says."""
        if self.elsewhere is not None:
            return self.elsewhere.n_rows
        return self.n_stored if self.weights is None else int(self.weights.sum())

    @property
    def n_stored(self) -> int:
        if self.elsewhere is not None:
            return self.elsewhere.n_stored
        return len(self.columns[0].values) if self.columns else 0

    @property
    def n_columns(self) -> int:
        return len(self.columns)

    @cached_property
    def is_complete(self) -> bool:
        """Whether no cell is missing."""
        return not self.missing_counts() if self.elsewhere else all(column.missing is None for column in self.columns)

    @property
    def n_missing(self) -> int:
        """Missing cells of the table that this one stands for."""
        return sum(self.missing_counts().values())

    def missing_counts(self) -> dict[str, int]:
        """How many cells are missing in each column that lacks some, in column order; weights are counted."""
        if self.elsewhere is not None:
            counts = self.elsewhere.missing
            return {name: counts[name] for name in self.names if counts.get(name)}
        return {c.name: self._times(c.missing) for c in self.columns if c.missing is not None}

    def complete_rows(self) -> Dataset:
        """Only the rows without a missing cell. Columns keep all their levels."""
        if self.is_complete:
            return self
        gaps = [column.missing for column in self.columns if column.missing is not None]
        return self.take(~np.logical_or.reduce(gaps))

    def __repr__(self) -> str:
        missing = "" if self.is_complete else f"; {counted(self.n_missing, 'cell')} missing"
        return f"Dataset({self.n_rows} rows, {self.n_columns} columns: {kinds_in_words(self.columns)}{missing})"

    def _repr_html_(self) -> str:
        from arcwise.data.showing import table_as_html

        return table_as_html(self)

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
        return self._by_name or self

    def take(self, rows: ArrayLike | slice) -> Dataset:
        """These stored rows in this order, with their weights: positions, also repeated, a mask, or a slice (no copy).

        Columns keep all their levels. Of rows that are elsewhere these are brought here.
        """
        if self.elsewhere is not None:
            kept = range(self.n_stored)[rows] if isinstance(rows, slice) else rows
            return self.elsewhere.sample(self, _positions(kept, self.n_stored))
        chosen = rows if isinstance(rows, slice) else _positions(rows, self.n_stored)
        weights = None if self.weights is None else self.weights[chosen]
        return replace(self, columns=tuple(_taken(column, chosen) for column in self.columns), weights=weights)

    def weighted(self, weights: ArrayLike) -> Dataset:
        """The table in which each stored row counts so many times as before; rows that count 0 times are left out.

        Every method gives the graph that it gives for the table with its rows repeated.
        """
        counts = _whole_weights(weights, self.n_stored)
        if self.weights is not None:
            _check_countable(float(counts @ self.weights.astype(np.float64)))
            counts = counts * self.weights
        kept = replace(self.take(counts > 0), weights=counts[counts > 0])
        return replace(kept, weights=None) if (counts == 1).all() else kept

    def repeated(self) -> Dataset:
        """The table without weights that this one stands for: each row as often as its weight says."""
        if self.weights is None:
            return self
        size = sum(column.values.itemsize for column in self.columns) * self.n_rows
        check_fits(size, f"the table with its rows repeated by their weights ({self.n_rows:,} rows)")
        return replace(self, weights=None).take(np.repeat(np.arange(self.n_stored), self.weights))

    def blocks(self) -> Iterator[Block]:
        """The rows in blocks of about equal size; no values are copied. Every cell must be there."""
        check_complete(self)
        return self._blocks()

    def _blocks(self) -> Iterator[Block]:
        parts = -(-self.n_stored // BLOCK_ROWS)
        for a, b in pairwise(self.n_stored * part // parts for part in range(parts + 1)) if parts else ():
            weights = None if self.weights is None else self.weights[a:b]
            yield Block(tuple(column.values[a:b] for column in self.columns), weights)

    def codes(self) -> CodeArray:
        """All columns as one (n_columns, n_stored) matrix of codes; every column must be discrete, every cell there."""
        check_complete(self)
        for column in self.columns:
            if column.kind is not Kind.DISCRETE:
                raise DataError(f"column {column.name!r} is continuous and must be discretized first")
        dtype = code_dtype(max(self.cardinalities, default=0))
        matrix: NDArray[Any] = np.empty((self.n_columns, self.n_stored), dtype=dtype)
        for row, column in zip(matrix, self.columns, strict=True):
            row[:] = column.values
        return matrix

    def _times(self, rows: BoolArray) -> int:
        """How many rows these stored ones stand for."""
        return int(np.count_nonzero(rows) if self.weights is None else self.weights.sum(where=rows))

    @cached_property
    def _by_name(self) -> Dataset | None:
        """Kept, so that all who ask have one table, and with it its statistics; None: it is this one."""
        ordered = tuple(sorted(self.columns, key=lambda column: column.name))
        return None if ordered == self.columns else replace(self, columns=ordered)

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}


def _taken(column: Column, rows: IntArray | slice) -> Column:
    missing = None if column.missing is None else column.missing[rows]
    values = column.values[rows]
    if not isinstance(rows, slice):
        let_go(column.values[None])  # a few rows of a mapped column bring pages of all of it into memory
    return replace(column, values=values, missing=missing)


def _with_minus_one(column: Column) -> IntArray:
    """Codes as pandas has them."""
    codes = column.values.astype(np.intp)
    if column.missing is not None:
        codes[column.missing] = -1
    return codes


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise DataError(f"{name} is not installed; install it with 'pip install {name}', or use to_polars()") from None


def _positions(rows: ArrayLike, n_stored: int) -> IntArray:
    chosen = np.asarray(rows)
    if chosen.dtype == np.bool_ and chosen.shape == (n_stored,):
        return chosen.nonzero()[0]
    if chosen.ndim != 1 or (chosen.size and not np.issubdtype(chosen.dtype, np.integer)):
        raise DataError(f"rows must be a list of whole numbers, or a mask of {n_stored:,} true and false")
    found = chosen.astype(np.intp)
    if found.size and not -n_stored <= found.min() <= found.max() < n_stored:
        raise DataError(
            f"row {found.max() if found.max() >= n_stored else found.min()} of a table of {n_stored:,} rows"
        )
    return found


def _whole_weights(weights: ArrayLike, n_stored: int) -> WeightArray:
    given = np.asarray(weights)
    if given.shape != (n_stored,) or not np.issubdtype(given.dtype, np.number) or np.iscomplexobj(given):
        raise DataError(f"weights must be {n_stored:,} numbers, one for each row")
    wrong = ~np.isfinite(given) | (given < 0) | (given != np.floor(given))
    if wrong.any():
        found = f"row {int(np.argmax(wrong)) + 1} has {given[wrong][0]:g}"
        raise DataError(f"weights must be whole numbers from 0: how many times each row counts; {found}")
    if not given.any():
        raise DataError("no weight is above 0, so no row would be left; give a weight above 0 to the rows that count")
    _check_countable(float(given.sum(dtype=np.float64)))
    return given.astype(np.int64)


def _check_countable(n_rows: float) -> None:
    """Refuse weights that stand for more rows than counts can hold."""
    if n_rows > MOST_ROWS:
        raise DataError(
            f"weights add up to {n_rows:,.0f} rows, and at most {MOST_ROWS:,} can be counted; divide the weights by a "
            f"number that makes them smaller"
        )
