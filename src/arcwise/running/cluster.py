"""Pieces of work on a Dask cluster, which has its own ways to replace a worker that dies."""

from __future__ import annotations

import logging
import pickle
import queue
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from hashlib import sha256
from typing import Any

from arcwise.errors import OptionError
from arcwise.parts.monitor import SILENT
from arcwise.running.board import Board
from arcwise.running.piece import Outcome, Work, attempt
from arcwise.running.sending import sent
from arcwise.stats.threads import at_most, n_threads

LOOK = 0.05  # seconds between two looks at whether to stop
PATIENCE = 20  # seconds for an answer of the scheduler ...
QUICK = 1  # ... that is known to be gone


def run_on_cluster(board: Board, function: Work, shared: Any, client: Any) -> None:
    """Have the cluster work on all pieces that wait."""
    # As the argument of a task, not as data that lies on the workers: those that come later work it out again.
    content = sent(shared)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that it is large
        there = client.submit(pickle.loads, content, key=f"arcwise-shared-{sha256(content).hexdigest()}")
    finished: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
    running: dict[str, Any] = {}
    try:
        while (key := board.take()) is not None:
            running[key] = client.submit(_piece, function, there, board.tasks[key], pure=False)
            running[key].add_done_callback(lambda future, key=key: finished.put((key, future)))
        while running and not board.should_stop():
            try:
                key, future = finished.get(timeout=LOOK)
            except queue.Empty:
                continue
            del running[key]
            board.finish(key, _outcome(future))
    finally:
        client.cancel(list(running.values()))
        for key in running:
            board.give_back(key)


@contextmanager
def connected(scheduler: Any) -> Iterator[Any]:
    """A client of the cluster. scheduler: its address, or a client, which stays open."""
    try:
        import distributed
    except ImportError:
        raise OptionError(
            "a cluster needs Dask, which is not installed; install it: pip install 'arcwise[cluster]'"
        ) from None
    if isinstance(scheduler, distributed.Client):
        if scheduler.status in ("closing", "closed"):
            raise OptionError("the Dask client that was given as scheduler is closed; give one that is open")
        yield scheduler
        return
    if not isinstance(scheduler, str):
        raise OptionError(
            f"a scheduler must be an address such as 'tcp://host:8786' or a distributed.Client, not {scheduler!r}"
        )
    try:
        client = distributed.Client(scheduler, timeout=PATIENCE)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise OptionError(f"no Dask scheduler answers at {scheduler!r} ({error}); start one, or leave it out") from None
    try:
        yield client
    finally:
        gone = client.status != "running"
        with _silent("distributed.client") if gone else nullcontext():  # that it is gone was told, in a sentence
            client.close(timeout=QUICK if gone else PATIENCE)  # type: ignore[no-untyped-call]


def client_in_use() -> Any:
    """The client that Dask would use by itself; None where there is none."""
    try:
        from distributed import default_client

        return default_client()  # type: ignore[no-untyped-call]
    except (ImportError, ValueError):
        return None


@contextmanager
def _silent(logger: str) -> Iterator[None]:
    log = logging.getLogger(logger)
    before = log.disabled
    log.disabled = True
    try:
        yield
    finally:
        log.disabled = before


def _piece(function: Work, shared: Any, task: Any) -> list[Any]:
    """On a worker, which may run several at once, each in a thread."""
    from distributed import get_worker

    with at_most(max(1, n_threads() // get_worker().state.nthreads)):
        return list(attempt(function, shared, task, SILENT))


def _outcome(future: Any) -> Outcome:
    """What came of a piece: a failure where its workers died; an error where the cluster cannot run it at all."""
    from distributed import KilledWorker

    error = None if future.status == "cancelled" else future.exception()
    if future.status == "finished":
        return Outcome(*future.result())
    if error is None or isinstance(error, KilledWorker):
        return Outcome(None, "its workers on the cluster ended before the piece was finished", 0.0)
    raise OptionError(
        f"the cluster cannot work on this ({type(error).__name__}: {error}); its workers need the same arcwise as here"
    )
