"""Checksums of a coded store, and when they are looked at.

Reading gigabytes whenever a store is opened would cost seconds, and reading none of them would let a damaged store give
a wrong answer in silence. So a store is verified whole when it is opened for the first time and whenever a file of it
was changed, copied or restored since: its size, time of change or number on the disk is then another than the one that
was written down after the last verification. What a disk loses without anybody writing shows by `--verify` only.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from arcwise.data.text_files import as_json, write_text
from arcwise.errors import ArcwiseError, FileError
from arcwise.machine import thread_count

if TYPE_CHECKING:
    from arcwise.data.rows.header import Header, Strip

VERIFIED = "verified.json"
PIECE = 1 << 22  # bytes that are read at a time
MOST_THREADS = 4  # a disk gives no more to more of them


def checksum(values: NDArray[Any], before: int = 0) -> int:
    """CRC-32 of the bytes; `before`: of those that stand in front of them."""
    return zlib.crc32(np.ascontiguousarray(values).view(np.uint8).data, before)


def is_verified(folder: Path) -> bool:
    """Whether every file is as it was at the last verification."""
    try:
        known = json.loads((folder / VERIFIED).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return False
    return bool(known == _stamps(folder))


def remember_verified(folder: Path) -> None:
    """Where the folder cannot be written, it is verified again each time."""
    with suppress(OSError, ArcwiseError):
        write_text(folder / VERIFIED, as_json(_stamps(folder)))


def _stamps(folder: Path) -> dict[str, list[int]]:
    files = sorted(file for file in folder.iterdir() if file.name != VERIFIED and not file.name.startswith("."))
    found = [(file.name, file.stat()) for file in files]
    return {name: [state.st_size, state.st_mtime_ns, state.st_ino] for name, state in found}


def verify(folder: Path, header: Header) -> None:
    """Read every cell; FileError for rows that are not what was written, by the name of their column."""
    strips = header.strips()
    workers = min(thread_count("ARCWISE_THREADS") or os.cpu_count() or 1, MOST_THREADS)
    with ThreadPoolExecutor(workers) as pool:
        for strip, sound in zip(strips, pool.map(lambda one: _is_sound(folder, header, one), strips), strict=True):
            if not sound:
                pool.shutdown(cancel_futures=True)
                raise damaged(folder, f"cells of {strip.column!r} are not what was written")


def damaged(folder: Path, what: str) -> FileError:
    return FileError(f"{folder} is damaged: {what}; code the table again, or restore a copy")


def _is_sound(folder: Path, header: Header, strip: Strip) -> bool:
    """Whether one column of one file has the checksums that were written down, and no code beyond its levels."""
    with (folder / strip.file).open("rb", buffering=0) as file:
        file.seek(strip.offset)
        for n_rows, written in zip(header.lengths(), strip.checksums, strict=True):
            found = 0
            for size in _sizes(n_rows * strip.dtype.itemsize):
                piece = file.read(size)
                found = zlib.crc32(piece, found)
                if len(piece) != size or not _in_range(np.frombuffer(piece, strip.dtype), strip.below):
                    return False
            if found != written:
                return False
    return True


def _sizes(n_bytes: int) -> Sequence[int]:
    whole, rest = divmod(n_bytes, PIECE)
    return [PIECE] * whole + ([rest] if rest else [])


def _in_range(values: NDArray[Any], below: int) -> bool:
    """Kernels do not check bounds, so a code that is no level must never reach them. below 0: any value may be."""
    return below == 0 or not len(values) or int(values.max()) < max(below, 1)
