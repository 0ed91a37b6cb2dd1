"""Work shared over the cores of this machine. Kernels release the GIL, so plain threads do.

Callers only submit work whose result does not depend on how it is divided (integer counts, independent items), so
the number of threads never changes an answer. Several threads of a program may call at once: they share the workers,
which never wait for each other.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import cache
from typing import TypeVar

from arcwise.checking import checked
from arcwise.errors import OptionError
from arcwise.machine import MOST_THREADS, thread_count

Item = TypeVar("Item")
Result = TypeVar("Result")

_inside = threading.local()


VARIABLE = "ARCWISE_THREADS"


@checked
def threads(n: int | None = None) -> int:
    """How many threads arcwise uses; with n it uses so many from now on. Answers do not depend on it.

    Without it the environment variable ARCWISE_THREADS counts, else the cores that this process may run on. Processes
    that are started later use as many.
    """
    if n is not None:
        if not 1 <= n <= MOST_THREADS:
            raise OptionError(f"the number of threads must be a whole number from 1 to {MOST_THREADS}, not {n!r}")
        os.environ[VARIABLE] = str(n)
    return n_threads()


def n_threads() -> int:
    """Threads in use: the environment variable ARCWISE_THREADS, else the cores this process may run on."""
    asked = thread_count(VARIABLE)
    if asked is None:
        asked = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(asked, getattr(_inside, "most", asked))


@contextmanager
def at_most(threads: int) -> Iterator[None]:
    """What this thread calls within the block has no more threads than that: others are at work beside it."""
    before = getattr(_inside, "most", None)
    _inside.most = threads
    try:
        yield
    finally:
        if before is None:
            del _inside.most
        else:
            _inside.most = before


def threads_here() -> int:
    """Threads that a call of map_threads would have now."""
    return 1 if getattr(_inside, "worker", False) else n_threads()


def map_threads(function: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """[function(item) for item in items], divided over the threads; a call from inside a worker runs in place."""
    threads = min(threads_here(), len(items))
    if threads < 2:
        return [function(item) for item in items]

    def work(share: Sequence[Item]) -> list[Result]:
        _inside.worker = True
        try:
            return [function(item) for item in share]
        finally:
            _inside.worker = False

    shares = [items[t::threads] for t in range(threads)]
    others = [_pool(threads - 1).submit(work, share) for share in shares[1:]]
    try:
        parts = [work(shares[0]), *(other.result() for other in others)]
    except Exception:  # nobody writes to the caller's arrays once he has them back
        for other in others:
            other.cancel()
        wait(others)
        raise
    return [parts[i % threads][i // threads] for i in range(len(items))]


@cache
def _pool(size: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=size, thread_name_prefix="arcwise")


if hasattr(os, "register_at_fork"):
    # A forked process has the pools of its parent, but none of their threads: work given to them would wait for ever.
    os.register_at_fork(after_in_child=_pool.cache_clear)
