"""Text tables (comma, semicolon or tab between cells) to raw columns.

polars parses; what it forgives in silence (short rows, repeated names) is looked for here, so that a damaged file is
an error with a line number and never a table with holes.
"""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import Kind
from arcwise.data.levels import label_numbers, whole_numbers
from arcwise.data.missing_words import MISSING_MARKERS, NO_WORDS, Words
from arcwise.data.notation import spelled_numbers
from arcwise.data.raw import Numbers, Raw, Text
from arcwise.data.validate import check_names
from arcwise.data.wording import counted
from arcwise.errors import DataError, FileError

if TYPE_CHECKING:
    import polars as pl

DELIMITERS = (",", "\t", ";")
SNIFFED_LINES = 20
MARKS = [chr(code) for code in range(0xFDD0, 0xFDF0)]  # no characters: Unicode keeps them for use inside programs


@dataclass(frozen=True, slots=True)
class TextTable:
    """A text table whose header has been read: the column names, and all cells as text, not yet looked at.

    A cell that begins with `mark` stood in quotes, though its text would mean "no value" without them.
    """

    source: str
    delimiter: str
    names: tuple[str, ...]
    cells: pl.DataFrame
    mark: str = ""

    def column(self, position: int, wanted: Kind | None = None, words: Words = NO_WORDS) -> Raw:
        """The raw column at a position: numbers when every cell that is not missing is one, else text.

        wanted: its kind, if the caller has declared it. words: what the caller calls missing.
        """
        name, cells = self.names[position], self.cells.to_series(position)
        return _column(Text(name, cells, MISSING_MARKERS, words.texts, self.mark), self.delimiter, wanted)


def parse(content: bytes, source: str) -> TextTable:
    """Parse the bytes of a text file; `source` names it in messages."""
    content = content.removeprefix(codecs.BOM_UTF8)
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    content = content.strip(b"\n")
    text = _decode(content, source)
    if not text or text.isspace():
        raise DataError(f"{source} is empty; it needs a header line with column names and rows of data")
    delimiter = _sniff(text, source)
    names = tuple(cell.strip() for cell in next(_records(text, delimiter, source))[1])
    _check_header(names, source)
    cells = _cells(content, text, delimiter, len(names), source)
    if '"' in text and (marked := _mark_quoted(text, delimiter, cells)):
        mark, text = marked
        return TextTable(source, delimiter, names, _cells(text.encode(), text, delimiter, len(names), source), mark)
    return TextTable(source, delimiter, names, cells)


def _decode(content: bytes, source: str) -> str:
    if b"\x00" in content:
        raise FileError(f"{source} is not UTF-8 text; save it as CSV with the encoding UTF-8")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise FileError(f"{source} is not UTF-8 text (line {line}); save it with the encoding UTF-8") from None


def _lines(text: str) -> Iterator[str]:
    """Lines with their ends, one at a time: a header should not cost a copy of the file."""
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield text[start : end + 1]
        start = end + 1
    yield text[start:]


def _sniff(text: str, source: str) -> str:
    """The delimiter that cuts the header and the first lines into the same number of cells, most cells first."""
    lines = [line for line in islice(_lines(text), SNIFFED_LINES) if line.strip()]
    best, best_rank = ",", (0.0, 1)
    for delimiter in DELIMITERS:
        widths = [len(row) for row in csv.reader(lines, delimiter=delimiter, skipinitialspace=True)]
        same = sum(width == widths[0] for width in widths) / len(widths)
        if widths[0] > 1 and (same, widths[0]) > best_rank:
            best, best_rank = delimiter, (same, widths[0])
    if best_rank[1] == 1:
        _refuse_other_delimiters(lines, source)
    return best


def _refuse_other_delimiters(lines: list[str], source: str) -> None:
    """One column only: perhaps because the cells are separated by something else."""
    for delimiter, word in (("|", "vertical bars"), (None, "spaces")):
        widths = {len(line.split(delimiter)) for line in lines}
        if len(lines) > 1 and len(widths) == 1 and widths.pop() > 1:
            raise FileError(f"{source} seems to have {word} between its cells; save it with commas, semicolons or tabs")


def _check_header(names: tuple[str, ...], source: str) -> None:
    """Names, not data: a file without a header would silently lose its first row."""
    numbers = [name for name, number in zip(names, label_numbers(names), strict=True) if not np.isnan(number)]
    fractions = [name for name in numbers if not name.lstrip("+-").isdigit()]
    if len(numbers) == len(names) or (fractions and 2 * len(numbers) >= len(names)):
        raise DataError(
            f"the first line of {source} looks like data, not names (it holds {(fractions or numbers)[0]!r}); "
            f"add a header line with the name of each column"
        )
    check_names(names, source)


def _records(text: str, delimiter: str, source: str) -> Iterator[tuple[int, list[str]]]:
    """(line number of its end, cells) of every record by the strict rules of the csv module; blank lines too."""
    reader = csv.reader(_lines(text), delimiter=delimiter, skipinitialspace=True, strict=True)
    line = 0
    try:
        for cells in reader:
            line = reader.line_num
            yield line, cells
    except csv.Error:
        raise FileError(
            f"line {line + 1} of {source} has a quoted cell that is not closed or is followed by text; close "
            f"the quotes or double those inside a cell"
        ) from None


def _cells(content: bytes, text: str, delimiter: str, width: int, source: str) -> pl.DataFrame:
    """All cells below the header as stripped text, null where empty."""
    import polars as pl

    frame: pl.DataFrame | None
    try:
        frame = pl.read_csv(content, separator=delimiter, infer_schema=False)
    except pl.exceptions.PolarsError:
        frame = None
    # A short row reads as empty cells at its end, so an empty last cell is worth a second look.
    if frame is None or frame.width != width or frame.to_series(width - 1).null_count():
        blank_lines = _check_widths(text, delimiter, width, source)
        frame = None if blank_lines or frame is None or frame.width != width else frame
    if frame is None or f'{delimiter} "' in text:  # polars takes a quote after a space for a part of the cell
        frame = _careful_cells(text, delimiter, width, source)
    if b" " in content or (b"\t" in content and delimiter != "\t"):
        frame = frame.select(pl.all().str.strip_chars())
    return frame


def _check_widths(text: str, delimiter: str, width: int, source: str) -> bool:
    """Whether there are blank lines to leave out; an error when another line has not `width` cells."""
    blank_lines = False
    for line, found in _widths(text, delimiter, source):
        if found == 0:
            blank_lines = blank_lines or width > 1  # in a table of one column it is a missing cell
        elif found != width:
            raise _ragged(line, found, width, source)
    return blank_lines


def _widths(text: str, delimiter: str, source: str) -> Iterator[tuple[int, int]]:
    """(line number, number of cells) of every record, 0 cells for a blank line."""
    if '"' not in text:
        for number, line in enumerate(_lines(text), start=1):
            yield number, line.count(delimiter) + 1 if line.strip() else 0
        return
    for number, cells in _records(text, delimiter, source):
        yield number, 0 if _is_blank(cells) else len(cells)


def _is_blank(cells: list[str]) -> bool:
    return not cells or (len(cells) == 1 and not cells[0].strip())


def _careful_cells(text: str, delimiter: str, width: int, source: str) -> pl.DataFrame:
    """The same by the csv module, record by record; blank lines are left out. Widths are checked here too."""
    import polars as pl

    _check_widths(text, delimiter, width, source)
    records = _records(text, delimiter, source)
    next(records)
    rows = [cells for _, cells in records if width == 1 or not _is_blank(cells)]
    columns = zip(*(row or [""] for row in rows), strict=True) if rows else [()] * width
    schema = [str(i) for i in range(width)]
    return pl.DataFrame(
        [pl.Series(name, column, dtype=pl.String) for name, column in zip(schema, columns, strict=True)]
    )


def _ragged(line: int, found: int, width: int, source: str) -> FileError:
    hint = "check the delimiters and quotes of that line"
    if found == width + 1 and line == 2:
        hint = "if the first column numbers the rows, give it a name in the header too, else " + hint
    return FileError(f"line {line} of {source} has {counted(found, 'cell')} where the header has {width}; {hint}")


def _mark_quoted(text: str, delimiter: str, cells: pl.DataFrame) -> tuple[str, str] | None:
    """(mark, text with the mark put inside the quotes of every cell that would mean "no value" without them).

    Inside a quoted cell quotes are doubled, so a delimiter, a single quote and such a word are always a cell's start.
    None if there is no such cell.
    """
    import polars as pl

    words = sorted(MISSING_MARKERS - {""})
    suspects = cells.select(pl.all().is_in(words).any()).row(0)
    columns = [cells.to_series(i) for i, hit in enumerate(suspects) if hit]
    found = {word for column in columns for word in column.filter(column.is_in(words)).unique()}
    quoted = [word for word in sorted(found) if f'"{word}"' in text]
    mark = next((mark for mark in MARKS if mark not in text), None)
    if not quoted or mark is None:
        return None
    pattern = rf'((?:^|[\n{delimiter}]) *)"({"|".join(re.escape(word) for word in quoted)})"'
    return mark, pl.Series([text]).str.replace_all(pattern, f'${{1}}"{mark}${{2}}"').item()


def _column(text: Text, delimiter: str, wanted: Kind | None) -> Raw:
    """Numbers if all cells but the missing ones are, in whatever notation; codes with leading zeros are text."""
    import polars as pl

    cells = text.cells
    numbers = cells.cast(pl.Float64, strict=False)
    if numbers.null_count() > cells.null_count():
        gone = _no_value_at_all(text, numbers)
        if (gone != (numbers.is_null() & cells.is_not_null())).any():  # some cells are neither numbers nor missing
            if wanted is Kind.DISCRETE:
                return text
            spelled = spelled_numbers(text.name, cells.set(gone, None), decimal_comma=delimiter == ";")
            return text if spelled is None else Numbers(text.name, _floats(spelled.values), note=spelled.note)
        words_only = wanted is Kind.DISCRETE or not numbers.count()
        if text.mark and words_only and cells.str.starts_with(text.mark).any():
            return text  # words in quotes, and no number that is meant as one
    values = _floats(numbers)
    return text if wanted is not Kind.CONTINUOUS and _has_leading_zeros(cells, values) else Numbers(text.name, values)


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


def _has_leading_zeros(cells: pl.Series, values: NDArray[np.float64]) -> bool:
    """Whether a whole number is written as 01234: a code, which loses its zero as a number."""
    if whole_numbers(values[:64][~np.isnan(values[:64])]) is None:
        return False
    padded = cells.str.starts_with("0") & (cells.str.len_bytes() > 1)
    return bool(padded.any() and cells.filter(padded).str.contains(r"^0\d+$").any())
