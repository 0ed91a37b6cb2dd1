"""Files as sources of raw columns: delimited text, Parquet and Arrow."""

from __future__ import annotations

import gzip
import io
import zlib
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from arcwise.data.delimited import parse
from arcwise.data.frames import open_frame
from arcwise.data.source import Source
from arcwise.errors import FileError

if TYPE_CHECKING:
    import polars as pl

TEXT_SUFFIXES = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz")
PARQUET_SUFFIXES = (".parquet", ".pq")
ARROW_SUFFIXES = (".arrow", ".feather", ".ipc")


def open_file(path: str | Path) -> Source:
    """The columns of a CSV, TSV or TXT file (also gzipped), a Parquet or an Arrow file, told by its suffix."""
    file = Path(path)
    _check_exists(file)
    suffix = _suffix(file)
    if suffix not in TEXT_SUFFIXES:
        return replace(open_frame(_read_binary(file, suffix)), label=file.name)
    table = parse(_read_bytes(file, suffix), file.name)
    return Source(table.names, len(table.cells), table.column, file.name)


def _suffix(file: Path) -> str:
    known = (*TEXT_SUFFIXES, *PARQUET_SUFFIXES, *ARROW_SUFFIXES)
    name = file.name.lower()
    for suffix in known:
        if name.endswith(suffix):
            return suffix
    raise FileError(f"cannot tell the format of {file} from its name; known are {', '.join(known)}")


def _check_exists(file: Path) -> None:
    if file.is_dir():
        raise FileError(f"{file} is a folder; name a file in it")
    if file.exists():
        return
    folder = file.parent
    neighbours = [other.name for other in folder.iterdir()] if folder.is_dir() else []
    near = get_close_matches(file.name, neighbours, n=1)
    hint = f"did you mean {folder / near[0]}?" if near else "check the path"
    raise FileError(f"{file} does not exist; {hint}")


def _read_bytes(file: Path, suffix: str) -> bytes:
    try:
        content = file.read_bytes()
        return gzip.decompress(content) if suffix.endswith(".gz") else content
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise FileError(f"{file} is not a whole gzip file; compress it again") from None
    except OSError as error:
        raise FileError(f"cannot read {file}: {error.strerror}; check its permissions") from None


def _read_binary(file: Path, suffix: str) -> pl.DataFrame:
    """Arrow files come in two layouts, file and stream; both are tried."""
    import polars as pl

    damage = (pl.exceptions.PolarsError, OSError)  # the file itself has been read: what fails now is its content
    content = _read_bytes(file, suffix)
    readers = (pl.read_parquet,) if suffix in PARQUET_SUFFIXES else (pl.read_ipc, pl.read_ipc_stream)
    for reader in readers:
        try:
            return reader(io.BytesIO(content))
        except damage:
            continue
    layout = "a Parquet" if suffix in PARQUET_SUFFIXES else "an Arrow or Feather (version 2)"
    raise FileError(f"{file} is not {layout} file, or is damaged; write it again")
