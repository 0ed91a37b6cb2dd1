"""How large the table in a Parquet file is, from what its own headers say: polars takes that much memory unasked.

A few bytes can stand for any number of equal cells. Where the file is damaged, or made to harm, the numbers can be
anything, and a failed allocation ends the whole process; so they are read here first. The headers (parquet.thrift) are
in Thrift's compact protocol: a structure is a list of fields, each with its type and the distance to its number.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from mmap import mmap
from typing import Any

Content = bytes | mmap  # of a file, read or mapped
MAGIC = b"PAR1"
DAMAGED = 2**62  # said of numbers that cannot be
CELL_BYTES = 8
_TRUE, _FALSE, _BYTE, _I16, _I32, _I64, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = range(1, 13)
_DEEPEST = 20


def table_size(content: Content) -> int:
    """Bytes that the table will take, as far as the headers can be followed; DAMAGED if they say what cannot be."""
    end = len(content) - 8
    start = end - int.from_bytes(content[max(end, 0) : end + 4], "little")
    if start < 4 or content[-4:] != MAGIC:
        return 0
    size = 0
    with suppress(LookupError, TypeError, AttributeError, ValueError):  # damage that the reader notices itself
        footer, _ = _structure(content, start)
        chunks = [column for group in footer.get(4, []) for column in group.get(1, [])]
        for chunk in chunks:
            for one in _page_sizes(content, chunk):
                if one < 0:
                    return DAMAGED
                size += one
    return size


def _page_sizes(content: Content, chunk: dict[int, Any]) -> Iterator[int]:
    """Unpacked bytes and cells of each page of a column in a group of rows; below 0 if it has more than it may."""
    about = chunk[3]
    n_cells, length = about[5], about[7]
    place = min(about[9], about.get(11) or about[9])
    yield CELL_BYTES * n_cells
    end = place + length
    seen = 0
    while 0 <= place < min(end, len(content)) and seen < n_cells:
        header, place = _structure(content, place)
        data = header.get(5) or header.get(8)
        cells = (data or header.get(7, {})).get(1, 0)
        seen += cells if data else 0
        yield -1 if min(header[3], cells, n_cells - seen) < 0 else header[2]
        place += header[3]


def _structure(content: Content, place: int, depth: int = 0) -> tuple[dict[int, Any], int]:
    """(the fields by number, where the structure ends)."""
    if depth > _DEEPEST:
        raise ValueError
    fields: dict[int, Any] = {}
    number = 0
    while (head := content[place]) != 0:
        place += 1
        if head >> 4:
            number += head >> 4
        else:
            number, place = _signed(content, place)
        fields[number], place = _value(content, place, head & 15, depth)
    return fields, place + 1


def _value(content: Content, place: int, kind: int, depth: int) -> tuple[Any, int]:
    match kind:
        case 1 | 2:  # true, false
            return kind == _TRUE, place
        case 3:
            return content[place], place + 1
        case 4 | 5 | 6:
            return _signed(content, place)
        case 7:
            return 0.0, place + 8
        case 8:  # text; what it says does not matter here
            length, place = _unsigned(content, place)
            return None, place + length
        case 9 | 10:
            return _items(content, place, depth)
        case 12:
            return _structure(content, place, depth + 1)
    raise ValueError


def _items(content: Content, place: int, depth: int) -> tuple[list[Any], int]:
    head, place = content[place], place + 1
    n, kind = head >> 4, head & 15
    if n == 15:
        n, place = _unsigned(content, place)
    if n > len(content):
        raise ValueError
    items = []
    for _ in range(n):
        if kind in (_TRUE, _FALSE):
            item, place = content[place], place + 1
        else:
            item, place = _value(content, place, kind, depth)
        items.append(item)
    return items, place


def _unsigned(content: Content, place: int) -> tuple[int, int]:
    value, shift = 0, 0
    while True:
        byte, place = content[place], place + 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, place
        if shift > 63:
            raise ValueError


def _signed(content: Content, place: int) -> tuple[int, int]:
    """Small numbers of either sign take few bytes: 0, -1, 1, -2, ... are 0, 1, 2, 3, ..."""
    value, place = _unsigned(content, place)
    return (value >> 1) ^ -(value & 1), place
