"""Tables that are more than one file: a coded store, or a folder or pattern of files.

Files that fit into memory are read as one table; others are coded into a store that lasts as long as the program.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from arcwise.data.dataset import Dataset, Kind
from arcwise.data.reading.delimited import TextTable, text_column
from arcwise.data.reading.files import TIMES
from arcwise.data.reading.frames import from_series
from arcwise.data.reading.raw import Raw, Source, Words, as_source
from arcwise.data.rows.batches import MARK, Batch, Reader, schemas_of, unpacked
from arcwise.data.rows.mapped import is_mapped
from arcwise.data.rows.parts import Format, Parts, common_schema, find_parts, names_parts
from arcwise.data.rows.progress import who_watches
from arcwise.data.rows.settling import plain_types
from arcwise.data.rows.store import is_store, open_store
from arcwise.errors import DataError, FileError
from arcwise.machine import check_fits, free_memory, in_words
from arcwise.printing import in_shell

if TYPE_CHECKING:
    import polars as pl

    from arcwise.data.reading.door import Reading

COMFORT = 2  # times the memory that a table takes should be free, for it to be read whole
PACKED = 6  # times its size text has when it is unpacked, roughly
CELL = 24  # bytes of a cell while it is read anew


def stored(data: Any) -> Any:
    """The table of a coded store where a path leads to one; anything else as it is."""
    return open_store(data) if isinstance(data, str | Path) and is_store(data) else data


def open_many(path: str | Path) -> Source | None:
    """The columns of a store, or of files that are one table; None where the path is that of one file."""
    if is_store(path):
        data = open_store(path)
        check_small(data, f"reading {path} anew")
        return replace(as_source(data), label=Path(path).name, path=str(path))
    if not names_parts(path):
        return None
    parts = find_parts(path)
    check_fits(_memory(parts), f"the table in {path}", f"code it once with {_advice(parts)}, and take the store")
    return _whole(parts)


def check_small(data: Dataset, what: str) -> None:
    """Refuse to hold a store in memory that is too large for it."""
    if is_mapped(data):
        check_fits(
            CELL * data.n_stored * data.n_columns, what, "give these options to 'arcwise code', and code it again"
        )


def coded_if_large(path: str | Path, reading: Reading) -> Dataset | None:
    """Files that are too many for the memory, in a store of this program; None where they fit."""
    if is_store(path) or not names_parts(path):
        return None
    parts = find_parts(path)
    needed, free = _memory(parts), free_memory()
    if COMFORT * needed <= free:
        return None
    from arcwise.data.rows.coding import code_parts

    folder = tempfile.mkdtemp(prefix="arcwise-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    if parts.size > shutil.disk_usage(folder).free:
        raise FileError(
            f"the table in {path} would take about {in_words(needed)} of memory, of which {in_words(free)} are free, "
            f"and there is no room for it in {tempfile.gettempdir()!r}; code it with {_advice(parts)} on a larger disk"
        )
    data = code_parts(parts, Path(folder) / "table.arcwise", reading, who_watches())
    told = (
        f"{path} would take about {in_words(needed)} of memory, so it was coded into a store for this run only; code "
        f"it once with {_advice(parts)}, and learn from the store"
    )
    return replace(data, warnings=(told, *data.warnings))


def reread_store(data: Dataset, reading: Reading) -> None:
    """Refuse options that would read a large store anew; leaving columns out reads nothing."""
    said = [
        name for name, value in reading.items() if name not in ("drop", "missing") and value not in (None, (), [], {})
    ]
    if reading.get("missing", "learn") != "learn" and not data.is_complete:
        said.append("missing")
    if not said or not is_mapped(data):
        return
    try:
        check_small(data, "reading the store anew")
    except FileError as error:
        raise DataError(f"the option {said[0]} would read the store anew: {error}") from None


def _advice(parts: Parts) -> str:
    return f"'arcwise code {in_shell(parts.given)} --out table.arcwise'"


def _memory(parts: Parts) -> int:
    """Bytes that the table takes while it is read whole, roughly."""
    if parts.format is Format.TEXT:
        return sum(part.size * TIMES * (PACKED if part.path.lower().endswith(".gz") else 1) for part in parts.files)
    return sum(max(unpacked(part, parts.format), part.size) for part in parts.files)


def _whole(parts: Parts) -> Source:
    """All files as one table in memory."""
    schemas, delimiter = schemas_of(parts.files, parts.format)
    reader = Reader(parts.format, plain_types(common_schema(parts, schemas)), delimiter)
    batches = [batch for part in parts.files for batch in reader.batches(part)]
    n_rows, names = sum(batch.n_rows for batch in batches), tuple(reader.schema)
    notes = tuple(dict.fromkeys(note for batch in batches for note in batch.notes))

    def column(position: int, wanted: Kind | None, words: Words) -> Raw:
        cells = _joined(names[position], reader, batches)
        return _text(cells, delimiter, wanted, words) if parts.format is Format.TEXT else _typed(cells)

    return Source(names, n_rows, column, parts.given, notes, delimiter, parts.given)


def _joined(name: str, reader: Reader, batches: list[Batch]) -> pl.Series:
    import polars as pl

    return pl.concat([pl.Series(name, [], dtype=reader.schema[name]), *(batch.column(name) for batch in batches)])


def _typed(cells: pl.Series) -> Raw:
    import narwhals as nw

    return from_series(cells.name, nw.from_native(cells, series_only=True))


def _text(cells: pl.Series, delimiter: str, wanted: Kind | None, words: Words) -> Raw:
    marked = bool(cells.str.starts_with(MARK).any())
    table = TextTable(
        cells.name, delimiter, (cells.name,), cells.to_frame(), MARK if marked else "", rows=np.arange(len(cells))
    )
    return text_column(table, 0, wanted, words)
