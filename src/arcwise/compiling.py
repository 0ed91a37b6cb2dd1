"""Compiling told apart from working: how long it takes, who is told of it, and a clock that stands still meanwhile.

A kernel is compiled when it is first called, once on a machine. `_kernels/compiled.py` reports here when that begins
and ends; whoever measures time or keeps a deadline reads `clock()`, so that compiling counts as neither.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

QUIET = "ARCWISE_QUIET"  # environment variable: anything but nothing and 0 keeps the note back
NOTE = "compiling the numerical kernels of this method (the first time on this machine only)"
BAR = 24  # characters
REDRAW = 0.1  # seconds


@dataclass(frozen=True, slots=True)
class State:
    """Where compiling stands: kernels that are ready, seconds it took so far, whether any is being compiled now.

    total: how many there will be; 0 where that is not known.
    """

    kernels: int
    seconds: float
    active: bool
    total: int = 0


class _Record:
    """What is known in this process."""

    kernels = 0
    seconds = 0.0  # of kernels that are ready
    since: float | None = None  # when the one that is being compiled was begun
    total = 0
    noted = False

    def __init__(self) -> None:
        self.watchers: list[Callable[[State], None]] = []


_record = _Record()


def state() -> State:
    since = _record.since  # another thread may end it now
    running = 0.0 if since is None else time.monotonic() - since
    return State(_record.kernels, _record.seconds + running, since is not None, _record.total)


def clock() -> float:
    """Seconds of a clock that stands still while a kernel is compiled."""
    return time.monotonic() - state().seconds


def begin() -> None:
    """A kernel is being compiled from now on. Numba compiles one at a time."""
    _record.since = time.monotonic()
    progress()


def progress() -> None:
    """Called now and then while a kernel is compiled."""
    now = state()
    for watcher in _record.watchers[-1:] or [_print_note]:
        watcher(now)


def end(kernels: int = 1) -> None:
    """The kernel is ready, or compiling it has failed."""
    assert _record.since is not None
    _record.seconds += time.monotonic() - _record.since
    _record.kernels += kernels
    _record.since = None
    progress()


@contextmanager
def several(total: int) -> Iterator[Callable[[int], None]]:
    """So many kernels are being compiled at once; a function that is told how many of them are ready."""
    before = _record.kernels
    _record.total = before + total

    def ready(kernels: int) -> None:
        _record.kernels = before + kernels
        progress()

    begin()
    try:
        yield ready
    finally:
        end(0)
        _record.total = 0


@contextmanager
def watched(watcher: Callable[[State], None]) -> Iterator[None]:
    """Within this block `watcher` is told, and nobody else."""
    _record.watchers.append(watcher)
    try:
        yield
    finally:
        _record.watchers.remove(watcher)


@contextmanager
def announced() -> Iterator[None]:
    """Within this block a bar on the terminal shows how compiling goes, unless the caller watches it already."""
    if _record.watchers or _is_quiet() or not sys.stderr.isatty():
        yield
        return
    bar = Bar()
    with watched(bar.draw):
        try:
            yield
        finally:
            bar.erase()


class Bar:
    """A line on stderr that is drawn while kernels are compiled."""

    def __init__(self) -> None:
        self._drawn = 0.0
        self._width = 0

    def draw(self, now: State) -> None:
        if time.monotonic() - self._drawn >= REDRAW:
            self._drawn = time.monotonic()
            self._print(line(now), end="")

    def _print(self, text: str, end: str) -> None:
        """Over what stands there."""
        print(f"\r{text:<{self._width}}", end=end, file=sys.stderr, flush=True)
        self._width = max(self._width, len(text))

    def erase(self) -> None:
        """Leave a line that says what it was."""
        if self._drawn:
            now = state()
            text = f"compiled {now.kernels} numerical kernels in {now.seconds:.0f} s; the next run finds them ready"
            self._print(text, end="\n")


def line(now: State) -> str:
    """One line about compiling, with a bar, which wanders where nobody knows how many kernels there will be."""
    if now.total:
        filled = BAR * now.kernels // now.total
        bar, count = "━" * filled + "─" * (BAR - filled), f"{now.kernels:2d} of {now.total}"
    else:
        place = int(4 * now.seconds) % (2 * BAR)
        place = min(place, 2 * BAR - 1 - place)
        bar, count = "".join("━" if abs(i - place) < 3 else "─" for i in range(BAR)), f"{now.kernels:2d}"
    return f"compiling {bar} {count} kernels, {now.seconds:2.0f} s (the first time only)"


def _print_note(now: State) -> None:
    """What a program is told that watches nothing: one line, once."""
    if not _record.noted and not _is_quiet():
        _record.noted = True
        print(f"arcwise: {NOTE} ...", file=sys.stderr, flush=True)


def _is_quiet() -> bool:
    # Python has no stderr at all where it was closed before the start.
    return sys.stderr is None or os.environ.get(QUIET, "0") not in ("", "0")
