"""A learned result on a terminal: the same content as `str(result)`, with the terminal's width and colours."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from arcwise.cli.views.screen import console, plain_table, print_text
from arcwise.results.summary import Summary, as_text, summarize

if TYPE_CHECKING:
    from rich.console import Console

    from arcwise.results.result import LearnResult

LEAST_ROOM = 16
COLOURS = {"←": "green", "—": "cyan", "↔": "red"}


def show_result(result: LearnResult) -> None:
    """On a terminal with colours, else as plain text."""
    if not sys.stdout.isatty():
        print_text(as_text(result))
        return
    screen, summary = console(), summarize(result)
    screen.print(summary.headline, style="bold" if result.status == "converged" else "bold yellow")
    if result.status == "unanswered":
        return
    screen.print()
    _show_facts(screen, summary)
    _show_columns(screen, summary)
    for warning in summary.warnings:
        screen.print(f"warning: {warning}", style="yellow")
    _show_network(screen, summary)


def _show_facts(screen: Console, summary: Summary) -> None:
    from rich.text import Text

    table = plain_table("", "")
    table.show_header = False
    for label, value in summary.facts:
        table.add_row(Text(label, style="dim"), Text(value))
    screen.print(table)
    screen.print()


def _show_columns(screen: Console, summary: Summary) -> None:
    from rich.text import Text

    if not summary.columns:
        return
    heads, rows = summary.table
    styles = {"why": "dim"}
    table = plain_table(*heads)
    for row in rows:
        doubtful = {"kind": "yellow"} if row[1].endswith("?") else {}
        looks = styles | doubtful
        table.add_row(*(Text(cell, looks.get(head, "")) for head, cell in zip(heads, row, strict=True)))
    # Thresholds are read more easily in one line than reasons are, if that leaves enough room for the reasons.
    longest = [max(map(len, cells)) for cells in zip(heads, *rows, strict=True)]
    room = screen.width - longest[0] - longest[1] - longest[-1] - 2 * len(heads)
    if "why" in heads and room >= LEAST_ROOM:
        table.columns[heads.index("why")].max_width = room
    screen.print(table)
    if summary.columns_note:
        screen.print(summary.columns_note, style="dim")
    screen.print()


def _show_network(screen: Console, summary: Summary) -> None:
    from rich.text import Text

    if summary.warnings:
        screen.print()
    screen.print(Text.assemble(("network", "bold"), (f"  {summary.legend}", "dim")))
    table = plain_table("", "", "")
    table.show_header = False
    for family in summary.families:
        table.add_row(
            Text(family.node, "bold"), Text(family.mark, COLOURS[family.mark]), Text(", ".join(family.others))
        )
    if summary.families:
        screen.print(table)
    if summary.isolated:
        screen.print(Text.assemble(("without edges: ", "dim"), ", ".join(summary.isolated)))
