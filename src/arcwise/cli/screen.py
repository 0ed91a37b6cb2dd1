"""What reaches the terminal: results on stdout, everything else on stderr."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

PIPED_WIDTH = 100


def prepare_streams() -> None:
    """UTF-8 into files and pipes, whatever the locale; a character that a terminal cannot show never ends a run."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            encoding = {} if stream.isatty() else {"encoding": "utf-8"}
            stream.reconfigure(errors="backslashreplace", **encoding)


def console(*, stderr: bool = False) -> Console:
    """A rich console that takes text literally: brackets in a column's name are no markup."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    if stream.isatty():
        return Console(file=stream, markup=False, emoji=False, highlight=False)
    return Console(file=cast("IO[str]", Trimmed(stream)), width=PIPED_WIDTH, markup=False, emoji=False, highlight=False)


@dataclass(frozen=True, slots=True)
class Trimmed:
    """A text stream without the blanks that fill up the lines of a table."""

    stream: IO[str]

    def write(self, text: str) -> int:
        return self.stream.write(re.sub(r" +(?=\n)", "", text))

    def flush(self) -> None:
        self.stream.flush()


def plain_table(*columns: str, right: Sequence[str] = ()) -> Table:
    """A table without lines; `right` names the columns that hold numbers."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for name in columns:
        table.add_column(Text(name), justify="right" if name in right else "left", overflow="fold")
    return table


def note(text: str) -> None:
    """One line on stderr, beside the result."""
    print(text, file=sys.stderr, flush=True)


def print_json(content: Any) -> None:
    print(json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False))
