"""Work shared over the cores of this machine. Kernels release the GIL, so plain threads do.

Callers only submit work whose result does not depend on how it is divided (integer counts, independent items), so
the number of threads never changes an answer.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

from arcwise.errors import OptionError

Item = TypeVar("Item")
Result = TypeVar("Result")

_inside = threading.local()


def n_threads() -> int:
    """Threads in use: the environment variable ARCWISE_THREADS, else the cores this process may run on."""
    text = os.environ.get("ARCWISE_THREADS", "")
    if not text:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not text.isdigit() or int(text) < 1:
        raise OptionError(f"ARCWISE_THREADS must be a whole number from 1, not {text!r}")
    return int(text)


def map_threads(function: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """[function(item) for item in items], divided over the threads; a call from inside a worker runs in place."""
    if len(items) == 1 or getattr(_inside, "worker", False) or n_threads() == 1:
        return [function(item) for item in items]
    threads = min(n_threads(), len(items))

    def work(share: Sequence[Item]) -> list[Result]:
        _inside.worker = True
        try:
            return [function(item) for item in share]
        finally:
            _inside.worker = False

    shares = [items[t::threads] for t in range(threads)]
    others = [_pool(threads - 1).submit(work, share) for share in shares[1:]]
    parts = [work(shares[0]), *(other.result() for other in others)]
    results: list[Result] = [parts[i % threads][i // threads] for i in range(len(items))]
    return results


@cache
def _pool(size: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=size, thread_name_prefix="arcwise")
