"""How far the coding of a table is."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from arcwise.printing import counted, duration

OFTEN = 0.2  # seconds between two reports


@dataclass(frozen=True, slots=True)
class Done:
    """What is being done, the share of it that is done (0 to 1), rows a second, and how many seconds are left."""

    phase: str
    fraction: float
    rows: int
    rate: float
    left: float

    @property
    def message(self) -> str:
        """ "12,000,000 rows, 3.1 million a second, 40 s left"."""
        rate = f"{self.rate / 1e6:.1f} million" if self.rate >= 1e5 else f"{self.rate:,.0f}"
        return f"{counted(self.rows, 'row')}, {rate} a second, {duration(self.left)} left"

    def __str__(self) -> str:
        return f"{self.phase}: {self.fraction:.0%}, {self.message}"


Watch = Callable[[Done], object]
_watch: ContextVar[Watch | None] = ContextVar("watch", default=None)


@contextmanager
def watched_by(watch: Watch) -> Iterator[None]:
    """Tables that are coded within the block because they do not fit into memory are reported to `watch`."""
    token = _watch.set(watch)
    try:
        yield
    finally:
        _watch.reset(token)


def who_watches() -> Watch | None:
    return _watch.get()


class Meter:
    """Adds up what several threads have done; the share is that of bytes, as rows are not known before."""

    def __init__(self, phase: str, n_bytes: int, watch: Watch | None) -> None:
        self._phase, self._all, self._watch = phase, max(n_bytes, 1), watch
        self._lock, self._began = threading.Lock(), time.monotonic()
        self._bytes = self._rows = 0.0

    def add(self, rows: float, n_bytes: float) -> None:
        with self._lock:
            self._rows += rows
            self._bytes += n_bytes

    def show(self) -> None:
        """By the thread that waits for the others: whoever watches may not be called by several."""
        if self._watch is None or not self._rows:
            return
        with self._lock:
            rows, share = self._rows, min(self._bytes / self._all, 1.0)
        took = max(time.monotonic() - self._began, 1e-9)
        self._watch(Done(self._phase, share, int(rows), rows / took, took * (1 - share) / max(share, 1e-9)))
