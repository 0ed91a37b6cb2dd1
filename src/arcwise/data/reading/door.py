"""Whatever holds a table to a Dataset: the one door through which data comes in, with the same options everywhere."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypedDict, Unpack

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, Kind, Missing
from arcwise.data.missing import check_policy
from arcwise.data.reading.build import build, build_alike
from arcwise.data.reading.files import open_file
from arcwise.data.reading.forked import survives_fork
from arcwise.data.reading.frames import open_frame
from arcwise.data.reading.missing_words import NO_WORDS, NaWords, Words, settle_words, without_words
from arcwise.data.reading.raw import Levels, Numbers, Origin, Raw
from arcwise.data.source import Source
from arcwise.data.validate import Names, check_rows, settle_choices
from arcwise.errors import DataError, unknown_name

# What is taken for a table: a Dataset, a pandas, polars or pyarrow table, a dict of columns, a 2-D NumPy array, or the
# path of a file. One cannot say it as a type without importing all of these.
TableLike = Any
Known = Mapping[str, Sequence[str]]  # of each column: its levels, none if it is continuous


CHANGES = ("continuous", "discrete", "drop", "na", "weights")  # what can change a Dataset, which has no missing cells


class Reading(TypedDict, total=False):
    """How a table is read.

    continuous, discrete: columns of that kind, whatever they look like; a discrete one of a text file keeps its text.
    drop: columns to leave out. One name or several.
    missing: what missing values do: "error", "drop" their rows, or "state": a level of their own.
    na: words and numbers that mean "missing" too, in all columns (["-", -99]) or in some ({"age": [-99]}).
    weights: the column that says how many times each row counts. It is no column of the table then.
    """

    continuous: Names | None
    discrete: Names | None
    drop: Names | None
    missing: Missing
    na: NaWords | None
    weights: str | None


def as_dataset(data: TableLike, *, names: Sequence[str] | None = None, **reading: Unpack[Reading]) -> Dataset:
    """A Dataset from whatever holds a table; one that is a Dataset already is read anew only where options say so.

    names: of the columns of a NumPy array.
    """
    if isinstance(data, Dataset) and not any(_says(reading.get(name)) for name in CHANGES):
        return data
    return _read_new(data, names, reading)


@survives_fork
def _read_new(data: TableLike, names: Sequence[str] | None, reading: Reading) -> Dataset:
    return _reread(data, reading) if isinstance(data, Dataset) else _read(_open(data, names), reading)


@checked
@survives_fork
def read(path: str | Path, **reading: Unpack[Reading]) -> Dataset:
    """A Dataset from a CSV, TSV or TXT file (also gzipped), a Parquet or an Arrow file, told by its suffix.

    Kinds are inferred; `continuous` and `discrete` overrule by column name, `drop` leaves columns out, `missing` says
    what missing values do ("error", "drop", "state"), and `na` which words and numbers mean missing, too. `weights`: a
    column that says how many times each row counts.
    """
    return _read(open_file(path), reading)


def read_alike(
    data: TableLike,
    known: Known,
    *,
    cut: Collection[str] = (),
    others: bool = False,
    **reading: Unpack[Reading],
) -> Dataset:
    """The known columns that a table has, with their kinds and levels; one row is enough, and nothing is doubted.

    cut: columns with levels that may still be the numbers which are to be cut. others: read the other columns, too.
    A cell that is no known level is an error. A Dataset, which has kinds and levels of its own, is taken as it is.
    """
    return as_dataset(data, **reading) if isinstance(data, Dataset) else _read_alike(data, known, cut, others, reading)


@survives_fork
def _read_alike(data: TableLike, known: Known, cut: Collection[str], others: bool, reading: Reading) -> Dataset:
    source = _open(data, None)
    policy = reading.get("missing", "error")
    check_policy(policy)
    kept, declared = _choices(source, reading)
    check_rows(source.n_rows, source.label, least=1)
    words = settle_words(reading.get("na"), source.names)
    kinds = {name: Kind.DISCRETE if levels else Kind.CONTINUOUS for name, levels in known.items() if name not in cut}
    kinds |= declared
    raws = _raws(source, [name for name in kept if others or name in known or name in declared], kinds, words)
    table = _weighted(build_alike(raws, kinds, known, policy), reading)
    return replace(table, warnings=(*source.notes, *table.warnings)) if source.notes else table


def _open(data: TableLike, names: Sequence[str] | None) -> Source:
    if not isinstance(data, str | Path):
        return open_frame(data, names)
    if names is not None:
        raise DataError("names is only for NumPy arrays; a file has a header line with the names")
    return open_file(data)


def _read(source: Source, reading: Reading) -> Dataset:
    try:
        return _settled(source, reading)
    except MemoryError:
        size = f"{source.n_rows:,} rows and {len(source.names):,} columns"
        raise DataError(f"{source.label} has {size}, too many for the memory; keep fewer of them") from None


def _settled(source: Source, reading: Reading) -> Dataset:
    policy = reading.get("missing", "error")
    check_policy(policy)
    kept, kinds = _choices(source, reading)
    check_rows(source.n_rows, source.label)
    words = settle_words(reading.get("na"), source.names)
    data = _weighted(build(_raws(source, kept, kinds, words), kinds, policy), reading)
    return replace(data, warnings=(*source.notes, *data.warnings)) if source.notes else data


def _says(option: Any) -> bool:
    return option is not None and not (isinstance(option, Collection) and len(option) == 0)


def _choices(source: Source, reading: Reading) -> tuple[list[str], dict[str, Kind]]:
    """(columns that are read, kinds that are declared); the weights are numbers."""
    weights = reading.get("weights")
    if weights is not None and weights not in source.names:
        raise DataError(unknown_name("column for the weights:", weights, source.names))
    kept, kinds = settle_choices(source.names, reading.get("continuous"), reading.get("discrete"), reading.get("drop"))
    if weights is None:
        return kept, kinds
    if weights not in kept or weights in kinds:
        raise DataError(f"column {weights!r} holds the weights of the rows; do not also drop it or declare its kind")
    return kept, {**kinds, weights: Kind.CONTINUOUS}


def _weighted(data: Dataset, reading: Reading) -> Dataset:
    """Without the column of the weights, whose rows count as often as it says."""
    name = reading.get("weights")
    if name is None:
        return data
    rest = data.select([other for other in data.names if other != name])
    rest = replace(rest, warnings=tuple(warning for warning in rest.warnings if repr(name) not in warning))
    try:
        return rest.weighted(data.column(name).values)
    except DataError as error:
        raise DataError(f"column {name!r} cannot weight the rows: {error}") from None


def _raws(source: Source, kept: Sequence[str], kinds: Mapping[str, Kind], words: Mapping[str, Words]) -> list[Raw]:
    position = {name: i for i, name in enumerate(source.names)}
    called = [(name, words.get(name, NO_WORDS)) for name in kept]
    return [without_words(source.column(position[name], kinds.get(name), mine), mine) for name, mine in called]


def _reread(data: Dataset, reading: Reading) -> Dataset:
    """The same rows, with these columns read anew and the others as they were."""
    policy = reading.get("missing", "error")
    check_policy(policy)
    words = settle_words(reading.get("na"), data.names)
    data = data.repeated() if words else data  # rows may be left out
    source = Source(data.names, data.n_stored, lambda i, wanted, words: _as_raw(data, i))
    kept, kinds = _choices(source, reading)
    if not kinds and not words:
        fresh = data.select(kept)
    else:
        before = {column.name: column.kind for column in data.columns}
        fresh = replace(build(_raws(source, kept, kinds, words), before | kinds, policy), weights=data.weights)
        fresh = _weighted(fresh, reading)
    changed = (set(data.names) - set(kept)) | set(kinds)
    decisions = {decision.column: decision for decision in data.decisions}
    decisions |= {decision.column: decision for decision in fresh.decisions if decision.column in kinds}
    old = [warning for warning in data.warnings if not any(repr(name) in warning for name in changed)]
    new = fresh.warnings if kinds or words else ()
    return replace(
        fresh,
        decisions=tuple(decisions[name] for name in fresh.names if name in decisions),
        warnings=tuple(dict.fromkeys((*old, *new))),
    )


def _as_raw(data: Dataset, position: int) -> Raw:
    column = data.columns[position]
    if column.kind is Kind.CONTINUOUS:
        return Numbers(column.name, column.values)
    return Levels(column.name, column.values, column.levels, None, Origin.CATEGORY, column.ordered)
