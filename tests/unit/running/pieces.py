"""Pieces of work for tests, where other processes find them."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from arcwise.errors import DataError
from arcwise.parts.monitor import Monitor
from arcwise.running import Stopped


def square(shared: int, task: int, monitor: Monitor) -> dict[str, Any]:
    return {"value": shared * task**2, "share": task / 3, "pair": (task, None)}


def where(shared: float, task: int, monitor: Monitor) -> dict[str, Any]:
    """Which process works on it."""
    time.sleep(shared)
    return {"pid": os.getpid(), "threads": os.environ.get("ARCWISE_THREADS")}


def patient(shared: float, task: int, monitor: Monitor) -> dict[str, Any]:
    """Waits, but listens."""
    until = time.monotonic() + shared
    while time.monotonic() < until:
        if monitor.should_stop():
            raise Stopped
        time.sleep(0.005)
    return {"value": task}


def failing(shared: Any, task: int, monitor: Monitor) -> dict[str, Any]:
    if task == 1:
        raise DataError("column 'a' is empty; drop it")
    if task == 2:
        raise ZeroDivisionError("by nothing")
    return {"value": float("nan") if task == 3 else task}


def deadly(shared: tuple[int, str, int], task: int, monitor: Monitor) -> dict[str, Any]:
    """Kills the process that works on it, unless that is the program itself, up to a number of times."""
    program, folder, times = shared
    deaths = sorted(Path(folder).glob(f"{task}-*"))
    if os.getpid() != program and len(deaths) < times:
        (Path(folder) / f"{task}-{len(deaths)}").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    wait_for(lambda: os.getpid() != program or len(list(Path(folder).iterdir())) >= min(times, 3))
    return {"value": task, "deaths": len(deaths)}


def meeting(shared: str, task: int, monitor: Monitor) -> dict[str, Any]:
    """Waits until two processes have come."""
    (Path(shared) / str(os.getpid())).touch()
    wait_for(lambda: monitor.should_stop() or len(list(Path(shared).iterdir())) > 1)
    return {"pid": os.getpid(), "threads": os.environ.get("ARCWISE_THREADS")}


def wait_for(what: Callable[[], bool], patience: float = 120.0) -> None:
    until = time.monotonic() + patience
    while not what():
        assert time.monotonic() < until
        time.sleep(0.01)


def marked(shared: tuple[str, float], task: int, monitor: Monitor) -> dict[str, Any]:
    """Leaves a mark for each time it is worked on."""
    folder, seconds = shared
    time.sleep(seconds)
    with (Path(folder) / f"{task}.txt").open("a") as file:
        file.write("x")
    return {"value": task}
