"""`table.json` of a coded store: what its columns are, and how the files beside it are laid out.

A file is one matrix, a column of the table a row of it, in the order of the names: `codes` of the discrete columns,
`numbers` of the continuous ones, `missing` of those that lack cells, `weights` of the rows where they have any.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite
from pathlib import Path
from typing import Any, TypedDict

import numpy as np

from arcwise.data.dataset import MAX_LEVELS, Kind, TypingDecision, code_dtype
from arcwise.data.provenance import NOT_KNOWN, Provenance, ProvenanceContent
from arcwise.data.text_files import as_json, check_content, load_json, write_text
from arcwise.errors import FileError

TABLE = "table.json"
FORMAT = "arcwise-table-1"
CODES, NUMBERS, MISSING, WEIGHTS = "codes", "numbers", "missing", "weights"
FILES = (CODES, NUMBERS, MISSING, WEIGHTS)


@dataclass(frozen=True, slots=True)
class ColumnHeader:
    """One column. lacks: whether cells of it are missing. sketch: of its numbers, as `Sketch.to_dict` writes it."""

    name: str
    kind: Kind
    levels: tuple[str, ...] = ()
    ordered: bool = False
    lacks: bool = False
    decision: TypingDecision | None = None
    sketch: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class PartHeader:
    """A file that rows came from, with its size in bytes, and how many rows of the store are from it."""

    path: str
    size: int
    rows: int


@dataclass(frozen=True, slots=True)
class Strip:
    """One column's row of the matrix in one file. below: codes must be below it; 0 where any number may stand."""

    file: str
    column: str
    dtype: np.dtype[Any]
    offset: int
    below: int
    checksums: tuple[int, ...] = ()


@dataclass(frozen=True)
class Header:
    """All that `table.json` holds. stretches: where rows were begun to be written, and their number at the end.

    checksums: by file, for each row of its matrix, one for each stretch.
    """

    columns: tuple[ColumnHeader, ...]
    stretches: tuple[int, ...]
    warnings: tuple[str, ...] = ()
    provenance: Provenance = NOT_KNOWN
    weighted: bool = False
    parts: tuple[PartHeader, ...] = ()
    checksums: Mapping[str, tuple[tuple[int, ...], ...]] | None = None

    @property
    def n_rows(self) -> int:
        return self.stretches[-1]

    def lengths(self) -> list[int]:
        """Rows of each stretch."""
        return [b - a for a, b in zip(self.stretches[:-1], self.stretches[1:], strict=True)]

    @cached_property
    def code_dtype(self) -> np.dtype[Any]:
        return np.dtype(code_dtype(max((len(column.levels) for column in self.columns), default=0))).newbyteorder("<")

    def held(self, file: str) -> tuple[ColumnHeader, ...]:
        """The columns that have a row in the matrix of this file, in its order; the weights are no column."""
        kind = {CODES: Kind.DISCRETE, NUMBERS: Kind.CONTINUOUS}.get(file)
        found = [one for one in self.columns if (one.kind is kind if kind else file == MISSING and one.lacks)]
        return tuple(sorted(found, key=lambda column: column.name))

    def dtype(self, file: str) -> np.dtype[Any]:
        return {CODES: self.code_dtype, NUMBERS: np.dtype("<f8"), MISSING: np.dtype(np.bool_)}.get(
            file, np.dtype("<i8")
        )

    def files(self) -> dict[str, int]:
        """The bytes of each file that there is."""
        rows = {file: len(self.held(file)) for file in FILES} | {WEIGHTS: int(self.weighted)}
        return {file: n * self.n_rows * self.dtype(file).itemsize for file, n in rows.items() if n}

    def strips(self) -> list[Strip]:
        """Every row of every matrix, with its checksums where they are known."""
        found: list[Strip] = []
        for file in self.files():
            dtype, held = self.dtype(file), self.held(file)
            known = (self.checksums or {}).get(file, ())
            for k, name in enumerate([column.name for column in held] or ["the weights"]):
                below = max(len(held[k].levels), 1) if file == CODES else 2 if file == MISSING else 0
                sums = known[k] if k < len(known) else ()
                raw = np.dtype(np.uint8) if file == MISSING else dtype
                found.append(Strip(file, name, raw, k * self.n_rows * dtype.itemsize, below, sums))
        return found

    @cached_property
    def keys(self) -> dict[tuple[str, str], tuple[str, int]]:
        """(file, row of its matrix) by (file, column); of the weights, by an empty name."""
        found = {(file, column.name): (file, k) for file in FILES for k, column in enumerate(self.held(file))}
        return found | ({(WEIGHTS, ""): (WEIGHTS, 0)} if self.weighted else {})

    def with_checksums(self, sums: Mapping[tuple[str, int], Sequence[int]]) -> Header:
        """The same header with those of every row of every matrix, stretch by stretch."""
        rows = {file: sum(key[0] == file for key in sums) for file in self.files()}
        return replace(
            self,
            checksums={file: tuple(tuple(sums[file, k]) for k in range(n)) for file, n in rows.items()},
        )


class _Column(TypedDict):
    name: str
    kind: str
    levels: list[str]
    ordered: bool
    lacks: bool
    reason: str | None
    doubtful: bool
    sketch: dict[str, Any] | None


class _Part(TypedDict):
    path: str
    size: int
    rows: int


class _Content(TypedDict):
    format: str
    columns: list[_Column]
    stretches: list[int]
    warnings: list[str]
    provenance: ProvenanceContent
    weighted: bool
    parts: list[_Part]
    checksums: dict[str, list[list[int]]]
    checksum: int


def save_header(folder: Path, header: Header) -> None:
    content = header_content(header)
    write_text(folder / TABLE, as_json({**content, "checksum": _checksum(content)}, indent=1) + "\n")


def header_content(header: Header) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "columns": [_column_content(column) for column in header.columns],
        "stretches": list(header.stretches),
        "warnings": list(header.warnings),
        "provenance": _for_json(header.provenance.to_dict()),
        "weighted": header.weighted,
        "parts": [{"path": part.path, "size": part.size, "rows": part.rows} for part in header.parts],
        "checksums": {file: [list(row) for row in rows] for file, rows in (header.checksums or {}).items()},
    }


def _for_json(value: Any) -> Any:
    """Options may be numbers that JSON has not (na=inf): those as text."""
    if isinstance(value, dict):
        return {name: _for_json(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_for_json(one) for one in value]
    return str(value) if isinstance(value, float) and not isfinite(value) else value


def _column_content(column: ColumnHeader) -> dict[str, Any]:
    decision = column.decision
    return {
        "name": column.name,
        "kind": column.kind.value,
        "levels": list(column.levels),
        "ordered": column.ordered,
        "lacks": column.lacks,
        "reason": None if decision is None else decision.reason,
        "doubtful": decision is not None and decision.doubtful,
        "sketch": None if column.sketch is None else dict(column.sketch),
    }


def _checksum(content: Mapping[str, Any]) -> int:
    return zlib.crc32(as_json(content).encode())


def load_header(folder: Path) -> Header:
    """What `save_header` wrote; one sentence for what is no header, of another format, or damaged."""
    return load_json(folder / TABLE, "table of a coded store", _header)


def _header(content: Any) -> Header:
    found = content.get("format") if isinstance(content, dict) else None
    if isinstance(found, str) and found.startswith("arcwise-table-") and found != FORMAT:
        raise FileError(
            f"its format is {found!r}, and this version of arcwise reads {FORMAT!r}; code the table again, or use the "
            f"version that made it"
        )
    check_content(content, _Content, FileError)
    if content.pop("checksum") != _checksum(content):
        raise FileError("it was changed after it was written; code the table again, or restore a copy")
    return _checked(
        Header(
            tuple(_column(one) for one in content["columns"]),
            tuple(content["stretches"]),
            tuple(content["warnings"]),
            Provenance.from_dict(content["provenance"]),
            content["weighted"],
            tuple(PartHeader(**part) for part in content["parts"]),
            {file: tuple(map(tuple, rows)) for file, rows in content["checksums"].items()},
        )
    )


def _column(content: Mapping[str, Any]) -> ColumnHeader:
    kind, reason = Kind(content["kind"]), content["reason"]
    decision = None if reason is None else TypingDecision(content["name"], kind, reason, content["doubtful"])
    levels = tuple(content["levels"])
    return ColumnHeader(
        content["name"], kind, levels, content["ordered"], content["lacks"], decision, content["sketch"]
    )


def _checked(header: Header) -> Header:
    """Headers that could not have been written here are refused: what stands behind them would be read wrongly."""
    names = [column.name for column in header.columns]
    steps = header.stretches
    sound = (
        bool(names)
        and len(set(names)) == len(names)
        and all(len(column.levels) <= MAX_LEVELS for column in header.columns)
        and len(steps) > 1
        and steps[0] == 0
        and list(steps) == sorted(steps)
        and all(len(strip.checksums) == len(steps) - 1 for strip in header.strips())
    )
    if not sound:
        raise FileError("its entries do not fit each other; code the table again, or restore a copy")
    return header
