"""`arcwise discretize`: thresholds for the continuous columns of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from arcwise.cli.arguments import AsJson, Continuous, DataPath, Discrete, Drop, MissingPolicy, Settings
from arcwise.errors import OptionError, unknown_name

if TYPE_CHECKING:
    from rich.text import Text

    from arcwise.data.dataset import Column, Dataset
    from arcwise.data.discretization import Discretization

BAR_WIDTH = 24
SHOWN_LEVELS = 20
EIGHTHS = " ▏▎▍▌▋▊▉"


def discretize(
    data: DataPath,
    method: Annotated[
        str, typer.Option("--method", "-m", metavar="NAME", help="The way to choose thresholds: --method sturges")
    ] = "equal-frequency",
    settings: Settings = None,
    continuous: Continuous = None,
    discrete: Discrete = None,
    drop: Drop = None,
    missing: MissingPolicy = "error",
    out: Annotated[
        str | None,
        typer.Option("--out", "-o", metavar="FILE", help="Save the cut table, .csv, .tsv or .parquet: --out cut.csv"),
    ] = None,
    thresholds: Annotated[
        str | None,
        typer.Option("--thresholds", metavar="FILE", help="Save the thresholds: --thresholds cuts.json"),
    ] = None,
    json: AsJson = False,
) -> None:
    """Cut the continuous columns of a table into levels.

    Example: arcwise discretize @abalone --method equal-frequency --set bins=4 --out cut.csv
    """
    from arcwise.cli.screen import print_json
    from arcwise.cli.sources import read_table
    from arcwise.cli.targets import JSON_SUFFIXES, TABLE_SUFFIXES, check_target, write_json, write_table

    part = discretizer(method, settings)
    check_target(out, TABLE_SUFFIXES)
    check_target(thresholds, JSON_SUFFIXES)
    table = read_table(data, continuous, discrete, drop, missing)
    cuts = part.fit(table)
    levels = cuts.apply(table)
    if out is not None:
        write_table(levels, out)
    if thresholds is not None:
        write_json(cuts.to_dict(), thresholds)
    if json:
        print_json({"method": method, "columns": [_content(column, cuts) for column in levels.columns]})
    else:
        _show(method, table, levels, cuts)


def discretizer(name: str, settings: list[str] | None) -> Any:
    """The discretizer of this kind, with its options changed as `--set` says."""
    from arcwise import catalog
    from arcwise.cli.settings import read_settings

    if name not in catalog.DISCRETIZERS:
        raise OptionError(unknown_name("discretizer", name, catalog.DISCRETIZERS))
    part: Any = catalog.DISCRETIZERS[name]()
    return catalog.configure(part, read_settings(settings))


def _content(column: Column, cuts: Discretization) -> dict[str, Any]:
    found = cuts.thresholds.get(column.name)
    return {
        "name": column.name,
        "thresholds": None if found is None else found.tolist(),
        "levels": list(column.levels),
        "counts": _counts(column),
    }


def _counts(column: Column) -> list[int]:
    import numpy as np

    counts: list[int] = np.bincount(column.values, minlength=column.cardinality).tolist()
    return counts


def _show(method: str, table: Dataset, levels: Dataset, cuts: Discretization) -> None:
    from rich.text import Text

    from arcwise.cli.screen import console, plain_table

    screen = console()
    rows = f"{table.n_rows:,} rows"
    screen.print(f"{method}: {rows}, {len(cuts.thresholds)} of {table.n_columns} columns cut", style="bold")
    most = max((count for column in levels.columns for count in _counts(column)), default=1)
    for column in levels.columns:
        if column.name in cuts.thresholds:
            how = cuts.describe(column.name) if column.cardinality < 4 else f"{column.cardinality} levels"
        else:
            how = f"discrete already, {column.cardinality} levels"
        screen.print()
        screen.print(Text.assemble((column.name, "bold"), (f"  {how}", "dim")))
        grid = plain_table("level", "rows", "bar", right=("rows",))
        grid.show_header = False
        shown = list(zip(column.levels, _counts(column), strict=True))
        for label, count in shown[:SHOWN_LEVELS]:
            grid.add_row(Text(f"  {label}"), f"{count:,}", _bar(count, most))
        screen.print(grid)
        if len(shown) > SHOWN_LEVELS:
            screen.print(f"  and {len(shown) - SHOWN_LEVELS:,} more levels", style="dim")


def _bar(count: int, most: int) -> Text:
    from rich.text import Text

    eighths = round(8 * BAR_WIDTH * count / most)
    return Text(("█" * (eighths // 8) + EIGHTHS[eighths % 8]).rstrip(), "cyan")
