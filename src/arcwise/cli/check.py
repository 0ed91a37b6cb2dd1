"""`arcwise check`: everything that is odd about a table, and a recipe that settles it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arcwise.cli.inputs import AsJson, DataPath, Options, opened, option, reads_table_without
from arcwise.cli.outputs import check_targets
from arcwise.cli.views.screen import console, print_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arcwise.data.findings import Report

UNSETTLED = 1


@reads_table_without("missing", "recipe")
def check(
    data: DataPath,
    strict: Annotated[
        bool, option("--strict", "End with exit code 1 if something must be settled: arcwise check new.csv --strict")
    ] = False,
    recipe: Annotated[
        str | None,
        option("--recipe", "Write all proposed changes to a file, or use those in it: --recipe clean.toml", "FILE"),
    ] = None,
    json: AsJson = False,
    *,
    reading: Options,
) -> None:
    """Show everything that is odd about a table, with what to do about it.

    The table is not changed. --recipe writes the proposed changes to a new file; the other commands read the table by
    it, and next month's table the same way. Look at the file first, and change it where a proposal is wrong. A recipe
    that is there already is used, and stays as it is: then what is shown is where the table does not fit it.

    Example: arcwise check hospital.csv --recipe clean.toml
    """
    from arcwise.data.findings import check as look
    from arcwise.data.findings.report import command_lines

    used = recipe is not None and Path(recipe).exists()
    if used:
        reading = {**reading, "recipe": recipe}
    else:
        check_targets((data,), (recipe, (".toml",)))
    report = replace(look(opened(data), **reading), label="standard input" if data == "-" else data)
    if recipe is not None and not used:
        report.save_recipe(recipe)
    if json:
        print_json(report.to_dict())
    else:
        how = command_lines(report, data, recipe, used=used)
        _show(report, how)
    if strict and report.must_be_settled:
        raise typer.Exit(UNSETTLED)


def _show(report: Report, how: Sequence[str]) -> None:
    """On a terminal with its headings and the names of columns in bold."""
    from rich.text import Text

    screen = console()
    page = Text(report.text(screen.width, how=how))
    page.highlight_regex(r"(?m)^(?P<bold>[A-Z ]+)$", style_prefix="")
    page.highlight_regex(r"(?m)^  [a-z-]+  +(?P<bold>\S.*?)(?=  |$)", style_prefix="")
    screen.print(page, soft_wrap=True)
