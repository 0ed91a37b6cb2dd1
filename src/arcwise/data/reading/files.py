"""Files as sources of raw columns: delimited text, Parquet and Arrow."""

from __future__ import annotations

import io
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from arcwise.capacity import check_fits
from arcwise.data.dataset import Kind
from arcwise.data.reading.arrow_sizes import unpacked_size
from arcwise.data.reading.delimited import parse
from arcwise.data.reading.frames import open_frame
from arcwise.data.reading.loading import check_kind, load
from arcwise.data.reading.missing_words import Words
from arcwise.data.reading.panics import is_panic, silent_stderr
from arcwise.data.reading.parquet_sizes import table_size
from arcwise.data.reading.raw import Raw
from arcwise.data.reading.text_columns import text_column
from arcwise.data.source import Source
from arcwise.errors import FileError

if TYPE_CHECKING:
    import polars as pl

TEXT_SUFFIXES = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz")
PARQUET_SUFFIXES = (".parquet", ".pq")
ARROW_SUFFIXES = (".arrow", ".feather", ".ipc")

ABSURD = 2**48  # bytes that no table has; who says so is damaged


def open_file(path: str | Path) -> Source:
    """The columns of a CSV, TSV or TXT file (also gzipped), a Parquet or an Arrow file, told by its suffix."""
    file = Path(path)
    _check_exists(file)
    suffix = _suffix(file)
    content = load(file, packed=suffix.endswith(".gz"))
    if suffix not in TEXT_SUFFIXES:
        return replace(open_frame(_read_binary(content, file, suffix)), label=file.name)
    table = parse(content, file.name)

    def column(position: int, wanted: Kind | None, words: Words) -> Raw:
        return text_column(table, position, wanted, words)

    return Source(table.names, len(table.cells), column, file.name, table.notes)


def _suffix(file: Path) -> str:
    known = (*TEXT_SUFFIXES, *PARQUET_SUFFIXES, *ARROW_SUFFIXES)
    name = file.name.lower()
    for suffix in known:
        if name.endswith(suffix):
            return suffix
    raise FileError(f"cannot tell the format of {file} from its name; known are {', '.join(known)}")


def _check_exists(file: Path) -> None:
    try:
        check_kind(file)
    except FileNotFoundError:
        raise FileError(f"{file} does not exist; {_hint(file)}") from None
    except OSError as error:
        raise FileError(f"cannot read {file}: {error.strerror}; check the path") from None
    except ValueError:  # a NUL or half a character in it
        raise FileError(f"{str(file)!r} cannot be the name of a file; check the path") from None


def _hint(file: Path) -> str:
    try:
        near = get_close_matches(file.name, [other.name for other in file.parent.iterdir()], n=1)
    except OSError:
        near = []
    return f"did you mean {file.parent / near[0]}?" if near else "check the path"


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
