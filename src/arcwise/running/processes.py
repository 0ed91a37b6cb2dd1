"""Processes beside this one, each with a thread here that hands it pieces. One that dies is replaced.

They are started anew, not forked: a fork has none of the threads of the libraries that are in use (see `forking`), and
multiprocessing's ways would run a program's own file once more in each of them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from contextlib import suppress
from typing import Any

from arcwise.errors import OptionError
from arcwise.running.board import Board
from arcwise.running.piece import Outcome, Work
from arcwise.running.sending import sent

TRIES = 3  # how often a piece is begun whose process dies
READY = b"null\n"


class Crew:
    """So many processes with so many threads each, until `end`. limit: seconds after which a piece is given up."""

    def __init__(
        self, board: Board, function: Work, shared: Any, *, workers: int, threads: int, limit: float | None = None
    ) -> None:
        self._board, self._threads, self._limit = board, threads, limit
        self._lock, self._processes, self._over = threading.Lock(), list[subprocess.Popen[bytes]](), False
        self.refused: str | None = None  # why a process cannot take the work
        try:
            self._first = sent((function, shared))
        except Exception as error:
            self.refused = f"{type(error).__name__}: {error}"
            self._hands = []
            return
        self._hands = [threading.Thread(target=self._feed, daemon=True) for _ in range(workers)]
        for hand in self._hands:
            hand.start()

    def end(self) -> None:
        """Whatever they are at is lost."""
        with self._lock:
            self._over = True
            for process in self._processes:
                process.kill()
        for hand in self._hands:
            hand.join()

    def check(self) -> None:
        """OptionError where processes cannot take the work."""
        if self.refused is not None:
            raise OptionError(
                f"this cannot be worked on in another process ({self.refused}): define your own parts in a module that "
                "can be imported, or work with workers=1"
            )

    def _feed(self) -> None:
        board, process = self._board, self._start()
        while process is not None and (key := board.take()) is not None:
            outcome, ended = None, 0
            while outcome is None and process is not None:
                outcome = _asked(process, board.tasks[key], self._limit)
                if outcome is None or process.poll() is not None:
                    how, ended = _leave(process), ended + 1
                    if outcome is None and ended == TRIES:
                        words = f"its process ended {TRIES} times before the piece was finished ({how})"
                        outcome = Outcome(None, words, 0.0)
                    process = self._start()
            if outcome is None:
                board.give_back(key)
            else:
                board.finish(key, outcome)
        if process is not None:
            _leave(process)

    def _start(self) -> subprocess.Popen[bytes] | None:
        """One that is ready; None where all is over, or processes cannot take the work."""
        how = ""
        for _ in range(TRIES):
            with self._lock:
                if self._over:
                    return None
                process = _started(self._threads)
                self._processes.append(process)
            answer = _talk(process, self._first)
            if answer == READY:
                return process
            how = _leave(process)
            if answer:
                how = json.loads(answer)
                break
        if not self._over:
            self.refused = how
        return None


def _started(threads: int) -> subprocess.Popen[bytes]:
    there = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "ARCWISE_THREADS": str(threads)}
    return subprocess.Popen(
        [sys.executable or "python", "-c", "from arcwise.running.worker import main; main()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, **there, "ARCWISE_QUIET": "1"},
        start_new_session=True,  # a Ctrl-C is for the program, which ends this process
    )


def _asked(process: subprocess.Popen[bytes], task: Any, limit: float | None) -> Outcome | None:
    """The outcome of a piece; None where the process is gone. One that takes longer than the limit is ended."""
    late = threading.Event()

    def give_up() -> None:
        late.set()
        process.kill()

    timer = threading.Timer(limit or 0.0, give_up)
    timer.daemon = True
    if limit is not None:
        timer.start()
    answer = _talk(process, json.dumps(task).encode() + b"\n")
    timer.cancel()
    if answer.endswith(b"\n"):
        return Outcome(*json.loads(answer))
    if late.is_set():
        process.wait()
        return Outcome(None, f"it took longer than {limit:g} seconds", limit or 0.0)
    return None


def _talk(process: subprocess.Popen[bytes], words: bytes) -> bytes:
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(words)
        process.stdin.flush()
        return process.stdout.readline()
    except (OSError, ValueError):  # it is gone
        return b""


def _leave(process: subprocess.Popen[bytes]) -> str:
    """How it ended, or is ended now."""
    code = process.poll()
    process.kill()
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):  # of what was not yet written to one that is gone
            pipe.close()  # type: ignore[union-attr]
    process.wait()
    code = process.returncode if code is None else code
    return f"killed by signal {-code}" if code < 0 else f"exit code {code}"
