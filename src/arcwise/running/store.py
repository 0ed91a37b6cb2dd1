"""Finished pieces in a file, a line each, so that a run that was ended, however, goes on where it was.

The first line says what is run. A line is on the disk before its piece counts as finished; what a kill or a power cut
left of a last line is cut off. A file of another run is refused, and so is one that another program writes to.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, TypedDict

from arcwise.checking import checked, misfit, shown
from arcwise.data.text_files import as_json, parse_json, settle_target
from arcwise.errors import ArcwiseError, FileError
from arcwise.running.piece import Outcome

FORMAT = "arcwise-run-1"


class _Header(TypedDict):
    format: str
    what: dict[str, Any]


class _Line(TypedDict):
    """result: None where the piece failed, failure: None where it did not."""

    key: str
    seconds: float
    result: Any
    failure: str | None


@checked
@dataclass(frozen=True)
class Store:
    """A file of JSON lines. what: all that the results depend on, plain; a file with anything else in it is refused."""

    path: str | Path
    what: Mapping[str, Any]

    @contextmanager
    def opened(self) -> Iterator[OpenStore]:
        """The store, for this program alone."""
        target, before = settle_target(self.path)
        try:
            file = target.open("r+b" if before is not None else "x+b", buffering=0)
        except OSError as error:
            raise FileError(
                f"cannot write {self.path}: {error.strerror}; choose a folder that can be written"
            ) from None
        with file:
            _take_alone(file, self.path)
            yield OpenStore(self, file)


class OpenStore:
    """`outcomes`: by their keys, those that were there. Failed pieces are there, too; they may be tried again."""

    def __init__(self, store: Store, file: BinaryIO) -> None:
        self._path, self._file = store.path, file
        what = json.loads(as_json(dict(store.what)))
        content = file.read()
        whole = content.rfind(b"\n") + 1
        first, *lines = content[:whole].split(b"\n")[:-1] or [b""]
        self.outcomes: dict[str, Outcome] = {}
        if not first:
            if content and not b'{"format": "arcwise-run-'.startswith(content[:24]):
                raise FileError(f"{self._path} is no run of arcwise; choose another name for the store")
            self._cut(0)
            self._append({"format": FORMAT, "what": what})
            return
        _check_header(self._path, _parsed(self._path, first, 1, _Header), what)
        self.outcomes = _outcomes(self._path, lines)
        self._cut(whole)

    def add(self, key: str, outcome: Outcome) -> None:
        """On the disk when this returns."""
        result = None if outcome.result is None else json.loads(outcome.result)
        self._append({"key": key, "seconds": outcome.seconds, "failure": outcome.failure, "result": result})

    def _append(self, content: dict[str, Any]) -> None:
        try:
            left = memoryview(f"{as_json(content)}\n".encode())
            while left:
                left = left[self._file.write(left) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            raise FileError(f"cannot write {self._path}: {error.strerror}; make room and go on") from None

    def _cut(self, size: int) -> None:
        self._file.truncate(size)
        self._file.seek(size)


def read_outcomes(path: str | Path, what: Mapping[str, Any]) -> dict[str, Outcome]:
    """What a store holds now, also while a program writes to it. what: some of what must be said in its first line."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror}; give a file that a run has written") from None
    first, *lines = content[: content.rfind(b"\n") + 1].split(b"\n")[:-1] or [b""]
    header = _parsed(path, first, 1, _Header)
    _check_header(path, {**header, "what": {name: header["what"].get(name) for name in what}}, dict(what))
    return _outcomes(path, lines)


def _outcomes(path: str | Path, lines: list[bytes]) -> dict[str, Outcome]:
    """By their keys; the last of several of one piece counts."""
    outcomes = {}
    for number, line in enumerate(lines, 2):
        found = _parsed(path, line, number, _Line)
        result = None if found["failure"] is not None else as_json(found["result"])
        outcomes[found["key"]] = Outcome(result, found["failure"], found["seconds"])
    return outcomes


def _parsed(path: str | Path, line: bytes, number: int, schema: Any) -> Any:
    try:
        content = parse_json(line.decode())
        wrong = misfit(content, schema)
    except (ArcwiseError, UnicodeDecodeError) as error:
        wrong = str(error)
    if wrong is not None:
        raise FileError(f"{path}, line {number}, is no line of a run of arcwise ({wrong}); choose another name")
    return content


def _check_header(path: str | Path, header: Mapping[str, Any], what: dict[str, Any]) -> None:
    if header["format"] != FORMAT:
        raise FileError(f"{path}: its format is {shown(header['format'])}, not {FORMAT!r}; choose another name")
    if header["what"] == what:
        return
    there = header["what"]
    name = next(name for name in {**what, **there} if name not in there or there[name] != what.get(name, ...))
    raise FileError(f"{path} holds another run, with {_difference(name, there, what)}; choose another name")


def _difference(name: str, there: Mapping[str, Any], here: Mapping[str, Any]) -> str:
    """ "seed 1 instead of 2", or "another method" where that could not be shown in a few words."""
    plain = all(isinstance(one.get(name), str | int | float | None) for one in (there, here))
    return f"{name} {shown(there.get(name))} instead of {shown(here.get(name))}" if plain else f"another {name}"


def _take_alone(file: BinaryIO, path: str | Path) -> None:
    """Until the file is closed, also by the end of this program, however it ends."""
    with suppress(ImportError):  # Windows
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FileError(f"another program writes to {path} now; wait for it, or choose another name") from None
        except OSError:  # a file system without locks
            return
