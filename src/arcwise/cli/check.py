"""`arcwise check`: everything that is odd about a table, and a recipe that settles it."""

from __future__ import annotations

from typing import Annotated

import typer

from arcwise.cli.inputs import AsJson, DataPath, Options, opened, option, reads_table
from arcwise.cli.outputs import check_targets
from arcwise.cli.views.screen import console, print_json, print_text

UNSETTLED = 1


@reads_table
def check(
    data: DataPath,
    strict: Annotated[
        bool, option("--strict", "End with exit code 1 if something must be settled: arcwise check new.csv --strict")
    ] = False,
    recipe_file: Annotated[
        str | None, option("--recipe", "Write all proposed changes to a file: --recipe clean.toml", "FILE")
    ] = None,
    json: AsJson = False,
    *,
    reading: Options,
) -> None:
    """Show everything that is odd about a table, with what to do about it.

    Nothing is changed. --recipe writes the proposed changes to a file; the other commands read the table by it, and
    next month's table the same way. Look at the file first, and change it where a proposal is wrong.

    Example: arcwise check hospital.csv --recipe clean.toml
    """
    from arcwise.data.findings import check as look
    from arcwise.data.findings.report import command_lines

    check_targets((data,), (recipe_file, (".toml",)))
    report = look(opened(data), **reading)
    if recipe_file is not None:
        report.save_recipe(recipe_file)
    if json:
        print_json(report.to_dict())
    else:
        print_text(report.text(console().width, how=command_lines(report, data, recipe_file)))
    if strict and report.must_be_settled:
        raise typer.Exit(UNSETTLED)
