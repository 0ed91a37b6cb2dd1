"""A Dask DataFrame as a table on a cluster: its partitions are read, and coded, by the workers.

The workers find out what every column holds, partition by partition; what that means is settled here, by the rules for
all tables; then the workers code their partitions, and put them together to shelves of whole groups of rows. Shelves
remember the partitions that they were made of, so that they can be made again when a worker is lost.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from arcwise.data.dataset import Column, Dataset, Kind, code_dtype
from arcwise.data.kinds import Typed
from arcwise.data.level_order import in_said_order
from arcwise.data.provenance import Provenance
from arcwise.data.reading.door import Reading, choices_of, policy_of, provenance_of
from arcwise.data.reading.raw import Numbers, Source
from arcwise.data.recipe import ColumnRecipe
from arcwise.data.rows.batches import Batch, Reader
from arcwise.data.rows.counting import count_distinct, no_number_twice
from arcwise.data.rows.lookups import Unknown
from arcwise.data.rows.parts import Format
from arcwise.data.rows.planning import Plan, Planned, Sifted, plan, sift, sifted, without_rows
from arcwise.data.rows.settling import Counting, how_to_read, plain_types, settle_columns
from arcwise.data.rows.survey import How, Seen, extended, followed, nothing_yet, shifted
from arcwise.data.validate import check_names, check_rows, doubts
from arcwise.errors import DataError
from arcwise.running.far import OnCluster, far_columns
from arcwise.running.library import Library, check_workers
from arcwise.running.shelves import Range, Request, Shelf, View, joined, ranges

if TYPE_CHECKING:
    import polars as pl

LABEL = "the Dask DataFrame"
UNKNOWN = "__UNKNOWN_CATEGORIES__"  # Dask's word for categories that only the partitions know


@contextmanager
def frame_placed(frame: Any, reading: Reading, client: Any) -> Iterator[Dataset]:
    """The table in a Dask DataFrame, its rows coded on the workers until the end of the block."""
    workers = check_workers(client)
    partitions = frame.to_delayed()
    loose = {str(name) for name, column in frame._meta.items() if is_categories(column) and not column.cat.ordered}
    table, coding = _settled(_Partitions(client, partitions, _types(frame)), reading, loose)
    library = Library(client, _shelves(client, partitions, coding, workers))
    try:
        view = View(table.names)
        n_rows, missing = library.ask(Request(view, Holes()))
        n_stored = sum(coding.sizes)
        found = OnCluster(library, n_stored, n_rows, {name: n for name, n in missing.items() if n})
        yield replace(table, columns=far_columns(table.columns), elsewhere=found)
    finally:
        library.forget()


@dataclass(frozen=True)
class Coding:
    """How partitions are coded: sizes has the rows of each that are kept. weighted: rows count several times."""

    types: Mapping[str, Any]
    plan: Plan
    sizes: tuple[int, ...]
    weighted: bool


@dataclass(frozen=True)
class Holes:
    """Rows with their weights, and missing cells of each column."""

    def of(self, rows: Dataset, first: int) -> tuple[int, dict[str, int]]:
        counts = rows.missing_counts()
        return rows.n_rows, {name: counts.get(name, 0) for name in rows.names}

    def join(self, answers: Sequence[tuple[int, dict[str, int]]]) -> tuple[int, dict[str, int]]:
        names = answers[0][1]
        return sum(n for n, _ in answers), {name: sum(missing[name] for _, missing in answers) for name in names}


class _Partitions:
    """Work on all partitions, on the workers, and what came of it, in their order."""

    def __init__(self, client: Any, partitions: Sequence[Any], types: Mapping[str, Any]) -> None:
        self._client, self._partitions, self.types = client, partitions, types

    def each(self, function: Any, *arguments: Any) -> list[Any]:
        from dask.delayed import delayed

        work = [delayed(function)(one, self.types, *arguments) for one in self._partitions]
        return list(self._client.gather(_computed(self._client, work)))

    def column(self, name: str) -> Iterator[pl.Series]:
        """The cells of one column, a partition at a time."""
        from dask.delayed import delayed

        for one in self._partitions:
            yield _computed(self._client, delayed(cells_of)(one, self.types, name)).result()


def _computed(client: Any, work: Any, **where: Any) -> Any:
    """Futures of it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that a frame made of data in memory is large
        return client.compute(work, **where)


def _types(frame: Any) -> dict[str, Any]:
    """The polars types of the columns. What Dask calls objects is text."""
    import polars as pl

    names = [str(name) for name in frame.columns]
    check_names(names, LABEL)
    types: dict[str, Any] = {}
    for name, (_, column) in zip(names, frame._meta.items(), strict=True):
        if is_categories(column):
            known = [str(one) for one in column.cat.categories]
            types[name] = pl.String() if UNKNOWN in known else pl.Enum(known)
        elif column.dtype == object or str(column.dtype).startswith("str"):
            types[name] = pl.String()
        else:
            types[name] = pl.from_pandas(column.rename(name)).dtype
    return plain_types(types)


def is_categories(column: Any) -> bool:
    return str(column.dtype) == "category"


def in_polars(partition: Any, types: Mapping[str, Any]) -> pl.DataFrame:
    import polars as pl

    columns = {str(name): column for name, column in partition.items()}
    for name, column in columns.items():
        if is_categories(column):
            columns[name] = column.cat.rename_categories(str)
    try:
        found = {name: pl.from_pandas(column.rename(name)) for name, column in columns.items()}
        return pl.DataFrame({name: found[name].cast(dtype) for name, dtype in types.items()})
    except pl.exceptions.PolarsError as error:
        raise DataError(
            f"a partition of {LABEL} has a column of another type than the others ({str(error).splitlines()[0]}); "
            "give all partitions the same types, as with astype"
        ) from None


def seen_in(partition: Any, types: Mapping[str, Any], hows: Mapping[str, How]) -> tuple[int, dict[str, Seen]]:
    """What the columns of a partition hold. On a worker."""
    table = in_polars(partition, types)
    return table.height, {name: extended(nothing_yet(types[name]), table[name], how) for name, how in hows.items()}


def sifted_in(partition: Any, types: Mapping[str, Any], found: Plan) -> Sifted:
    """The rows of a partition that are kept. On a worker."""
    return sift(found, _batch(in_polars(partition, types)))


def cells_of(partition: Any, types: Mapping[str, Any], name: str) -> pl.Series:
    return in_polars(partition, types)[name]


def coded(partition: Any, coding: Coding) -> Dataset:
    """The rows of a partition that are kept. On a worker."""
    batch, found = _batch(in_polars(partition, coding.types)), coding.plan
    kept = found.kept(batch) if found.sieves else None
    chosen = slice(None) if kept is None else kept
    try:
        columns = tuple(_column(one, batch, chosen) for one in found.columns)
        weights = None
        if coding.weighted and found.weights is not None:
            weights = found.weights.lookup(batch.column(found.weights.name))[0][chosen].astype(np.int64)
    except Unknown:
        raise DataError(f"{LABEL} was changed while it was read; let nobody write to its files") from None
    return Dataset(columns, weights=weights)


def shelf_of(parts: Sequence[Dataset], cuts: Sequence[tuple[int, int]], first: int) -> Shelf:
    """Whole groups of rows, from some rows of each of these partitions. On a worker."""
    rows = [part.take(slice(a, b)) for part, (a, b) in zip(parts, cuts, strict=True)]
    return Shelf(rows[0] if len(rows) == 1 else joined(rows), first)


def _settled(partitions: _Partitions, reading: Reading, loose: set[str]) -> tuple[Dataset, Coding]:
    """What the table is, without its rows, and how these are coded. loose: categories without an order."""
    types = partitions.types
    names = tuple(types)
    nothing = Source(names, 0, lambda i, wanted, words: Numbers(names[i], np.empty(0)), LABEL)
    choices, reader = choices_of(nothing, reading), Reader(Format.PARQUET, types)
    hows = {name: how_to_read(name, choices, reader) for name in choices.kept}
    found = partitions.each(seen_in, hows)
    sizes = [n for n, _ in found]
    check_rows(sum(sizes), LABEL)
    seen = _all_seen([one for _, one in found], sizes, hows)

    def differ(name: str) -> bool:
        numbers = seen[name].numbers
        return numbers is not None and no_number_twice(lambda: partitions.column(name), numbers, hows[name])

    def distinct(name: str) -> int:
        return count_distinct(lambda: partitions.column(name), seen[name].n_rows, hows[name])

    typed, notes = settle_columns(LABEL, seen, choices, reader, Counting(differ, distinct))
    typed = [_loosened(one, choices.of(one.name)) if one.name in loose and one.labels else one for one in typed]
    planned = plan(typed, seen, hows, policy_of(reading), [*choices.notes, *notes], reading.get("weights"))
    weighted = False
    if planned.sieves:
        left = partitions.each(sifted_in, _light(planned))
        together = sifted(left)
        planned, sizes = without_rows(planned, together), [one.n_left for one in left]
        weighted = planned.weights is not None and together.largest > 1
    settled = [one.column for one in planned.columns]
    told = (*planned.notes, *planned.suspect, *doubts(settled, []))
    columns = tuple(_without_rows(one) for one in planned.columns)
    came = provenance_of(Provenance(n_dropped=planned.n_dropped), [one.name for one in columns], choices, reading)
    table = Dataset(columns, tuple(one.decision for one in settled), told, provenance=came)
    return table, Coding(types, _light(planned), tuple(sizes), weighted)


def _loosened(column: Typed, how: ColumnRecipe) -> Typed:
    """Categories were taken for ordered ones to keep them as they were declared; these have no order but a said one."""
    reason = column.decision.reason.removeprefix("ordered ")
    loose = replace(column, ordered=False, decision=replace(column.decision, reason=reason))
    return in_said_order(loose, how.levels) if how.is_ordered else loose


def _light(found: Plan) -> Plan:
    """The plan without what only settling it needed: it goes to every worker."""

    def light(one: Planned) -> Planned:
        return Planned(replace(one.column, once=None), one.lookup)

    return replace(
        found,
        columns=tuple(map(light, found.columns)),
        weights=None if found.weights is None else light(found.weights),
        drops=tuple(map(light, found.drops)),
    )


def _all_seen(found: Sequence[dict[str, Seen]], sizes: Sequence[int], hows: Mapping[str, How]) -> dict[str, Seen]:
    starts = np.cumsum([0, *sizes]).tolist()
    seen = dict(found[0])
    for start, one in zip(starts[1:], found[1:], strict=False):
        seen = {name: followed(seen[name], shifted(one[name], start), hows[name]) for name in seen}
    return seen


def _shelves(client: Any, partitions: Sequence[Any], coding: Coding, workers: Sequence[str]) -> list[Any]:
    from dask.delayed import delayed

    fragments = [delayed(coded)(one, coding) for one in partitions]
    starts = np.cumsum([0, *coding.sizes]).tolist()
    shelves = []
    for place, part in enumerate(ranges(starts[-1], len(workers))):
        inside = [(k, *cut) for k in range(len(partitions)) if (cut := _overlap(part, starts[k], starts[k + 1]))]
        cuts = [(a, b) for _, a, b in inside]
        made = delayed(shelf_of)([fragments[k] for k, _, _ in inside], cuts, part.first)
        shelves.append(_computed(client, made, workers=[workers[place]], allow_other_workers=True))
    return shelves


def _overlap(part: Range, start: int, end: int) -> tuple[int, int] | None:
    """The rows of a partition that a shelf has, counted from the first of the partition."""
    a, b = max(part.first, start), min(part.last, end)
    return (a - start, b - start) if a < b else None


def _batch(table: pl.DataFrame) -> Batch:
    return Batch(table.height, lambda name: table[name])


def _column(one: Planned, batch: Batch, chosen: Any) -> Column:
    values, missing = one.lookup(batch.column(one.name))
    gaps = None if missing is None else missing[chosen]
    bare = _without_rows(one)
    if bare.kind is Kind.DISCRETE:
        values = values.astype(code_dtype(bare.cardinality), copy=False)
    return replace(bare, values=values[chosen], missing=gaps)


def _without_rows(one: Planned) -> Column:
    column = one.column
    if column.kind is Kind.CONTINUOUS:
        return Column(one.name, Kind.CONTINUOUS, np.empty(0))
    return Column(one.name, Kind.DISCRETE, np.empty(0, dtype=np.uint8), column.labels, column.ordered)
