"""Compiling told apart from working: how long it takes, who is told of it, and a clock that stands still meanwhile.

A kernel is compiled when it is first called, once on a machine. `_kernels/compiled.py` reports here when that begins
and ends; whoever measures time or keeps a deadline reads `clock()`, so that compiling counts as neither.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from arcwise.printing import printable

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
    """What is known in this process. Several threads may compile, or wait for processes that do, at once."""

    kernels = 0
    seconds = 0.0  # in which something was compiled, without those of now
    since: float | None = None  # when the first of those that compile now began
    active = 0  # how many do
    total = 0
    noted = False
    kept = True  # the next run will find what was compiled

    def __init__(self) -> None:
        self.watchers: list[Callable[[State], None]] = []
        self.remarks: dict[str, bool] = {}  # whether it was printed
        self.lock = threading.Lock()


_record = _Record()


def state() -> State:
    with _record.lock:
        running = 0.0 if _record.since is None else time.monotonic() - _record.since
        return State(_record.kernels, _record.seconds + running, _record.since is not None, _record.total)


def clock() -> float:
    """Seconds of a clock that stands still while a kernel is compiled."""
    return time.monotonic() - state().seconds


def begin(total: int = 0) -> None:
    """A kernel is being compiled from now on, or so many."""
    with _record.lock:
        if not _record.active:
            _record.since = time.monotonic()
        _record.active += 1
        if total:
            _record.total = max(_record.total, _record.kernels) + total
    progress()


def progress(kernels: int = 0) -> None:
    """Called now and then while kernels are compiled: so many more are ready."""
    with _record.lock:
        _record.kernels += kernels
    now = state()
    for watcher in _record.watchers[-1:] or [_print_note]:
        watcher(now)


def end(kernels: int = 1) -> None:
    """The kernel is ready, or compiling it has failed."""
    with _record.lock:
        assert _record.since is not None
        _record.active -= 1
        if not _record.active:
            _record.seconds += time.monotonic() - _record.since
            _record.since, _record.total = None, 0
    progress(kernels)


@contextmanager
def several(total: int) -> Iterator[Callable[[int], None]]:
    """So many kernels are being compiled at once; a function that is told how many of them are ready."""
    told = 0

    def ready(kernels: int) -> None:
        nonlocal told
        more, told = kernels - told, kernels
        progress(more)

    begin(total)
    try:
        yield ready
    finally:
        end(0)


@contextmanager
def watched(watcher: Callable[[State], None], quiet: bool = False) -> Iterator[None]:
    """Within this block `watcher` is told, and nobody else. Remarks wait for its end, or are not made (quiet)."""
    record = _record
    record.watchers.append(watcher)
    try:
        yield
    finally:
        record.watchers.remove(watcher)
        if quiet:
            record.remarks = dict.fromkeys(record.remarks, True)
        _print_remarks()


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
            after = "; the next run finds them ready" if _record.kept else ""
            self._print(f"compiled {now.kernels} numerical kernels in {now.seconds:.0f} s{after}", end="\n")


def line(now: State) -> str:
    """One line about compiling, with a bar, which wanders where nobody knows how many kernels there will be."""
    if now.total:
        filled = BAR * now.kernels // now.total
        bar, count = "━" * filled + "─" * (BAR - filled), f"{now.kernels:2d} of {now.total}"
    else:
        place = int(4 * now.seconds) % (2 * BAR)
        place = min(place, 2 * BAR - 1 - place)
        bar, count = "".join("━" if abs(i - place) < 3 else "─" for i in range(BAR)), f"{now.kernels:2d}"
    return f"compiling {bar} {count} kernels, {now.seconds:2.0f} s{' (the first time only)' if _record.kept else ''}"


def _print_note(now: State) -> None:
    """What a program is told that watches nothing: one line, once."""
    if not _record.noted and not _is_quiet():
        _record.noted = True
        print(f"arcwise: {NOTE} ...", file=sys.stderr, flush=True)


def not_kept(text: str) -> None:
    """What is compiled is lost with this process, for this reason: told instead of that it is the first time only."""
    _record.noted, _record.kept = True, False
    remark(text)


def remark(text: str) -> None:
    """Something a user should know beside any result: one line on stderr, once, and not in the middle of a bar."""
    _record.remarks.setdefault(text, False)
    _print_remarks()


def _print_remarks() -> None:
    if _record.watchers:
        return
    for text, printed in list(_record.remarks.items()):
        _record.remarks[text] = True
        if not printed and not _is_quiet():
            print(f"arcwise: {printable(text)}", file=sys.stderr, flush=True)  # it may name folders


def _is_quiet() -> bool:
    # Python has no stderr at all where it was closed before the start.
    return sys.stderr is None or os.environ.get(QUIET, "0") not in ("", "0")


def _forget_others() -> None:
    """A forked process compiles nothing yet, and what watched its parent does not watch it."""
    global _record
    before, _record = _record, _Record()
    _record.noted, _record.kept, _record.remarks = before.noted, before.kept, before.remarks


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_others)
