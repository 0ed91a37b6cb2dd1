"""The page of a study: what it is, how to run it, its tables and figures beside what was published, and notes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from arcwise.data.text_files import write_text
from arcwise.study.figures import draw_figures, file_name
from arcwise.study.filling import filled
from arcwise.study.findings import findings_of
from arcwise.study.plan import NOTES
from arcwise.study.results import Results
from arcwise.study.tables import tables_of
from arcwise.study.writing import markdown


def write_page(results: Results, path: str | Path) -> None:
    """The page, and its figures in a folder of the same name beside it."""
    page = Path(path)
    pictures = page.with_suffix("")
    if results.plan.figures:
        pictures.mkdir(exist_ok=True)
        draw_figures(results, pictures)
    names = {name: f"{pictures.name}/{file_name(name, '.svg')}" for name in results.plan.figures}
    write_text(page, page_text(results, names))


def page_text(results: Results, pictures: Mapping[str, str]) -> str:
    """pictures: where each figure is, as seen from the page."""
    plan = results.plan
    parts = [f"# {plan.name}: {plan.title}"]
    parts += [plan.publication + "."] if plan.publication else []
    parts += [plan.about.strip()] if plan.about.strip() else []
    parts.append(_how(results))
    tables = tables_of(results)
    findings = findings_of(plan.findings, tables)
    if findings:
        parts.append("## Findings")
        lines = ["| statement | verdict | our numbers |", "|---|---|---|"]
        for one in findings:
            numbers = "<br>".join(f"{'yes' if c.holds else 'no'}: {c.words}" for c in one.comparisons)
            cells = (one.statement, one.verdict, numbers)
            lines.append("| " + " | ".join(cell.replace("\n", " ").replace("|", "\\|") for cell in cells) + " |")
        parts.append("\n".join(lines))
    notes = plan.text_of(NOTES)
    if notes:
        parts += ["## What agrees, what differs, and why", filled(notes.strip(), tables)]
    parts += ["## Tables"] if tables else []
    for table in tables:
        parts += [f"### {table.name}: {table.title}", markdown(table)]
    parts += ["## Figures"] if plan.figures else []
    for name, entries in plan.figures.items():
        title = entries.get("title", name)
        parts.append(f"### {name}: {title}\n\n![{title}]({pictures[name]})")
        parts += [entries["note"].strip()] if "note" in entries else []
    return "\n\n".join(parts) + "\n"


def _how(results: Results) -> str:
    failed, kinds = results.failed, {planned.experiment.kind for planned in results.plan.experiments.values()}
    shuffled = " Columns are shuffled and renamed in every run." if "learn" in kinds else ""
    told = f"{len(results.rows):,} of {results.n_cells:,} cells are finished"
    told += f"; {len(failed):,} of them failed, each with its reason (`arcwise study status`)" if failed else ""
    return (
        f"`arcwise study run {results.plan.name} --full` works it out again, `--quick` a part of it. This page is made "
        f"of the stored results by `arcwise study page {results.plan.name}`: {told}. Ours are means over runs ± the "
        f"standard deviation that the number has from run to run.{shuffled}"
    )
