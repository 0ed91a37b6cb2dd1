"""`arcwise compare`: several methods on one table, judged by rows that they have not seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from arcwise.cli.groups import grouped
from arcwise.cli.inputs import (
    AsJson,
    DataPath,
    Options,
    SampleRows,
    Seed,
    option,
    read_table,
    reads_table,
    split_names,
)
from arcwise.cli.learn import Known
from arcwise.cli.main import BY_SIGNAL, ENDINGS, UNANSWERED
from arcwise.cli.outputs import JSON_SUFFIXES, PICTURE_SUFFIXES, TABLE_SUFFIXES, check_targets, deliver, write_frame
from arcwise.cli.views.screen import note, print_json, print_text, warn, watching

if TYPE_CHECKING:
    from arcwise.results.comparison import Comparison


@reads_table
@grouped(known=Known)
def compare(
    data: DataPath,
    methods: Annotated[
        list[str] | None,
        option("--methods -m", "Those to compare, else some that differ: --methods steck,gaussian,kgv", "NAMES"),
    ] = None,
    folds: Annotated[int, option("--folds", "Parts of the rows, each predicted from the others: --folds 10")] = 5,
    *,
    known: Known,
    seed: Seed = 0,
    sample_rows: SampleRows = None,
    budget: Annotated[
        float | None, option("--budget", "Time for all of it; what is not ready then is listed: --budget 60", "SECONDS")
    ] = None,
    workers: Annotated[
        int | None, option("--workers", "Processes at once, else as many as pay: --workers 4", "NUMBER")
    ] = None,
    scheduler: Annotated[
        str | None, option("--scheduler", "A Dask cluster that works instead: --scheduler tcp://host:8786", "ADDRESS")
    ] = None,
    store: Annotated[
        str | None, option("--store", "Keep what is finished, and go on from there: --store run.jsonl", "FILE")
    ] = None,
    out: Annotated[str | None, option("--out -o", "Save all of it as JSON: --out comparison.json", "FILE")] = None,
    table: Annotated[str | None, option("--table", "Save the table of methods: --table methods.csv", "FILE")] = None,
    draw: Annotated[
        str | None, option("--draw", "Draw how far the graphs agree, .svg, .png or .pdf: --draw heat.svg", "FILE")
    ] = None,
    json: AsJson = False,
    reading: Options,
) -> None:
    """Compare methods on a table: by the density of rows that they have not seen, and by their graphs.

    Example: arcwise compare @cars1 --methods gaussian,steck,kgv --folds 3 --draw heat.svg

    The rows are divided into folds; each fold is predicted by what a method learns from the others, thresholds and all,
    and the log density of the values themselves is what counts, in nats a row. Ctrl-C ends it with what is finished,
    and the exit code is 130; with nothing finished it is 3.
    """
    from arcwise import api
    from arcwise.parts.monitor import SILENT, stop_on_interrupt

    knowledge = known.read()
    wanted = (out, JSON_SUFFIXES), (table, TABLE_SUFFIXES), (draw, PICTURE_SUFFIXES)
    check_targets((data, known.knowledge, store), *wanted)
    rows = read_table(data, reading)
    with stop_on_interrupt(SILENT, ENDINGS) as interrupts:  # until all is written
        with watching(False) as screen:
            found = api.compare(
                rows,
                split_names(methods) or None,
                folds=folds,
                knowledge=knowledge,
                seed=seed,
                sample_rows=sample_rows,
                budget=budget,
                workers=workers,
                scheduler=scheduler,
                store=store,
                monitor=interrupts.around(screen),
            )
        nothing = not found.drawn and all(one.standing == "unfinished" for one in found.methods)
        if nothing:
            note("no method was ready in time; nothing is written")
        else:
            _deliver(found, out, table, draw, json)
    if nothing:
        raise typer.Exit(UNANSWERED)
    if interrupts.signals:
        raise typer.Exit(BY_SIGNAL + interrupts.signals[0])


def _deliver(found: Comparison, out: str | None, table: str | None, draw: str | None, json: bool) -> None:
    def show() -> None:
        if json:
            warn(found.warnings)
            print_json(found.to_dict())
        else:
            print_text(str(found))

    deliver(
        (out, found.save),
        (table, lambda path: write_frame(found.table(), path)),
        (draw, found.draw),
        show=show,
        content=found.to_dict,
        printed=json,
    )
