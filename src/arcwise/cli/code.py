"""`arcwise code`: a table in many files, coded into a store that need not fit into memory."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from arcwise.cli.inputs import Options, argument, opened, option, reads_table
from arcwise.cli.views.screen import console, note, plain_table, tell_coding, warn, watching
from arcwise.errors import OptionError
from arcwise.printing import counted, in_shell, printable

if TYPE_CHECKING:
    from arcwise.data.dataset import Dataset

SHOWN = 20  # columns of numbers that are described
Source = Annotated[
    str,
    argument(
        "PARTS",
        "A folder of Parquet, CSV or Arrow files that are one table, a pattern such as 'parts/*.parquet', one file, or "
        "a coded store to verify.",
    ),
]


@reads_table
def code(
    parts: Source,
    out: Annotated[
        str | None, option("--out -o", "The store to write, a folder .arcwise: --out t.arcwise", "FOLDER")
    ] = None,
    replace: Annotated[bool, option("--replace", "Replace a store of this name: --replace")] = False,
    verify: Annotated[
        bool, option("--verify", "Read and verify every cell of a store: arcwise code t.arcwise --verify")
    ] = False,
    quiet: Annotated[bool, option("--quiet -q", "Print errors and warnings only: --quiet")] = False,
    *,
    reading: Options,
) -> None:
    """Code a table in many files into a store that learns without being loaded.

    The files are gone through twice: to find kinds and levels, and to write codes. They are one table, in the natural
    order of their names, and may be larger than memory. A run that is stopped, or killed, goes on where it was when the
    same command is given again.

    Example: arcwise code 'parts/*.parquet' --out table.arcwise
    """
    from arcwise.data.rows.store import is_store

    if verify and out is None:
        if not is_store(parts):
            raise OptionError("--verify needs a coded store, such as arcwise code t.arcwise --verify")
        _verify(parts, quiet)
        return
    if out is None:
        raise OptionError("code needs a name for the store: --out table.arcwise")
    data = _code(parts, out, replace, quiet, reading)
    warn(data.warnings)
    if verify:
        _verify(out, quiet)
    if not quiet:
        console().print(_summary(data, out))
        _print_numbers(out)
        note(f"learn from it: arcwise learn {in_shell(out)}")


def _code(parts: str, out: str, replace: bool, quiet: bool, reading: Options) -> Dataset:
    from arcwise.data.rows.coding import code as code_table

    try:
        with watching(quiet, "Ctrl-C: stop, and keep what is done") as screen:
            return code_table(opened(parts), out, replace=replace, watch=partial(tell_coding, screen), **reading)
    except KeyboardInterrupt:
        if Path(f"{out}.partial").is_dir():
            note("what is done is kept; the same command goes on with it")
        raise


def _verify(store: str, quiet: bool) -> None:
    from arcwise.data.rows.store import open_store

    data = open_store(store, whole=True)
    if not quiet:
        console().print(
            printable(
                f"{store}: {counted(data.n_rows, 'row')} of {counted(data.n_columns, 'column')}, every cell is sound"
            )
        )


def _print_numbers(out: str) -> None:
    """The quartiles of the first columns of numbers, as far as their sketches know them."""
    from arcwise.data.rows.store import sketches_of

    sketches = {name: sketch for name, sketch in sketches_of(out).items() if sketch.n}
    if not sketches:
        return
    heads = ("lowest", "lower quartile", "median", "upper quartile", "highest")
    table = plain_table("column", *heads, right=heads)
    for name, sketch in list(sketches.items())[:SHOWN]:
        values = (sketch.low, *sketch.quantiles((0.25, 0.5, 0.75)), sketch.high)
        table.add_row(printable(name), *(f"{value:.4g}" for value in values))
    console().print(table)
    off = max(sketch.error / sketch.n for sketch in sketches.values())
    if off:
        console().print(f"quartiles are right to within {100 * off:.2g} % of the rows")
    if len(sketches) > SHOWN:
        console().print(f"and {counted(len(sketches) - SHOWN, 'more column')} of numbers")


def _summary(data: Dataset, out: str) -> str:
    from arcwise.machine import in_words

    shown = [column.shown_kind for column in data.columns]
    kinds = [f"{shown.count(kind)} {kind}" for kind in ("continuous", "ordered", "discrete") if kind in shown]
    size = sum(file.stat().st_size for file in Path(out).iterdir())
    rows = f"{counted(data.n_rows, 'row')}, {counted(data.n_columns, 'column')} ({', '.join(kinds)})"
    return printable(f"{out}: {rows}, {in_words(size)} on the disk")
