"""Progress of a learner on the terminal: one line on stderr that disappears when the learner is done."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from arcwise import compiling
from arcwise.cli.views.screen import console
from arcwise.parts.monitor import SILENT, Monitor, Progress
from arcwise.printing import printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

REFRESHES_A_SECOND = 8


class Watcher:
    """A monitor that keeps the last report; the screen looks at it a few times a second, so reports stay cheap."""

    def __init__(self, screen: Console) -> None:
        self._screen = screen
        self._began = compiling.clock()
        self._last = Progress("starting")

    def report(self, progress: Progress) -> None:
        self._last = progress

    def should_stop(self) -> bool:
        return False

    def line(self) -> Text:
        """time, phase, step, score, last move; or how compiling goes."""
        now = compiling.state()
        if now.active:
            return self._fitting(compiling.line(now))
        last = self._last
        parts = [last.phase]
        parts += [f"step {last.step:,}"] if last.step else []
        parts += [f"{last.fraction:.0%}"] if last.fraction is not None else []
        parts += [f"score {last.score:,.2f}"] if last.score is not None else []
        parts += [last.message] if last.message else []
        elapsed = int(compiling.clock() - self._began)
        return self._fitting(f"{elapsed // 60}:{elapsed % 60:02d}  {'  '.join(parts)}  (Ctrl-C: stop with the best)")

    def _fitting(self, text: str) -> Text:
        from rich.text import Text

        line = Text(printable(text), style="dim", no_wrap=True)
        # Room for the ^C that a terminal echoes: in a full line it would wrap, and the line could not be erased.
        line.truncate(max(self._screen.width - 4, 1), overflow="ellipsis")
        return line


@contextmanager
def watching(quiet: bool = False) -> Iterator[Monitor]:
    """A monitor that shows itself while the block runs; a silent one when stderr is no terminal."""
    if quiet or not sys.stderr.isatty():
        with compiling.watched(_nothing, quiet=True) if quiet else nullcontext():
            yield SILENT
        return
    from rich.live import Live

    screen = console(stderr=True)
    watcher = Watcher(screen)
    with (
        compiling.watched(_nothing),  # the watcher looks by itself
        Live(get_renderable=watcher.line, console=screen, refresh_per_second=REFRESHES_A_SECOND, transient=True),
    ):
        yield watcher


def _nothing(now: compiling.State) -> None:
    pass
