"""The files that `arcwise learn` writes: what the options say, checked before anything is learned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from arcwise.cli.draw import Around, Distance, Whole, check_around, looks_of
from arcwise.cli.inputs import option
from arcwise.cli.outputs import (
    GRAPH_SUFFIXES,
    JSON_SUFFIXES,
    PICTURE_SUFFIXES,
    TABLE_SUFFIXES,
    Writing,
    check_names,
    check_targets,
    write_frame,
    write_table,
)
from arcwise.cli.report import PAGE_SUFFIXES, Against, Page, PagePath, Rows, asked_page
from arcwise.errors import OptionError

if TYPE_CHECKING:
    from arcwise.data.dataset import Dataset
    from arcwise.parts.protocols import Learner
    from arcwise.results.plotting import Looks
    from arcwise.results.result import LearnResult

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


@dataclass(frozen=True)
class Files:
    """What the options say."""

    out: Out = None
    draw: Picture = None
    around: Around = None
    distance: Distance = None
    whole: Whole = False
    graph: GraphFile = None
    completed: Completed = None
    strengths: Strengths = None
    report: PagePath = None
    against: Against = None
    report_rows: Rows = None

    def planned(self, reads: Sequence[str | None], target: str | None) -> Plan:
        """Refuse what cannot be written, or says nothing. reads: files that are read."""
        check_targets(
            (*reads, self.against),
            (self.out, JSON_SUFFIXES),
            (self.draw, PICTURE_SUFFIXES),
            (self.graph, GRAPH_SUFFIXES),
            (self.report, PAGE_SUFFIXES),
            (self.completed, TABLE_SUFFIXES),
            (self.strengths, TABLE_SUFFIXES),
        )
        page = asked_page(self.report, self.against, self.report_rows, target, drawn=self.draw is not None)
        looks = looks_of(self.draw, self.around, self.distance, self.whole, target)
        looks["against"] = page.against
        return Plan(self, page, looks)


@dataclass(frozen=True)
class Plan:
    """What is to be written, with what it needs from other files."""

    files: Files
    page: Page
    looks: Looks

    def check(self, table: Dataset, learner: Learner, bootstrap: int | None) -> None:
        """Refuse what this table cannot give."""
        check_names(table.names, self.files.graph)
        self.page.check(table)
        check_around(table.names, self.files.around)
        self._check_missing(table, learner, bootstrap)

    def _check_missing(self, table: Dataset, learner: Learner, bootstrap: int | None) -> None:
        """Files about missing cells of a table without."""
        from arcwise.parts.protocols import ChoosingLearner, IncompleteLearner

        if not table.is_complete or (
            isinstance(learner, IncompleteLearner) and not isinstance(learner, ChoosingLearner)
        ):
            return  # the learner hides something itself, unless it only may choose one that does
        if self.files.completed is not None:
            _refuse("--completed", "leave it out")
        if self.files.strengths is not None and bootstrap is None:
            _refuse("--strengths", "ask for --bootstrap 200, or leave it out")

    def writings(self, result: LearnResult, table: Dataset, title: str, command: str) -> list[Writing]:
        """The result first, which has all of it."""
        from arcwise.graph.io import save

        files, found, shares = self.files, result.completion, result.strengths
        return [
            (files.out, result.save),
            (files.graph, lambda path: save(result.cpdag, path)),
            (files.draw, lambda path: result.plot(path, **self.looks)),
            (files.report, lambda path: self.page.write(result, table, path, title=title, command=command)),
            *([(files.completed, lambda path: write_table(found.fill(table), path))] if found is not None else []),
            *([(files.strengths, lambda path: write_frame(shares.table(), path))] if shares is not None else []),
        ]


def _refuse(flag: str, remedy: str) -> None:
    raise OptionError(f"{flag} is for tables with missing cells, and no cell is missing; {remedy}")
