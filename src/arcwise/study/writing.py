"""Tables as text: for the screen, for pages, for LaTeX, and line by line for other programs."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from arcwise.study.tables.table import MEAN, RANGE, SPREAD, Entry, Table

if TYPE_CHECKING:
    import polars as pl

NOTHING = "–"
SPECIAL = {sign: f"\\{sign}" for sign in "&%$#_{}"} | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}


def number(value: float | None, digits: int) -> str:
    """With so many decimals; thousands without any, unless more than two are asked for."""
    if value is None:
        return NOTHING
    if abs(value) >= 1_000 and digits <= 2:
        return f"{value:,.0f}"
    text = f"{value:,.{digits}f}"
    return text if float(text.replace(",", "")) or not value else f"{value:.1g}"


def our_number(entry: Entry, table: Table) -> str:
    """With its sign, if it is a difference; such a one may well be 0.00."""
    if entry.ours is None or not entry.signed:
        return number(entry.ours, table.digits)
    return f"{round(entry.ours, table.digits) + 0.0:+,.{table.digits}f}"  # + 0.0: no minus before a zero


def ours(entry: Entry, table: Table, *, spread: bool = True) -> str:
    """Our number, and how far runs differ; a star where cells are missing.

    spread: whether the table shows how far runs differ; one of means and deviations always shows these.
    """
    if entry.ours is None:
        return NOTHING
    star = "*" if entry.used < entry.wanted else ""
    if table.show == RANGE:
        parts = (f"{value:g}" for value in (entry.least, entry.ours, entry.most) if value is not None)
        return f"({', '.join(parts)}){star}"
    text = our_number(entry, table)
    if (spread or table.show == SPREAD) and entry.spread is not None:
        text += f" ± {entry.spread:,.{table.digits}f}"
    return text + star


def beside(entry: Entry, table: Table) -> str:
    """For the screen: our number, and the published one in brackets."""
    published = f" [{number(entry.published, table.digits)}]" if entry.published is not None else ""
    return ours(entry, table, spread=not table.has_published) + published


def lines(table: Table) -> list[list[str]]:
    """For a page: the header, and our numbers by row, each with the published one and the difference behind it."""
    rows = ([row, *(_with_published(table.get(row, column), table) for column in table.columns)] for row in table.rows)
    return [[table.corner, *table.columns], *rows]


def _with_published(entry: Entry, table: Table) -> str:
    if entry.published is None:
        return ours(entry, table)
    away = entry.difference
    behind = "" if away is None else f", {away:+,.{table.digits if abs(away) < 1_000 or table.digits > 2 else 0}f}"
    return f"{ours(entry, table)} ({number(entry.published, table.digits)}{behind})"


def remarks(table: Table) -> list[str]:
    """Below a table: rank correlations, what the stars mean, and why cells failed."""
    found: list[str] = []
    ranks = {column: table.correlation(column) for column in table.columns}
    shown = [f"{column} {value:.2f}" for column, value in ranks.items() if value is not None]
    if shown:
        found.append(f"Spearman's rank correlation of ours with the published numbers: {', '.join(shown)}.")
    used = sum(entry.used for (_, column), entry in table.entries.items() if column != "average")
    wanted = sum(entry.wanted for (_, column), entry in table.entries.items() if column != "average")
    if used < wanted:
        found.append(f"{used:,} of {wanted:,} numbers are there; a star marks what is made of some of its own only.")
    if table.failed:
        why = "; ".join(f"{count:,}: {error}" for error, count in table.failed.items())
        found.append(f"Cells that failed: {why}.")
    return found


LEGEND = "Ours ± how far it differs from run to run (published, difference)."


def markdown(table: Table) -> str:
    """A table of a page, its remarks below."""
    rows = lines(table)
    text = ["| " + " | ".join(escape(cell, quote=False).replace("|", "\\|") for cell in row) + " |" for row in rows]
    text.insert(1, "|---" + "|--:" * (len(rows[0]) - 1) + "|")
    below = [LEGEND if table.has_published and table.show == MEAN else "", table.note.strip(), *remarks(table)]
    return "\n".join(text) + "".join(f"\n\n{remark}" for remark in below if remark)


def latex(table: Table) -> str:
    """A tabular in a table environment; it needs the package booktabs."""
    rows = [[_escaped(cell) for cell in row] for row in lines(table)]
    body = [" & ".join(row) + r" \\" for row in rows]
    return "\n".join(
        [
            r"\begin{table}", r"\centering", f"\\caption{{{_escaped(f'{table.name}: {table.title}')}}}",
            f"\\begin{{tabular}}{{l{'r' * (len(rows[0]) - 1)}}}", r"\toprule", body[0], r"\midrule", *body[1:],
            r"\bottomrule", r"\end{tabular}", r"\end{table}",
        ]
    )  # fmt: skip


def _escaped(text: str) -> str:
    plain = "".join(SPECIAL.get(sign, r"\textbackslash{}" if sign == "\\" else sign) for sign in text)
    return plain.replace("±", r"$\pm$").replace("–", "--")


def frame(tables: Sequence[Table]) -> pl.DataFrame:
    """A line for each number of the tables."""
    import polars as pl

    found = [
        {
            "table": table.name, "row": row, "column": column, "published": entry.published, "ours": entry.ours,
            "difference": entry.difference, "spread": entry.spread, "least": entry.least, "most": entry.most,
            "cells": entry.used, "cells planned": entry.wanted,
        }
        for table in tables
        for row in table.rows
        for column in table.columns
        for entry in [table.get(row, column)]
    ]  # fmt: skip
    texts, wholes = ("table", "row", "column"), ("cells", "cells planned")
    names = (*texts, "published", "ours", "difference", "spread", "least", "most", *wholes)
    types = {name: pl.String if name in texts else pl.Int64 if name in wholes else pl.Float64 for name in names}
    return pl.DataFrame(found, schema=types)
