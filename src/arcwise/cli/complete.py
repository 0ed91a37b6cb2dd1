"""`arcwise complete`: fill in the missing cells of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from arcwise.cli.inputs import DataPath, NetworkPath, Options, Seed, opened, option, read_network, reads_table
from arcwise.cli.outputs import TABLE_SUFFIXES, as_delimited, check_targets, deliver, write_json, write_table
from arcwise.cli.views.screen import console, note, print_data, warn
from arcwise.printing import counted, printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arcwise.data.filled import FilledColumn, FilledTable

DOUBT_SUFFIXES = (".csv", ".json")


@reads_table
def complete(
    network: NetworkPath,
    data: DataPath,
    how: Annotated[
        str,
        option("--how", "The most probable value of each cell (probable), or a draw: --how draw", "WAY"),
    ] = "probable",
    seed: Seed = 0,
    out: Annotated[
        str | None, option("--out -o", "Save the table, .csv, .tsv or .parquet: --out filled.csv", "FILE")
    ] = None,
    doubts: Annotated[
        str | None, option("--doubts", "Save how sure each cell is, .csv or .json: --doubts doubts.csv", "FILE")
    ] = None,
    *,
    reading: Options,
) -> None:
    """Fill in the missing cells of a table from a network; without --out as CSV on stdout.

    Each cell is judged by what is recorded in its row. Columns that are no nodes of the network stay as they are.

    Example: arcwise complete network.json data.csv --out filled.csv --doubts doubts.csv
    """
    check_targets((network, data), (out, TABLE_SUFFIXES), (doubts, DOUBT_SUFFIXES))
    net = read_network(network)
    found = net.complete(opened(data), how=how, seed=seed, **reading)  # type: ignore[arg-type]

    def show() -> None:
        warn(found.table.warnings)
        if out is None:
            print_data(as_delimited(found.table))
            note(_summary(found))
        else:
            console().print(_summary(found))

    deliver(
        (out, lambda path: write_table(found.table, path)),
        (doubts, lambda path: _write_doubts(found, path)),
        show=show,
    )


def _summary(found: FilledTable) -> str:
    if not found.n_cells:
        return "no cell is missing in a column of the network"
    filled = f"filled {counted(found.n_cells, 'cell')} in {counted(len(found.columns), 'column')}"
    return f"{filled}; least sure: {_least_sure(found)}"


def _least_sure(found: FilledTable) -> str:
    """A level, by its probability; without levels the number that is spread most for its column."""
    import numpy as np

    levels = [column for column in found.columns if column.levels]
    if levels:
        column = min(levels, key=lambda one: float(one.sure.min()))
        cell = int(column.sure.argmin())
        words = f"{_label(column, cell)} (probability {column.sure[cell]:.2f})"
    else:
        spreads = {one.name: float(np.std(found.table.column(one.name).values)) or 1.0 for one in found.columns}
        column = max(found.columns, key=lambda one: float(one.sure.max()) / spreads[one.name])
        cell = int(column.sure.argmax())
        words = f"{column.values[cell]:.4g} (sd {column.sure[cell]:.3g})"
    return printable(f"row {int(column.rows[cell]) + 1}, {column.name} = {words}")


def _label(column: FilledColumn, cell: int) -> str:
    return column.levels[int(column.values[cell])] if column.levels else repr(float(column.values[cell]))


def _write_doubts(found: FilledTable, path: str) -> None:
    if path.lower().endswith(".json"):
        write_json({"columns": [column.to_dict() for column in found.columns]}, path)
        return
    import csv
    from io import StringIO

    from arcwise.data.text_files import write_text

    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("row", "column", "value", "probability", "sd"))
    writer.writerows(_doubts(found))
    write_text(path, text.getvalue())


def _doubts(found: FilledTable) -> Iterator[tuple[Any, ...]]:
    """A line for each cell; rows are counted from 1. Of a level its probability, of a number its spread."""
    for column in found.columns:
        for cell, (row, sure) in enumerate(zip(column.rows.tolist(), column.sure.tolist(), strict=True)):
            doubt = (f"{sure:.6g}", "") if column.levels else ("", repr(sure))
            yield (row + 1, column.name, _label(column, cell), *doubt)
