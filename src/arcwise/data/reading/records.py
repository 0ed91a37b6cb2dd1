"""The records of a text table, found without the parser: quoted cells, where records begin, how many cells they have.

A quote opens a cell if only spaces stand between it and the delimiter or line end before it, and closes one if only
spaces stand between it and the next; two in a row inside a quoted cell are one character of it. A quote in a cell that
does not begin with one is a character like any other (6"). Positions are those of bytes.

What comes out is a text that every parser of such tables reads alike: no spaces around quotes, no quotes but those
around cells and doubled ones inside, no blank lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arcwise.errors import FileError
from arcwise.printing import counted

Bytes = NDArray[np.uint8]
Places = NDArray[np.intp]
QUOTE, SPACE, LINE_END = ord('"'), ord(" "), ord("\n")
NOWHERE: Places = np.zeros(0, dtype=np.intp)
_BLANK_START = re.compile(rb"(?:[ \f\v]*\n)+")  # a tab may stand between cells
_STAND_INS = [code for code in range(1, 32) if chr(code) not in "\t\n\r"]  # control characters, hardly ever in a file


@dataclass(frozen=True, slots=True, eq=False)
class Quotes:
    """Quotes that open and close cells, pair by pair, and those that are characters of cells without quotes.

    broken: a quote that opens a cell and is not closed, or closed before other text; what follows it is not looked at.
    """

    opens: Places
    closes: Places
    bare: Places
    broken: int | None = None

    def outside(self, places: Places) -> Places:
        """Those places that lie in no quoted cell."""
        if not len(self.opens):
            return places
        return places[np.searchsorted(self.opens, places) == np.searchsorted(self.closes, places)]


NO_QUOTES = Quotes(NOWHERE, NOWHERE, NOWHERE)


def find_quotes(text: Bytes, delimiter: int) -> Quotes:
    """The quotes of a text whose lines end in LF. O(bytes), in Python loops only if some quotes are characters."""
    places = np.flatnonzero(text == QUOTE)
    if not len(places):
        return NO_QUOTES
    may_open = _is_edge(text, beside(text, places, -1), delimiter)
    may_close = _is_edge(text, beside(text, places, +1), delimiter)
    joined = np.zeros(len(places) + 1, dtype=np.bool_)  # joined[k]: quote k stands right after quote k - 1
    joined[1:-1] = np.diff(places) == 1
    # Were every other quote to open a cell and the next to close it, or both of them part of a doubled one, then a
    # quote would be inside a cell exactly if an odd number of quotes came before. That holds for most files as a whole.
    before, after = joined[0:-1:2], joined[2::2]
    if len(places) % 2 == 0 and (may_open[0::2] | before).all() and (may_close[1::2] | after).all():
        return Quotes(places[0::2][~before], places[1::2][~after], NOWHERE)
    return _one_by_one(places, may_open.tolist(), may_close.tolist(), joined.tolist())


def beside(text: Bytes, places: Places, step: int) -> Places:
    """The nearest place before (step -1) or after (+1) each that is no space; -1 or len(text) if there is none."""
    near = places + step
    spaced = np.flatnonzero(text.take(near, mode="clip") == SPACE)  # places hold quotes: clipped, none is a space
    if len(spaced):
        spaces = np.flatnonzero(text == SPACE)
        breaks = np.flatnonzero(np.diff(spaces) > 1)
        if step < 0:
            first = spaces[np.r_[0, breaks + 1]]
            near[spaced] = first[np.searchsorted(first, near[spaced], side="right") - 1] - 1
        else:
            last = spaces[np.r_[breaks, len(spaces) - 1]]
            near[spaced] = last[np.searchsorted(last, near[spaced])] + 1
    return near


def _is_edge(text: Bytes, places: Places, delimiter: int) -> NDArray[np.bool_]:
    found = text.take(places, mode="clip")
    return (found == delimiter) | (found == LINE_END) | (places < 0) | (places >= len(text))


def _one_by_one(places: Places, may_open: list[bool], may_close: list[bool], joined: list[bool]) -> Quotes:
    opens: list[int] = []
    closes: list[int] = []
    bare: list[int] = []
    broken = None
    i = 0
    while i < len(places):
        if not may_open[i]:
            bare.append(i)
            i += 1
            continue
        close = i + 1
        while close < len(places) and joined[close + 1]:
            close += 2
        if close >= len(places) or not may_close[close]:
            broken = int(places[i])
            break
        opens.append(i)
        closes.append(close)
        i = close + 1
    chosen = [places[np.array(some, dtype=np.intp)] for some in (opens, closes, bare)]
    return Quotes(chosen[0], chosen[1], chosen[2], broken)


@dataclass(frozen=True, slots=True)
class TableText:
    """A text table in UTF-8 with LF at the line ends; `skipped` lines stood before it, `source` names it."""

    content: bytes
    delimiter: str
    source: str
    skipped: int = 0
    stand_in: str = ""  # stands for quotes that are characters of a cell without quotes

    @property
    def bytes(self) -> Bytes:
        return np.frombuffer(self.content, dtype=np.uint8)

    def count(self, sign: str) -> int:
        """How often an ASCII character occurs; faster than `bytes.count` where it is frequent."""
        return int(np.count_nonzero(self.bytes == ord(sign)))

    def line(self, place: int) -> int:
        """The number of the line of the file in which this byte stands."""
        return self.skipped + self.content.count(b"\n", 0, place) + 1


def without_blank_start(content: bytes) -> tuple[bytes, int]:
    """The text from its first line that is not blank, and how many lines were left out before it."""
    blank = _BLANK_START.match(content)
    if blank is None:
        return content, 0
    return content[blank.end() :], content.count(b"\n", 0, blank.end())


def settle_quotes(text: TableText) -> tuple[TableText, Quotes]:
    """The text with quotes only where they are needed, and where these are; an error if they leave doubt."""
    if b'"' not in text.content:
        return text, NO_QUOTES
    raw = text.bytes
    quotes = find_quotes(raw, ord(text.delimiter))
    if quotes.broken is not None:
        raise FileError(
            f"line {text.line(quotes.broken)} of {text.source} has a quoted cell that is not closed or is followed by "
            f"text; close the quotes or double those inside a cell"
        )
    if len(quotes.bare):
        _refuse_doubtful(text, quotes)
    around = (raw.take(quotes.opens - 1, mode="clip"), raw.take(quotes.closes + 1, mode="clip"))
    if not len(quotes.bare) and not any((one == SPACE).any() for one in around):
        return text, quotes
    starts, ends = beside(raw, quotes.opens, -1) + 1, beside(raw, quotes.closes, +1)
    stand_in = _stand_in(text, quotes)
    fresh = raw.copy()
    fresh[quotes.bare] = ord(stand_in) if stand_in else SPACE
    steps = np.zeros(len(raw) + 1, dtype=np.int8)  # +1 where spaces to leave out begin, -1 where they end
    for start, end in ((starts, quotes.opens), (quotes.closes + 1, ends)):
        steps[start] += 1  # each of these places occurs once
        steps[end] -= 1
    fresh = fresh[np.cumsum(steps[:-1], dtype=np.int8) == 0]
    settled = TableText(fresh.tobytes(), text.delimiter, text.source, text.skipped, stand_in)
    return settled, find_quotes(fresh, ord(text.delimiter))


def _refuse_doubtful(text: TableText, quotes: Quotes) -> None:
    """A quote that begins a cell may be meant as a character, too, where others are; then it must not join lines."""
    line_ends = np.flatnonzero(text.bytes == LINE_END)
    before, within = np.searchsorted(line_ends, quotes.opens), np.searchsorted(line_ends, quotes.closes)
    joined = np.flatnonzero(before < within)
    if len(joined):
        first = joined[0]
        raise FileError(
            f"line {text.skipped + before[first] + 1} of {text.source} opens a quoted cell that ends in line "
            f"{text.skipped + within[first] + 1}, while line {text.line(int(quotes.bare[0]))} has a quote inside a "
            f"cell without quotes, so rows may be lost between them; put cells that hold a quote in quotes and double "
            f"the quotes inside"
        )


def _stand_in(text: TableText, quotes: Quotes) -> str:
    if not len(quotes.bare):
        return ""
    for code in _STAND_INS:
        if bytes([code]) not in text.content:
            return chr(code)
    raise FileError(
        f"line {text.line(int(quotes.bare[0]))} of {text.source} has a quote inside a cell without quotes; put the "
        f"cell in quotes and double the quote"
    )


@dataclass(frozen=True, slots=True, eq=False)
class LineEnds:
    """All line ends, and those between records."""

    every: Places
    between: Places


def find_line_ends(text: TableText, quotes: Quotes) -> LineEnds:
    """The last line's end, if it has one, ends no record that another one follows."""
    every = np.flatnonzero(text.bytes == LINE_END)
    if len(every) and every[-1] == len(text.content) - 1:
        every = every[:-1]
    return LineEnds(every, quotes.outside(every))


@dataclass(frozen=True, slots=True, eq=False)
class Records:
    """starts: the first byte of each record, the header's too. widths: its number of cells, 0 if it is blank."""

    starts: Places
    widths: NDArray[np.intp]


def find_records(text: TableText, quotes: Quotes, ends: Places) -> Records:
    """All records with their widths. A line without delimiters and with nothing but white space is blank."""
    raw = text.bytes
    starts = np.r_[0, ends + 1]
    delimiters = quotes.outside(np.flatnonzero(raw == ord(text.delimiter)))
    widths = np.bincount(np.searchsorted(ends, delimiters), minlength=len(starts)) + 1
    stops = np.r_[ends, len(raw)]
    for record in np.flatnonzero(widths == 1) if widths[0] > 1 else ():  # else it is a row with a missing cell
        if not text.content[starts[record] : stops[record]].strip():
            widths[record] = 0
    return Records(starts, widths)


def check_widths(text: TableText, records: Records) -> None:
    """An error when a record that is not blank has not as many cells as the first."""
    width = int(records.widths[0])
    wrong = np.flatnonzero((records.widths != width) & (records.widths != 0))
    if len(wrong):
        place = int(records.starts[wrong[0]])
        stop = text.content.find(b"\n", place)
        last = text.content[place : stop if stop >= 0 else len(text.content)]
        raise _ragged(text, text.line(place), int(records.widths[wrong[0]]), width, last)


def _ragged(text: TableText, line: int, found: int, width: int, content: bytes) -> FileError:
    hint = "check the delimiters and quotes of that line"
    if found > width and content.rstrip(b" ").endswith(text.delimiter.encode()):
        hint = "it ends in a delimiter that the header has not: delete it"
    elif found == width + 1 and line == text.skipped + 2:
        hint = "if the first column numbers the rows, give it a name in the header too, else " + hint
    cells = counted(found, "cell")
    return FileError(f"line {line} of {text.source} has {cells} where the header has {width}; {hint}")


def without_blank_lines(text: TableText, records: Records) -> TableText:
    """The same text without its blank records."""
    stops = np.r_[records.starts[1:], len(text.content)]
    steps = np.zeros(len(text.content) + 1, dtype=np.int8)
    blank = records.widths == 0
    steps[records.starts[blank]] += 1
    steps[stops[blank]] -= 1
    kept = text.bytes[np.cumsum(steps[:-1], dtype=np.int8) == 0].tobytes().rstrip(b"\n")
    return TableText(kept, text.delimiter, text.source, text.skipped, text.stand_in)


def row_lines(text: TableText, records: Records, ends: LineEnds) -> NDArray[np.intp]:
    """The line of the file in which each record begins."""
    return np.searchsorted(ends.every, records.starts) + text.skipped + 1


def swallowed(text: TableText, ends: LineEnds, width: int) -> str:
    """A warning when quoted cells join lines each of which has as many cells as the header: they may hide rows."""
    if len(ends.every) == len(ends.between) or width < 2:
        return ""
    delimiters = np.flatnonzero(text.bytes == ord(text.delimiter))
    full = np.bincount(np.searchsorted(ends.every, delimiters), minlength=len(ends.every) + 1) == width - 1
    record = np.searchsorted(ends.between, np.r_[0, ends.every + 1])  # of each line
    lines = np.bincount(record)
    hidden = (lines > 1) & (np.bincount(record, weights=full) == lines)
    if not hidden.any():
        return ""
    first = int(np.argmax(hidden))
    line = int(np.searchsorted(record, first)) + text.skipped + 1
    others = f", as are those of {counted(int(hidden.sum()) - 1, 'other quoted cell')}" if hidden.sum() > 1 else ""
    return (
        f"lines {line} to {line + int(lines[first]) - 1} of {text.source} are read as one row, since a quoted cell "
        f"goes over them, though each has as many cells as the header{others}; if they are rows, close the quotes there"
    )
