"""Progress and cancellation: a learner reports each step and asks whether to stop."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import FrameType
from typing import Protocol, runtime_checkable

from arcwise.compiling import clock
from arcwise.errors import OptionError
from arcwise.printing import printable


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a learner is. `fraction` (0..1) only when the amount of work is known."""

    phase: str
    step: int = 0
    score: float | None = None
    message: str = ""
    fraction: float | None = None

    def __str__(self) -> str:
        """ "search, step 12: score -2,606.73, added a -> b, 40 % done": what is known of it in one line."""
        score = "" if self.score is None else f"score {self.score:,.2f}"
        done = "" if self.fraction is None else f"{self.fraction:.0%} done"
        what = ", ".join(word for word in (score, self.message, done) if word)
        step = f", step {self.step}" if self.step else ""
        return printable(f"{self.phase}{step}: {what}" if what else f"{self.phase}{step}")


@runtime_checkable
class Monitor(Protocol):
    def report(self, progress: Progress) -> None: ...

    def should_stop(self) -> bool: ...


class Silent:
    """Reports nothing, never stops."""

    def report(self, progress: Progress) -> None:
        pass

    def should_stop(self) -> bool:
        return False


STOPPING = "Ctrl-C: stop with the best"  # what a person who watches is told
SILENT = Silent()


@dataclass(frozen=True, slots=True)
class Calling:
    """Gives each report to a function; never stops."""

    function: Callable[[Progress], object]

    def report(self, progress: Progress) -> None:
        self.function(progress)

    def should_stop(self) -> bool:
        return False


def as_monitor(monitor: Monitor | Callable[[Progress], object] | None) -> Monitor:
    """A monitor as it is, a function as one that is given each report; None reports nothing."""
    if monitor is None:
        return SILENT
    if isinstance(monitor, Monitor):
        return monitor
    if not callable(monitor):
        raise OptionError(f"a monitor must have report() and should_stop(), or be a function, not {monitor!r}")
    return Calling(monitor)


@dataclass(frozen=True, slots=True)
class StopWhen:
    """Passes reports on to `inner` and also stops when `stop()` says so (a deadline, a signal)."""

    inner: Monitor
    stop: Callable[[], bool]

    def report(self, progress: Progress) -> None:
        self.inner.report(progress)

    def should_stop(self) -> bool:
        return self.stop() or self.inner.should_stop()


@dataclass(frozen=True, slots=True)
class Both:
    """Gives reports to two monitors, and stops when either wants to."""

    first: Monitor
    second: Monitor

    def report(self, progress: Progress) -> None:
        self.first.report(progress)
        self.second.report(progress)

    def should_stop(self) -> bool:
        return self.first.should_stop() or self.second.should_stop()


def listens(monitor: Monitor) -> bool:
    """Whether somebody hears the reports: each step is then reported when it is taken, and may be the last."""
    return listens(monitor.inner) if isinstance(monitor, StopWhen) else monitor is not SILENT


@dataclass(slots=True)
class Pace:
    """How much of some work is done, from 0 to 1; never less than before."""

    done: float = 0.0

    def reach(self, done: float) -> None:
        self.done = max(self.done, done)


@dataclass(frozen=True, slots=True)
class Within(StopWhen):
    """For the parts of some work: their reports tell how much of the whole is done instead of how much of the part."""

    pace: Pace

    def report(self, progress: Progress) -> None:
        self.inner.report(replace(progress, fraction=self.pace.done))

    @staticmethod
    def of(inner: Monitor) -> Within:
        return Within(inner, lambda: False, Pace())


@dataclass(frozen=True, slots=True)
class Interruptible(StopWhen):
    """Stops after a signal such as Ctrl-C; `signals` are those that came."""

    signals: Sequence[int] = ()

    def around(self, inner: Monitor) -> Interruptible:
        """The same signals for another monitor."""
        return Interruptible(inner, self.stop, self.signals)


def with_deadline(inner: Monitor, seconds: float) -> Monitor:
    """Stop when `seconds` have passed from now, not counting those in which kernels are compiled."""
    end = clock() + seconds
    return StopWhen(inner, lambda: clock() >= end)


@contextmanager
def stop_on_interrupt(inner: Monitor, signals: Sequence[int] = (signal.SIGINT,)) -> Iterator[Interruptible]:
    """The first Ctrl-C asks the learner to stop and return its best; a second one interrupts at once.

    A program may have other signals that end it, such as SIGTERM, do the same; one that is ignored stays ignored.
    Signals reach the main thread only: elsewhere this changes nothing, nor does it within another such block.
    """
    if isinstance(inner, Interruptible):
        yield inner
        return
    if threading.current_thread() is not threading.main_thread():
        yield Interruptible(inner, lambda: False)
        return
    came: list[int] = []

    def on_signal(signum: int, frame: FrameType | None) -> None:
        came.append(signum)
        if len(came) > 1:
            raise KeyboardInterrupt if signum == signal.SIGINT else KeyboardInterrupt(signum)

    before = {one: signal.getsignal(one) or signal.SIG_DFL for one in signals}
    try:
        for one, handler in before.items():
            if one == signal.SIGINT or handler != signal.SIG_IGN:
                signal.signal(one, on_signal)
        yield Interruptible(inner, lambda: bool(came), came)
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
