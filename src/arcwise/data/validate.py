"""The gate: the only place where a user's table is checked. Behind it every part may trust its input.

Errors name the column and the remedy; what is legal but doubtful comes back as warnings. Rows count from 1,
the header left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from arcwise.data.copies import copies
from arcwise.data.dataset import MAX_LEVELS, Kind
from arcwise.data.kinds import Typed
from arcwise.data.levels import label_numbers
from arcwise.data.reading.raw import Origin
from arcwise.data.reading.spelling import dated, leading_zeros, measured
from arcwise.data.wording import counted, listed, option
from arcwise.errors import DataError, unknown_name

Names = Iterable[Any] | str | int  # of columns, one or several; what is no text is the name of a data frame's column
LARGEST_TABLE = 2**30  # bytes of the count table of two columns
PATTERN_ROWS = 3  # fewer rows are too few to call a column an identifier
IDENTIFIER_LEVELS = 50
MANY_LEVELS = 20


def check_names(names: Sequence[str], source: str = "the table") -> None:
    """Names must be there and differ."""
    if not names:
        raise DataError(f"{source} has no columns; give it at least one")
    for position, name in enumerate(names, start=1):
        if not name.strip():
            raise DataError(
                f"column {position} of {source} has no name; name it, or save the table without it if it only "
                f"numbers the rows"
            )
    seen: set[str] = set()
    for position, name in enumerate(names, start=1):
        if name in seen:
            raise DataError(
                f"column name {name!r} of {source} occurs more than once (columns {names.index(name) + 1} "
                f"and {position}); rename one of them"
            )
        seen.add(name)


def settle_choices(
    names: Sequence[str], continuous: Names | None, discrete: Names | None, drop: Names | None
) -> tuple[list[str], dict[str, Kind]]:
    """(names to keep, kinds that the caller declared), once the three lists are known to agree."""
    chosen = {"continuous": _as_names(continuous), "discrete": _as_names(discrete), "drop": _as_names(drop)}
    role: dict[str, str] = {}
    for option_name, listed_names in chosen.items():
        for name in listed_names:
            if name not in names:
                raise DataError(unknown_name("column", name, names) + f" (named in {option_name})")
            if role.setdefault(name, option_name) != option_name:
                raise DataError(
                    f"column {name!r} is named in both {role[name]} and {option_name}; keep it in one of them"
                )
    kept = [name for name in names if role.get(name) != "drop"]
    if not kept:
        raise DataError("every column is dropped; keep at least one")
    kinds = {name: Kind(option_name) for name, option_name in role.items() if option_name != "drop"}
    return kept, kinds


def _as_names(names: Names | None) -> tuple[str, ...]:
    """A single name is one name, not its letters; names that are numbers, as in a data frame, are read as text."""
    if names is None:
        return ()
    if isinstance(names, str | bytes) or not isinstance(names, Iterable):
        return (str(names),)
    return tuple(str(name) for name in names)


def check_rows(n_rows: int, source: str = "the table", *, least: int = 2) -> None:
    """A structure needs rows, and more than one; what is learned already can be used on one."""
    if n_rows < least:
        held = "has no rows" if n_rows == 0 else "has only one row"
        needed = "learning needs at least 2 rows of data" if least > 1 else "give at least 1 row of data"
        raise DataError(f"{source} {held}; {needed}")


def check_cells(columns: Sequence[Typed]) -> None:
    """Refuse infinite numbers and identifiers."""
    check_finite(columns)
    for column in columns:
        if column.origin is not Origin.NUMBER:
            _refuse_identifier(column)


def check_finite(columns: Sequence[Typed]) -> None:
    """Refuse infinite numbers."""
    for column in columns:
        if column.origin is Origin.NUMBER:
            _refuse_infinite(column)


def check_levels(columns: Sequence[Typed]) -> None:
    """Refuse more levels than a method can count; nothing has been allocated for them yet."""
    for column in columns:
        _refuse_levels(column)
    _refuse_large_tables(columns)


def _refuse_infinite(column: Typed) -> None:
    if column.kind is Kind.CONTINUOUS:
        infinite = np.isinf(column.values)
    elif {"inf", "-inf"}.isdisjoint(column.labels):
        return
    else:
        infinite = np.isinf(label_numbers(column.labels))[column.values]
    if infinite.any():
        raise DataError(
            f"column {column.name!r} has {counted(int(infinite.sum()), 'infinite value')}, the first in row "
            f"{int(np.argmax(infinite)) + 1}; replace it by a number, or by an empty cell and choose how missing "
            f"values are treated"
        )


def _refuse_identifier(column: Typed) -> None:
    """Text that is different in every row, or nearly, names the rows and says nothing about them."""
    n_cells, n_levels = len(column.present()), len(column.labels)
    mostly_distinct = n_levels > IDENTIFIER_LEVELS and 2 * n_levels > n_cells
    if column.origin is not Origin.TEXT or column.declared or n_cells < PATTERN_ROWS:
        return
    if n_levels < n_cells and not mostly_distinct:
        return
    texts, rows = counted(n_levels, "distinct text value"), counted(n_cells, "row")
    values = f"column {column.name!r} has {texts} in {rows}"
    if not np.isnan(label_numbers(column.labels)).any():
        codes = " with leading zeros" if leading_zeros(column.labels) else ""
        raise DataError(
            f"{values} that are all numbers{codes}; leave the column out with {option('drop', column.name)}, read "
            f"them as numbers with {option('continuous', column.name)}, or keep them as levels with "
            f"{option('discrete', column.name)}"
        )
    if example := measured(column.labels) or dated(column.labels):
        what = "dates or times" if dated(column.labels) else "numbers with something beside them"
        raise DataError(
            f"{values} that look like {what} (such as {example!r}); write them as plain numbers, or leave the column "
            f"out with {option('drop', column.name)}"
        )
    raise DataError(
        f"{values}, so it looks like an identifier; leave it out with {option('drop', column.name)}, or keep it "
        f"with {option('discrete', column.name)}"
    )


def _refuse_levels(column: Typed) -> None:
    if len(column.labels) > MAX_LEVELS:
        raise DataError(
            f"column {column.name!r} has {counted(len(column.labels), 'level')}, more than the {MAX_LEVELS:,} "
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


def doubts(columns: Sequence[Typed]) -> list[str]:
    """What is legal but probably not meant, one sentence each; columns are free of missing cells here."""
    warnings: list[str] = []
    if len(columns) == 1:
        warnings.append(f"the table has one column, {columns[0].name!r}, so there is no structure to learn")
    constant = [repr(column.name) for column in columns if _is_constant(column)]
    if constant:
        noun = "column" if len(constant) == 1 else "columns"
        nodes = "an isolated node" if len(constant) == 1 else "isolated nodes"
        warnings.append(f"constant {noun} {listed(constant)} kept as {nodes}")
    warnings += [_copy_doubt(group) for group in copies(columns)]
    for column in columns:
        if column.kind is Kind.DISCRETE and _has_many_levels(column):
            warnings.append(
                f"column {column.name!r} has {counted(len(column.labels), 'level')} for "
                f"{counted(len(column.values), 'row')}, too many to learn from; merge levels or leave it out with "
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
    return bool((column.values == column.values[0]).all())


def _has_many_levels(column: Typed) -> bool:
    return len(column.labels) > MANY_LEVELS and 2 * len(column.labels) > len(column.values)
