"""`arcwise learn`: from a table to a network, shown with the content of `str(result)` in the colours of a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from arcwise.cli.draw import Around, Distance, Whole, check_around, looks_of
from arcwise.cli.inputs import (
    AsJson,
    DataPath,
    Options,
    Seed,
    Settings,
    option,
    read_dag,
    read_knowledge,
    read_settings,
    read_table,
    reads_table,
)
from arcwise.cli.main import BY_SIGNAL, ENDINGS, UNANSWERED
from arcwise.cli.outputs import (
    GRAPH_SUFFIXES,
    JSON_SUFFIXES,
    PICTURE_SUFFIXES,
    TABLE_SUFFIXES,
    Writing,
    check_names,
    check_targets,
    deliver,
    write_frame,
    write_table,
)
from arcwise.cli.report import PAGE_SUFFIXES, Against, PagePath, Rows, asked_page, title_of
from arcwise.cli.views.screen import print_json, warn, watching
from arcwise.errors import OptionError, unknown_name

if TYPE_CHECKING:
    from arcwise.data.dataset import Dataset
    from arcwise.parts.protocols import Learner
    from arcwise.results.result import LearnResult
    from arcwise.results.summary import Wanted
    from arcwise.results.summary_next import Typed

MethodName = Annotated[
    str | None, option("--method -m", "One that 'arcwise methods' lists: --method hill-climb", "NAME")
]
KnowledgeFile = Annotated[
    str | None,
    option("--knowledge", "Required and forbidden edges and tiers, .json or .toml: --knowledge k.toml", "FILE"),
]
Required = Annotated[
    list[str] | None, option("--required", "An edge that must be there: --required 'age->income'", "A->B")
]
Forbidden = Annotated[
    list[str] | None, option("--forbidden", "An edge that must not be there: --forbidden 'income->age'", "A->B")
]
Tiers = Annotated[
    list[str] | None, option("--tier", "Columns that no later tier can cause: --tier sex,age --tier income", "NAMES")
]
Start = Annotated[str | None, option("--start", "A graph to start the search from: --start before.json", "GRAPH")]
Deadline = Annotated[
    float | None, option("--deadline", "Stop then, with the best graph so far: --deadline 60", "SECONDS")
]
Out = Annotated[str | None, option("--out -o", "Save the whole result as JSON: --out result.json", "FILE")]
Picture = Annotated[str | None, option("--draw", "Draw the network as .svg, .png or .pdf: --draw net.svg", "FILE")]
GraphFile = Annotated[
    str | None, option("--graph", "Save the graph as .json, .dot, .graphml, .cyjs or .R: --graph net.dot", "FILE")
]
Completed = Annotated[
    str | None,
    option("--completed", "Save the table with probable values in its missing cells: --completed filled.csv", "FILE"),
]
Strengths = Annotated[
    str | None,
    option(
        "--strengths", "Save how many resamples, or draws of missing cells, have each edge: --strengths s.csv", "FILE"
    ),
]
Resamples = Annotated[
    int | None, option("--bootstrap", "Learn from so many resamples, too: how sure edges are: --bootstrap 200", "N")
]
Target = Annotated[
    str | None,
    option("--target", "First tell what goes with one column, and how much it differs: --target died", "COLUMN"),
]
Details = Annotated[bool, option("--details", "Print scores, counters and all warnings, too: --details")]
Types = Annotated[bool, option("--types", "Print how every column was read, not only the doubtful: --types")]
AllEdges = Annotated[bool, option("--all-edges", "Print every edge of a large network: --all-edges")]
Quiet = Annotated[bool, option("--quiet -q", "Print errors and warnings of the data only: --quiet --out r.json")]


@reads_table
def learn(
    context: typer.Context,
    data: DataPath,
    method: MethodName = None,
    settings: Settings = None,
    knowledge: KnowledgeFile = None,
    required: Required = None,
    forbidden: Forbidden = None,
    tier: Tiers = None,
    start: Start = None,
    target: Target = None,
    seed: Seed = 0,
    bootstrap: Resamples = None,
    deadline: Deadline = None,
    out: Out = None,
    draw: Picture = None,
    around: Around = None,
    distance: Distance = None,
    whole: Whole = False,
    graph: GraphFile = None,
    completed: Completed = None,
    strengths: Strengths = None,
    report: PagePath = None,
    against: Against = None,
    report_rows: Rows = None,
    details: Details = False,
    types: Types = False,
    all_edges: AllEdges = False,
    json: AsJson = False,
    quiet: Quiet = False,
    *,
    reading: Options,
) -> None:
    """Learn a network from a table.

    Example: arcwise learn @abalone --method equal-frequency --set bins=4 --out result.json --draw net.svg

    Ctrl-C stops the search: the best graph so far is printed and saved, and the exit code is 130; kill does the same,
    with 143. A run that is stopped before it has found anything says so, writes no file, and its exit code is 3.
    Compiling does not count as time.
    """
    from arcwise import api, catalog
    from arcwise.graph.io import save
    from arcwise.parts.monitor import SILENT, stop_on_interrupt
    from arcwise.results.summary import Wanted

    chosen = catalog.method(catalog.DEFAULT_METHOD if method is None else method)
    own, drawing = api.split_options(chosen.learner, read_settings(settings))
    chosen = catalog.method(chosen.name, own)
    known = read_knowledge(knowledge, required, forbidden, tier)
    writes = (out, JSON_SUFFIXES), (draw, PICTURE_SUFFIXES), (graph, GRAPH_SUFFIXES), (report, PAGE_SUFFIXES)
    reads = (data, start, knowledge, against)
    check_targets(reads, *writes, (completed, TABLE_SUFFIXES), (strengths, TABLE_SUFFIXES))
    page = asked_page(report, against, report_rows, target, drawn=draw is not None)
    looks = looks_of(draw, around, distance, whole, target)
    looks["against"] = page.against
    first = read_dag(start, quiet=quiet)[0] if start else None
    table = read_table(data, reading)
    check_names(table.names, graph)
    page.check(table)
    check_around(table.names, around)
    if target is not None and target not in table.names:
        raise OptionError(unknown_name("column for --target:", target, table.names))
    of_cells = {"--completed": completed, "--strengths": strengths if bootstrap is None else None}
    _check_missing(table, chosen.learner, of_cells)
    with stop_on_interrupt(SILENT, ENDINGS) as interrupts:  # until all is written
        with watching(quiet) as screen:
            monitor = interrupts.around(screen)
            result = api.learn(
                table,
                chosen,
                knowledge=known,
                start=first,
                seed=seed,
                bootstrap=bootstrap,
                deadline=deadline,
                monitor=monitor,
                **drawing,
            )
        typed = _typed(context, data)
        files: list[Writing] = [
            (out, result.save),
            (graph, lambda path: save(result.cpdag, path)),
            (draw, lambda path: result.plot(path, **looks)),
            (report, lambda path: page.write(result, table, path, title=title_of(data), command=typed.command)),
            *_about_cells(result, table, completed, strengths),
        ]
        answered = result.status != "unanswered"
        wanted = Wanted(details, types, all_edges, typed)
        deliver(
            *(files if answered else ()),
            show=lambda: _tell(result, table, target, wanted, json, quiet),
            content=result.to_dict if answered else None,
            printed=json,
        )
    if result.status == "unanswered":
        raise typer.Exit(UNANSWERED)
    if interrupts.signals:
        raise typer.Exit(BY_SIGNAL + interrupts.signals[0])


def _check_missing(table: Dataset, learner: Learner, files: Mapping[str, str | None]) -> None:
    """Refuse files about missing cells before anything is learned from a table without."""
    from arcwise.parts.protocols import ChoosingLearner, IncompleteLearner

    hides = isinstance(learner, IncompleteLearner) and not isinstance(learner, ChoosingLearner)  # which may choose one
    for flag, path in files.items():
        if path is not None and table.is_complete and not hides:
            remedy = "ask for --bootstrap 200, or leave it out" if flag == "--strengths" else "leave it out"
            raise OptionError(f"{flag} is for tables with missing cells, and no cell is missing; {remedy}")


def _about_cells(
    result: LearnResult, table: Dataset, completed: str | None, strengths: str | None
) -> tuple[Writing, ...]:
    """The files about missing cells, and how sure the edges are."""
    found, shares = result.completion, result.strengths
    files: list[Writing] = []
    if found is not None:
        files.append((completed, lambda path: write_table(found.fill(table), path)))
    if shares is not None:
        files.append((strengths, lambda path: write_frame(shares.table(), path)))
    return tuple(files)


def _typed(context: typer.Context, data: str) -> Typed:
    """What was typed, from the name of the command on: words before it are about the program."""
    from arcwise.results.summary_next import Typed

    words: tuple[str, ...] = context.obj or ()
    name = context.info_name or ""
    return Typed(words[words.index(name) :] if name in words else (name, data), data)


def _tell(result: LearnResult, table: Dataset, target: str | None, wanted: Wanted, json: bool, quiet: bool) -> None:
    """The answer, with what is known of the target first."""
    from arcwise.cli.views.sections import show
    from arcwise.results.summary import WIDTH, summarize

    if json or quiet:
        warn(table.warnings if quiet else result.warnings)
    about = None if target is None or quiet or result.status == "unanswered" else result.about(target, table)
    if json:
        print_json(result.to_dict() | ({} if about is None else {"about": about.to_dict()}))
    elif not quiet:
        show(summarize(result, replace(wanted, first=() if about is None else about.sections())), WIDTH)
