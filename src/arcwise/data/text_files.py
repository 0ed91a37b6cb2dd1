"""Files read as UTF-8 text and written whole or not at all; gzipped when the name ends in .gz."""

from __future__ import annotations

import gzip
import os
import zlib
from contextlib import suppress
from pathlib import Path

from arcwise.errors import FileError


def read_text(path: str | Path) -> str:
    """The file's UTF-8 text; a byte order mark is dropped."""
    try:
        content = Path(path).read_bytes()
        if Path(path).suffix == ".gz":
            content = gzip.decompress(content)
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(f"{path} is not UTF-8 text (byte {error.start}); save it as UTF-8") from None
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FileError(f"cannot read {path}: {reason}; check the path and the file") from None


def write_text(path: str | Path, text: str) -> None:
    """Write UTF-8 text, in one piece or not at all."""
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise FileError(f"cannot write {path}: {error.object[error.start]!r} is no character; rename it") from None
    write_whole(path, gzip.compress(content, mtime=0) if Path(path).suffix == ".gz" else content)  # no time stamp


def write_whole(path: str | Path, content: bytes) -> None:
    """Write to a temporary neighbour, then rename, so that nothing half-written can be left behind."""
    target = Path(path)
    draft = target.with_name(f".arcwise-{os.urandom(8).hex()}.tmp")
    try:
        draft.write_bytes(content)
        draft.replace(target)
    except OSError as error:
        reason = error.strerror or error
        raise FileError(f"cannot write {path}: {reason}; choose a folder that can be written") from None
    finally:
        with suppress(OSError):
            draft.unlink()
