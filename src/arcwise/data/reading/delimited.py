"""Text tables (comma, semicolon or tab between cells) to raw columns.

polars parses; rows are counted without it, and what it forgives in silence (short rows, repeated names, stray quotes)
is looked for here, so that a damaged file is an error with a line number and never a table with holes. A column is
numbers when every cell that is not missing is one, else text.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import Kind
from arcwise.data.levels import EXACT, label_numbers, whole_numbers
from arcwise.data.missing import MISSING_MARKERS
from arcwise.data.notation import spelled_numbers
from arcwise.data.reading.raw import Numbers, Raw, Text, Words
from arcwise.data.reading.records import (
    Quotes,
    TableText,
    check_widths,
    find_line_ends,
    find_quotes,
    find_records,
    row_lines,
    settle_quotes,
    swallowed,
    without_blank_lines,
    without_blank_start,
)
from arcwise.errors import DataError, FileError
from arcwise.machine import check_fits
from arcwise.printing import counted

if TYPE_CHECKING:
    import polars as pl

DELIMITERS = {",": "comma", "\t": "tab", ";": "semicolon"}
SNIFFED_LINES = 20
BLANKS = {b" ", b"\t", b"\v", b"\f"}  # white space of ASCII that may stand around a cell
CELL_BYTES = 24  # of a cell while it is read: 16 as text, 8 as a number
DECODED = 2**20  # bytes decoded at a time
MARKS = [chr(code) for code in range(0xFDD0, 0xFDF0)]  # no characters: Unicode keeps them for use inside programs


@dataclass(frozen=True, slots=True, eq=False)
class TextTable:
    """A text table whose header has been read: the column names, and all cells as text, not yet looked at.

    A cell that begins with `mark` stood in quotes, though its text would mean "no value" without them. lines: the line
    of the file in which each row begins, the header's first; None if they follow each other from `first_line` on. rows:
    where each cell comes first, if equal ones stand here only once.
    """

    source: str
    delimiter: str
    names: tuple[str, ...]
    cells: pl.DataFrame
    mark: str = ""
    notes: tuple[str, ...] = ()
    first_line: int = 1
    lines: NDArray[np.intp] | None = None
    rows: NDArray[np.int64] | None = None

    def line(self, row: int) -> int:
        """The line of the file in which a row begins; rows count from 0, the header left out."""
        return self.first_line + row + 1 if self.lines is None else int(self.lines[row + 1])

    def place(self, row: int) -> tuple[str, int]:
        """("line", that of a row), or ("row", its number) in a table of many files."""
        return ("line", self.line(row)) if self.rows is None else ("row", int(self.rows[row]) + 1)


def parse(content: bytes, source: str, *, delimiter: str = "", before: int = 0) -> TextTable:
    """Parse the bytes of a text file; `source` names it in messages.

    Of a piece of a file with the header put in front: the delimiter that the first piece has, and how many lines more
    the file has before the first row of the piece.
    """
    content = content.removeprefix(codecs.BOM_UTF8)
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if content.endswith(b"\n\n"):
        content = content.rstrip(b"\n")
    content, skipped = without_blank_start(content)
    skipped += before
    _check_encoding(content, skipped, source)
    if not content or content.isspace():
        raise DataError(f"{source} is empty; it needs a header line with column names and rows of data")
    delimiter = delimiter or _sniff(content, source)
    text = TableText(content, delimiter, source, skipped)
    n_cells = text.count("\n") + text.count(delimiter)
    check_fits(2 * len(content) + CELL_BYTES * n_cells, f"{source} with its {n_cells:,} cells")
    text, quotes = settle_quotes(text)
    names = _header(text, quotes)
    width = len(names)
    cells, lines, doubt = _cells(text, quotes, width)
    names, cells, notes = _without_empty_end(names, cells, text)
    _check_header(names, source)
    mark = ""
    if b'"' in text.content and (marked := _mark_quoted(text, cells)):
        mark, text = marked
        cells, *_ = _cells(text, settle_quotes(text)[1], width)
        cells = cells[:, : len(names)]
    return TextTable(
        source=source,
        delimiter=text.delimiter,
        names=names,
        cells=cells,
        mark=mark,
        notes=tuple(note for note in (*notes, doubt) if note),
        first_line=skipped + 1,
        lines=lines,
    )


def _check_encoding(content: bytes, skipped: int, source: str) -> None:
    if b"\x00" in content:
        raise FileError(f"{source} is not UTF-8 text; save it as CSV with the encoding UTF-8")
    if content.isascii():
        return
    start = 0
    while start < len(content):  # in pieces: as text, a file may take four times its bytes
        end = min(start + DECODED, len(content))
        while end < len(content) and content[end] & 0xC0 == 0x80:  # not within a character
            end -= 1
        try:
            content[start:end].decode("utf-8")
        except UnicodeDecodeError as error:
            line = skipped + content.count(b"\n", 0, start + error.start) + 1
            raise FileError(
                f"{source} is not UTF-8 text (line {line}); save it with the encoding UTF-8, or turn it into UTF-8, as "
                f"with: iconv -f WINDOWS-1252 -t UTF-8 OLD.csv > NEW.csv"
            ) from None
        start = end


def _lines(content: bytes) -> Iterator[bytes]:
    """Lines without their ends, one at a time: the first few should not cost a copy of the file."""
    start = 0
    while (end := content.find(b"\n", start)) >= 0:
        yield content[start:end]
        start = end + 1
    yield content[start:]


def _sniff(content: bytes, source: str) -> str:
    """The delimiter that cuts the header and the first lines into the same number of cells, most cells first."""
    lines = [line for line in islice(_lines(content), SNIFFED_LINES) if line.strip()]
    head = b"\n".join(lines)
    best, best_rank = ",", (0.0, 1)
    tabs_first = source.lower().removesuffix(".gz").endswith(".tsv")
    for delimiter in sorted(DELIMITERS, key=lambda one: tabs_first and one != "\t"):
        widths = _first_widths(TableText(head, delimiter, source))
        same = sum(width == widths[0] for width in widths) / len(widths)
        if widths[0] > 1 and (same, widths[0]) > best_rank:
            best, best_rank = delimiter, (same, widths[0])
    if best_rank[1] == 1:
        _refuse_other_delimiters([line.decode("utf-8") for line in lines], source)
    return best


def _first_widths(text: TableText) -> list[int]:
    """The widths of these records, as far as the delimiter lets the quotes pair up, else those of the bare lines."""
    quotes = find_quotes(text.bytes, ord(text.delimiter))
    if quotes.broken is None:
        ends = find_line_ends(text, quotes).between
        return [width for width in find_records(text, quotes, ends).widths.tolist() if width]
    return [line.count(text.delimiter.encode()) + 1 for line in text.content.split(b"\n")]


def _refuse_other_delimiters(lines: list[str], source: str) -> None:
    """One column only: perhaps because the cells are separated by something else."""
    for delimiter, word in (("|", "vertical bars"), (None, "spaces")):
        widths = {len(line.split(delimiter)) for line in lines}
        if len(lines) > 1 and len(widths) == 1 and widths.pop() > 1:
            raise FileError(f"{source} seems to have {word} between its cells; save it with commas, semicolons or tabs")


def _header(text: TableText, quotes: Quotes) -> tuple[str, ...]:
    """The cells of the first record."""
    end = text.content.find(b"\n")
    while end >= 0 and not len(quotes.outside(np.array([end]))):
        end = text.content.find(b"\n", end + 1)
    record = text.content if end < 0 else text.content[:end]
    delimiter = re.escape(text.delimiter)
    cells = re.findall(rf'(?:^|{delimiter})(?:"((?:[^"]|"")*)"|([^{delimiter}]*))', record.decode("utf-8"))
    names = [quoted.replace('""', '"') or plain for quoted, plain in cells]
    return tuple(_with_quotes(name, text).strip() for name in names)


def _with_quotes(name: str, text: TableText) -> str:
    return name.replace(text.stand_in, '"') if text.stand_in else name


def _check_header(names: tuple[str, ...], source: str) -> None:
    """Names, not data: a file without a header would silently lose its first row."""
    numbers = [name for name, number in zip(names, label_numbers(names), strict=True) if not np.isnan(number)]
    fractions = [name for name in numbers if not name.lstrip("+-").isdigit()]
    if len(numbers) == len(names) or (fractions and 2 * len(numbers) >= len(names)):
        raise DataError(
            f"the first line of {source} looks like data, not names (it holds {(fractions or numbers)[0]!r}); "
            f"add a header line with the name of each column"
        )


def _cells(text: TableText, quotes: Quotes, width: int) -> tuple[pl.DataFrame, NDArray[np.intp] | None, str]:
    """All cells below the header as stripped text, null where empty; the lines, where rows are not lines; a doubt."""
    import polars as pl

    frame = _parsed(text)
    ends = find_line_ends(text, quotes) if len(quotes.opens) else None
    n_rows = text.count("\n") - text.content.endswith(b"\n") if ends is None else len(ends.between)
    joined = ends is not None and len(ends.between) < len(ends.every)
    lines, doubt = None, swallowed(text, ends, width) if ends is not None and joined else ""
    # A short row reads as empty cells at its end, so an empty last cell is worth a second look.
    # So is a delimiter at the very end, where polars takes one too many.
    sound = frame is not None and frame.shape == (n_rows, width) and not frame.to_series(width - 1).null_count()
    sound = sound and not text.content[-2:].rstrip(b"\n").endswith(text.delimiter.encode())
    if not sound or joined:
        ends = ends or find_line_ends(text, quotes)
        records = find_records(text, quotes, ends.between)
        check_widths(text, records)
        blank = records.widths == 0
        lines = row_lines(text, records, ends)[~blank] if joined or blank.any() else None
        if blank.any():
            text = without_blank_lines(text, records)
            frame, n_rows = _parsed(text), n_rows - int(blank.sum())
    if frame is None or frame.shape != (n_rows, width):
        raise _unlike(text, quotes, frame, n_rows)
    if text.stand_in:
        frame = frame.select(pl.all().str.replace_all(text.stand_in, '"', literal=True))
    if (
        joined
        or not text.content.isascii()
        or any(blank in text.content for blank in BLANKS - {text.delimiter.encode()})
    ):
        frame = frame.select(pl.all().str.strip_chars())
    return frame, lines, doubt


def _parsed(text: TableText) -> pl.DataFrame | None:
    import polars as pl

    content = text.content
    if content.startswith(b"x\x01"):  # what zlib packs begins so, and polars would unpack it
        content = codecs.BOM_UTF8 + content
    try:
        return pl.read_csv(content, separator=text.delimiter, infer_schema=False)
    except (pl.exceptions.PolarsError, OSError):
        return None


def _unlike(text: TableText, quotes: Quotes, frame: pl.DataFrame | None, n_rows: int) -> FileError:
    """The parser and our own count do not agree: no table is better than a wrong one."""
    found = "cannot be parsed" if frame is None else f"was parsed as {counted(frame.height, 'row')}"
    line = text.line(int(quotes.opens[0])) if len(quotes.opens) else text.skipped + 1
    return FileError(
        f"{text.source} has {counted(n_rows, 'row')} but {found}; check the quotes from line {line} on, or save the "
        f"table anew"
    )


def _without_empty_end(
    names: tuple[str, ...], cells: pl.DataFrame, text: TableText
) -> tuple[tuple[str, ...], pl.DataFrame, tuple[str, ...]]:
    """Without the columns at the end that have neither a name nor a cell: each line ends in a delimiter."""
    width = len(names)
    while width > 1 and not names[width - 1] and not cells.to_series(width - 1).is_in([""]).not_().any():
        width -= 1
    if width == len(names):
        return names, cells, ()
    columns = "the last column" if len(names) - width == 1 else f"the last {len(names) - width} columns"
    verb = "has" if len(names) - width == 1 else "have"
    note = (
        f"{columns} of {text.source} {verb} neither a name nor a cell, since every line ends in a "
        f"{DELIMITERS[text.delimiter]}; left out"
    )
    return names[:width], cells[:, :width], (note,)


def _mark_quoted(text: TableText, cells: pl.DataFrame) -> tuple[str, TableText] | None:
    """(mark, text with the mark put inside the quotes of every cell that would mean "no value" without them).

    Inside a quoted cell quotes are doubled, so a delimiter, a single quote and such a word are always a cell's start.
    None if there is no such cell.
    """
    import polars as pl

    words = sorted(MISSING_MARKERS - {""})
    suspects = cells.select(pl.all().is_in(words).any()).row(0)
    columns = [cells.to_series(i) for i, hit in enumerate(suspects) if hit]
    found = {word for column in columns for word in column.filter(column.is_in(words)).unique()}
    quoted = [word for word in sorted(found) if f'"{word}"'.encode() in text.content]
    mark = next((mark for mark in MARKS if mark.encode() not in text.content), None)
    if not quoted or mark is None:
        return None
    pattern = rf'(^|[\n{text.delimiter}])"({"|".join(re.escape(word) for word in quoted)})"'
    marked = pl.Series([text.content.decode("utf-8")]).str.replace_all(pattern, f'${{1}}"{mark}${{2}}"').item()
    return mark, replace(text, content=marked.encode())


def text_column(table: TextTable, position: int, wanted: Kind | None, words: Words) -> Raw:
    """The raw column at a position. wanted: its kind, if the caller has declared it; a discrete one keeps its text.

    words: what the caller calls missing. Codes with leading zeros are text.
    """
    import polars as pl

    cells = table.cells.to_series(position)
    text = Text(table.names[position], cells, MISSING_MARKERS, words.texts, table.mark)
    if wanted is Kind.DISCRETE:
        return text
    numbers = cells.cast(pl.Float64, strict=False)
    if numbers.null_count() > cells.null_count():
        gone = _no_value_at_all(text, numbers)
        if (gone != (numbers.is_null() & cells.is_not_null())).any():  # some cells are neither numbers nor missing
            spelled = spelled_numbers(
                text.name,
                cells.set(gone, None),
                table.place,
                decimal_comma=table.delimiter == ";",
            )
            return text if spelled is None else Numbers(text.name, _floats(spelled.values), note=spelled.note)
        if text.mark and not numbers.count() and cells.str.starts_with(text.mark).any():
            return text  # words in quotes, and no number that is meant as one
    values = _floats(numbers)
    if wanted is Kind.CONTINUOUS:
        return Numbers(text.name, values)
    if _has_leading_zeros(cells, values, 64 if table.rows is None else int(np.searchsorted(table.rows, 64))):
        return text
    return _exact(text.name, cells, values) or Numbers(text.name, values, cells=cells)


def _exact(name: str, cells: pl.Series, values: NDArray[np.float64]) -> Numbers | None:
    """The column as 64-bit integers if it holds some that float64 cannot tell apart, and nothing else."""
    import polars as pl

    if not (np.abs(values) >= EXACT).any():
        return None
    gone = np.isnan(values)
    for dtype in (pl.Int64, pl.UInt64):
        whole = cells.cast(dtype, strict=False)
        if (whole.is_null().to_numpy() == gone).all():
            return Numbers(name, whole.fill_null(0).to_numpy(), gone if gone.any() else None, cells=cells)
    return None


def _no_value_at_all(text: Text, numbers: pl.Series) -> pl.Series:
    """Where the cell is no number but a word that means "no value", in quotes or not.

    Quotes around such a word make it text among text; in a column of numbers it still is no number.
    """
    words = sorted(text.markers | text.words)
    quoted = [text.mark + word for word in words] if text.mark else []
    return numbers.is_null() & text.cells.is_in([*words, *quoted]).fill_null(False)


def _floats(numbers: pl.Series) -> NDArray[np.float64]:
    values = numbers.to_numpy()  # null becomes NaN
    return values if values.dtype == np.float64 else values.astype(np.float64)


def _has_leading_zeros(cells: pl.Series, values: NDArray[np.float64], glance: int) -> bool:
    """Whether a whole number is written as 01234: a code, which loses its zero as a number. glance: cells that mostly
    show a fraction where there is one."""
    if whole_numbers(values[:glance][~np.isnan(values[:glance])]) is None:
        return False
    padded = cells.str.starts_with("0") & (cells.str.len_bytes() > 1)
    return bool(padded.any() and cells.filter(padded).str.contains(r"^0\d+$").any())
