"""`arcwise learn`: from a table to a network, shown with the content of `str(result)` in the colours of a terminal."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

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
from arcwise.cli.views.screen import console, plain_table, print_json, print_text, warn, watching
from arcwise.errors import OptionError

if TYPE_CHECKING:
    from rich.console import Console

    from arcwise.data.dataset import Dataset
    from arcwise.parts.protocols import Learner
    from arcwise.results.result import LearnResult
    from arcwise.results.summary import Summary

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
Quiet = Annotated[bool, option("--quiet -q", "Print errors and warnings of the data only: --quiet --out r.json")]
LEAST_ROOM = 16
COLOURS = {"←": "green", "—": "cyan", "↔": "red"}


@reads_table
def learn(
    data: DataPath,
    method: MethodName = None,
    settings: Settings = None,
    knowledge: KnowledgeFile = None,
    required: Required = None,
    forbidden: Forbidden = None,
    tier: Tiers = None,
    start: Start = None,
    seed: Seed = 0,
    bootstrap: Resamples = None,
    deadline: Deadline = None,
    out: Out = None,
    draw: Picture = None,
    graph: GraphFile = None,
    completed: Completed = None,
    strengths: Strengths = None,
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
    from arcwise.parts.monitor import SILENT, stop_on_interrupt

    chosen = catalog.method(catalog.DEFAULT_METHOD if method is None else method)
    own, drawing = api.split_options(chosen.learner, read_settings(settings))
    chosen = catalog.method(chosen.name, own)
    known = read_knowledge(knowledge, required, forbidden, tier)
    wanted = (out, JSON_SUFFIXES), (draw, PICTURE_SUFFIXES), (graph, GRAPH_SUFFIXES)
    check_targets((data, start, knowledge), *wanted, (completed, TABLE_SUFFIXES), (strengths, TABLE_SUFFIXES))
    first = read_dag(start, quiet=quiet)[0] if start else None
    table = read_table(data, reading)
    check_names(table.names, graph)
    about = {"--completed": completed, "--strengths": strengths if bootstrap is None else None}
    _check_missing(table, chosen.learner, about)
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
        warnings = table.warnings if quiet else result.warnings
        _deliver(result, warnings, out, _about_cells(result, table, completed, strengths), draw, graph, json, quiet)
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


def _deliver(
    result: LearnResult,
    warnings: Sequence[str],
    out: str | None,
    about_cells: Sequence[Writing],
    draw: str | None,
    graph: str | None,
    json: bool,
    quiet: bool,
) -> None:
    from arcwise.drawing import draw as draw_graph
    from arcwise.graph.io import save

    def show() -> None:
        if json or quiet:
            warn(warnings)
        if json:
            print_json(result.to_dict())
        elif not quiet:
            _show(result)

    if result.status == "unanswered":
        show()
        return
    deliver(
        (out, result.save),
        (graph, lambda path: save(result.cpdag, path)),
        (draw, lambda path: draw_graph(result.cpdag, path, edge_weights=_weights(result))),
        *about_cells,
        show=show,
        content=result.to_dict,
        printed=json,
    )


def _weights(result: LearnResult) -> dict[tuple[str, str], float] | None:
    """The shares of the edges, where resamples tell them."""
    return None if result.bootstrap is None else result.bootstrap.weights(result.cpdag)


def _show(result: LearnResult) -> None:
    """On a terminal with colours, else as plain text."""
    from arcwise.results.summary import as_text, summarize

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
    _show_strengths(screen, summary)


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


def _show_strengths(screen: Console, summary: Summary) -> None:
    from rich.text import Text

    if not summary.strengths:
        return
    screen.print()
    screen.print(Text.assemble(("strength", "bold"), (f"  {summary.strengths_note}", "dim")))
    table = plain_table("", "")
    table.show_header = False
    for label, pairs in summary.strengths:
        table.add_row(Text(label, "dim"), Text(pairs))
    screen.print(table)
