"""`arcwise bootstrap`: how sure the edges of a network are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from arcwise.cli.draw import Around, Distance, Whole, check_around, looks_of
from arcwise.cli.groups import grouped
from arcwise.cli.inputs import (
    AsJson,
    DataPath,
    Options,
    SampleRows,
    Seed,
    Settings,
    option,
    read_settings,
    read_table,
    reads_table,
)
from arcwise.cli.learn import Known, MethodName, Quiet
from arcwise.cli.main import BY_SIGNAL, ENDINGS, UNANSWERED
from arcwise.cli.outputs import (
    GRAPH_SUFFIXES,
    JSON_SUFFIXES,
    PICTURE_SUFFIXES,
    TABLE_SUFFIXES,
    check_names,
    check_targets,
    deliver,
    write_frame,
)
from arcwise.cli.views.screen import print_json, print_text, warn, watching

if TYPE_CHECKING:
    from arcwise.results.plotting import Looks
    from arcwise.results.strengths import Strengths

STORE_SUFFIXES = (".jsonl",)
Number = Annotated[int, option("--n -n", "How many resamples: --n 500", "N")]
How = Annotated[
    str,
    option(
        "--resample",
        "Rows drawn with replacement (rows), half of them without (half), or draws of hidden cells (draws): "
        "--resample half",
        "WAY",
    ),
]
Workers = Annotated[int | None, option("--workers", "Processes at once; without it as many as pay: --workers 4", "N")]
Scheduler = Annotated[
    str | None, option("--scheduler", "A Dask cluster that works instead: --scheduler tcp://host:8786", "ADDRESS")
]
StoreFile = Annotated[
    str | None,
    option("--store", "Keep each finished resample, and go on from those that are there: --store run.jsonl", "FILE"),
]
Deadline = Annotated[float | None, option("--deadline", "Stop then, with what is finished: --deadline 60", "SECONDS")]
Least = Annotated[
    float | None,
    option("--threshold", "Share from which an edge is in the averaged network: --threshold 0.7", "SHARE"),
]
Out = Annotated[str | None, option("--out -o", "Save all of it as JSON: --out strengths.json", "FILE")]
TableFile = Annotated[
    str | None, option("--table", "Save the shares, .csv, .tsv or .parquet: --table strengths.csv", "FILE")
]
ThresholdsFile = Annotated[
    str | None, option("--thresholds", "Save how stable thresholds are: --thresholds cuts.csv", "FILE")
]
GraphFile = Annotated[
    str | None,
    option("--graph", "Save the averaged network as .json, .dot, .graphml, .cyjs or .R: --graph average.dot", "FILE"),
]
Picture = Annotated[
    str | None, option("--draw", "Draw the averaged network as .svg, .png or .pdf: --draw average.svg", "FILE")
]


@reads_table
@grouped(known=Known)
def bootstrap(
    data: DataPath,
    method: MethodName = None,
    settings: Settings = None,
    n: Number = 200,  # as in Python; a test holds it and the next against the defaults of `arcwise.bootstrap`
    resample: How = "rows",
    *,
    known: Known,
    seed: Seed = 0,
    sample_rows: SampleRows = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
    store: StoreFile = None,
    deadline: Deadline = None,
    threshold: Least = None,
    out: Out = None,
    table: TableFile = None,
    thresholds: ThresholdsFile = None,
    graph: GraphFile = None,
    draw: Picture = None,
    around: Around = None,
    distance: Distance = None,
    whole: Whole = False,
    json: AsJson = False,
    quiet: Quiet = False,
    reading: Options,
) -> None:
    """Learn from many resamples of a table: which edges are found again, and the averaged network.

    Example: arcwise bootstrap @abalone --method equal-frequency --n 100 --table strengths.csv --draw average.svg

    Ctrl-C stops it: what is finished by then is printed and saved, and the exit code is 130; kill does the same, with
    143. With --store nothing that is finished is lost, however it ends: the same command goes on.
    """
    from arcwise import api, catalog
    from arcwise.parts.monitor import SILENT, stop_on_interrupt
    from arcwise.results.strengths import check_threshold

    chosen = catalog.method(catalog.DEFAULT_METHOD if method is None else method)
    own, drawing = api.split_options(chosen.learner, read_settings(settings))
    chosen = catalog.method(chosen.name, own)
    knowledge = known.read()
    files = (out, JSON_SUFFIXES), (table, TABLE_SUFFIXES), (thresholds, TABLE_SUFFIXES), (graph, GRAPH_SUFFIXES)
    check_targets((data, known.knowledge), *files, (draw, PICTURE_SUFFIXES), (store, STORE_SUFFIXES))
    looks = looks_of(draw, around, distance, whole)
    if threshold is not None:
        check_threshold(threshold)
    rows = read_table(data, reading, quiet=quiet)
    check_names(rows.names, graph)
    check_around(rows.names, around)
    with stop_on_interrupt(SILENT, ENDINGS) as interrupts:  # until all is written
        with watching(quiet) as screen:
            found = api.bootstrap(
                rows,
                chosen,
                n,
                resample=resample,  # type: ignore[arg-type]
                knowledge=knowledge,
                seed=seed,
                sample_rows=sample_rows,
                workers=workers,
                scheduler=scheduler,
                store=store,
                deadline=deadline,
                monitor=interrupts.around(screen),
                **drawing,
            )
        _deliver(found, threshold, (out, table, thresholds, graph, draw), looks, json, quiet)
    if found.status == "unanswered":
        raise typer.Exit(UNANSWERED)
    if interrupts.signals:
        raise typer.Exit(BY_SIGNAL + interrupts.signals[0])


def _deliver(
    found: Strengths,
    threshold: float | None,
    files: tuple[str | None, ...],
    looks: Looks,
    json: bool,
    quiet: bool,
) -> None:
    from arcwise.graph.io import save
    from arcwise.results.strengths_text import as_text

    def show() -> None:
        if json or quiet:
            warn(found.warnings)
        if json:
            print_json(found.to_dict())
        elif not quiet:
            print_text(as_text(found, least=threshold))

    if found.status == "unanswered":
        show()
        return
    out, table, thresholds, graph, draw = files
    average = found.consensus(threshold)
    deliver(
        (out, found.save),
        (table, lambda path: write_frame(found.table(), path)),
        (thresholds, lambda path: write_frame(found.thresholds_table(), path)),
        (graph, lambda path: save(average, path)),
        (draw, lambda path: found.plot(path, threshold=threshold, **looks)),
        show=show,
        content=found.to_dict,
        printed=json,
    )
