"""The files of a table gone through by several threads, one file each, with reports and a clean end when stopped."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

from arcwise.data.rows.progress import OFTEN, Meter
from arcwise.machine import thread_count

MOST = 4  # files at once: each takes some hundred megabytes
Found = TypeVar("Found")


class Stopped(Exception):
    """Another thread has failed, or somebody has pressed Ctrl-C."""


class Stop:
    """Looked at by the threads between two columns."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def set(self) -> None:
        self._event.set()

    def check(self) -> None:
        if self._event.is_set():
            raise Stopped


def over_files(
    work: Callable[[int, Stop], Found], which: Sequence[int], meter: Meter, keep: Callable[[int, Found], None]
) -> None:
    """Work on each of the files; `keep` is given what was found, by the thread that called this, as it comes.

    What was kept before an error or a Ctrl-C stays.
    """
    stop = Stop()
    threads = min(thread_count("ARCWISE_THREADS") or os.cpu_count() or 1, MOST)
    with ThreadPoolExecutor(threads) as pool:
        waiting: dict[Future[Found], int] = {}
        left = list(reversed(which))
        try:
            while waiting or left:
                while left and len(waiting) < threads:
                    k = left.pop()
                    waiting[pool.submit(work, k, stop)] = k
                done, _ = wait(waiting, OFTEN, FIRST_COMPLETED)
                for future in done:
                    keep(waiting.pop(future), future.result())
                meter.show()
        except BaseException:
            stop.set()
            raise
