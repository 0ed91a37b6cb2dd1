"""The columns of a table in many files, settled by the rules for a table in memory.

The rules see every different cell of a column once, with how often it occurs and where first; of numbers that are too
many, some that look like all of them. What they say of a cell holds wherever the cell stands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from arcwise.data.choices import Choices
from arcwise.data.dataset import MAX_LEVELS, Kind
from arcwise.data.kinds import Typed
from arcwise.data.reading.columns import read_columns
from arcwise.data.reading.delimited import TextTable, text_column
from arcwise.data.reading.frames import from_series
from arcwise.data.reading.raw import NO_WORDS, Numbers, Once, Raw, Source, Words
from arcwise.data.rows.batches import MARK, Reader
from arcwise.data.rows.lookups import AsNumbers, ByCell, Lookup
from arcwise.data.rows.parts import Format
from arcwise.data.rows.survey import MANY_TEXTS, How, Seen
from arcwise.errors import DataError
from arcwise.printing import counted, option

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Counting:
    """Questions about a long column for which its rows are read once more, when they are asked.

    differ: whether no number occurs twice. distinct: how many different texts there are.
    """

    differ: Callable[[str], bool]
    distinct: Callable[[str], int]


def how_to_read(name: str, choices: Choices, reader: Reader) -> How:
    """What is known of a column before it is read."""
    own, text = choices.of(name), reader.format is Format.TEXT
    wanted = own.wanted
    decodes = own.decodes or (bool(choices.marks.decimal or choices.marks.thousands) and wanted is not Kind.DISCRETE)
    return How(wanted, choices.words.get(name, NO_WORDS), text, decodes)


def settle_columns(
    label: str, seen: Mapping[str, Seen], choices: Choices, reader: Reader, counting: Counting
) -> tuple[list[Typed], list[str]]:
    """The columns that can be used, each with a value for every cell that was kept; and what is told about them."""
    names = tuple(reader.schema)
    n_rows = max((one.n_rows for one in seen.values()), default=0)

    def column(position: int, wanted: Kind | None, words: Words) -> Raw:
        name = names[position]
        return _raw(name, seen[name], wanted, words, reader, counting)

    source = Source(names, n_rows, column, label, delimiter=reader.delimiter, path=label)
    return read_columns(source, choices)


def lookup_of(column: Typed, seen: Seen, how: How) -> Lookup:
    """What becomes of the cells of a column that is settled."""
    if seen.is_whole:
        return ByCell.of(seen.cells, column.values, column.missing)
    if seen.numbers is not None:
        return AsNumbers(how, seen.numbers.n_missing > 0)
    raise DataError(
        f"column {column.name!r} has more than {MANY_TEXTS:,} different texts that seem to be numbers or dates; save "
        f"them as plain numbers, or leave the column out with {option('drop', column.name)}"
    )


def _raw(name: str, seen: Seen, wanted: Kind | None, words: Words, reader: Reader, counting: Counting) -> Raw:
    if seen.numbers is not None:
        return _numbers(name, seen, counting)
    cells, once = seen.cells, Once(seen.times, seen.first, _place(seen))
    if seen.many:
        cells, once = _some_texts(name, seen, counting)
    if wanted is Kind.DISCRETE and cells.dtype.is_numeric() and len(cells) > MAX_LEVELS:
        raise DataError(
            f"column {name!r} has more than the {MAX_LEVELS:,} levels that a discrete column may have; read it as "
            f"numbers, or leave it out with {option('drop', name)}"
        )
    return replace(_cells(name, cells, once, wanted, words, reader), once=once)


def _cells(name: str, cells: pl.Series, once: Once, wanted: Kind | None, words: Words, reader: Reader) -> Raw:
    import narwhals as nw

    if reader.format is not Format.TEXT:
        dtype = reader.schema[name]
        typed = cells if cells.dtype == dtype else cells.cast(dtype)
        return from_series(name, nw.from_native(typed, series_only=True))
    marked = bool(cells.str.starts_with(MARK).any())
    table = TextTable(name, reader.delimiter, (name,), cells.to_frame(name), MARK if marked else "", rows=once.first)
    return text_column(table, 0, wanted, words)


def _place(seen: Seen) -> int:
    """Which of the cells the last row has."""
    found = seen.cells.eq_missing(seen.last.item()).arg_true() if len(seen.last) else seen.last
    return int(found[0]) if len(found) else 0


def _numbers(name: str, seen: Seen, counting: Counting) -> Numbers:
    assert seen.numbers is not None
    values, once = seen.numbers.proxy()
    gone = seen.numbers.n_missing
    once = replace(once, differ=lambda: counting.differ(name))
    if not gone:
        return Numbers(name, values, once=once)
    more = replace(once, times=np.append(once.times, gone), first=np.append(once.first, 0))
    missing = np.append(np.zeros(len(values), dtype=np.bool_), True)
    return Numbers(name, np.append(values, values[:1] if len(values) else 0), missing, once=more)


def _some_texts(name: str, seen: Seen, counting: Counting) -> tuple[pl.Series, Once]:
    """The texts that were kept; the first of them counts for all that were not."""
    import polars as pl

    times, first, cells = seen.times.copy(), seen.first, seen.cells
    times[0] += seen.n_rows - seen.n_missing - int(times.sum())
    if seen.n_missing:
        cells = pl.concat([cells, pl.Series(cells.name, [None], dtype=cells.dtype)])
        times, first = np.append(times, seen.n_missing), np.append(first, 0)
    return cells, Once(times, first, _place(seen), n_distinct=counting.distinct(name))


def refuse_mixed(name: str, seen: Seen) -> None:
    """Numbers in which some cells are words: said as it is of a table in memory."""
    bad = sum(n for n, _ in seen.odd_texts.values())
    cell, (_, row) = min(seen.odd_texts.items(), key=lambda item: item[1][1])
    total = bad + (seen.numbers.n if seen.numbers is not None else 0)
    from arcwise.printing import na_option

    raise DataError(
        f"column {name!r} holds numbers except in {bad:,} of {counted(total, 'cell')} (such as {cell!r} in row "
        f"{row + 1}); clean such cells, call them missing with {na_option(name, cell)}, or leave the column out with "
        f"{option('drop', name)}"
    )


def plain_types(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The types that batches are read with: numbers that no array holds become floats, as they do in memory."""
    import polars as pl

    wide = (pl.Int128, pl.UInt128) if hasattr(pl, "UInt128") else (pl.Int128,)
    return {
        name: pl.Float64() if dtype == pl.Null or dtype.is_decimal() or dtype in wide else dtype
        for name, dtype in schema.items()
    }
