"""Columns as a caller names them: just so, or by a pattern such as `id_*`, all that begin so, or `q?`, one more letter.

A column of just that name comes before the pattern. Here is also what columns are called that nobody named.
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import translate
from re import compile as compiled

from arcwise.errors import DataError, unknown_name
from arcwise.printing import listed


def matching(given: str, names: Sequence[str], what: str) -> tuple[str, ...]:
    """The column of this name, or those that fit the pattern; an error if there is none. what: named the column."""
    if given in names:
        return (given,)
    if any(sign in given for sign in "*?["):
        pattern = compiled(translate(given))
        found = tuple(name for name in names if pattern.match(name))
        if found:
            return found
        raise DataError(f"no column fits the pattern {given!r} (named in {what}); known: {listed(list(names))}")
    raise DataError(unknown_name("column", given, names) + f" (named in {what})")


def told_apart(names: Sequence[str]) -> tuple[str, ...]:
    """The same names, but "column 1" for one that is blank, and "x (4)" for the fourth if an earlier one is x."""
    fresh: list[str] = []
    for position, name in enumerate(names, start=1):
        new = name if name.strip() else f"column {position}"
        while new in fresh:
            new += f" ({position})"
        fresh.append(new)
    return tuple(fresh)
