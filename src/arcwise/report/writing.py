"""The page as one file: a frame, its looks, its scripts, the drawing and the content, with nothing to be loaded."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from importlib.resources import files
from pathlib import Path

from arcwise.checking import checked
from arcwise.data.reading.door import TableLike
from arcwise.data.text_files import as_json, write_text
from arcwise.errors import FileError, OptionError
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag
from arcwise.networks.network import Network
from arcwise.printing import counted, printable
from arcwise.report.content import page_content
from arcwise.report.edges import compared
from arcwise.report.part import narrowed_pattern, part_of
from arcwise.report.picture import picture
from arcwise.results.result import LearnResult

SUFFIXES = (".html", ".htm")
ROWS = 400  # that scatters are drawn of
MOST_ROWS = 5000
# In this order: what a script needs stands in one before it.
SCRIPTS = (
    "elements", "model", "numbers", "charts", "pairs", "scatter", "tables", "node", "edge", "zoom", "network", "search",
    "strength", "lists", "origin", "start",
)  # fmt: skip
IN_SCRIPTS = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


@checked
def write(
    result: LearnResult,
    data: TableLike,
    path: str | Path,
    *,
    against: LearnResult | Network | Dag | Pdag | None = None,
    title: str | None = None,
    target: str | None = None,
    command: str = "",
    rows: int = ROWS,
) -> None:
    """Write a result as one HTML file to look at, click through, print and send; nothing is loaded when it is opened.

    data: the table that was learned from. against: another result or a true network; differences are drawn in colour.
    target: the column that is open first; of hundreds of columns only those near it are shown, or else those of the
    strongest edges, and the page says so. command: what was typed to get the result, for readers who want to repeat it.
    rows: how many rows of the table are in the page as points of scatters; with 0, none.
    """
    if not str(path).lower().endswith(SUFFIXES):
        raise FileError(f"cannot write {path}: the name must end in {' or '.join(SUFFIXES)}")
    write_text(path, as_html(result, data, against=against, title=title, target=target, command=command, rows=rows))


def as_html(
    result: LearnResult,
    data: TableLike,
    *,
    against: LearnResult | Network | Dag | Pdag | None = None,
    title: str | None = None,
    target: str | None = None,
    command: str = "",
    rows: int = ROWS,
) -> str:
    """The text of the page: see `write`."""
    check_rows(rows)
    other = compared(result, _graph_of(against))
    heading = title or f"The network of {counted(len(result.names), 'column')}"
    table = result.read_table(data)
    part, which = part_of(result, target)
    if which and other is not None:
        other = narrowed_pattern(other, part.names)
    content = page_content(part, table, other, heading, target, command, rows, whole=result)
    if which:
        content["headline"] = f"{content['headline']}; {which}"
    style, script = _asset("page.css"), _joined_scripts()
    pieces = {
        "title": escape(printable(heading)),
        "style": style,
        "script": script,
        "style-hash": _hash(style),
        "script-hash": _hash(script),
        "picture": picture(part, table, other),
        "content": as_json(content).translate(IN_SCRIPTS),
    }
    return _filled(_asset("page.html"), pieces)


def check_rows(rows: int) -> None:
    if not 0 <= rows <= MOST_ROWS:
        raise OptionError(f"the rows in a report must be a whole number from 0 to {MOST_ROWS:,}, not {rows}")


def _graph_of(thing: LearnResult | Network | Dag | Pdag | None) -> Dag | Pdag | None:
    if isinstance(thing, LearnResult):
        return thing.cpdag
    return thing.dag if isinstance(thing, Network) else thing


def _filled(frame: str, pieces: Mapping[str, str]) -> str:
    """The frame with `{{name}}` replaced, all at once: what is put in is not looked at again."""
    return re.sub(r"\{\{([a-z-]+)\}\}", lambda found: pieces[found[1]], frame)


def _joined_scripts() -> str:
    """All scripts in one scope of their own."""
    inside = "\n".join(_asset(f"{name}.js") for name in SCRIPTS)
    return f'(() => {{\n"use strict";\n{inside}\n}})();\n'


def _asset(name: str) -> str:
    return (files("arcwise.report") / "page" / name).read_text("utf-8")


def _hash(text: str) -> str:
    """As a Content-Security-Policy names what may run: nothing but this very text."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
