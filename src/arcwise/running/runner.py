"""Running many pieces of work, in one process, in several or on a cluster, until all are finished or it is stopped."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from arcwise.checking import checked
from arcwise.compiling import clock
from arcwise.data.text_files import as_json
from arcwise.errors import OptionError
from arcwise.parts.monitor import SILENT, Monitor, StopWhen
from arcwise.running.board import Board
from arcwise.running.piece import Stopped, Work, attempt
from arcwise.running.processes import Crew
from arcwise.running.store import Store
from arcwise.stats.threads import at_most, n_threads

START = 2.0  # seconds, about, until a new process has loaded what it needs
LOOK = 0.02  # seconds between two looks at what others have done


@dataclass(frozen=True, slots=True)
class Finished:
    """What came of the pieces, by their keys, in the order of the tasks. Those that were not finished are in neither.

    failures: why a piece has no result, in words. seconds: how long each took, without compiling.
    stopped: whether some are not finished, as the monitor asked to stop.
    """

    results: Mapping[str, Any]
    failures: Mapping[str, str]
    seconds: Mapping[str, float]
    stopped: bool


@checked
def run(
    function: Work,
    shared: Any,
    tasks: Mapping[str, Any],
    *,
    workers: int | None = None,
    scheduler: Any = None,
    store: Store | None = None,
    monitor: Monitor = SILENT,
    phase: str = "running",
    limit: float | None = None,
    again: bool = True,
) -> Finished:
    """function(shared, task, monitor) of every task, each a piece of work of its own.

    The function is one of a module, tasks and what it returns are what JSON can hold, and `shared` is sent once to each
    process (pickled, never into a file). What comes out depends on nothing but these.
    A piece listens to the monitor it is given, and raises `Stopped` when that made it end early.

    workers: how many pieces at once, one of them in this process. None: it begins alone and brings in processes, up to
    the number of threads, when the pieces that are left take longer than starting them. scheduler: the address of a
    Dask cluster, or a `distributed.Client`, that works instead. store: where finished pieces are kept; those that are
    there already are not run again, but failed ones are, unless `again` is false. monitor: told how many are finished,
    and asked whether to stop; what is finished by then is returned. A program that is to stop at Ctrl-C brings a
    monitor that does.
    limit: seconds after which a piece is ended, and has failed. To make sure of that, all pieces are then worked on in
    other processes; a cluster does not end them, so that pieces for one must look at the time themselves.
    """
    if workers is not None and workers < 1:
        raise OptionError(f"workers must be a whole number from 1, not {workers}")
    if limit is not None and not limit > 0:
        raise OptionError(f"the limit must be a number of seconds above 0, not {limit!r}")
    if workers is not None and scheduler is not None:
        raise OptionError("a cluster has workers of its own; give workers or a scheduler, not both")
    with ExitStack() as stack:
        client = None
        if scheduler is not None:  # first, so that nothing is written where nobody answers
            from arcwise.running.cluster import connected, run_on_cluster

            client = stack.enter_context(connected(scheduler))
        opened = None if store is None else stack.enter_context(store.opened())
        board = Board(json.loads(as_json(dict(tasks))), opened, monitor, phase, again)
        if client is not None:
            run_on_cluster(board, function, shared, client)
        elif limit is not None:
            _run_beside(board, function, shared, workers or n_threads(), limit)
        else:
            _Here(board, function, shared, workers).run()
        board.should_stop()  # the last report
        if board.trouble is not None:
            raise board.trouble
    seconds = {key: board.outcomes[key].seconds for key in board.tasks if key in board.outcomes}
    return Finished(board.results(), board.failures(), seconds, len(board.outcomes) < len(board.tasks))


def _run_beside(board: Board, function: Work, shared: Any, workers: int, limit: float) -> None:
    """In other processes only: these can be ended in the middle of a piece."""
    others = min(workers, board.waiting)
    if not others:
        return
    threads = max(1, n_threads() // others)
    crew = Crew(board, function, shared, workers=others, threads=threads, limit=limit)
    try:
        while not board.should_stop() and not board.all_done:
            crew.check()
            time.sleep(LOOK)
    finally:
        crew.end()


class _Here:
    """This process, which works on pieces itself, and those that it brings in."""

    def __init__(self, board: Board, function: Work, shared: Any, workers: int | None) -> None:
        self._board, self._function, self._shared, self._workers = board, function, shared, workers
        self._most = workers or n_threads()  # processes at once, with this one
        self._crew: Crew | None = None
        self._limits = ExitStack()
        self._piece_began = clock()
        self._times: list[float] = []

    def run(self) -> None:
        try:
            with ExitStack() as self._limits:
                if self._workers is not None:
                    self._bring_in()
                while not self._look():
                    key = self._board.take()
                    if key is not None:
                        self._work(key)
                    elif self._board.all_done:
                        break
                    else:
                        time.sleep(LOOK)  # others are at the last pieces
        finally:
            if self._crew is not None:
                self._crew.end()

    def _work(self, key: str) -> None:
        self._piece_began = clock()
        try:
            outcome = attempt(self._function, self._shared, self._board.tasks[key], StopWhen(SILENT, self._look))
        except BaseException as error:
            self._board.give_back(key)
            if not isinstance(error, Stopped):
                raise
            return
        self._times.append(outcome.seconds)
        self._board.finish(key, outcome)

    def _look(self) -> bool:
        """Whether to stop. Asked again and again, also in the middle of a piece, so all is looked after here."""
        if self._crew is None and self._workers is None and self._pays():
            self._bring_in()
        if self._crew is not None and self._workers is not None:
            self._crew.check()
        return self._board.should_stop()

    def _pays(self) -> bool:
        """Whether what waits takes longer than starting processes. The first piece is no measure: it loads kernels."""
        if self._most == 1 or not self._board.waiting:
            return False
        if clock() - self._piece_began > 2 * START:
            return True
        return len(self._times) > 1 and self._board.waiting * min(self._times[1:]) > 2 * START

    def _bring_in(self) -> None:
        others = min(self._most - 1, self._board.waiting)
        if others > 0:
            threads = max(1, n_threads() // (others + 1))
            self._crew = Crew(self._board, self._function, self._shared, workers=others, threads=threads)
            self._limits.enter_context(at_most(threads))
