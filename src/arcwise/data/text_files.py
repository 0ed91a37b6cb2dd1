"""Text files, gzipped when the name ends in .gz, written whole or not at all."""

from __future__ import annotations

import gzip
import os
import zlib
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
    """Write to a temporary neighbour, then rename, so that no half-written file can be left behind."""
    target = Path(path)
    draft = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        content = text.encode("utf-8")
        if target.suffix == ".gz":
            content = gzip.compress(content, mtime=0)  # no time stamp: same text, same bytes
        draft.write_bytes(content)
        draft.replace(target)
    except UnicodeEncodeError as error:
        raise FileError(f"cannot write {path}: {error.object[error.start]!r} is no character; rename it") from None
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror}; choose a folder that can be written") from None
    finally:
        draft.unlink(missing_ok=True)
