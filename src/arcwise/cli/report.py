"""`arcwise report`: a saved result as a page to look at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from arcwise.cli.inputs import DataPath, Options, argument, opened, option, read_pattern, reads_table
from arcwise.cli.outputs import check_targets, deliver
from arcwise.cli.views.screen import note

if TYPE_CHECKING:
    from arcwise.graph.dag import Dag
    from arcwise.graph.pdag import Pdag

PAGE_SUFFIXES = (".html", ".htm")
Against = Annotated[
    str | None,
    option("--against", "Mark differences to another result or a true network: --against @alarm", "GRAPH"),
]
Rows = Annotated[
    int | None,
    option("--report-rows", "Rows of the table in the page, for scatters; 0: only counts: --report-rows 0", "N"),
]


@reads_table
def report(
    result: Annotated[str, argument("RESULT", "A result that learn saved: result.json")],
    data: DataPath,
    out: Annotated[str, option("--out -o", "The page to write: --out page.html", "FILE")] = "report.html",
    against: Against = None,
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
    from arcwise.report.writing import ROWS, write
    from arcwise.results.result import LearnResult

    check_targets((result, data, against), (out, PAGE_SUFFIXES))
    found = LearnResult.load(result)
    other = read_against(against)
    table = found.read_table(opened(data), **reading)
    rows = ROWS if report_rows is None else report_rows
    deliver(
        (out, lambda path: write(found, table, path, against=other, title=title, rows=rows)),
        show=lambda: note(f"wrote {out}; open it in a browser"),
    )


def read_against(argument: str | None) -> Dag | Pdag | None:
    """The other graph: a saved result, a graph file or a bundled network."""
    return None if argument is None else read_pattern(argument)

