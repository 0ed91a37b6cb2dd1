"""How large an Arrow file is once unpacked, from what its own headers say: polars takes that much memory unasked.

A compressed buffer begins with its unpacked size. Where the file is damaged, or made to harm, that number can be
anything, and a failed allocation ends the whole process; so it is read here first. The headers are flatbuffers
(Message.fbs, File.fbs): a table points back to its list of fields, and vectors and tables are named by offsets.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import suppress
from mmap import mmap

Content = bytes | mmap  # of a file, read or mapped
MAGIC = b"ARROW1"
CONTINUATION = 0xFFFFFFFF
_DICTIONARY_BATCH, _RECORD_BATCH = 2, 3
_BLOCK, _BUFFER = 24, 16  # bytes: offset, length of metadata, length of body; offset, length


def unpacked_size(content: Content) -> int:
    """Bytes of the compressed buffers once they are unpacked, as far as the headers can be followed."""
    size = 0
    with suppress(struct.error, IndexError, OverflowError, ValueError):  # damage that the reader notices itself
        for message, body in _messages(content):
            for one in _buffer_sizes(content, message, body):
                size += one
    return size


def _number(content: Content, form: str, place: int) -> int:
    if place < 0:
        raise ValueError
    return int(struct.unpack_from("<" + form, content, place)[0])


def _field(content: Content, table: int, index: int) -> int:
    """Where a field of a table is, 0 if it is not given."""
    fields = table - _number(content, "i", table)
    at = 4 + 2 * index
    offset = _number(content, "H", fields + at) if at < _number(content, "H", fields) else 0
    return table + offset if offset else 0


def _follow(content: Content, place: int) -> int:
    return place + _number(content, "I", place)


def _vector(content: Content, table: int, index: int, size: int) -> Iterator[int]:
    """Where the items of a vector of fixed size are."""
    place = _field(content, table, index)
    if place:
        start = _follow(content, place)
        for i in range(_number(content, "I", start)):
            item = start + 4 + i * size
            if item + size > len(content):
                raise ValueError
            yield item


def _messages(content: Content) -> Iterator[tuple[int, int]]:
    """(root table, start of the body) of each message: those that the footer of a file names, or all of a stream."""
    if content[: len(MAGIC)] == MAGIC == content[-len(MAGIC) :]:
        end = len(content) - len(MAGIC) - 4
        start = end - _number(content, "i", end)
        footer = _follow(content, start)
        for index in (2, 3):  # dictionaries, record batches
            for block in _vector(content, footer, index, _BLOCK):
                place = _number(content, "q", block)
                yield _root(content, place), place + _number(content, "i", block + 8)
        return
    place = 0
    while place + 8 <= len(content):
        marked = _number(content, "I", place) == CONTINUATION
        head = place + 4 if marked else place
        length = _number(content, "i", head)
        if length <= 0:
            return
        root, body = _root(content, place), head + 4 + length
        yield root, body
        size = _field(content, root, 3)
        place = body + (_number(content, "q", size) if size else 0)


def _root(content: Content, place: int) -> int:
    """The root table of a message, behind its length and, since version 0.15, a mark before that."""
    return _follow(content, place + (8 if _number(content, "I", place) == CONTINUATION else 4))


def _buffer_sizes(content: Content, message: int, body: int) -> Iterator[int]:
    kind, header = _field(content, message, 1), _field(content, message, 2)
    if not kind or not header:
        return
    batch = _follow(content, header)
    if content[kind] == _DICTIONARY_BATCH:
        batch = _follow(content, _field(content, batch, 1))
    elif content[kind] != _RECORD_BATCH:
        return
    if not _field(content, batch, 3):  # not compressed
        return
    for buffer in _vector(content, batch, 2, _BUFFER):
        offset, length = _number(content, "q", buffer), _number(content, "q", buffer + 8)
        if length >= 8:
            said = _number(content, "Q", body + offset)
            yield 0 if said == 2**64 - 1 else said  # -1: kept as it was
