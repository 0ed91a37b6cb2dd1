"""A guide whose numbers, and whose lists of the best, come from the tables of a study.

{{least 3 of distance @ mixed}}     the three rows with the least numbers in this column of a table, with the numbers
{{most 3 of density @ mixed}}       those with the greatest
{{cells}}                           how many cells the tables are made of
and all places that `filling` knows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from arcwise.data.text_files import read_text, write_text
from arcwise.errors import OptionError, unknown_name
from arcwise.study.filling import filled
from arcwise.study.results import Results
from arcwise.study.tables import tables_of
from arcwise.study.tables.table import Table
from arcwise.study.writing import NOTHING, number

CELLS = "{{cells}}"
EXTREME = re.compile(r"\{\{(?P<which>least|most) (?P<count>[1-9]\d*) of (?P<table>[^{}@]+) @ (?P<column>[^{}]+)\}\}")


def write_guide(results: Results, template: str | Path, path: str | Path) -> None:
    write_text(path, guide_text(results, read_text(Path(template))))


def guide_text(results: Results, template: str) -> str:
    """The template with every place filled; what is not known yet is a dash."""
    tables = tables_of(results)
    by_name = {table.name: table for table in tables}
    text = EXTREME.sub(lambda match: _extreme(match, by_name), template)
    return filled(text.replace(CELLS, f"{len(results.rows):,} of {results.n_cells:,} cells"), tables)


def _extreme(match: re.Match[str], tables: Mapping[str, Table]) -> str:
    """Only rows with as many cells as any: a mean over the small tables alone would not compare."""
    if match["table"] not in tables:
        raise OptionError(unknown_name("table", match["table"], tables))
    table, column = tables[match["table"]], match["column"]
    if column not in table.columns:
        raise OptionError(unknown_name(f"column of table {table.name!r}:", column, table.columns))
    entries = {row: table.get(row, column) for row in table.rows}
    most = max((one.used for one in entries.values()), default=0)
    known = {row: one.ours for row, one in entries.items() if one.ours is not None and one.used == most}
    ordered = sorted(known, key=lambda row: known[row], reverse=match["which"] == "most")[: int(match["count"])]
    return ", ".join(f"`{row}` {number(known[row], table.digits)}" for row in ordered) or NOTHING
