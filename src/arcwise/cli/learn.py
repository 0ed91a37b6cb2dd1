"""`arcwise learn`: from a table to a network, shown with the content of `str(result)` in the colours of a terminal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from arcwise.cli.groups import grouped
from arcwise.cli.inputs import (
    AsJson,
    DataPath,
    Options,
    SampleRows,
    Seed,
    Settings,
    option,
    read_dag,
    read_knowledge,
    read_settings,
    read_table,
    reads_table,
)
from arcwise.cli.learned_files import Files
from arcwise.cli.main import BY_SIGNAL, ENDINGS, UNANSWERED
from arcwise.cli.outputs import deliver
from arcwise.cli.report import title_of
from arcwise.cli.views.screen import print_json, warn, watching
from arcwise.errors import OptionError, unknown_name

if TYPE_CHECKING:
    from arcwise.data.dataset import Dataset
    from arcwise.parts.knowledge import Knowledge
    from arcwise.results.result import LearnResult
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
Scheduler = Annotated[
    str | None, option("--scheduler", "A Dask cluster that keeps the rows: --scheduler tcp://host:8786", "ADDRESS")
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


@dataclass(frozen=True)
class Known:
    """What is known beforehand."""

    knowledge: KnowledgeFile = None
    required: Required = None
    forbidden: Forbidden = None
    tier: Tiers = None

    def read(self) -> Knowledge:
        return read_knowledge(self.knowledge, self.required, self.forbidden, self.tier)


@dataclass(frozen=True)
class Told:
    """What is printed."""

    details: Details = False
    types: Types = False
    all_edges: AllEdges = False
    json: AsJson = False
    quiet: Quiet = False


@reads_table
@grouped(known=Known, files=Files, told=Told)
def learn(
    context: typer.Context,
    data: DataPath,
    method: MethodName = None,
    settings: Settings = None,
    *,
    reading: Options,
    known: Known,
    start: Start = None,
    target: Target = None,
    seed: Seed = 0,
    sample_rows: SampleRows = None,
    bootstrap: Resamples = None,
    scheduler: Scheduler = None,
    deadline: Deadline = None,
    files: Files,
    told: Told,
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
    chosen, knowledge = catalog.method(chosen.name, own), known.read()
    plan = files.planned((data, start, known.knowledge), target)
    first = read_dag(start, quiet=told.quiet)[0] if start else None
    table = read_table(data, reading, quiet=told.quiet)
    plan.check(table, chosen.learner, bootstrap)
    if target is not None and target not in table.names:
        raise OptionError(unknown_name("column for --target:", target, table.names))
    with stop_on_interrupt(SILENT, ENDINGS) as interrupts:  # until all is written
        with watching(told.quiet) as screen:
            result = api.learn(
                table,
                chosen,
                knowledge=knowledge,
                start=first,
                seed=seed,
                sample_rows=sample_rows,
                bootstrap=bootstrap,
                scheduler=scheduler,
                deadline=deadline,
                monitor=interrupts.around(screen),
                **drawing,
            )
        typed, answered = _typed(context, data), result.status != "unanswered"
        deliver(
            *(plan.writings(result, table, title_of(data), typed.command) if answered else ()),
            show=lambda: _tell(result, table, target, told, typed),
            content=result.to_dict if answered else None,
            printed=told.json,
        )
    if not answered:
        raise typer.Exit(UNANSWERED)
    if interrupts.signals:
        raise typer.Exit(BY_SIGNAL + interrupts.signals[0])


def _typed(context: typer.Context, data: str) -> Typed:
    """What was typed, from the name of the command on: words before it are about the program."""
    from arcwise.results.summary_next import Typed

    words: tuple[str, ...] = context.obj or ()
    name = context.info_name or ""
    return Typed(words[words.index(name) :] if name in words else (name, data), data)


def _tell(result: LearnResult, table: Dataset, target: str | None, told: Told, typed: Typed) -> None:
    """The answer, with what is known of the target first."""
    from arcwise.cli.views.sections import show
    from arcwise.results.summary import WIDTH, Wanted, summarize

    if told.json or told.quiet:
        warn(table.warnings if told.quiet else result.warnings)
    if told.quiet and not told.json:
        return
    about = None if target is None or result.status == "unanswered" else result.about(target, table)
    if told.json:
        print_json(result.to_dict() | ({} if about is None else {"about": about.to_dict()}))
        return
    first = () if about is None else about.sections()
    show(summarize(result, Wanted(told.details, told.types, told.all_edges, typed, first)), WIDTH)
