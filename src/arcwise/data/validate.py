"""The gate: the only place where a user's table is checked. Behind it every part may trust its input.

Errors name the column and the remedy; what is legal but doubtful comes back as warnings: also what a column may mean
other than what it was read as, with the evidence and the way out. Looked for are numbers that stand for "missing"
(-99, 999), words that do, identifiers made of integers, levels that differ in spelling only, and numbers or dates that
stayed text. Rows count from 1, the header left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from arcwise.data.copies import copies
from arcwise.data.dataset import MAX_LEVELS, BoolArray, Dataset, Kind
from arcwise.data.faults import ColumnError
from arcwise.data.identifiers import doubted
from arcwise.data.kinds import MAX_DISCRETE, Typed
from arcwise.data.levels import label_numbers, same_number
from arcwise.data.missing import looks_missing
from arcwise.data.notation import dated, leading_zeros, measured
from arcwise.data.reading.raw import Origin, row_of, rows_of
from arcwise.data.sentinels import sentinel_doubts
from arcwise.data.spellings import alike as spelled_alike
from arcwise.data.spellings import by_key, meant
from arcwise.errors import DataError
from arcwise.printing import counted, listed, merge_option, na_option, option

Names = Iterable[Any] | str | int  # of columns, one or several; what is no text is the name of a data frame's column
LARGEST_TABLE = 2**30  # bytes of the count table of two columns
MANY_LEVELS = 20
SHOWN_GROUPS = 3
GLANCE = 16  # rows that show of most columns that they are not constant
REMEMBERED = 512  # columns have often the same labels; what was found about so many is kept ...
FEW_LABELS = 20  # ... but where they are more than these


def check_names(names: Sequence[str], source: str = "the table") -> None:
    """Names must be there and differ."""
    if not names:
        raise DataError(f"{source} has no columns; give it at least one")
    for position, name in enumerate(names, start=1):
        if not name.strip():
            raise DataError(
                f"column {position} of {source} has no name; name it, let a recipe of 'arcwise check' name it, or "
                f"save the table without it if it only numbers the rows"
            )
    seen: set[str] = set()
    for position, name in enumerate(names, start=1):
        if name in seen:
            raise DataError(
                f"column name {name!r} of {source} occurs more than once (columns {names.index(name) + 1} "
                f"and {position}); rename one of them, or let a recipe of 'arcwise check' do it"
            )
        seen.add(name)


def check_rows(n_rows: int, source: str = "the table", *, least: int = 2) -> None:
    """A structure needs rows, and more than one; what is learned already can be used on one."""
    if n_rows < least:
        held = "has no rows" if n_rows == 0 else "has only one row"
        needed = "learning needs at least 2 rows of data" if least > 1 else "give at least 1 row of data"
        raise DataError(f"{source} {held}; {needed}")


def check_recorded(columns: Sequence[Typed]) -> None:
    """Refuse columns in which every cell is missing: nothing can be learned about them, not even their kind."""
    void = [column.name for column in columns if is_void(column)]
    if void:
        what = f"column {void[0]!r} has" if len(void) == 1 else f"columns {listed([repr(name) for name in void])} have"
        such = "it" if len(void) == 1 else "each of them"
        raise DataError(f"{what} no value in any row; leave {such} out, as with {option('drop', void[0])}")


def is_void(column: Typed) -> bool:
    """Whether every cell is missing."""
    return column.missing is not None and bool(column.missing.all())


def void_doubt(columns: Sequence[Typed]) -> str:
    """What is told of columns that are left out since they have no value."""
    names = [repr(column.name) for column in columns]
    what = f"column {names[0]} has" if len(names) == 1 else f"columns {listed(names)} have"
    return f"{what} no value in any row, left out"


def check_levels(columns: Sequence[Typed]) -> None:
    """Refuse more levels than a method can count; nothing has been allocated for them yet."""
    for column in columns:
        _refuse_levels(column)
    _refuse_large_tables(columns)


def check_finite(column: Typed) -> None:
    """Refuse infinite numbers."""
    if column.origin is not Origin.NUMBER:
        return
    if column.kind is Kind.CONTINUOUS:
        infinite = np.isinf(column.values)
    elif {"inf", "-inf"}.isdisjoint(column.labels):
        return
    else:
        infinite = np.isinf(label_numbers(column.labels))[column.values]
    if infinite.any():
        count = counted(rows_of(infinite, column.once), "infinite value")
        row = row_of(int(np.argmax(infinite)), column.once) + 1
        raise ColumnError(
            f"column {column.name!r} has {count}, the first in row {row}; replace it by a number, or call it missing "
            f"with {na_option(column.name, 'inf', '-inf')}",
            f"{count}: --na",
        )


def _refuse_levels(column: Typed) -> None:
    if len(column.labels) > MAX_LEVELS:
        raise DataError(
            f"column {column.name!r} has {counted(column.n_labels, 'level')}, more than the {MAX_LEVELS:,} "
            f"that a discrete column may have; declare it continuous if it is a number, merge levels, or leave it "
            f"out with {option('drop', column.name)}"
        )


def _refuse_large_tables(columns: Sequence[Typed]) -> None:
    """The count table of the two widest columns has to fit before anything is allocated."""
    widest = sorted(columns, key=lambda column: len(column.labels), reverse=True)[:2]
    if len(widest) < 2:
        return
    a, b = widest
    size = len(a.labels) * len(b.labels) * 8
    if size > LARGEST_TABLE:
        raise DataError(
            f"columns {a.name!r} and {b.name!r} have {len(a.labels):,} and {len(b.labels):,} levels, and the "
            f"table of their counts would take {size / 2**30:,.1f} GiB; merge levels or leave one out with "
            f"{option('drop', a.name)}"
        )


def doubts(columns: Sequence[Typed], alike: Sequence[Sequence[Typed]] | None = None) -> list[str]:
    """What is legal but probably not meant, one sentence each; missing cells say nothing.

    alike: the columns that are copies of each other, where their rows are not all here.
    """
    warnings: list[str] = []
    if len(columns) == 1:
        warnings.append(f"the table has one column, {columns[0].name!r}, so there is no structure to learn")
    constant = [repr(column.name) for column in columns if _is_constant(column)]
    if constant:
        noun = "column" if len(constant) == 1 else "columns"
        nodes = "an isolated node" if len(constant) == 1 else "isolated nodes"
        warnings.append(f"constant {noun} {listed(constant)} kept as {nodes}")
    warnings += [_copy_doubt(group) for group in (copies(columns) if alike is None else alike)]
    for column in columns:
        if column.kind is Kind.DISCRETE and _has_many_levels(column):
            warnings.append(
                f"column {column.name!r} has {counted(len(column.labels), 'level')} for "
                f"{counted(column.n_recorded, 'row')}, too many to learn from; merge levels or leave it out with "
                f"{option('drop', column.name)}"
            )
    return warnings


def _copy_doubt(group: Sequence[Typed]) -> str:
    first, *others = group
    names = listed([repr(column.name) for column in others])
    how = "with its levels renamed" if first.kind is Kind.DISCRETE else "but for scale and offset"
    copied = f"column {names} is a copy" if len(others) == 1 else f"columns {names} are copies"
    return f"{copied} of {first.name!r}, equal or {how}; keep one of them"


def _is_constant(column: Typed) -> bool:
    values = column.present()
    first = values[:GLANCE].tolist()
    return first.count(first[0]) == len(first) and bool((values == values[0]).all())


def silent_rows(data: Dataset) -> list[str]:
    """A warning if rows have no value in any column."""
    gaps = [column.missing for column in data.columns if column.missing is not None]
    if len(gaps) < data.n_columns:
        return []
    void: BoolArray = np.logical_and.reduce(gaps)
    if not void.any():
        return []
    n = data.take(void).n_rows
    return [
        "1 row has no recorded cell and says nothing" if n == 1 else f"{n:,} rows have no recorded cell and say nothing"
    ]


def _has_many_levels(column: Typed) -> bool:
    return len(column.labels) > MANY_LEVELS and 2 * len(column.labels) > column.n_recorded


def suspicions(columns: Sequence[Typed]) -> list[str]:
    """Warnings about columns whose missing cells are still marked."""
    found = sentinel_doubts(columns)
    found += _missing_words(columns)
    found += [doubted(column) for column in columns]
    found += [_spellings(column) for column in columns]
    found += [column.doubt for column in columns]
    found += [_numbers_as_text(column) for column in columns]
    return [sentence for sentence in found if sentence]


def _missing_words(columns: Sequence[Typed]) -> list[str]:
    """Levels that read as "no value" but were kept, since they stood in quotes or in a data frame; columns together."""
    alike: dict[tuple[str, ...], list[Typed]] = {}
    for column in columns:
        if column.kind is Kind.DISCRETE and column.origin in (Origin.TEXT, Origin.CATEGORY):
            words = _odd_labels(column).words
            if words:
                alike.setdefault(words, []).append(column)
    return [_kept_words(words, group) for words, group in alike.items()]


def _kept_words(words: Sequence[str], columns: Sequence[Typed]) -> str:
    rows = [counted(_rows_with(column, words), "row") for column in columns]
    quoted = " and ".join(repr(word) for word in words)
    if len(columns) == 1:
        found, remedy = f"column {columns[0].name!r} has {quoted} in {rows[0]}", na_option(columns[0].name, *words)
    else:
        named = listed([f"{column.name!r} ({n})" for column, n in zip(columns, rows, strict=True)])
        found, remedy = f"columns {named} have {quoted}", na_option(None, *words)
    return f"{found}, read as text; if that means missing, say so with {remedy}"


def _rows_with(column: Typed, words: Sequence[str]) -> int:
    rows = column.rows()
    return int(sum(rows[column.labels.index(word)] for word in words))


def _spellings(column: Typed) -> str:
    """Levels that differ in case, spaces, points, hyphens and underscores only, or seem to mean another."""
    if column.kind is Kind.CONTINUOUS or column.origin not in (Origin.TEXT, Origin.CATEGORY):
        return ""
    odd = _odd_labels(column)
    if not odd.doubts:
        return ""
    return (
        f"column {column.name!r} has {' and '.join(odd.doubts)}, which count as different; make one level of each with "
        f"{merge_option(column.name, odd.others)}, or leave the column out with {option('drop', column.name)}"
    )


class _Odd(NamedTuple):
    """words: labels that read as "no value". doubts: what is odd about spellings. others: labels that mean another."""

    words: tuple[str, ...]
    doubts: tuple[str, ...]
    others: dict[str, str]


def _odd_labels(column: Typed) -> _Odd:
    look = _look_at if len(column.labels) <= FEW_LABELS else _look_at.__wrapped__
    return look(column.labels, column.declared)


@lru_cache(REMEMBERED)
def _look_at(labels: tuple[str, ...], declared: bool) -> _Odd:
    groups = by_key(labels)
    doubts = []
    if pairs := [" and ".join(repr(label) for label in group) for group in spelled_alike(groups)]:
        more = f" and {len(pairs) - SHOWN_GROUPS:,} more" if len(pairs) > SHOWN_GROUPS else ""
        doubts.append("levels that differ in case or spaces only (" + "; ".join(pairs[:SHOWN_GROUPS]) + more + ")")
    others = {label: groups[full][0] for key, full in meant(groups, {}).items() for label in groups[key]}
    if others:
        named = [f"{label!r} for {level!r}" for label, level in others.items()]
        doubts.append("levels that may mean others (" + listed(named) + ")")
    if not declared and (pair := same_number(labels)):
        doubts.append(f"levels that are one number (such as {pair[0]!r} and {pair[1]!r})")
        others[pair[1]] = pair[0]
    return _Odd(tuple(filter(looks_missing, labels)), tuple(doubts), others)


def _numbers_as_text(column: Typed) -> str:
    """Numbers, codes, numbers with a unit and dates that stayed text, with more levels than numbers would be given."""
    if column.origin is not Origin.TEXT or column.declared or column.kind is Kind.CONTINUOUS:
        return ""
    if len(column.labels) <= MAX_DISCRETE:
        return ""
    levels = f"which were read as {counted(len(column.labels), 'level')}"
    if not np.isnan(label_numbers(column.labels)).any():
        code = leading_zeros(column.labels)
        what = f"codes with leading zeros (such as {code!r})" if code else "numbers as text"
        return (
            f"column {column.name!r} holds {what}, {levels}; read them as numbers with "
            f"{option('continuous', column.name)}, or keep them with {option('discrete', column.name)}"
        )
    date = dated(column.labels)
    if example := date or measured(column.labels):
        what = "dates or times" if date else "numbers with something beside them"
        as_numbers = (
            f"read them as numbers with {option('dates', column.name)}"
            if date
            else "write them as plain numbers in the table"
        )
        return (
            f"column {column.name!r} seems to hold {what} (such as {example!r}), {levels}; {as_numbers}, or leave the "
            f"column out with {option('drop', column.name)}"
        )
    return ""
