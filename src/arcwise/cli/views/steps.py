"""What a command does and how long it takes, on stderr, where --verbose asks for it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from arcwise import compiling
from arcwise.cli.views.screen import note

_told: list[float] = []  # since when somebody wants to know


def tell() -> None:
    """From now on steps are told; the first line is about what runs."""
    if _told:
        return
    _told.append(time.monotonic())
    import platform
    from importlib.metadata import version

    from arcwise.stats.threads import n_threads

    threads = n_threads()
    where = f"Python {platform.python_version()}, {threads} thread{'s' if threads != 1 else ''}"
    note(f"arcwise {version('arcwise')}, {where}")


def end() -> None:
    """The command is done; the next one in the same process is silent again."""
    if _told:
        note(f"{time.monotonic() - _told.pop():8.2f} s  in all")


@contextmanager
def step(words: str) -> Iterator[None]:
    """ "0.12 s  reading cars.csv": a line when the block is done, with the time of compiling apart."""
    if not _told:
        yield
        return
    began, before = time.monotonic(), compiling.state()
    try:
        yield
    finally:
        took, after = time.monotonic() - began, compiling.state()
        compiled = after.seconds - before.seconds
        if compiled > 0.0:
            kernels = after.kernels - before.kernels
            note(f"{compiled:8.2f} s  compiling {kernels} numerical kernel{'s' if kernels != 1 else ''}")
        note(f"{took - compiled:8.2f} s  {words}")
