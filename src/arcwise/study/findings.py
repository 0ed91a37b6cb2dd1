"""What a publication found, held against our numbers: a statement, and comparisons of entries of tables behind it.

A comparison is a line such as "V-4: steck3 @ 5000 < bach @ 5000", "V-4: pc @ average > 1" or
"V-9: Steck @ alarm, extra-share < V-9: Eqfreq @ alarm, extra-share".
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
    left = _value(first, first["table"], tables)
    second = PLACE.fullmatch(match["right"])
    if second is not None:
        right = _value(second, second["table"] or first["table"], tables)
    else:
        try:
            right = float(match["right"])
        except ValueError:
            raise OptionError(f"{match['right']!r} in {text!r} is neither a number nor a row @ column") from None
    holds = None if left is None or right is None else bool(SIGNS[match["sign"]](left, right))
    numbers = number(left, 2) if second is None else f"{number(left, 2)} and {number(right, 2)}"
    return Comparison(f"{text.strip()}: {numbers}", holds)


def _value(match: re.Match[str], name: str, tables: Mapping[str, Table]) -> float | None:
    name = name.strip()
    if name not in tables:
        raise OptionError(unknown_name("table", name, tables))
    table, row, column = tables[name], match["row"].strip(), match["column"].strip()
    if row not in table.rows:
        raise OptionError(unknown_name(f"row of table {name!r}:", row, table.rows))
    if column not in table.columns:
        raise OptionError(unknown_name(f"column of table {name!r}:", column, table.columns))
    return table.get(row, column).ours
