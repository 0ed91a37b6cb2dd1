"""`arcwise report`: a saved result as a page to look at; and what commands that learn do to write one at once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from arcwise.cli.inputs import DataPath, Options, argument, opened, option, read_pattern, reads_table
from arcwise.cli.outputs import check_targets, deliver
from arcwise.cli.views.screen import note
from arcwise.errors import OptionError

if TYPE_CHECKING:
    from arcwise.data.dataset import Dataset
    from arcwise.graph.dag import Dag
    from arcwise.graph.pdag import Pdag
    from arcwise.results.result import LearnResult

PAGE_SUFFIXES = (".html", ".htm")
PagePath = Annotated[
    str | None, option("--report", "Write a page to look at, click through and send: --report page.html", "FILE")
]
Against = Annotated[
    str | None,
    option("--against", "Mark what differs from another result or a true network: --against @alarm", "GRAPH"),
]
Rows = Annotated[
    int | None,
    option("--report-rows", "Rows of the table in the page, for scatters; 0 for none: --report-rows 0", "N"),
]


@dataclass(frozen=True)
class Page:
    """A page that is wanted: its differences to another graph, how many rows are in it, which column is open."""

    against: Dag | Pdag | None
    rows: int
    target: str | None = None

    def check(self, data: Dataset) -> None:
        """Refuse a graph of other columns before anything is learned."""
        from arcwise.graph.dag import Dag
        from arcwise.metrics.edges import check_same_names

        if self.against is not None:
            check_same_names(Dag(data.names, []), self.against)

    def write(self, result: LearnResult, data: Dataset, path: str, *, title: str, command: str = "") -> None:
        from arcwise.data.text_files import write_text

        write_text(path, self.html(result, data, title=title, command=command))

    def html(self, result: LearnResult, data: Dataset, *, title: str, command: str = "") -> str:
        from arcwise.report.writing import as_html

        return as_html(
            result, data, against=self.against, title=title, target=self.target, command=command, rows=self.rows
        )


def asked_page(
    path: str | None, against: str | None, rows: int | None, target: str | None, *, drawn: bool = False
) -> Page:
    """What the options say; those that are about a page need one. drawn: differences are shown in a picture, too."""
    from arcwise.report.writing import ROWS, check_rows

    for flag, given in (("--against", None if drawn else against), ("--report-rows", rows)):
        if path is None and given is not None:
            raise OptionError(f"{flag} is about a page; say where to write it: --report page.html")
    check_rows(ROWS if rows is None else rows)
    return Page(None if against is None else read_pattern(against), ROWS if rows is None else rows, target)


def title_of(data: str) -> str:
    """The heading of a page about a file, about a bundled table such as @cars1, or about standard input."""
    if data == "-":
        return "The network"
    return f"The network of {data[1:] if data.startswith('@') else Path(data).name}"


@reads_table
def report(
    result: Annotated[str, argument("RESULT", "A result that learn saved: result.json")],
    data: DataPath,
    out: Annotated[str, option("--out -o", "The page to write: --out page.html", "FILE")] = "report.html",
    against: Against = None,
    target: Annotated[str | None, option("--target", "The column that is open first: --target died", "COLUMN")] = None,
    title: Annotated[str | None, option("--title", "The heading of the page: --title 'Cars of 1983'", "TEXT")] = None,
    report_rows: Rows = None,
    *,
    reading: Options,
) -> None:
    """Write a saved result as one HTML file to look at, click through, print and send.

    The table is the one that the result was learned from; of it the page has counts, and some hundred rows as points of
    scatters. Nothing is loaded when the page is opened.

    Example: arcwise report result.json data.csv --out page.html
    """
    from arcwise.data.rows.opening import stored
    from arcwise.data.text_files import write_text
    from arcwise.results.result import LearnResult

    check_targets((result, data, against), (out, PAGE_SUFFIXES))
    found = LearnResult.load(result)
    page = asked_page(out, against, report_rows, target)
    source = stored(opened(data))
    table = found.read_table(source, **(_said(reading) or _as_learned(found, source)))
    html = page.html(found, table, title=title or title_of(data))
    deliver((out, lambda path: write_text(path, html)), show=lambda: None)
    note(f"wrote {out}; open it in a browser")


def _said(reading: Options) -> Options:
    from arcwise.data.dataset import MISSING_BY_DEFAULT

    return {
        name: value for name, value in reading.items() if value and (name, value) != ("missing", MISSING_BY_DEFAULT)
    }


def _as_learned(result: LearnResult, source: Dataset | str) -> Options:
    """How the cells were read when the result was learned; which columns it has, and their kinds, it knows itself.

    What a store was coded with is done already, and doing it again would be refused, or change numbers twice.
    """
    from arcwise.data.provenance import ROLES

    reading = {} if result.data is None else result.data.provenance.reading
    done = {} if isinstance(source, str) else source.provenance.reading
    return {name: value for name, value in reading.items() if name not in ROLES and done.get(name) != value}
