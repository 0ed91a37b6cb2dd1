"""Files as sources of raw columns: delimited text, Parquet and Arrow.

A file is read if it can be read to its end and if memory can carry what is in it. polars ends some damaged files with a
panic of its Rust code, which is no Exception and writes to stderr itself.
"""

from __future__ import annotations

import io
import os
import select
import stat
import sys
import threading
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from arcwise.data.dataset import Kind
from arcwise.data.reading.arrow_sizes import unpacked_size
from arcwise.data.reading.delimited import TextTable, parse, text_column
from arcwise.data.reading.frames import open_frame
from arcwise.data.reading.parquet_sizes import table_size
from arcwise.data.reading.raw import Raw, Source, Words
from arcwise.errors import FileError
from arcwise.machine import check_fits, free_memory, in_words
from arcwise.nearest import nearest

if TYPE_CHECKING:
    import polars as pl

TEXT_SUFFIXES = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz")
PARQUET_SUFFIXES = (".parquet", ".pq")
ARROW_SUFFIXES = (".arrow", ".feather", ".ipc")
ABSURD = 2**48  # bytes that no table has; who says so is damaged
TIMES = 5  # a table takes this many times its text while it is read, at least: the text, its cells, its columns
PIECE = 2**22
HELD = 2**28
STDIN = "-"
PATIENCE = 2.0  # seconds within which somebody must begin to write into a pipe
_NO_FILES = (
    (stat.S_ISDIR, "a folder; name a file in it"),
    (stat.S_ISSOCK, "a socket, not a file; save the table in a file"),
    (stat.S_ISCHR, "a device, not a file; save the table in a file"),
    (stat.S_ISBLK, "a device, not a file; save the table in a file"),
)


def open_file(path: str | Path) -> Source:
    """The columns of a CSV, TSV or TXT file (also gzipped), a Parquet or an Arrow file, told by its suffix.

    "-" is a text table that comes through standard input.
    """
    if str(path) == STDIN:
        return _text_source(parse(_from_stdin(), "standard input"), STDIN)
    file = Path(path)
    check_exists(file)
    suffix = _suffix(file)
    content = load(file, packed=suffix.endswith(".gz"))
    if suffix not in TEXT_SUFFIXES:
        return replace(open_frame(_read_binary(content, file, suffix)), label=file.name, path=str(path))
    return _text_source(parse(content, file.name), str(path))


def _text_source(table: TextTable, path: str) -> Source:
    def column(position: int, wanted: Kind | None, words: Words) -> Raw:
        return text_column(table, position, wanted, words)

    return Source(table.names, len(table.cells), column, table.source, table.notes, table.delimiter, path)


def _from_stdin() -> bytes:
    """All that comes through standard input, as far as memory can carry it."""
    if sys.stdin is None or sys.stdin.closed:
        raise FileError("standard input is closed; name a file instead of -")
    if sys.stdin.isatty():
        raise FileError("nothing is sent to standard input; pipe a table into it, or name a file instead of -")
    free, pieces, size = free_memory(), [], 0
    try:
        while piece := sys.stdin.buffer.read(PIECE):
            pieces.append(piece)
            size += len(piece)
            if size * TIMES > free:
                raise FileError(f"standard input has more than {in_words(free // TIMES)}, too much for the free memory")
    except OSError as error:
        raise FileError(f"cannot read standard input: {error.strerror}; name a file instead of -") from None
    return b"".join(pieces)


def _suffix(file: Path) -> str:
    known = (*TEXT_SUFFIXES, *PARQUET_SUFFIXES, *ARROW_SUFFIXES)
    name = file.name.lower()
    for suffix in known:
        if name.endswith(suffix):
            return suffix
    raise FileError(f"cannot tell the format of {file} from its name; known are {', '.join(known)}")


def check_exists(file: Path) -> None:
    """Refuse what is not there, with what was probably meant, and what is neither a file nor a pipe."""
    try:
        check_kind(file)
    except FileNotFoundError:
        raise FileError(f"{file} does not exist; {_hint(file)}") from None
    except OSError as error:
        raise FileError(f"cannot read {file}: {error.strerror}; check the path") from None
    except ValueError:  # a NUL or half a character in it
        raise FileError(f"{str(file)!r} cannot be the name of a file; check the path") from None


def _hint(file: Path) -> str:
    """A table beside it whose name without the suffix is near."""
    suffixes = (*TEXT_SUFFIXES, *PARQUET_SUFFIXES, *ARROW_SUFFIXES)
    try:
        beside = {other.stem: other for other in file.parent.iterdir() if other.name.lower().endswith(suffixes)}
    except OSError:
        beside = {}
    near = nearest(file.stem, beside)
    return f"did you mean {beside[near[0]]}?" if near else "check the path"


def _read_binary(content: bytes, file: Path, suffix: str) -> pl.DataFrame:
    """Arrow files come in two layouts, file and stream; both are tried."""
    import polars as pl

    is_parquet = suffix in PARQUET_SUFFIXES
    size = table_size(content) if is_parquet else unpacked_size(content)
    layout = "a Parquet" if is_parquet else "an Arrow or Feather (version 2)"
    damage = FileError(f"{file} is not {layout} file, or is damaged; write it again")
    if size >= ABSURD:
        raise damage
    check_fits(size, f"the table in {file}")
    readers = (pl.read_parquet,) if is_parquet else (pl.read_ipc, pl.read_ipc_stream)
    for reader in readers:
        try:
            with silent_stderr():
                return reader(io.BytesIO(content))
        except (pl.exceptions.PolarsError, OSError, ValueError):  # the file has been read: it is its content that fails
            continue
        except BaseException as error:
            if not is_panic(error):
                raise
    raise damage


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


def pieces_of(file: Path, *, packed: bool) -> Iterator[bytes]:
    """The same bytes, some at a time."""
    try:
        check_kind(file)
        yield from _unpacked(_pieces(file)) if packed else _pieces(file)
    except (EOFError, zlib.error):
        raise FileError(f"{file} is not a whole gzip file; compress it again") from None
    except OSError as error:
        raise FileError(f"cannot read {file}: {error.strerror}; check the path and the permissions") from None


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


def is_panic(error: BaseException) -> bool:
    """Whether Rust code gave up; the class cannot be imported by its name everywhere."""
    return type(error).__name__ == "PanicException"


@contextmanager
def silent_stderr() -> Iterator[None]:
    """Nothing reaches the process's stderr meanwhile, unless other threads run whose words would be lost with it."""
    if threading.active_count() > 1:
        yield
        return
    try:
        kept = os.dup(2)
    except OSError:  # it is closed
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
