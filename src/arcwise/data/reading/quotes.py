"""Where the quoted cells of a text table begin and end, told by its quotes alone and not by the parser.

A quote opens a cell if only spaces stand between it and the delimiter or line end before it, and closes one if only
spaces stand between it and the next; two in a row inside a quoted cell are one character of it. A quote in a cell that
does not begin with one is a character like any other (6"). Positions are those of bytes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Places = NDArray[np.intp]

QUOTE, SPACE, LINE_END = ord('"'), ord(" "), ord("\n")
NOWHERE: Places = np.zeros(0, dtype=np.intp)


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
        between: Places = places[np.searchsorted(self.opens, places) == np.searchsorted(self.closes, places)]
        return between


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
    edge: NDArray[np.bool_] = (found == delimiter) | (found == LINE_END) | (places < 0) | (places >= len(text))
    return edge


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
