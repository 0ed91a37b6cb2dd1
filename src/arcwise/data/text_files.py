"""Files read as UTF-8 text or JSON and written whole or not at all; gzipped when the name ends in .gz.

JSON is read as it was meant: each name once in an object, and numbers that are numbers.
"""

from __future__ import annotations

import errno
import gzip
import json
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from arcwise.checking import misfit, shown
from arcwise.data.reading.files import load
from arcwise.errors import ArcwiseError, FileError
from arcwise.printing import LEFT_BY_JSON

Content = TypeVar("Content")


def read_text(path: str | Path) -> str:
    """The file's UTF-8 text; a byte order mark is dropped."""
    file = Path(path)
    try:
        return load(file, packed=file.suffix == ".gz", remedy="give a smaller file").decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(f"{path} is not UTF-8 text (byte {error.start}); save it as UTF-8") from None


def as_json(content: Any, indent: int | None = None) -> str:
    """JSON in which names are readable, but every character that commands a terminal or hides is an escape of JSON.

    So any name can be held and read back, also half a character (a lone surrogate), which UTF-8 has no bytes for.
    """
    text = json.dumps(content, indent=indent, ensure_ascii=False, allow_nan=False)
    return LEFT_BY_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", text)  # all of them stand inside strings


def write_text(path: str | Path, text: str) -> None:
    """Write UTF-8 text, in one piece or not at all."""
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise FileError(f"cannot write {path}: {error.object[error.start]!r} is no character; rename it") from None
    write_whole(path, gzip.compress(content, mtime=0) if Path(path).suffix == ".gz" else content)  # no time stamp


def write_whole(path: str | Path, content: bytes) -> None:
    """Write to a temporary neighbour, then rename, so that nothing half-written can be left behind.

    A file that is replaced keeps its mode and owner. A link stays a link: what it points at is replaced. The content
    is on the disk before the file has its name, so that a power cut leaves the old file or the new one.
    """
    target, before = settle_target(path)
    draft = target.with_name(f".arcwise-{os.urandom(8).hex()}.tmp")
    try:
        _write_draft(draft, content, before)
        draft.replace(target)
    except (OSError, ValueError) as error:
        raise FileError(
            f"cannot write {path}: {_reason(error)}; choose a folder that can be written and has room"
        ) from None
    finally:  # also when a signal ends the run
        with suppress(OSError, ValueError):
            draft.unlink()
    _keep_name(target.parent, path)


def settle_target(path: str | Path) -> tuple[Path, os.stat_result | None]:
    """The file behind all links that is to be written, and what is known of it if it exists.

    FileError for one that may not be replaced.
    """
    try:
        target = Path(os.path.realpath(path))
        before = target.stat()
    except FileNotFoundError:
        return target, None
    except (OSError, ValueError) as error:
        raise FileError(f"cannot write {path}: {_reason(error)}; choose another name") from None
    if stat.S_ISDIR(before.st_mode):
        raise FileError(f"cannot write {path}: it is a folder; name a file in it")
    if not stat.S_ISREG(before.st_mode):
        raise FileError(f"cannot write {path}: it is a device or a pipe; name a file")
    # Root may write everything; a file that nobody may write is meant to stay as it is for root, too.
    if not before.st_mode & 0o222 or not os.access(target, os.W_OK):
        raise FileError(f"cannot write {path}: the file is read-only; choose another name or make it writable")
    return target, before


def _write_draft(draft: Path, content: bytes, before: os.stat_result | None) -> None:
    """The content on the disk, under a name of its own, readable for those who could read the file before."""
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if before is None else 0o600)
    with os.fdopen(handle, "wb") as file:
        if before is not None:
            if hasattr(os, "fchown"):
                with suppress(OSError):  # only root can give files away
                    os.fchown(handle, before.st_uid, before.st_gid)
            os.chmod(draft, stat.S_IMODE(before.st_mode))
        file.write(content)
        file.flush()
        os.fsync(handle)


def _keep_name(folder: Path, path: str | Path) -> None:
    """The rename on the disk as well, where folders can be synchronised."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:  # Windows opens no folders
        return
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EBADF, errno.EACCES):
            raise FileError(f"{path} is written, but the disk may lose it: {_reason(error)}; write it again") from None
    finally:
        os.close(handle)


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def load_json(path: str | Path, what: str, build: Callable[[Any], Content]) -> Content:
    """What `build` makes of a JSON file; an error names the file, and the line or the entry."""
    text = read_text(path)
    try:
        return build(parse_json(text))
    except ArcwiseError as error:
        raise FileError(f"{path} is no {what}: {error}") from None


def parse_json(text: str) -> Any:
    """The content of JSON text; FileError for what is no JSON, or could mean two things."""
    return parsed(lambda: json.loads(text, object_pairs_hook=_distinct, parse_constant=_refuse))


def parsed(read: Callable[[], Any]) -> Any:
    """What a parser of the standard library gives, its errors in one sentence each."""
    try:
        return read()
    except json.JSONDecodeError as error:
        raise FileError(f"line {error.lineno}: not JSON ({error.msg})") from None
    except RecursionError:
        raise FileError("lists or objects stand in each other too deep to be read") from None
    except ValueError as error:
        words = "a number has too many digits" if "integer string conversion" in str(error) else str(error)
        raise FileError(words) from None


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise ValueError(f"the entry {shown(twice)} is given twice")
    return found


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no number of JSON")


def check_content(content: Any, schema: Any, error: type[ArcwiseError]) -> None:
    """Refuse content of another shape than the TypedDict `schema`; the error names the entry."""
    wrong = misfit(content, schema)
    if wrong is not None:
        raise error(wrong)
