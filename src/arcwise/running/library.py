"""The shelves of a cluster, seen from the client: asking them, and finding them again when a worker is lost.

Shelves are tasks whose results the cluster keeps. When a worker ends, the scheduler has its shelves made again on
others, from the files, the rows that were sent or the partitions that they were made of; the question is repeated.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any

from arcwise.errors import ArcwiseError, ClusterError
from arcwise.printing import counted
from arcwise.running.asking import Holder, Reply, answer
from arcwise.running.shelves import Request

PATIENCE = 60.0  # seconds in which nobody works on shelves that are lacking, or answers
LOOK = 0.1  # seconds between two looks at whether it has
KEPT_BYTES = 1 << 28  # of answers, so that what was found is not lost with the cluster


@dataclass
class Traffic:
    """What went to and fro so far: questions, those that had to be repeated, and bytes at the client."""

    questions: int = 0
    repeated: int = 0
    bytes_out: int = 0
    bytes_in: int = 0


class Stopped(ClusterError):
    """Nobody wants to wait for the answer any longer."""


class Library:
    """shelves: futures of all shelves of a table."""

    def __init__(self, client: Any, shelves: Sequence[Any]) -> None:
        self._client, self._shelves = client, list(shelves)
        self._holders: list[Holder] = []
        self._answers: dict[bytes, bytes] = {}
        self._room = KEPT_BYTES
        self._lock = Lock()
        self.traffic = Traffic()
        self.lost: ClusterError | None = None  # why nothing more can be asked

    def ask(self, request: Request, stop: Callable[[], bool] = lambda: False) -> Any:
        """stop: asked while the answer is waited for. Where it says yes nothing more can be asked."""
        content = pickle.dumps(request, protocol=pickle.HIGHEST_PROTOCOL)
        key = sha256(content).digest()
        with self._lock:
            known = self._answers.get(key)
            if known is None:
                if self.lost is not None:
                    raise self.lost
                known = self._asked(content, stop)
                self._keep(key, known)
        return pickle.loads(known)

    def forget(self) -> None:
        """The workers need not keep the shelves any longer."""
        for shelf in self._shelves:
            try:
                shelf.release()
            except Exception:  # there is nobody any more who could be told
                break
        self._shelves, self._answers = [], {}

    def _keep(self, key: bytes, found: bytes) -> None:
        """An answer that is asked for again, as when the way to it is gone again after the cluster was lost."""
        self._room -= len(found)
        if self._room >= 0:
            self._answers[key] = found

    def _asked(self, content: bytes, stop: Callable[[], bool]) -> bytes:
        failing = None  # since when every try has failed at once
        while True:
            if not self._holders:
                self._holders = self._find(stop)
            began = time.monotonic()
            reply = self._once(content, stop)
            if reply.answer is not None:
                return reply.answer
            if reply.error is not None:
                raise reply.error
            self.traffic.repeated += 1
            self._holders, now = [], time.monotonic()
            failing = now if failing is None or now - began > PATIENCE else failing
            if now - failing > PATIENCE:
                raise self._is_lost(f"worker {reply.lost} does not answer")
            time.sleep(LOOK)

    def _once(self, content: bytes, stop: Callable[[], bool]) -> Reply:
        root = self._holders[0].address
        self.traffic.questions += 1
        self.traffic.bytes_out += len(content)
        try:
            found = self._run(root, content, stop)
        except ArcwiseError:
            raise
        except Exception as error:  # of many kinds, as connections end in many ways
            if self._client.status == "running" and isinstance(error, KeyError):
                return Reply(lost=f"{root} (it has left)")
            raise self._is_lost(_why(error)) from None
        if isinstance(found, OSError | TimeoutError):
            return Reply(lost=f"{root} ({type(found).__name__}: {found})")
        if isinstance(found, Exception):
            raise ClusterError(f"worker {root} failed: {type(found).__name__}: {found}; {SAME_ARCWISE}")
        reply: Reply = found
        self.traffic.bytes_in += len(reply.answer or b"")
        return reply

    def _run(self, root: str, content: bytes, stop: Callable[[], bool]) -> Any:
        """What the worker says. Given up when the scheduler is gone, for whose return Dask would wait."""
        done: SimpleQueue[tuple[Any, Exception | None]] = SimpleQueue()
        holders = self._holders

        def run() -> None:
            try:
                done.put((self._client.run(answer, holders, content, workers=[root], on_error="return")[root], None))
            except Exception as error:
                done.put((None, error))

        Thread(target=run, daemon=True).start()
        while True:
            try:
                found, error = done.get(timeout=LOOK)
            except Empty:
                self._check(stop)
                continue
            if error is not None:
                raise error
            return found

    def _find(self, stop: Callable[[], bool]) -> list[Holder]:
        """Where the shelves are, once all are somewhere. However long that takes, if only somebody is at work."""
        since = time.monotonic()
        while True:
            try:
                for shelf in self._shelves:
                    if shelf.status == "error":
                        raise _explained(shelf.exception())
                where = self._client.who_has(self._shelves)
                works = any(self._client.processing().values())
            except ArcwiseError:
                raise
            except Exception as error:
                raise self._is_lost(_why(error)) from None
            held: dict[str, list[str]] = {}
            for shelf in self._shelves:
                for address in where.get(shelf.key, ())[:1]:
                    held.setdefault(address, []).append(shelf.key)
            if sum(map(len, held.values())) == len(self._shelves):
                return [Holder(address, tuple(keys)) for address, keys in held.items()]
            self._check(stop)
            since = time.monotonic() if works else since
            if time.monotonic() - since > PATIENCE:
                raise self._is_lost(f"no worker has loaded the table for {PATIENCE:.0f} seconds")
            time.sleep(LOOK)

    def _check(self, stop: Callable[[], bool]) -> None:
        """Now and then while something is waited for."""
        if self._client.status != "running":
            raise self._is_lost(GONE)
        if stop():
            self.lost = Stopped("stopped while the workers were counting")
            raise self.lost

    def _is_lost(self, why: str) -> ClusterError:
        self.lost = ClusterError(f"the cluster is lost: {why}")
        return self.lost


SAME_ARCWISE = "its workers need the same arcwise as here"
PACKAGE = "arcwise"
GONE = "its scheduler does not answer any more"


def check_workers(client: Any) -> list[str]:
    """The addresses of the workers, all of which must have the arcwise that is used here."""
    found = client.run(version, PACKAGE, on_error="return")
    if not found:
        raise ClusterError("the cluster has no workers; start some, as with 'dask worker' and the scheduler's address")
    own = own_version()
    lacking = [address for address, one in found.items() if not isinstance(one, str)]
    if lacking:
        raise ClusterError(f"{_some(lacking, len(found))} no arcwise; install arcwise {own} there")
    for address, one in found.items():
        if one != own:
            raise ClusterError(f"worker {address} has arcwise {one}, but this is {own}; install {own} there")
    return sorted(found)


def own_version() -> str:
    return version("arcwise")


def _some(addresses: Sequence[str], n: int) -> str:
    first = f"worker {addresses[0]}"
    if len(addresses) == 1:
        return f"{first} has"
    return f"{first} and {counted(len(addresses) - 1, 'other')} of {n} have"


def _why(error: Exception) -> str:
    """Connections end in many ways, whose names say nothing to most people."""
    return GONE if isinstance(error, OSError) else f"{type(error).__name__}: {error}"


def _explained(error: BaseException | None) -> ArcwiseError:
    if isinstance(error, ArcwiseError):
        return error
    return ClusterError(f"the cluster cannot load the table ({type(error).__name__}: {error}); {SAME_ARCWISE}")
