"""Which pieces wait, run and are finished. Several threads take pieces from it and bring back their outcomes."""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Mapping
from typing import Any

from arcwise.parts.monitor import Monitor, Progress
from arcwise.printing import counted
from arcwise.running.piece import Outcome
from arcwise.running.store import OpenStore


class Board:
    """tasks: by their keys, in the order in which they are begun. Those that the store has finished are not begun.

    again: whether those that failed are.
    """

    def __init__(
        self, tasks: Mapping[str, Any], store: OpenStore | None, monitor: Monitor, phase: str, again: bool = True
    ) -> None:
        self.tasks, self.monitor = tasks, monitor
        self.outcomes: dict[str, Outcome] = {}
        self.trouble: Exception | None = None  # what keeps others from going on: no room on the disk
        self._store, self._phase = store, phase
        kept = {} if store is None else store.outcomes
        self.outcomes = {key: one for key, one in kept.items() if key in tasks and not (again and one.failure)}
        self._waiting = deque(key for key in tasks if key not in self.outcomes)
        self._running = 0
        self._lock = threading.Lock()
        self._began, self._before, self._told = time.monotonic(), len(self.outcomes), -1

    def take(self) -> str | None:
        """The next piece, now running; None where none waits."""
        with self._lock:
            if not self._waiting or self.trouble is not None:
                return None
            self._running += 1
            return self._waiting.popleft()

    def finish(self, key: str, outcome: Outcome) -> None:
        """The piece is finished, and kept."""
        with self._lock:
            try:
                if self._store is not None:
                    self._store.add(key, outcome)
                self.outcomes[key] = outcome
            except Exception as error:
                self.trouble = error
            self._running -= 1

    def give_back(self, key: str) -> None:
        """The piece was not finished, and waits again."""
        with self._lock:
            self._running -= 1
            self._waiting.appendleft(key)

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    @property
    def all_done(self) -> bool:
        """Whether nothing waits or runs, or nothing can be kept any more."""
        with self._lock:
            return self.trouble is not None or not (self._waiting or self._running)

    def should_stop(self) -> bool:
        """Called again and again by whoever waits or works in the program's own thread: it also reports."""
        self._report()
        return self.trouble is not None or self.monitor.should_stop()

    def _report(self) -> None:
        with self._lock:
            done, running, left = len(self.outcomes), self._running, len(self._waiting)
        if done == self._told:
            return
        self._told = done
        words = [f"{done} done", f"{running} running", f"{left} left"]
        new = done - self._before
        if new and running + left:
            seconds = (time.monotonic() - self._began) / new * (running + left)
            words.append(f"about {counted(round(seconds), 'second')} to go" if seconds < 120 else _minutes(seconds))
        fraction = done / len(self.tasks) if self.tasks else 1.0
        self.monitor.report(Progress(self._phase, done, message=", ".join(words), fraction=fraction))

    def results(self) -> dict[str, Any]:
        """Of the pieces that came to one, in the order of the tasks."""
        found = ((key, self.outcomes[key].result) for key in self.tasks if key in self.outcomes)
        return {key: json.loads(result) for key, result in found if result is not None}

    def failures(self) -> dict[str, str]:
        found = ((key, self.outcomes[key].failure) for key in self.tasks if key in self.outcomes)
        return {key: failure for key, failure in found if failure is not None}


def _minutes(seconds: float) -> str:
    minutes = round(seconds / 60)
    return f"about {minutes} minutes to go" if minutes < 120 else f"about {minutes // 60} hours to go"
