"""The rows of a file in batches of bounded size: of Parquet and Arrow one column at a time, of text some lines at once.

Whatever format the file has, a batch hands over a column as a series of polars, of the type that the whole table has.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from arcwise.data.reading.arrow_sizes import unpacked_size
from arcwise.data.reading.delimited import DELIMITERS, MARKS, TextTable, parse
from arcwise.data.reading.files import ABSURD, is_panic, pieces_of, silent_stderr
from arcwise.data.reading.parquet_sizes import table_size
from arcwise.data.rows.parts import Format, Part, Schema
from arcwise.data.validate import check_names
from arcwise.errors import FileError
from arcwise.machine import check_fits

if TYPE_CHECKING:
    import polars as pl

ROWS = 1 << 21  # of Parquet and Arrow, at a time: one column of them takes some ten megabytes
TEXT_BYTES = 1 << 26  # of text, at a time
MARK = MARKS[0]  # before a cell that stood in quotes though its text would mean "no value" without them
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows that follow each other. column: reads one column of them. share: of the bytes of the file that they are in.

    notes: what is doubtful about the text.
    """

    n_rows: int
    column: Callable[[str], pl.Series]
    share: float = 1.0
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reader:
    """How the parts of one table are read. delimiter: between the cells of text; schema: the type of each column."""

    format: Format
    schema: Mapping[str, Any] = field(default_factory=dict)
    delimiter: str = ""

    def batches(self, part: Part) -> Iterator[Batch]:
        """All rows of a file, in their order."""
        if self.format is Format.TEXT:
            return _text_batches(part, self.delimiter, tuple(self.schema))
        return self._binary_batches(part)

    def _binary_batches(self, part: Part) -> Iterator[Batch]:
        import polars as pl

        frame = _scan(part, self.format)
        n_rows = _guarded(part, self.format, lambda: frame.select(pl.len()).collect().item())
        for start in range(0, n_rows, ROWS):
            size = min(ROWS, n_rows - start)

            def column(name: str, start: int = start, size: int = size) -> pl.Series:
                some = frame.select(pl.col(_quoted(name))).slice(start, size)
                found = _guarded(part, self.format, lambda: some.collect().to_series())
                if len(found) != size:
                    raise changed(part)
                return found.cast(self.schema[name]) if found.dtype != self.schema[name] else found

            yield Batch(size, column, size / n_rows)


def changed(part: Part) -> FileError:
    return FileError(f"{part.path} was changed while it was read; let nobody write to it, and begin again")


def _quoted(name: str) -> str:
    """polars takes a name that begins with ^ and ends in $ for a pattern."""
    import re

    return f"^{re.escape(name)}$" if name.startswith("^") and name.endswith("$") else name


def schema_of(part: Part, form: Format) -> tuple[dict[str, Any], str]:
    """(the columns of a file with their types, the delimiter where it is text), without reading its rows."""
    import polars as pl

    if form is not Format.TEXT:
        frame = _scan(part, form)
        return dict(_guarded(part, form, frame.collect_schema)), ""
    head, _ = next(_text_pieces(part, TEXT_BYTES >> 6))
    table = parse(head, part.name)
    check_names(table.names, part.name)
    return dict.fromkeys(table.names, pl.String()), table.delimiter


def _scan(part: Part, form: Format) -> pl.LazyFrame:
    import polars as pl

    if not part.size:
        raise _damage(part, form)
    size = unpacked(part, form)
    if size >= ABSURD:
        raise _damage(part, form)
    if form is Format.PARQUET:
        return pl.scan_parquet(part.path, glob=False)
    with Path(part.path).open("rb") as file:
        is_stream = file.read(6) != b"ARROW1"
    if not is_stream:
        return pl.scan_ipc(part.path, glob=False)
    check_fits(size, f"the table in {part.path}", "save it in the file format of Arrow, or as Parquet")
    return _guarded(part, form, lambda: pl.read_ipc_stream(part.path).lazy())


def unpacked(part: Part, form: Format) -> int:
    """Bytes that the table in a Parquet or Arrow file takes, as far as its own headers tell."""
    if not part.size:
        return 0
    try:
        with Path(part.path).open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            return table_size(content) if form is Format.PARQUET else unpacked_size(content)
    except OSError as error:
        raise FileError(f"cannot read {part.path}: {error.strerror}; check the path and the permissions") from None


def _guarded(part: Part, form: Format, read: Callable[[], Answer]) -> Answer:
    """What is read; one sentence where polars cannot, also where its Rust code gives up."""
    import polars as pl

    try:
        with silent_stderr():
            return read()
    except (pl.exceptions.PolarsError, OSError, ValueError):
        raise _damage(part, form) from None
    except BaseException as error:
        if is_panic(error):
            raise _damage(part, form) from None
        raise


def _damage(part: Part, form: Format) -> FileError:
    layout = "a Parquet" if form is Format.PARQUET else "an Arrow or Feather (version 2)"
    return FileError(f"{part.path} is not {layout} file, or is damaged; write it again")


def _text_batches(part: Part, delimiter: str, names: tuple[str, ...]) -> Iterator[Batch]:
    for content, before in _text_pieces(part, TEXT_BYTES):
        table = parse(content, part.name, delimiter=delimiter, before=before)
        yield _text_batch(table, names, part, min(len(content) / max(part.size, 1), 1.0))


def _text_batch(table: TextTable, names: tuple[str, ...], part: Part, share: float) -> Batch:
    """The cells of a text table as a batch; quoted words that mean no value have one mark in all batches."""
    if set(table.names) != set(names):
        raise changed(part)
    place = {name: k for k, name in enumerate(table.names)}

    def column(name: str) -> pl.Series:
        cells = table.cells.to_series(place[name]).rename(name)
        if table.mark in ("", MARK):
            return cells
        return cells.str.replace(f"^{table.mark}", MARK)

    return Batch(len(table.cells), column, share, table.notes)


def _text_pieces(part: Part, size: int) -> Iterator[tuple[bytes, int]]:
    """(header line and some of the lines below it, how many lines the file has between them).

    A piece ends behind a line, where an even number of quotes came before: not inside a quoted cell.
    """
    header, held, lines = b"", b"", 0
    for piece in pieces_of(Path(part.path), packed=part.path.lower().endswith(".gz")):
        held += piece
        if len(held) < size:
            continue
        end = _line_end(held)
        if end < 0:
            continue
        if not header:
            header = _header(held[: end + 1])
            yield held[: end + 1], 0
            lines = held.count(b"\n", 0, end + 1) - header.count(b"\n")
        else:
            yield header + held[: end + 1], lines
            lines += held.count(b"\n", 0, end + 1)
        held = held[end + 1 :]
    if held.strip() or not header:
        yield header + held, lines


def _line_end(text: bytes) -> int:
    end = text.rfind(b"\n")
    odd = text.count(b'"', 0, end) % 2 if end >= 0 else 0
    while end >= 0 and odd:
        before = text.rfind(b"\n", 0, end)
        odd ^= text.count(b'"', max(before, 0), end) % 2
        end = before
    return end


def _header(text: bytes) -> bytes:
    """The first line that is not blank, with its end; a name in quotes may go over several lines."""
    start = 0
    while (end := text.find(b"\n", start)) >= 0:
        line = text[: end + 1]
        if line.strip() and line.count(b'"') % 2 == 0:
            return line
        start = end + 1
    return text


def schemas_of(parts: tuple[Part, ...], form: Format) -> tuple[list[Schema], str]:
    """The columns of every part, and the delimiter of all of them."""
    found = [schema_of(part, form) for part in parts]
    first, delimiter = found[0]
    for part, (schema, other) in zip(parts, found, strict=True):
        if other != delimiter and len(schema) > 1 and len(first) > 1:  # what a single column is taken for is chance
            raise FileError(
                f"{part.path} has a {DELIMITERS[other]} between its cells, but {parts[0].path} has a "
                f"{DELIMITERS[delimiter]}; write both parts alike, or leave that file out"
            )
    return [schema for schema, _ in found], delimiter
