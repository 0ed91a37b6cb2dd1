"""What a publication found, held against our numbers: a statement, and comparisons of entries of tables behind it.

A comparison is a line such as

    V-4: steck3 @ 5000 < bach @ 5000
    V-4: pc @ average > 1
    V-9: Steck @ alarm, extra-share < V-9: Eqfreq @ alarm, extra-share
    distance: kgv @ bent < others except auto @ bent      every other row of the table that has a number there
    distance: kgv @ bent < each of steck, monti @ bent
"""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arcwise.errors import OptionError, unknown_name
from arcwise.study.context import check_entries
from arcwise.study.tables import Table
from arcwise.study.writing import number

SIGNS = {"<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge}
COMPARISON = re.compile(r"(?P<left>.+?)\s*(?P<sign><=|>=|<|>)\s*(?P<right>.+)")
OTHERS, EXCEPT, EACH = "others", " except ", "each of "
PLACE = re.compile(r"(?:(?P<table>[^:@]+):\s*)?(?P<row>.+?)\s*@\s*(?P<column>.+)")


@dataclass(frozen=True, slots=True)
class Comparison:
    """holds: None where a number is missing."""

    words: str
    holds: bool | None


@dataclass(frozen=True, slots=True)
class Finding:
    statement: str
    comparisons: tuple[Comparison, ...]

    @property
    def verdict(self) -> str:
        held = [one.holds for one in self.comparisons]
        if None in held:
            return "not decided: numbers are missing"
        if all(held):
            return "confirmed"
        return f"holds in {sum(map(bool, held))} of {len(held)} comparisons" if any(held) else "refuted"


def findings_of(content: Mapping[str, Mapping[str, Any]], tables: Sequence[Table]) -> list[Finding]:
    by_name = {table.name: table for table in tables}
    found = []
    for name, entries in content.items():
        check_entries(f"finding {name!r}", entries, ("statement", "checks"))
        checks = entries.get("checks", [])
        if not isinstance(checks, list) or not checks:
            raise OptionError(f"finding {name!r} needs checks, a list of comparisons")
        found.append(Finding(entries.get("statement", name), tuple(_compared(text, by_name) for text in checks)))
    return found


def _compared(text: str, tables: Mapping[str, Table]) -> Comparison:
    match = COMPARISON.fullmatch(text.strip())
    if match is None:
        raise OptionError(f"{text!r} is no comparison; write such as 'V-4: steck3 @ 5000 < bach @ 5000'")
    first = PLACE.fullmatch(match["left"])
    if first is None or first["table"] is None:
        raise OptionError(f"{text!r} must begin with a table, a row and a column: 'V-4: steck3 @ 5000'")
    left = _values(first, first["table"], tables, "")[first["row"]]
    second = PLACE.fullmatch(match["right"])
    place, sign = match["left"], match["sign"]
    if second is not None:
        right = _values(second, second["table"] or first["table"], tables, first["row"])
        return _judged(place, sign, left, right, _whose(first, second))
    try:
        limit = float(match["right"])
    except ValueError:
        raise OptionError(f"{match['right']!r} in {text!r} is neither a number nor a row @ column") from None
    holds = None if left is None else bool(SIGNS[sign](left, limit))
    return Comparison(f"{place}: {number(left, 2)} {sign} {match['right']}", holds)


def _whose(left: re.Match[str], right: re.Match[str]) -> str:
    """What the right-hand side is, without what it shares with the left."""
    table = f"{right['table']}: " if right["table"] and right["table"] != left["table"] else ""
    column = f" @ {right['column']}" if right["column"] != left["column"] else ""
    return f"{table}{right['row']}{column}"


def _judged(place: str, sign: str, left: float | None, right: Mapping[str, float | None], whose: str) -> Comparison:
    """Of several rows, those without a number are left out, and the one that comes nearest is named."""
    known = {row: value for row, value in right.items() if value is not None}
    if left is None or not known:
        return Comparison(f"{place}: {number(left, 2)} {sign} {number(None, 2)} ({whose})", None)
    nearest = (min if "<" in sign else max)(known, key=lambda row: known[row])
    if len(right) > 1:
        whose = f"{nearest}, of {len(known)}"
    words = f"{place}: {number(left, 2)} {sign} {number(known[nearest], 2)} ({whose})"
    return Comparison(words, bool(SIGNS[sign](left, known[nearest])))


def _values(match: re.Match[str], name: str, tables: Mapping[str, Table], own: str) -> dict[str, float | None]:
    """The numbers of the rows that are meant, in one column. own: the row that others are compared with."""
    name = name.strip()
    if name not in tables:
        raise OptionError(unknown_name("table", name, tables))
    table, words, column = tables[name], match["row"].strip(), match["column"].strip()
    if column not in table.columns:
        raise OptionError(unknown_name(f"column of table {name!r}:", column, table.columns))
    others, _, without = words.partition(EXCEPT)
    if others == OTHERS and own:
        left_out = (own, *(_rows(table, without) if without else ()))
        rows = tuple(row for row in table.rows if row not in left_out)
    else:
        rows = _rows(table, words.removeprefix(EACH)) if words.startswith(EACH) else _rows(table, words)
    return {row: table.get(row, column).ours for row in rows}


def _rows(table: Table, words: str) -> tuple[str, ...]:
    if words in table.rows:
        return (words,)
    names = tuple(words.split(", "))
    for row in names:
        if row not in table.rows:
            raise OptionError(unknown_name(f"row of table {table.name!r}:", row, table.rows))
    return names
