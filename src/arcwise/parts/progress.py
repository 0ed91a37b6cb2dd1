"""Progress that a person sees: one line on a terminal that disappears, one in a notebook, now and then one in a log."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from arcwise import compiling
from arcwise.parts.monitor import STOPPING, Monitor, Progress
from arcwise.printing import duration, printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

REFRESHES_A_SECOND = 8
NOTEBOOK_SECONDS = 0.25  # between two pictures of it
LOG_SECONDS = 10.0  # between two lines


class Watcher:
    """A monitor that keeps the last report; whoever shows it looks a few times a second, so reports stay cheap."""

    def __init__(self) -> None:
        self._began = compiling.clock()
        self._last = Progress("starting")

    def report(self, progress: Progress) -> None:
        self._last = progress

    def should_stop(self) -> bool:
        return False

    def line(self) -> str:
        """time, phase, step, share, score, last move; or how compiling goes."""
        now = compiling.state()
        if now.active:
            return printable(compiling.line(now))
        last = self._last
        parts = [last.phase]
        parts += [f"step {last.step:,}"] if last.step else []
        parts += [f"{last.fraction:.0%}"] if last.fraction is not None else []
        parts += [f"score {last.score:,.2f}"] if last.score is not None else []
        parts += [last.message] if last.message else []
        return printable(f"{self.elapsed()}  {'  '.join(parts)}")

    def elapsed(self) -> str:
        """ "1:05": minutes and seconds."""
        seconds = int(self.seconds())
        return f"{seconds // 60}:{seconds % 60:02d}"

    def seconds(self) -> float:
        """Without those of compiling."""
        return compiling.clock() - self._began


@contextmanager
def shown() -> Iterator[Monitor]:
    """A monitor that is seen while the block runs, in the way that suits the place where Python runs."""
    display = _notebook()
    if display is not None:
        with _in_notebook(display) as monitor:
            yield monitor
    elif sys.stderr is not None and sys.stderr.isatty():
        from rich.console import Console

        with on_terminal(Console(stderr=True, markup=False, emoji=False, highlight=False)) as monitor:
            yield monitor
    else:
        with _in_log() as monitor:
            yield monitor


@contextmanager
def on_terminal(screen: Console, hint: str = STOPPING) -> Iterator[Monitor]:
    """One line at the lower end of the terminal, gone when the block is left. hint: what Ctrl-C does."""
    from rich.live import Live

    watcher = Watcher()

    def line() -> Text:
        return fitting(f"{watcher.line()}  ({hint})", screen.width)

    live = Live(
        get_renderable=line,
        console=screen,
        refresh_per_second=REFRESHES_A_SECOND,
        transient=True,
        redirect_stdout=sys.stdout is not None and sys.stdout.isatty(),  # what goes to a file is to stay there
    )
    with compiling.watched(lambda now: None), live:  # the watcher looks by itself
        yield watcher


def fitting(text: str, width: int) -> Text:
    from rich.text import Text

    line = Text(text, style="dim", no_wrap=True)
    # Room for the ^C that a terminal echoes: in a full line it would wrap, and the line could not be erased.
    line.truncate(max(width - 4, 1), overflow="ellipsis")
    return line


class _Paced(Watcher):
    """Shows itself when it is told something, not more often than each `seconds`, and by the thread that made it.

    A thread of its own would be simpler, but what it sends to a notebook may land below another cell.
    """

    def __init__(self, show: Callable[[str], object], seconds: float) -> None:
        super().__init__()
        self._show, self._seconds = show, seconds
        self._thread, self._next = threading.get_ident(), time.monotonic() + seconds

    def report(self, progress: Progress) -> None:
        super().report(progress)
        self.look()

    def look(self, now: object = None) -> None:
        if time.monotonic() >= self._next and threading.get_ident() == self._thread:
            self._next = time.monotonic() + self._seconds
            self._show(self.line())


@contextmanager
def _in_log() -> Iterator[Monitor]:
    def write(line: str) -> None:
        if sys.stderr is not None:
            print(f"arcwise: {line}", file=sys.stderr, flush=True)

    watcher = _Paced(write, LOG_SECONDS)
    with compiling.watched(watcher.look):
        yield watcher


@contextmanager
def _in_notebook(display: Callable[..., Any]) -> Iterator[Monitor]:
    """One display below the cell, drawn anew in its place; at the end it says how long it took."""
    handle = display(Line("starting"), display_id=True)
    watcher = _Paced(lambda line: handle.update(Line(line)), NOTEBOOK_SECONDS)
    ended = "ended after"
    try:
        with compiling.watched(watcher.look):
            yield watcher
        ended = "done in"
    finally:
        handle.update(Line(f"{ended} {duration(watcher.seconds())}"))


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text that a notebook shows small and grey."""

    text: str

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f'<pre style="margin: 0; opacity: 0.7">{escape(self.text)}</pre>'


def _notebook() -> Callable[..., Any] | None:
    """What shows things below a cell, where a Jupyter kernel runs this program; IPython is there then."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if getattr(shell, "kernel", None) is None:
        return None
    from importlib import import_module

    display: Callable[..., Any] = import_module("IPython.display").display
    return display
