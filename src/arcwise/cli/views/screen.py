"""What reaches the terminal: results on stdout, everything else on stderr, and nothing that commands a terminal.

The progress of a learner is one line on stderr that disappears when the learner is done: `parts/progress.py`.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from functools import cache
from typing import IO, TYPE_CHECKING, Any, TextIO, cast

from arcwise import compiling
from arcwise.cli.main import NOT_WRITTEN
from arcwise.errors import ArcwiseError
from arcwise.parts.monitor import SILENT, STOPPING, Monitor, Progress
from arcwise.printing import printable

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment
    from rich.table import Table

    from arcwise.data.rows.progress import Done

PIPED_WIDTH = 100
UNKNOWN_WIDTH = 80  # of a terminal that says 0
NARROWEST = 30  # tables need as much; a narrower terminal breaks the lines itself


class OutputError(ArcwiseError):
    """What was to be printed could not be."""

    exit_code = NOT_WRITTEN


def prepare_streams() -> None:
    """UTF-8 into files and pipes, whatever the locale; a character that a terminal cannot show never ends a run."""
    _replace_closed()
    if isinstance(getattr(sys.stdout, "buffer", None), io.RawIOBase):
        # Python -u: what a full disk or a pipe does not take of a text would be lost without an error.
        raw = cast("io.TextIOWrapper", sys.stdout).detach()
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(cast("io.RawIOBase", raw)), line_buffering=True)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            encoding = {} if stream.isatty() else {"encoding": "utf-8"}
            stream.reconfigure(errors="backslashreplace", **encoding)


def _replace_closed() -> None:
    """Streams that were closed from the start: no file that is opened later may take their place.

    What is printed to stdout is an error then, as on a full disk; nobody wants to read what is on stderr.
    """
    if None not in (sys.stdin, sys.stdout, sys.stderr):
        return
    while (handle := os.open(os.devnull, os.O_RDONLY)) <= 2:
        os.set_inheritable(handle, True)
    os.close(handle)
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


@dataclass(frozen=True, slots=True)
class Output:
    """stdout, with one sentence when it cannot be written; `trim` drops the blanks that fill up lines of a table.

    aside: stderr, whose terminal may be gone: then nobody is told, which is no reason to lose the result.
    """

    stream: TextIO
    trim: bool = False
    aside: bool = False

    def write(self, text: str) -> None:
        self._tried(self.stream.write, re.sub(r" +(?=\n)", "", text) if self.trim else text)

    def flush(self) -> None:
        self._tried(self.stream.flush)

    def isatty(self) -> bool:
        return self.stream.isatty()

    @property
    def encoding(self) -> str:
        return self.stream.encoding

    def fileno(self) -> int:
        return self.stream.fileno()

    def _tried(self, action: Callable[..., object], *arguments: str) -> None:
        try:
            action(*arguments)
        except OSError as error:
            if self.aside:
                return
            if isinstance(error, BrokenPipeError):
                raise
            raise cannot_print(error) from None


def cannot_print(error: OSError) -> OutputError:
    return OutputError(f"cannot print the result: {error.strerror}; send the output elsewhere")


def flush() -> None:
    """Whether all could be printed is known now, not when Python ends."""
    Output(sys.stdout).flush()


def console(*, stderr: bool = False) -> Console:
    """A rich console that takes text literally: brackets in a column's name are no markup."""
    stream = Output(sys.stderr, aside=True) if stderr else Output(sys.stdout, trim=not sys.stdout.isatty())
    screen = _console_class()(file=cast("IO[str]", stream), markup=False, emoji=False, highlight=False)
    if not stream.isatty():
        screen.width = PIPED_WIDTH
    elif not stderr:  # a line of progress must fit, or it could not be erased
        screen.width = max(screen.width or UNKNOWN_WIDTH, NARROWEST)
    return screen


@cache
def _console_class() -> type[Console]:
    from rich.console import Console
    from rich.segment import Segment

    class SafeConsole(Console):
        """Its own colours are the only commands that reach the terminal."""

        def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
            for text, style, control in super().render(renderable, options):
                yield Segment(text if control else printable(text, keep="\n"), style, control)

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return SafeConsole


def plain_table(*columns: str, right: Sequence[str] = ()) -> Table:
    """A table without lines; `right` names the columns that hold numbers."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for name in columns:
        table.add_column(Text(name), justify="right" if name in right else "left", overflow="fold")
    return table


def note(text: str) -> None:
    """One line on stderr, beside the result; where nobody can be told, the exit code tells."""
    beside = Output(sys.stderr, aside=True)
    beside.write(printable(text, keep="\n") + "\n")
    beside.flush()


def warn(warnings: Iterable[str]) -> None:
    """What is doubtful about the data, on stderr."""
    for warning in warnings:
        note(f"warning: {warning}")


def print_text(text: str) -> None:
    """Lines on stdout."""
    Output(sys.stdout).write(printable(text, keep="\n") + "\n")


def print_json(content: Any) -> None:
    from arcwise.data.text_files import as_json

    Output(sys.stdout).write(as_json(content, indent=1) + "\n")


def print_data(text: str) -> None:
    """A table, as it is into files and pipes; on a terminal it is only looked at."""
    Output(sys.stdout).write(printable(text, keep="\n\t") if sys.stdout.isatty() else text)


@contextmanager
def watching(quiet: bool = False, hint: str = STOPPING) -> Iterator[Monitor]:
    """A monitor that shows itself while the block runs; a silent one when stderr is no terminal."""
    from arcwise.cli.views.steps import step
    from arcwise.parts.progress import on_terminal

    with step("computing"):
        if not quiet and sys.stderr.isatty():
            with on_terminal(console(stderr=True), hint) as monitor:
                yield monitor
        else:
            with compiling.watched(_nothing, quiet=True) if quiet else nullcontext():
                yield SILENT


@contextmanager
def watching_coding(quiet: bool) -> Iterator[None]:
    """Shows how far a table is that is coded for this run, as it does not fit into memory: from the first report on."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    from arcwise.data.rows.progress import watched_by
    from arcwise.parts.progress import on_terminal

    shown: list[Monitor] = []
    with ExitStack() as stack:

        def watch(done: Done) -> None:
            if not shown:
                shown.append(stack.enter_context(on_terminal(console(stderr=True), "Ctrl-C: stop")))
            tell_coding(shown[0], done)

        with watched_by(watch):
            yield


def tell_coding(monitor: Monitor, done: Done) -> None:
    """How far the coding of a table is."""
    monitor.report(Progress(done.phase, message=done.message, fraction=done.fraction))


def _nothing(now: compiling.State) -> None:
    pass
