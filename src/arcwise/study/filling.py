"""Text with places for numbers, which are put in from the tables of a study: so none is typed by hand.

{{V-4: steck3 @ 5000}}              our number in this table, row and column
{{published V-4: steck3 @ 5000}}    the published one
{{rank V-4: average}}               Spearman's correlation of ours with the published ones in this column
{{rank V-4: average, without hartemink, monti2}}
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from arcwise.errors import OptionError, unknown_name
from arcwise.study.tables.table import Table
from arcwise.study.writing import number, our_number

PLACE = re.compile(r"\{\{(?P<words>[^{}]*)\}\}")
PUBLISHED, RANK, WITHOUT = "published ", "rank ", ", without "


def filled(text: str, tables: Sequence[Table]) -> str:
    """The text with every place filled."""
    by_name = {table.name: table for table in tables}
    return PLACE.sub(lambda match: _number(match["words"].strip(), by_name), text)


def _number(words: str, tables: Mapping[str, Table]) -> str:
    if words.startswith(RANK):
        return _rank(words.removeprefix(RANK), tables)
    published = words.startswith(PUBLISHED)
    table, place = _table(words.removeprefix(PUBLISHED), tables)
    row, sign, column = place.partition(" @ ")
    if not sign:
        raise OptionError(f"{{{{{words}}}}} must name a table, a row and a column: {{{{V-4: steck3 @ 5000}}}}")
    entry = table.get(_known("row", row, table.rows), _known("column", column, table.columns))
    return number(entry.published, table.digits) if published else our_number(entry, table)


def _rank(words: str, tables: Mapping[str, Table]) -> str:
    table, place = _table(words, tables)
    column, _, names = place.partition(WITHOUT)
    left_out = {_known("row", name, table.rows) for name in names.split(", ")} if names else set()
    found = table.correlation(_known("column", column, table.columns), without=left_out)
    return number(found, 2)


def _table(words: str, tables: Mapping[str, Table]) -> tuple[Table, str]:
    """The table that the words begin with, and what follows."""
    name, _, place = words.partition(": ")
    if name not in tables:
        raise OptionError(unknown_name("table", name, tables))
    return tables[name], place


def _known(what: str, name: str, known: Sequence[str]) -> str:
    if name not in known:
        raise OptionError(unknown_name(what, name, known))
    return name
