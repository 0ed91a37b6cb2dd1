"""The bytes of a file, if it can be read to its end and if memory can carry what is in it."""

from __future__ import annotations

import io
import os
import select
import stat
import time
import zlib
from collections.abc import Iterator
from math import inf
from pathlib import Path

from arcwise.capacity import free_memory, in_words
from arcwise.errors import FileError

TIMES = 5  # a table takes this many times its text while it is read, at least: the text, its cells, its columns
PIECE = 2**22
HELD = 2**28
PATIENCE = 2.0  # seconds within which somebody must begin to write into a pipe
_NO_FILES = (
    (stat.S_ISDIR, "a folder; name a file in it"),
    (stat.S_ISSOCK, "a socket, not a file; save the table in a file"),
    (stat.S_ISCHR, "a device, not a file; save the table in a file"),
    (stat.S_ISBLK, "a device, not a file; save the table in a file"),
)


def check_kind(file: Path) -> None:
    """Refuse what is neither a file nor a pipe; OSError or ValueError if it does not exist or cannot have this name."""
    mode = file.stat().st_mode
    for is_kind, words in _NO_FILES:
        if is_kind(mode):
            raise FileError(f"{file} is {words}")


def load(file: Path, *, packed: bool, remedy: str = "keep fewer rows or columns") -> bytes:
    """All bytes of a file, unpacked if they are `packed` with gzip; never more of them than memory can carry."""
    try:
        check_kind(file)
        # What is unpacked is kept up to a size that does no harm; beyond it, it is counted first and kept thereafter.
        return _joined(file, packed, HELD if packed and file.is_file() else inf, remedy)
    except (EOFError, zlib.error):
        raise FileError(f"{file} is not a whole gzip file; compress it again") from None
    except MemoryError:
        raise FileError(f"{file} does not fit into memory; {remedy}") from None
    except (OSError, ValueError) as error:  # the latter for names that no file can have
        reason = getattr(error, "strerror", None) or str(error)
        raise FileError(f"cannot read {file}: {reason}; check the path and the permissions") from None


def _joined(file: Path, packed: bool, held: float, remedy: str) -> bytes:
    """held: bytes up to which they are kept while it is not known how many there are."""
    free, size, kept = free_memory(), 0, io.BytesIO()
    for piece in _unpacked(_pieces(file)) if packed else _pieces(file):
        size += len(piece)
        if size * TIMES > free:
            verb = "unpacks to" if packed else "has"
            raise FileError(
                f"{file} {verb} more than {in_words(free // TIMES)}, and reading takes {TIMES} times as much or more, "
                f"but only {in_words(free)} of memory are free; {remedy}"
            )
        if size <= held:
            kept.write(piece)
    if kept.tell() == size:
        return kept.getvalue()
    kept.close()
    return _joined(file, packed, inf, remedy)


def _pieces(file: Path) -> Iterator[bytes]:
    """What is in a file or comes through a pipe, in pieces. Opening never waits, as it would for a pipe's other end."""
    no_waiting = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with open(os.open(file, os.O_RDONLY | no_waiting), "rb", buffering=0) as stream:
        if stat.S_ISFIFO(os.fstat(stream.fileno()).st_mode):
            yield from _from_pipe(stream, file)
            return
        while piece := stream.read(PIECE):
            yield piece


def _from_pipe(stream: io.FileIO, file: Path) -> Iterator[bytes]:
    """As long as somebody writes; an error if nobody begins to."""
    begun, deadline = False, time.monotonic() + PATIENCE
    while True:
        piece = stream.read(PIECE)
        if piece is None:  # somebody has the pipe open but has written nothing new yet
            begun = True
            select.select([stream], [], [])
        elif piece:
            begun = True
            yield piece
        elif begun:
            return
        elif time.monotonic() > deadline:
            raise FileError(f"{file} is a pipe into which nobody writes; start what writes the table, or name a file")
        else:
            time.sleep(0.01)


def _unpacked(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The content of one gzip file after the other, as they may be joined, with padding of zeros."""
    member = zlib.decompressobj(wbits=31)
    for piece in pieces:
        rest = piece
        while rest:
            if member.eof:
                rest = rest.lstrip(b"\x00")
                member = zlib.decompressobj(wbits=31) if rest else member
                continue
            content = member.decompress(rest, PIECE)
            while content:
                yield content
                content = b"" if member.eof else member.decompress(member.unconsumed_tail, PIECE)
            rest = member.unused_data
    if not member.eof:
        raise EOFError
