"""From what was seen of all columns to what is written: kinds, levels, lookups, and which rows are left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from arcwise.data.complete import counts_by_name
from arcwise.data.dataset import MOST_ROWS, BoolArray, Kind, Missing
from arcwise.data.kinds import Typed
from arcwise.data.levels import drop_unused
from arcwise.data.missing import Settled, settle_missing
from arcwise.data.reading.raw import Once, Origin, rows_of
from arcwise.data.rows.batches import Batch
from arcwise.data.rows.lookups import Lookup
from arcwise.data.rows.settling import lookup_of
from arcwise.data.rows.survey import How, Seen
from arcwise.data.validate import check_levels, check_recorded, is_void, suspicions, void_doubt
from arcwise.errors import DataError
from arcwise.printing import counted, option

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True)
class Planned:
    """A column that is written, and what becomes of its cells."""

    column: Typed
    lookup: Lookup

    @property
    def name(self) -> str:
        return self.column.name


@dataclass(frozen=True)
class Plan:
    """columns: those of the table. weights: what says how many times each row counts. drops: columns whose missing
    cells leave out their rows. notes, suspect: what is to be told.
    """

    columns: tuple[Planned, ...]
    weights: Planned | None
    drops: tuple[Planned, ...]
    notes: tuple[str, ...]
    suspect: tuple[str, ...]
    n_dropped: int = 0

    @property
    def sieves(self) -> bool:
        """Whether rows may be left out."""
        return bool(self.drops) or self.weights is not None

    def kept(self, batch: Batch) -> BoolArray | None:
        """The rows of a batch that are not left out; None: all."""
        whole = self.whole(batch)
        if self.weights is None:
            return whole
        counts = self.weights.lookup(batch.column(self.weights.name))[0]
        return counts > 0 if whole is None else whole & (counts > 0)

    def whole(self, batch: Batch) -> BoolArray | None:
        """The rows of a batch that are not left out for a missing cell; None: all."""
        gone = [found for one in self.drops if (found := one.lookup(batch.column(one.name))[1]) is not None]
        return ~np.logical_or.reduce(gone) if gone else None


def plan(
    typed: Sequence[Typed],
    seen: Mapping[str, Seen],
    hows: Mapping[str, How],
    policy: Missing,
    notes: Sequence[str],
    weights: str | None,
) -> Plan:
    """What `build` does for a table in memory."""
    void = [column for column in typed if policy != "error" and is_void(column) and not column.declared]
    if 0 < len(void) < len(typed):
        typed, notes = [column for column in typed if column not in void], (*notes, void_doubt(void))
    gaps = [column for column in typed if column.missing is not None and column.missing.any()]
    settled = Settled(list(typed), []) if policy == "drop" and gaps else settle_missing(typed, policy)
    planned = [Planned(one, lookup_of(one, seen[one.name], hows[one.name])) for one in settled.columns]
    drops = tuple(one for one in planned if policy == "drop" and one.column in gaps)
    own = [one for one in planned if one.name != weights]
    if not drops:
        check_recorded([one.column for one in own])
        check_levels([one.column for one in own])
    return Plan(
        tuple(own),
        next((_checked_weights(one, policy) for one in planned if one.name == weights), None),
        drops,
        (*notes, *settled.warnings),
        tuple(suspicions([column for column in typed if column.name != weights])),
    )


def _checked_weights(one: Planned, policy: Missing) -> Planned:
    """Refuse weights that are no whole numbers from 0, or are missing."""
    name, column = one.name, one.column
    if policy != "drop" and column.missing is not None and column.missing.any():
        n = counted(rows_of(column.missing, column.once), "row")
        raise DataError(
            f"column {name!r} holds the weights of the rows, but has none for {n}; fill them in (0 leaves a row out), "
            f"or drop such rows with --missing drop (missing='drop')"
        )
    values = column.present()
    wrong = ~np.isfinite(values) | (values < 0) | (values != np.floor(values))
    if wrong.any():
        raise DataError(
            f"column {name!r} cannot weight the rows: weights must be whole numbers from 0: how many times each row "
            f"counts; one is {values[wrong][0]:g}"
        )
    return one


@dataclass(frozen=True, eq=False)
class Sifted:
    """What is left of some rows. n_whole: without those that lack a cell; n_left: nor those that count 0 times.

    Of the whole ones, levels: rows of each level of each column; ends: lowest and highest number of it.
    """

    n_rows: int = 0
    n_whole: int = 0
    n_left: int = 0
    total: int = 0
    largest: int = 0
    levels: Mapping[str, NDArray[np.int64]] | None = None
    ends: Mapping[str, tuple[float, float]] | None = None


def sift(plan: Plan, batch: Batch) -> Sifted:
    """Count the rows of a batch that are kept, and what they hold where rows with missing cells are left out."""
    kept, whole = plan.kept(batch), plan.whole(batch)
    n_left, n_whole = (batch.n_rows if rows is None else int(np.count_nonzero(rows)) for rows in (kept, whole))
    total, largest = n_left, 1
    if plan.weights is not None:
        counts = plan.weights.lookup(batch.column(plan.weights.name))[0]
        total, largest = int(counts[kept].sum()), int(counts.max(initial=0))
    levels: dict[str, Any] = {}
    ends: dict[str, Any] = {}
    for one in plan.columns if plan.drops else ():
        values = one.lookup(batch.column(one.name))[0]
        values = values if whole is None else values[whole]
        if one.column.kind is Kind.DISCRETE:
            levels[one.name] = np.bincount(values, minlength=len(one.column.labels))
        elif len(values):
            ends[one.name] = (float(values.min()), float(values.max()))
    return Sifted(batch.n_rows, n_whole, n_left, total, largest, levels, ends)


def sifted(found: Iterable[Sifted]) -> Sifted:
    """The sum of all."""
    levels: dict[str, NDArray[np.int64]] = {}
    ends: dict[str, tuple[float, float]] = {}
    every = list(found)
    for one in every:
        for name, rows in (one.levels or {}).items():
            levels[name] = rows + levels.get(name, 0)
        for name, (low, high) in (one.ends or {}).items():
            before = ends.get(name, (low, high))
            ends[name] = (min(low, before[0]), max(high, before[1]))
    return Sifted(
        sum(one.n_rows for one in every),
        sum(one.n_whole for one in every),
        sum(one.n_left for one in every),
        sum(one.total for one in every),
        max((one.largest for one in every), default=0),
        levels,
        ends,
    )


def without_rows(plan: Plan, left: Sifted) -> Plan:
    """The plan when it is known which rows are left: levels that no row has any more go, unless they were declared."""
    if plan.weights is not None:
        _check_total(plan.weights.name, left)
    if not plan.drops:
        return plan
    gaps = [one.column for one in plan.drops]
    counts = {one.name: rows_of(one.missing, one.once) for one in gaps if one.missing is not None}
    gone = left.n_rows - left.n_whole
    if left.n_whole < 2:
        worst = max(counts, key=counts.__getitem__)
        few = "no row" if not left.n_whole else "only one row"
        raise DataError(
            f"{few} of {left.n_rows:,} would be left without the rows that have missing values, most of them in "
            f"{worst!r} ({counts[worst]:,}); leave that column out with {option('drop', worst)} or fill its values in"
        )
    told = f"dropped {gone:,} of {counted(left.n_rows, 'row')} with missing values in {counts_by_name(counts)}"
    columns = tuple(_reduced(one, left) for one in plan.columns)
    check_recorded([one.column for one in columns])
    check_levels([one.column for one in columns])
    return replace(plan, columns=columns, notes=(*plan.notes, told), n_dropped=gone)


def _check_total(name: str, left: Sifted) -> None:
    if not left.total:
        raise DataError(
            f"column {name!r} cannot weight the rows: no weight is above 0, so no row would be left; give a weight "
            f"above 0 to the rows that count"
        )
    if left.total >= MOST_ROWS:
        raise DataError(
            f"column {name!r} cannot weight the rows: weights add up to {left.total:.3g} rows; at most {MOST_ROWS:,} "
            f"can be counted"
        )


@dataclass(frozen=True)
class _Recoded:
    """Codes among fewer levels; rows with a missing cell are left out before anybody looks."""

    inner: Lookup
    codes: NDArray[Any]
    lacks: bool = False

    def __call__(self, cells: Any) -> tuple[NDArray[Any], None]:
        return self.codes[self.inner(cells)[0]], None


@dataclass(frozen=True)
class _Whole:
    """Numbers of which none is missing in the rows that are left."""

    inner: Lookup
    lacks: bool = False

    def __call__(self, cells: Any) -> tuple[NDArray[Any], None]:
        return self.inner(cells)[0], None


def _reduced(one: Planned, left: Sifted) -> Planned:
    column = one.column
    if column.kind is Kind.CONTINUOUS:
        values = np.array((left.ends or {})[column.name])
        once = Once(np.array([left.n_whole - 1, 1]), np.zeros(2, dtype=np.int64))
        return Planned(replace(column, values=values, missing=None, once=once), _Whole(one.lookup))
    rows = (left.levels or {})[column.name]
    codes, labels = np.arange(len(column.labels)), column.labels
    if column.origin is not Origin.CATEGORY:
        used = np.flatnonzero(rows)
        codes, labels = (np.cumsum(rows > 0) - 1).clip(0), drop_unused(used, column.labels)[1]
        rows = rows[used]
    once = Once(rows, np.zeros(len(rows), dtype=np.int64))
    there = np.arange(len(labels))
    fresh = replace(
        column, values=there[rows > 0], labels=labels, missing=None, once=replace(once, times=rows[rows > 0])
    )
    return Planned(fresh, _Recoded(one.lookup, codes))
