"""Whatever holds a table to a Dataset: the one door through which data comes in, with the same options everywhere.

A line above the definition of a function lets it take whatever holds a table (`takes_table`). On the way kinds are
settled, the gate is passed, missing cells are settled, doubts are collected.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import Any, TypedDict, TypeVar, Unpack

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import MISSING_BY_DEFAULT, Column, Dataset, Kind, Missing, WeightArray, code_dtype
from arcwise.data.kinds import Typed, type_column
from arcwise.data.levels import code_texts, label_numbers
from arcwise.data.missing import NaWords, check_policy, settle_missing, settle_words, without_words
from arcwise.data.reading.files import open_file
from arcwise.data.reading.frames import open_frame
from arcwise.data.reading.raw import NO_WORDS, Levels, Numbers, Origin, Raw, Source, Text
from arcwise.data.validate import (
    Names,
    check_cells,
    check_finite,
    check_levels,
    check_recorded,
    check_rows,
    doubts,
    settle_choices,
    silent_rows,
    suspicions,
)
from arcwise.errors import DataError, unknown_name
from arcwise.forking import is_lost
from arcwise.machine import thread_count
from arcwise.printing import counted

# What is taken for a table: a Dataset, a pandas, polars or pyarrow table, a dict of columns, a 2-D NumPy array, or the
# path of a file. One cannot say it as a type without importing all of these.
TableLike = Any
Known = Mapping[str, Sequence[str]]  # of each column: its levels, none if it is continuous
CHANGES = ("continuous", "discrete", "drop", "na", "weights")  # what can change a complete Dataset
Result = TypeVar("Result")


class Reading(TypedDict, total=False):
    """How a table is read.

    continuous, discrete: columns of that kind, whatever they look like; a discrete one of a text file keeps its text.
    drop: columns to leave out. One name or several.
    missing: what becomes of missing cells: "learn" keeps them as missing, "error" refuses them, "drop" leaves out their
    rows, "state" makes them a level of their own.
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
    if isinstance(data, Dataset) and not (reading and _would_change(data, reading)):
        return data
    return _in_this_process(_read_new, data, names, reading)


@checked
def read(path: str | Path, **reading: Unpack[Reading]) -> Dataset:
    """A Dataset from a CSV, TSV or TXT file (also gzipped), a Parquet or an Arrow file, told by its suffix.

    Kinds are inferred; `continuous` and `discrete` overrule by column name, `drop` leaves columns out, `missing` says
    what becomes of missing cells ("learn" keeps them as missing, "error", "drop", "state"), and `na` which words and
    numbers mean missing, too. `weights`: a column that says how many times each row counts.
    """
    return as_dataset(path, **reading)


def read_alike(
    data: TableLike, known: Known, *, cut: Collection[str] = (), others: bool = False, **reading: Unpack[Reading]
) -> Dataset:
    """The known columns that a table has, with their kinds and levels; one row is enough, and nothing is doubted.

    cut: columns with levels that may still be the numbers which are to be cut. others: read the other columns, too.
    A cell that is no known level is an error. A Dataset, which has kinds and levels of its own, is taken as it is.
    """
    if isinstance(data, Dataset):
        return as_dataset(data, **reading)
    return _in_this_process(_read_alike, data, known, cut, others, reading)


def _in_this_process(function: Callable[..., Dataset], data: TableLike, *arguments: Any) -> Dataset:
    """A table read by this process, or by a fresh one where this was forked from one that worked with polars."""
    thread_count("POLARS_MAX_THREADS")  # polars panics where it is 0, and starts as many as it says
    if not is_lost("polars"):
        return function(data, *arguments)
    from arcwise.data.reading.forked import read_after_fork

    return read_after_fork(function, data, *arguments)


def _read_new(data: TableLike, names: Sequence[str] | None, reading: Reading) -> Dataset:
    if isinstance(data, Dataset):
        return _reread(data, reading)
    source = _open(data, names)
    try:
        policy = _policy(reading)
        kept, kinds = _choices(source, reading)
        check_rows(source.n_rows, source.label)
        return build(_raws(source, kept, kinds, reading), kinds, policy, source.notes, reading.get("weights"))
    except MemoryError:
        size = f"{source.n_rows:,} rows and {len(source.names):,} columns"
        raise DataError(f"{source.label} has {size}, too many for the memory; keep fewer of them") from None


def _read_alike(data: TableLike, known: Known, cut: Collection[str], others: bool, reading: Reading) -> Dataset:
    source, policy = _open(data, None), _policy(reading)
    kept, declared = _choices(source, reading)
    check_rows(source.n_rows, source.label, least=1)
    kinds = {name: Kind.DISCRETE if levels else Kind.CONTINUOUS for name, levels in known.items() if name not in cut}
    kinds |= declared
    raws = _raws(source, [name for name in kept if others or name in known or name in declared], kinds, reading)
    return build_alike(raws, kinds, known, policy, source.notes, reading.get("weights"))


def _open(data: TableLike, names: Sequence[str] | None) -> Source:
    if not isinstance(data, str | Path):
        return open_frame(data, names)
    if names is not None:
        raise DataError("names is only for NumPy arrays; a file has a header line with the names")
    return open_file(data)


def _would_change(data: Dataset, reading: Reading) -> bool:
    settles = _policy(reading) != "learn" and not data.is_complete
    return settles or any(_says(reading.get(name)) for name in CHANGES)


def _policy(reading: Reading) -> Missing:
    policy = reading.get("missing", MISSING_BY_DEFAULT)
    check_policy(policy)
    return policy


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
    if kept == [weights]:
        raise DataError(f"column {weights!r} holds the weights of the rows, and there is no other; keep at least one")
    return kept, {**kinds, weights: Kind.CONTINUOUS}


def _raws(source: Source, kept: Sequence[str], kinds: Mapping[str, Kind], reading: Reading) -> list[Raw]:
    words = settle_words(reading.get("na"), source.names)
    position = {name: i for i, name in enumerate(source.names)}
    called = [(name, words.get(name, NO_WORDS)) for name in kept]
    return [without_words(source.column(position[name], kinds.get(name), mine), mine) for name, mine in called]


def _reread(data: Dataset, reading: Reading) -> Dataset:
    """The same rows, with these columns read anew and the others as they were."""
    policy, words = _policy(reading), settle_words(reading.get("na"), data.names)
    source = Source(data.names, data.n_stored, lambda i, wanted, words: _as_raw(data, i))
    kept, kinds = _choices(source, reading)
    settles = policy != "learn" and not data.select(kept).is_complete
    anew = kinds or words or settles
    if not anew:
        fresh = data.select(kept)
    else:
        before = {column.name: column.kind for column in data.columns}
        raws = _raws(source, kept, kinds, reading)
        fresh = build(raws, before | kinds, policy, (), reading.get("weights"), data.weights)
    changed = (set(data.names) - set(kept)) | set(kinds)
    decisions = {decision.column: decision for decision in data.decisions}
    decisions |= {decision.column: decision for decision in fresh.decisions if decision.column in kinds}
    old = [warning for warning in data.warnings if not any(repr(name) in warning for name in changed)]
    new = fresh.warnings if anew else ()
    return replace(
        fresh,
        decisions=tuple(decisions[name] for name in fresh.names if name in decisions),
        warnings=tuple(dict.fromkeys((*old, *new))),
    )


def _as_raw(data: Dataset, position: int) -> Raw:
    column = data.columns[position]
    if column.kind is Kind.CONTINUOUS:
        return Numbers(column.name, column.values, column.missing)
    return Levels(column.name, column.values, column.levels, column.missing, Origin.CATEGORY, column.ordered)


def build(
    raws: Sequence[Raw],
    kinds: Mapping[str, Kind],
    missing: Missing,
    notes: Sequence[str] = (),
    weights: str | None = None,
    weighted: WeightArray | None = None,
) -> Dataset:
    """Names, number of rows and `kinds` have been checked; everything about the cells is checked here.

    notes: of the source. weights: the column that says how many times each row counts. weighted: how many times it
    did before.
    """
    typed = [type_column(raw, kinds.get(raw.name)) for raw in _coded(raws)]
    check_cells(typed)
    settled, dropped, left = settle_missing(typed, missing, weights=weighted)
    columns = [column for column in settled if column.name != weights]
    check_recorded(columns)
    check_levels(columns)
    suspect = suspicions([column for column in typed if column.name != weights])
    data = Dataset(
        columns=tuple(_column(column) for column in columns),
        decisions=tuple(column.decision for column in columns),
        warnings=(*notes, *dropped, *suspect, *doubts(columns)),
        weights=weighted if weighted is None or left is None else weighted[left],
    )
    data = data if weights is None else _weighted(data, settled, weights)
    silent = silent_rows(data)
    return replace(data, warnings=(*data.warnings, *silent)) if silent else data


def build_alike(
    raws: Sequence[Raw],
    kinds: Mapping[str, Kind],
    levels: Mapping[str, Sequence[str]],
    missing: Missing,
    notes: Sequence[str],
    weights: str | None,
) -> Dataset:
    """The same for columns of which more is known: discrete ones get the `levels` given for them.

    A column with levels but without a kind may still hold the numbers that are to be cut into them.
    """
    typed = [_typed_alike(raw, kinds.get(raw.name), levels.get(raw.name, ())) for raw in _coded(raws)]
    check_finite(typed)
    settled, dropped, _ = settle_missing(typed, missing, least=1)
    check_recorded([column for column in settled if column.name not in levels and column.name != weights])
    columns = [_recoded(column, levels.get(column.name, ())) for column in settled if column.name != weights]
    data = Dataset(columns=tuple(_column(column) for column in columns), warnings=(*notes, *dropped))
    return data if weights is None else _weighted(data, settled, weights)


def _weighted(data: Dataset, columns: Sequence[Typed], name: str) -> Dataset:
    """The table whose rows count as often as the column of this name says."""
    column = next(column for column in columns if column.name == name)
    if column.missing is not None:
        n = counted(int(np.count_nonzero(column.missing)), "row")
        raise DataError(
            f"column {name!r} holds the weights of the rows, but has none for {n}; fill them in (0 leaves a row out), "
            f"or drop such rows with --missing drop (missing='drop')"
        )
    try:
        return data.weighted(column.values)
    except DataError as error:
        raise DataError(f"column {name!r} cannot weight the rows: {error}") from None


def _typed_alike(raw: Numbers | Levels, kind: Kind | None, levels: Sequence[str]) -> Typed:
    if kind is not None or not levels:
        return type_column(raw, kind)
    cut_already = isinstance(raw, Levels) and len(raw.labels) > 0 and set(raw.labels) <= set(levels)
    return type_column(raw, Kind.DISCRETE if cut_already else Kind.CONTINUOUS)


def _recoded(column: Typed, levels: Sequence[str]) -> Typed:
    return recoded(column, levels) if levels and column.kind is Kind.DISCRETE else column


def _coded(raws: Sequence[Raw]) -> list[Numbers | Levels]:
    """Text columns coded together, everything else as it is."""
    texts = [raw for raw in raws if isinstance(raw, Text)]
    coded = iter(code_texts(texts) if texts else ())
    return [next(coded) if isinstance(raw, Text) else raw for raw in raws]


def _column(typed: Typed) -> Column:
    if typed.kind is Kind.CONTINUOUS:
        return Column(typed.name, Kind.CONTINUOUS, typed.values, missing=typed.missing)
    return Column(typed.name, Kind.DISCRETE, typed.values, typed.labels, typed.ordered, typed.missing)


def recoded(column: Typed, levels: Sequence[str]) -> Typed:
    """The same column with its codes in `levels`; "3.0" is found as "3", and "True" as "true"."""
    place = label_places(column.labels, levels)
    seen = np.bincount(column.present(), minlength=len(place)) > 0
    strange = np.flatnonzero(seen & (place < 0))
    if len(strange):
        hit = np.isin(column.values, strange)
        row = int(np.argmax(hit if column.missing is None else hit & ~column.missing))
        label = column.labels[int(column.values[row])]
        raise DataError(f"column {column.name!r}, row {row + 1}: {unknown_name('level', label, levels)}")
    own = np.maximum(place, 0).astype(code_dtype(len(levels)))
    codes = own[column.values] if len(own) else np.zeros(len(column.values), dtype=own.dtype)  # no cell is recorded
    return replace(column, values=codes, labels=tuple(levels))


def label_places(labels: Sequence[str], levels: Sequence[str]) -> np.ndarray:
    """The position of each label in `levels`, -1 where it is none of them."""
    exact = {level: i for i, level in enumerate(levels)}
    numbers = {number: i for i, number in enumerate(label_numbers(levels)) if not np.isnan(number)}
    truths = {level.casefold(): i for i, level in enumerate(levels) if level.casefold() in ("true", "false")}
    found = []
    for label, number in zip(labels, label_numbers(labels), strict=True):
        near = numbers.get(number, truths.get(label.casefold(), -1))
        found.append(exact.get(label, near))
    return np.array(found, dtype=np.intp)


def takes_table(function: Callable[..., Result]) -> Callable[..., Result]:
    """The same function; its parameter `data` may be anything that `as_dataset` takes, with the options of reading."""
    return _converting(function, lambda owner, data, reading: as_dataset(data, **reading))


def takes_known_table(method: Callable[..., Result]) -> Callable[..., Result]:
    """The same for a method of something that knows the columns: its `read_table` reads them."""
    return _converting(method, lambda owner, data, reading: owner.read_table(data, **reading))


def takes_columns(method: Callable[..., Result]) -> Callable[..., Result]:
    """The same for a method of something whose `columns` are known by their levels."""
    return _converting(method, lambda owner, data, reading: read_alike(data, owner.columns, **reading).repeated())


def _converting(function: Callable[..., Result], read: Callable[[Any, Any, Any], Dataset]) -> Callable[..., Result]:
    position = list(signature(function).parameters).index("data")

    @wraps(function)
    def with_table(*args: Any, **options: Any) -> Result:
        reading = {name: options.pop(name) for name in Reading.__annotations__ if name in options} if options else {}
        if len(args) > position:
            table = read(args[0], args[position], reading)
            args = (*args[:position], table, *args[position + 1 :])
        elif "data" in options:
            options["data"] = read(args[0] if args else None, options["data"], reading)
        return function(*args, **options)

    return with_table
