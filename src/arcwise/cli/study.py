"""`arcwise study`: plans of many methods on many tables, their runs, tables, figures and pages."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arcwise.cli.inputs import AsJson, DataPath, Options, argument, opened, option, reads_table, split_names
from arcwise.cli.main import BY_SIGNAL, ENDINGS
from arcwise.cli.outputs import check_targets, write_frame
from arcwise.cli.program import Suggesting
from arcwise.cli.views.screen import console, note, plain_table, print_json, print_text, watching
from arcwise.errors import FileError, OptionError

if TYPE_CHECKING:
    from arcwise.study import Plan, Results

study = typer.Typer(
    cls=Suggesting, add_completion=False, rich_markup_mode=None, no_args_is_help=True,
    help="Run many methods on many tables by a plan, and see the tables.",
)  # fmt: skip

PlanArgument = Annotated[
    str, argument("STUDY", "A study that comes with arcwise (see: arcwise study list), or a plan, a .toml file.")
]
StoreOption = Annotated[
    str | None,
    option("--store", "Where finished cells are kept, else NAME.jsonl in this folder: --store run.jsonl", "FILE"),
]
EXPORTS = (".csv", ".tsv", ".parquet", ".md", ".tex")


@study.command("list")
def list_studies() -> None:
    """List the studies that come with arcwise.

    Example: arcwise study list
    """
    from arcwise.study import load, names

    table = plain_table("study", "cells", "quick", "title", right=("cells", "quick"))
    for name in names():
        plan = load(name)
        table.add_row(name, f"{len(plan.cells()):,}", f"{len(plan.cells(quick=True)):,}", plan.title)
    console().print(table)


@study.command("plan")
def show_plan(
    name: Annotated[str, argument("STUDY", "A study that comes with arcwise (see: arcwise study list).")],
) -> None:
    """Print the plan of a study, to begin one of your own with.

    Example: arcwise study plan fu-2005 > mine.toml
    """
    from arcwise.study import load
    from arcwise.study.plan import PLAN

    print_text((load(name).text_of(PLAN) or "").rstrip("\n"))


@study.command()
def run(
    plan: PlanArgument,
    quick: Annotated[
        bool | None,
        option(
            "--quick/--full",
            "A part that ends in a few minutes (the default, where the plan has one), or all: --quick or --full",
        ),
    ] = None,
    store: StoreOption = None,
    workers: Annotated[
        int | None, option("--workers", "Processes at once, else one a core: --workers 4", "NUMBER")
    ] = None,
    scheduler: Annotated[
        str | None, option("--scheduler", "A Dask cluster that works instead: --scheduler tcp://host:8786", "ADDRESS")
    ] = None,
    retry: Annotated[bool, option("--retry", "Try cells that failed again: --retry")] = False,
) -> None:
    """Run a study, or go on with it; what is finished is kept, cell by cell.

    Example: arcwise study run fu-2005 --quick

    Every cell is seeded by its own name, so that results depend neither on the order nor on the number of processes.
    After Ctrl-C, a crash or a power cut the same command goes on where it was; the exit code after Ctrl-C is 130.
    """
    from arcwise.parts.monitor import SILENT, stop_on_interrupt
    from arcwise.study import load
    from arcwise.study import run as run_plan

    chosen = load(plan)
    part = chosen.has_quick if quick is None else quick
    path = store or f"{chosen.name}.jsonl"
    check_targets((plan,), (path, (".jsonl",)))
    with stop_on_interrupt(SILENT, ENDINGS) as interrupts, watching(False) as screen:
        results = run_plan(
            chosen, path, quick=part, workers=workers, scheduler=scheduler, retry=retry,
            monitor=interrupts.around(screen),
        )  # fmt: skip
    print_text(_state(results, path))
    if part and len(chosen.cells()) > results.n_cells:
        print_text(f"this was the quick part; --full has {len(chosen.cells()):,} cells")
    named = plan if store is None else f"{plan} --store {path}"
    print_text(f"see them with: arcwise study tables {named}")
    if interrupts.signals:
        raise typer.Exit(BY_SIGNAL + interrupts.signals[0])


@study.command()
def status(
    plan: PlanArgument,
    store: StoreOption = None,
    json: AsJson = False,
) -> None:
    """Tell how far a study is, also while it runs: cells that are finished, failed and left.

    Example: arcwise study status fu-2005
    """
    results, path = _results(plan, store)
    if json:
        failed = [{"cell": row.cell.name, "error": row.error} for row in results.failed]
        print_json({"store": str(path), "cells": results.n_cells, "finished": len(results.rows), "failed": failed})
        return
    print_text(_state(results, path))
    table = plain_table("experiment", "cells", "finished", "failed", right=("cells", "finished", "failed"))
    cells = results.plan.cells()
    for name in results.plan.experiments:
        rows = [row for row in results.rows if row.cell.experiment == name]
        all_of_it = sum(cell.experiment == name for cell in cells)
        table.add_row(name, f"{all_of_it:,}", f"{len(rows):,}", f"{sum(row.error is not None for row in rows):,}")
    console().print(table)
    for row in results.failed:
        print_text(f"failed: {row.cell.name}: {row.error}")


@study.command()
def tables(
    plan: PlanArgument,
    only: Annotated[list[str] | None, option("--only", "Some of the tables: --only V-4,V-5", "NAMES")] = None,
    store: StoreOption = None,
    json: AsJson = False,
) -> None:
    """Print the tables of a study beside the published numbers.

    Example: arcwise study tables fu-2005 --only V-4
    """
    from arcwise.cli.views.wide_table import lines_of
    from arcwise.study.findings import findings_of
    from arcwise.study.tables import tables_of
    from arcwise.study.writing import beside, frame, remarks

    results, path = _results(plan, store)
    wanted = _named(only, results.plan.tables)
    found = tables_of(results, wanted)
    if json:
        print_json(frame(found).to_dicts())
        return
    note(f"from {path}: {len(results.rows):,} of {results.n_cells:,} cells")
    for table in found:
        print_text(f"\n{table.name}: {table.title}")
        cells = [[row, *(beside(table.get(row, column), table) for column in table.columns)] for row in table.rows]
        for line in lines_of([table.corner, *table.columns], cells, console().width):
            print_text(line)
        if table.has_published:
            print_text("ours, and [published]")
        for remark in [table.note, *remarks(table)]:
            if remark:
                print_text(" ".join(remark.split()))
    if wanted is None:
        for one in findings_of(results.plan.findings, found):
            print_text(f"\n{one.statement}: {one.verdict}")


@study.command()
def figures(
    plan: PlanArgument,
    out: Annotated[str, option("--out -o", "The folder for them, which is made: --out pictures", "FOLDER")] = ".",
    only: Annotated[list[str] | None, option("--only", "Some of the figures: --only V-4,V-7", "NAMES")] = None,
    kind: Annotated[str, option("--format", "svg, png or pdf: --format png", "FORMAT")] = "svg",
    store: StoreOption = None,
) -> None:
    """Draw the figures of a study.

    Example: arcwise study figures fu-2005 --out pictures
    """
    from arcwise.study.figures import draw_figures

    if kind not in ("svg", "png", "pdf"):
        raise OptionError(f"--format must be svg, png or pdf, not {kind!r}")
    results, _ = _results(plan, store)
    folder = Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"cannot make the folder {out}: {error.strerror}; choose another") from None
    found = draw_figures(results, folder, suffix=f".{kind}", wanted=_named(only, results.plan.figures))
    for name, path in found.items():
        print_text(f"{name}: {path}")


@study.command()
def export(
    plan: PlanArgument,
    out: Annotated[str, argument("FILE", "Where to: .csv, .tsv, .parquet, .md (Markdown) or .tex (LaTeX).")],
    cells: Annotated[bool, option("--cells", "The single cells instead of the tables: --cells")] = False,
    only: Annotated[list[str] | None, option("--only", "Some of the tables: --only V-4,V-5", "NAMES")] = None,
    store: StoreOption = None,
) -> None:
    """Save the tables of a study, or its single cells, for other programs.

    Example: arcwise study export fu-2005 tables.tex --only V-4
    """
    from arcwise.data.text_files import write_text
    from arcwise.study.tables import tables_of
    from arcwise.study.writing import frame, latex, markdown

    check_targets((store,), (out, EXPORTS))
    results, _ = _results(plan, store)
    text = out.lower().endswith((".md", ".tex"))
    if cells and text:
        raise OptionError("single cells are saved as .csv, .tsv or .parquet; give such a name")
    if cells:
        write_frame(results.frame(), out)
        return
    found = tables_of(results, _named(only, results.plan.tables))
    if not text:
        write_frame(frame(found), out)
    elif out.lower().endswith(".md"):
        write_text(out, "\n\n".join(f"## {one.name}: {one.title}\n\n{markdown(one)}" for one in found) + "\n")
    else:
        write_text(out, "\n\n".join(latex(one) for one in found) + "\n")


@study.command()
def page(
    plan: PlanArgument,
    template: Annotated[
        str | None,
        option("--template", "Fill in a text of your own, {{table: row @ column}} in it: --template t.md", "FILE"),
    ] = None,
    out: Annotated[
        str | None, option("--out -o", "The page, else NAME.md: --out docs/studies/fu-2005.md", "FILE")
    ] = None,
    store: StoreOption = None,
) -> None:
    """Write a page in Markdown with all tables, figures and notes of a study.

    Example: arcwise study page fu-2005
    """
    from arcwise.study.guide import write_guide
    from arcwise.study.page import write_page

    results, _ = _results(plan, store)
    target = out or f"{results.plan.name}.md"
    check_targets((store, template), (target, (".md",)))
    if template is None:
        write_page(results, target)
    else:
        write_guide(results, template, target)
    print_text(f"the page is {target}")


@study.command()
@reads_table
def new(
    data: DataPath,
    out: Annotated[
        str | None, option("--out -o", "The plan to write, else it is printed: --out plan.toml", "FILE")
    ] = None,
    *,
    reading: Options,
) -> None:
    """Write a commented plan that compares methods on a table of yours.

    Example: arcwise study new cars.csv --out plan.toml
    """
    from arcwise.data.reading.door import as_dataset
    from arcwise.data.text_files import write_text
    from arcwise.study.new import new_plan

    check_targets((data,), (out, (".toml",)))
    table = as_dataset(opened(data), **reading)
    where = data if data.startswith("@") else str(Path(data).resolve())
    text = new_plan(table, where, out or "plan.toml", reading)
    if out is None:
        print_text(text.rstrip("\n"))
    else:
        write_text(out, text)
        print_text(f"the plan is in {out}; look at it, then: arcwise study run {out}")


def _results(argument: str, store: str | None) -> tuple[Results, Path]:
    """The results of a study: those named, those in this folder, or those that come with it."""
    from arcwise.study import Results, load

    plan = load(argument)
    path = _store(plan, store, argument)
    return Results.load(plan, path), path


def _store(plan: Plan, store: str | None, argument: str) -> Path:
    from arcwise.study.plan import RESULTS

    if store is not None:
        return Path(store)
    places = [Path(f"{plan.name}.jsonl"), *([] if plan.folder is None else [plan.folder / RESULTS])]
    for place in places:
        if place.is_file():
            return place
    raise FileError(f"there are no results of {plan.name!r} yet; run it: arcwise study run {argument}")


def _named(only: list[str] | None, known: Iterable[str]) -> list[str] | None:
    """The names of --only; None for all. A name may have commas itself."""
    names = tuple(known)
    return [one for text in only or () for one in ([text] if text in names else split_names([text]))] or None


def _state(results: Results, path: str | Path) -> str:
    left, failed = results.n_cells - len(results.rows), len(results.failed)
    words = [f"{len(results.rows):,} of {results.n_cells:,} cells are finished"]
    words += [f"{left:,} left"] if left else []
    words += [f"{failed:,} failed"] if failed else []
    return f"{', '.join(words)}; kept in {path}"
