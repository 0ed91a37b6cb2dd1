"""A table in many files: a folder or a pattern of names, taken as one table in the natural order of the names.

All files are of one format and have the same columns; where they have not, the file and the column are named.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arcwise.data.reading.files import ARROW_SUFFIXES, PARQUET_SUFFIXES, TEXT_SUFFIXES, check_exists
from arcwise.data.validate import check_names
from arcwise.errors import DataError, FileError
from arcwise.printing import counted, listed

if TYPE_CHECKING:
    import polars as pl

_DIGITS = re.compile(r"(\d+)")


class Format(StrEnum):
    """What the files of a table are."""

    PARQUET = "Parquet"
    ARROW = "Arrow"
    TEXT = "text"


SUFFIXES = {Format.PARQUET: PARQUET_SUFFIXES, Format.ARROW: ARROW_SUFFIXES, Format.TEXT: TEXT_SUFFIXES}


@dataclass(frozen=True, slots=True)
class Part:
    """One file, and what tells whether it was changed: its size in bytes and its time of change in nanoseconds."""

    path: str
    size: int
    changed: int

    @property
    def name(self) -> str:
        return os.path.basename(self.path)


@dataclass(frozen=True, slots=True)
class Parts:
    """The files of one table, in their order. given: what the caller called them."""

    given: str
    format: Format
    files: tuple[Part, ...]

    @property
    def size(self) -> int:
        return sum(part.size for part in self.files)


def names_parts(path: str | Path) -> bool:
    """Whether this is a folder of files or a pattern of names, rather than one file."""
    text = str(path)
    return os.path.isdir(text) or (not os.path.exists(text) and glob.has_magic(text))


def find_parts(path: str | Path) -> Parts:
    """The files in a folder, or those that fit a pattern such as parts/*.parquet, in their natural order.

    Names that begin with a point or an underscore, as programs leave them beside parts, are passed over.
    """
    text = str(path)
    if names_parts(text):
        found = _in_folder(text) if os.path.isdir(text) else glob.glob(text, recursive=True)
    else:
        check_exists(Path(text))
        found = [text]
    files = sorted((one for one in found if os.path.basename(one)[:1] not in "._"), key=natural)
    if not files:
        where = "is a folder without files" if os.path.isdir(text) else "fits no file"
        raise FileError(f"{text} {where}; name the folder of the parts, or a pattern such as 'parts/*.parquet'")
    formats = {one: _format(one, text) for one in files}
    first = formats[files[0]]
    other = next((one for one in files if formats[one] is not first), None)
    if other is not None:
        raise FileError(
            f"{text} mixes formats: {os.path.basename(files[0])} is {first} and {os.path.basename(other)} is "
            f"{formats[other]}; keep those of one format, as with a pattern such as '*{Path(files[0]).suffix}'"
        )
    return Parts(text, first, tuple(map(look_at, files)))


def _in_folder(folder: str) -> list[str]:
    try:
        entries = [os.path.join(folder, name) for name in os.listdir(folder)]
    except OSError as error:
        raise FileError(f"cannot read {folder}: {error.strerror}; check the path and the permissions") from None
    inner = next((one for one in sorted(entries) if os.path.isdir(one) and os.path.basename(one)[:1] not in "._"), None)
    if inner is not None:
        raise FileError(
            f"{folder} has the folder {os.path.basename(inner)} in it; name the files by a pattern, such as "
            f"'{os.path.join(folder, '**', '*.parquet')}'"
        )
    return entries


def _format(file: str, given: str) -> Format:
    if os.path.isdir(file):
        raise FileError(f"{file} is a folder; let the pattern {given} fit files only")
    name = file.lower()
    for known, suffixes in SUFFIXES.items():
        if name.endswith(suffixes):
            return known
    endings = ", ".join(suffix for suffixes in SUFFIXES.values() for suffix in suffixes)
    raise FileError(
        f"{os.path.basename(file)} in {given} is no table that can be told by its name ({endings}); move it away, or "
        f"name the parts by a pattern such as '*.parquet'"
    )


def look_at(file: str) -> Part:
    """The file as it is now."""
    try:
        state = os.stat(file)
    except OSError as error:
        raise FileError(f"cannot read {file}: {error.strerror}; check the path and the permissions") from None
    return Part(file, state.st_size, state.st_mtime_ns)


def natural(name: str) -> list[tuple[int, int, str]]:
    """A key that puts part-10 behind part-9."""
    pieces = _DIGITS.split(name)
    return [(1, int(piece), piece) if k % 2 else (0, 0, piece) for k, piece in enumerate(pieces)]


Schema = Mapping[str, "pl.DataType"]


def common_schema(parts: Parts, schemas: Sequence[Schema]) -> dict[str, Any]:
    """The columns of the whole table with a type that holds what every part has; DataError where there is none."""
    first = schemas[0]
    check_names(list(first), parts.files[0].name)
    for part, schema in zip(parts.files[1:], schemas[1:], strict=True):
        _check_columns(parts.files[0].name, first, part.name, schema)
    return {name: _common_type(parts, name, [schema[name] for schema in schemas]) for name in first}


def _check_columns(first: str, known: Schema, name: str, schema: Schema) -> None:
    lost = [repr(one) for one in known if one not in schema]
    more = [repr(one) for one in schema if one not in known]
    said = []
    if lost:
        said.append(f"has no column{'' if len(lost) == 1 else 's'} {listed(lost)}")
    if more:
        said.append(f"has the column{'' if len(more) == 1 else 's'} {listed(more)} more")
    if said:
        raise DataError(
            f"the parts of a table need the same columns: {name} {' and '.join(said)}, compared with {first}; make "
            f"them alike, or leave that file out"
        )


def _common_type(parts: Parts, name: str, types: Sequence[pl.DataType]) -> pl.DataType:
    import polars as pl

    known = {repr(one): one for one in types if one != pl.Null}
    if len(known) < 2:
        return next(iter(known.values()), pl.Null())
    families = {_family(one) for one in known.values()}
    empty = [pl.DataFrame({name: pl.Series(name, [], dtype=one)}) for one in known.values()]
    try:
        if len(families) == 1:
            return pl.concat(empty, how="vertical_relaxed").schema[name]
    except pl.exceptions.PolarsError:
        pass
    first = next(k for k, one in enumerate(types) if one != pl.Null)
    other = next(k for k, one in enumerate(types) if one not in (pl.Null, types[first]))
    raise DataError(
        f"column {name!r} holds {_in_words(types[other])} in {parts.files[other].name}, but {_in_words(types[first])} "
        f"in {parts.files[first].name}; write both parts with one type, or leave the column out of all"
    )


def _family(dtype: pl.DataType) -> str:
    import polars as pl

    if dtype.is_numeric():
        return "number"
    return "text" if dtype in (pl.String, pl.Categorical, pl.Enum) else repr(dtype.base_type())


def _in_words(dtype: pl.DataType) -> str:
    import polars as pl

    if isinstance(dtype, pl.Enum):
        return f"{counted(len(dtype.categories), 'ordered category').replace('categorys', 'categories')}"
    words = {"number": "numbers", "text": "text", repr(pl.Boolean): "true and false"}
    return words.get(_family(dtype), f"{str(dtype).partition('(')[0].lower()} values")
