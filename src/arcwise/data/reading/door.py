"""Whatever holds a table to a Dataset: the one door through which data comes in, with the same options everywhere.

A line above the definition of a function lets it take whatever holds a table (`takes_table`). On the way kinds are
settled, the gate is passed, missing cells are settled, doubts are collected.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import Any, TypedDict, TypeVar, Unpack

from arcwise.checking import checked
from arcwise.data.choices import NOTATIONS, Choices, Orders, PerColumn, read_orders, settle
from arcwise.data.column_names import told_apart
from arcwise.data.dataset import MISSING_BY_DEFAULT, Column, Dataset, Kind, Missing
from arcwise.data.missing import NaWords, check_policy
from arcwise.data.provenance import NOT_KNOWN, Provenance, as_said, kept_once
from arcwise.data.reading.building import build, build_alike
from arcwise.data.reading.columns import read_column, read_columns
from arcwise.data.reading.files import open_file
from arcwise.data.reading.frames import open_frame
from arcwise.data.reading.raw import Source, as_source
from arcwise.data.recipe import NOTHING_SAID, ColumnRecipe, Recipe, RecipeLike
from arcwise.data.validate import Names, check_names, check_rows
from arcwise.errors import DataError, OptionError, unknown_name
from arcwise.forking import is_lost
from arcwise.machine import thread_count

# What is taken for a table: a Dataset, a pandas, polars or pyarrow table, a dict of columns, a 2-D NumPy array, or the
# path of a file. One cannot say it as a type without importing all of these.
TableLike = Any
Known = Mapping[str, Sequence[str]]  # of each column: its levels, none if it is continuous
# What can change a complete Dataset.
CHANGES = ("continuous", "discrete", "ordered", "drop", "na", "weights", *NOTATIONS, "recipe")
Result = TypeVar("Result")


class Reading(TypedDict, total=False):
    """How a table is read.

    continuous, discrete: columns of that kind, whatever they look like; a discrete one of a text file keeps its text.
    ordered: discrete columns with levels in an order, their own (numbers, ranges, words of a scale) or a given one:
    ["age", "grade"], or {"size": ["small", "medium", "large"]}.
    drop: columns to leave out. One name or several, or patterns such as "id_*".
    missing: what becomes of missing cells: "learn" keeps them as missing, "error" refuses them, "drop" leaves out their
    rows, "state" makes them a level of their own.
    na: words and numbers that mean "missing" too, in all columns (["-", -99]) or in some ({"age": [-99]}).
    weights: the column that says how many times each row counts. It is no column of the table then.
    decimal, thousands: the mark in numbers, "comma", "point", "space" or "apostrophe" (decimal: also "either"), of a
    column ({"price": "comma"}) or of all.
    negative: columns in which (5) is -5; {"balance": "behind"} for those in which 5- is.
    percent: columns with percent signs; {"rate": "fraction"} makes 0.12 of 12%, else it is 12.
    units: what stands beside the numbers of a column ({"weight": "kg"}), with what it is multiplied by if that is not 1
    ({"weight": {"kg": 1, "lb": 0.4536}}).
    dates: columns of dates, which become days since the first, or of times, which become seconds of the day;
    {"admitted": "day-first since 2024-01-01"} says what is not clear.
    censored: columns with cells such as <0.5, which become 0.5; {"crp": "missing"} or {"crp": "level"} makes something
    else of them.
    merge: columns whose levels differ in case and spaces only where they are the same; {"sex": {"F": "Female"}} names
    other spellings.
    recipe: all of this from a file or a dict. What is said beside it comes first.
    """

    continuous: Names | None
    discrete: Names | None
    ordered: Orders | None
    drop: Names | None
    missing: Missing
    na: NaWords | None
    weights: str | None
    decimal: PerColumn | None
    thousands: PerColumn | None
    negative: PerColumn | None
    percent: PerColumn | None
    units: PerColumn | None
    dates: PerColumn | None
    censored: PerColumn | None
    merge: PerColumn | None
    recipe: RecipeLike | None


def as_dataset(data: TableLike, *, names: Sequence[str] | None = None, **reading: Unpack[Reading]) -> Dataset:
    """A Dataset from whatever holds a table; one that is a Dataset already is read anew only where options say so.

    names: of the columns of a NumPy array.
    """
    check_options(reading)
    data = _of_store(data, names)
    if isinstance(data, Dataset) and not (reading and _would_change(data, reading)):
        return data
    return in_this_process(_read_new, data, names, kept_once(reading))


def check_options(reading: Reading) -> None:
    """Refuse options that do not exist, which would say nothing."""
    for name in reading:
        if name not in Reading.__annotations__:
            raise OptionError(unknown_name("option of reading", name, Reading.__annotations__))


@checked
def read(path: str | Path, **reading: Unpack[Reading]) -> Dataset:
    """A Dataset from a CSV, TSV or TXT file (also gzipped), a Parquet or an Arrow file, told by its suffix.

    Also from a folder of such files, or a pattern of their names, which are one table, and from a coded store
    (`arcwise.code`), whose rows stay on the disk.

    Kinds are inferred; `continuous`, `discrete` and `ordered` (levels in an order) overrule by column name, `drop`
    leaves columns out, `missing` says what becomes of missing cells ("learn" keeps them as missing, "error", "drop",
    "state"), and `na` which words and numbers mean missing, too. `weights`: a column that says how many times each row
    counts. `decimal`, `thousands`, `negative`, `percent`, `units`, `dates`, `censored` and `merge` say how cells are
    written, and `recipe` all of this at once: see `arcwise.check`. "-" reads a text table from standard input.
    """
    return as_dataset(path, **reading)


def read_alike(
    data: TableLike,
    known: Known,
    *,
    cut: Collection[str] = (),
    in_order: Collection[str] | None = None,
    others: bool = False,
    **reading: Unpack[Reading],
) -> Dataset:
    """The known columns that a table has, with their kinds and levels; one row is enough, and nothing is doubted.

    cut: columns with levels that may still be the numbers which are to be cut. in_order: those whose known levels stand
    in an order; None: as the cells look. others: read the other columns, too. A cell that is no known level is an
    error. A Dataset, which has kinds and levels of its own, is taken as it is.
    """
    data = _of_store(data)
    if isinstance(data, Dataset):
        return as_dataset(data, **reading)
    return in_this_process(_read_alike, data, known, cut, in_order, others, reading)


def _of_store(data: TableLike, names: Sequence[str] | None = None) -> TableLike:
    """The table of a coded store, mapped; anything else as it is."""
    if not isinstance(data, str | Path) or names is not None:
        return data
    if not os.path.isdir(data) and not str(data).endswith(".arcwise"):  # one that is not finished has another name
        return data
    from arcwise.data.rows.opening import stored

    return stored(data)


def in_this_process(function: Callable[..., Result], data: TableLike, *arguments: Any) -> Result:
    """A table read by this process, or by a fresh one where this was forked from one that worked with polars."""
    thread_count("POLARS_MAX_THREADS")  # polars panics where it is 0, and starts as many as it says
    if not is_lost("polars"):
        return function(data, *arguments)
    from arcwise.data.reading.forked import read_after_fork

    return read_after_fork(function, data, *arguments)


def _read_new(data: TableLike, names: Sequence[str] | None, reading: Reading) -> Dataset:
    if isinstance(data, Dataset):
        return _reread(data, reading)
    if isinstance(data, str | Path) and names is None:
        from arcwise.data.rows.opening import coded_if_large

        if (large := coded_if_large(data, reading)) is not None:
            return large
    source = told_names(open_table(data, names), reading)
    try:
        policy = policy_of(reading)
        choices = choices_of(source, reading)
        check_rows(source.n_rows, source.label)
        typed, notes = read_columns(source, choices)
        table = build(typed, policy, (*source.notes, *choices.notes, *notes), reading.get("weights"))
        return replace(table, provenance=provenance_of(table.provenance, table.names, choices, reading))
    except MemoryError:
        size = f"{source.n_rows:,} rows and {len(source.names):,} columns"
        raise DataError(f"{source.label} has {size}, too many for the memory; keep fewer of them") from None


def provenance_of(came: Provenance, names: Sequence[str], choices: Choices, reading: Reading) -> Provenance:
    """How the table with columns of these names was read; `came` has the rows that were dropped."""
    here = {*names, reading.get("weights")}
    recipe = Recipe.of(reading.get("recipe"))
    orders = read_orders(reading.get("ordered"), (*choices.kept, *names))
    said: dict[str, Any] = {**reading, "ordered": orders, "recipe": None if recipe is None else recipe.to_dict()}
    if policy_of(reading) == MISSING_BY_DEFAULT:
        said.pop("missing", None)
    left_out = (*(name for name in choices.kept if name not in here), *choices.unknown)
    return replace(came, left_out=left_out, reading=as_said(said))


def _read_alike(
    data: TableLike,
    known: Known,
    cut: Collection[str],
    in_order: Collection[str] | None,
    others: bool,
    reading: Reading,
) -> Dataset:
    source, policy = told_names(open_table(data), reading), policy_of(reading)
    choices = choices_of(source, reading)
    declared = choices.kinds
    check_rows(source.n_rows, source.label, least=1)
    kinds = {name: Kind.DISCRETE if levels else Kind.CONTINUOUS for name, levels in known.items() if name not in cut}
    kinds |= declared
    kept = [name for name in choices.kept if others or name in known or name in declared]
    raws = [read_column(source, name, choices, kinds.get(name)) for name in kept]
    orders = {name: choices.of(name) for name in kept if choices.of(name).is_ordered and not known.get(name)}
    notes = (*source.notes, *choices.notes)
    table = build_alike(raws, kinds, known, orders, policy, notes, reading.get("weights"))
    return table if in_order is None else replace(table, columns=_ordered_alike(table.columns, known, in_order))


def _ordered_alike(columns: Sequence[Column], known: Known, in_order: Collection[str]) -> tuple[Column, ...]:
    """The columns whose levels are known, and with them whether they stand in an order."""
    return tuple(
        replace(column, ordered=column.name in in_order) if column.levels and known.get(column.name) else column
        for column in columns
    )


def open_table(data: TableLike, names: Sequence[str] | None = None) -> Source:
    """The columns of whatever holds a table, not looked at yet."""
    if not isinstance(data, str | Path):
        return open_frame(data, names)
    if names is not None:
        raise DataError("names is only for NumPy arrays; a file has a header line with the names")
    from arcwise.data.rows.opening import open_many

    return open_many(data) or open_file(data)


def told_names(source: Source, reading: Reading) -> Source:
    """The same table with names that tell all columns apart; where they do not, a recipe has to know the new ones."""
    fresh = told_apart(source.names)
    recipe = Recipe.of(reading.get("recipe")) if fresh != source.names else None
    known = {*recipe.columns, *recipe.drop} if recipe is not None else set()
    if not fresh or any(new != old and new not in known for new, old in zip(fresh, source.names, strict=True)):
        check_names(source.names, source.label)
    return replace(source, names=fresh)


def _would_change(data: Dataset, reading: Reading) -> bool:
    settles = policy_of(reading) != "learn" and not data.is_complete
    return settles or any(_says(reading.get(name)) for name in CHANGES)


def policy_of(reading: Reading) -> Missing:
    policy = reading.get("missing", MISSING_BY_DEFAULT)
    check_policy(policy)
    return policy


def _says(option: Any) -> bool:
    return option is not None and not (isinstance(option, Collection) and len(option) == 0)


def choices_of(source: Source, reading: Reading) -> Choices:
    """What is said about the columns; the weights are numbers."""
    weights = reading.get("weights")
    if weights is not None and weights not in source.names:
        raise DataError(unknown_name("column for the weights:", weights, source.names))
    choices = settle(source.names, reading)
    if weights is None:
        return choices
    if weights not in choices.kept or choices.of(weights).wanted is not None:
        raise DataError(f"column {weights!r} holds the weights of the rows; do not also drop it or declare its kind")
    if choices.kept == (weights,):
        raise DataError(f"column {weights!r} holds the weights of the rows, and there is no other; keep at least one")
    return replace(choices, how={**choices.how, weights: replace(choices.of(weights), kind="continuous")})


def _reread(data: Dataset, reading: Reading) -> Dataset:
    """The same rows, with these columns read anew and the others as they were."""
    from arcwise.data.rows.opening import reread_store

    reread_store(data, reading)
    policy = policy_of(reading)
    source = as_source(data)
    choices = choices_of(source, reading)
    kept, said = list(choices.kept), {name for name in choices.kept if choices.of(name) is not NOTHING_SAID}
    settles = policy != "learn" and not data.select(kept).is_complete
    anew = said or choices.words or settles
    if not anew:
        fresh = data.select(kept)
    else:
        how = {name: _kept_kind(choices.of(name), data.column(name)) for name in kept}
        typed, notes = read_columns(source, replace(choices, how=how))
        fresh = build(typed, policy, (*choices.notes, *notes), reading.get("weights"), data.weights)
    came = provenance_of(fresh.provenance if anew else NOT_KNOWN, fresh.names, choices, reading)
    changed = (set(data.names) - set(kept)) | said
    decisions = {decision.column: decision for decision in data.decisions}
    decisions |= {decision.column: decision for decision in fresh.decisions if decision.column in said}
    old = [warning for warning in data.warnings if not any(repr(name) in warning for name in changed)]
    new = fresh.warnings if anew else choices.notes
    return replace(
        fresh,
        decisions=tuple(decisions[name] for name in fresh.names if name in decisions),
        warnings=tuple(dict.fromkeys((*old, *new))),
        provenance=data.provenance.then(came),
    )


def _kept_kind(how: ColumnRecipe, column: Column) -> ColumnRecipe:
    """With the kind that the column had, where nothing else is said."""
    if how.kind or how.decodes:
        return how
    if column.kind is Kind.CONTINUOUS:
        return replace(how, kind="continuous")
    return replace(how, kind="ordered" if column.ordered else "discrete")


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
