"""The coded store: a table as a folder of files that are mapped, not read, so that it need not fit into memory.

`open_store` gives an ordinary `Dataset` whose columns are parts of the files. What `write_store` writes is there whole
or not at all.
"""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.data.rows.checksums import damaged, is_verified, remember_verified, verify
from arcwise.data.rows.draft import PARTIAL, SUFFIX, Draft, check_target, partial_of
from arcwise.data.rows.header import CODES, MISSING, NUMBERS, TABLE, WEIGHTS, ColumnHeader, Header, load_header
from arcwise.data.rows.mapped import mapped
from arcwise.data.rows.sketch import Sketch
from arcwise.errors import FileError

STRETCH = 1 << 22  # rows that have one checksum, of a table in memory


def is_store(path: str | Path) -> bool:
    """Whether this is the folder of a coded store, or by its name is meant to be one."""
    file = str(path).rstrip("/")
    if file.endswith((SUFFIX, SUFFIX + PARTIAL)):
        return os.path.isdir(file) or os.path.isdir(file + PARTIAL)
    return os.path.isfile(os.path.join(file, TABLE))  # which is False for a name that no file can have


def open_store(path: str | Path, *, whole: bool = False) -> Dataset:
    """The table in a coded store; its values stay in the files until they are used.

    whole: read and verify every cell, also where nothing was changed since the last time.
    """
    folder = Path(path)
    header = _header(folder)
    for file, size in header.files().items():
        _check_size(folder, file, size)
    if whole or not is_verified(folder):
        verify(folder, header)
        remember_verified(folder)
    return dataset_of(folder, header)


def sketches_of(path: str | Path) -> dict[str, Sketch]:
    """Of each column of numbers that was coded from files, a sketch of its quantiles: no row is read."""
    columns = _header(Path(path)).columns
    return {column.name: Sketch.from_dict(column.sketch) for column in columns if column.sketch is not None}


def _header(folder: Path) -> Header:
    if not (folder / TABLE).is_file():
        if partial_of(folder).is_dir() or folder.name.endswith(PARTIAL):
            raise FileError(f"{folder} is not finished; run the same 'arcwise code' again, which goes on with it")
        where = "does not exist" if not folder.exists() else f"is no coded store, since it has no {TABLE}"
        raise FileError(f"{folder} {where}; make one with 'arcwise code'")
    return load_header(folder)


def _check_size(folder: Path, file: str, size: int) -> None:
    try:
        found = (folder / file).stat().st_size
    except OSError:
        raise damaged(folder, f"its file {file!r} cannot be found") from None
    if found != size:
        raise damaged(folder, f"its file {file!r} has {found:,} bytes instead of {size:,}")


def dataset_of(folder: Path, header: Header) -> Dataset:
    """The table in the files of this folder, laid out as the header says; they are taken as they are."""
    matrices = {
        file: mapped(folder / file, header.dtype(file), (max(len(header.held(file)), 1), header.n_rows))
        for file in header.files()
    }
    keys = header.keys
    columns = tuple(_column(column, matrices, keys) for column in header.columns)
    return Dataset(
        columns,
        tuple(column.decision for column in header.columns if column.decision is not None),
        header.warnings,
        matrices[WEIGHTS][0] if header.weighted else None,
        header.provenance,
    )


def _column(column: ColumnHeader, matrices: dict[str, NDArray[Any]], keys: dict[Any, tuple[str, int]]) -> Column:
    file, row = keys[CODES if column.kind is Kind.DISCRETE else NUMBERS, column.name]
    found = Column(column.name, column.kind, matrices[file][row], column.levels, column.ordered)
    if column.lacks:
        # Its cells were blanked when they were written. To look whether they are would read the whole column.
        file, row = keys[MISSING, column.name]
        object.__setattr__(found, "missing", matrices[file][row])
    return found


def write_store(path: str | Path, data: Dataset, *, replace: bool = False) -> Dataset:
    """Write a table as a coded store and open it. replace: also where a store has this name."""
    folder = Path(path)
    check_target(folder, replace)
    steps = (*range(0, data.n_stored, STRETCH), data.n_stored) if data.n_stored else (0, 0)
    header = Header(
        _described(data),
        steps,
        data.warnings,
        data.provenance,
        data.weights is not None,
    )
    draft, keys = Draft(folder, header), header.keys
    try:
        sums: dict[tuple[str, int], list[int]] = {key: [] for key in keys.values()}
        for a, b in pairwise(steps):
            found: dict[tuple[str, int], int] = {}
            draft.put(a, {key: _cells(data, *which)[a:b] for which, key in keys.items()}, found)
            for key, value in found.items():
                sums[key].append(value)
        draft.finish(header.with_checksums(sums))
    finally:
        draft.close()
    return open_store(folder)


def _cells(data: Dataset, file: str, name: str) -> NDArray[Any]:
    if file == WEIGHTS:
        return np.asarray(data.weights)
    column = data.column(name)
    return np.asarray(column.missing) if file == MISSING else column.values


def _described(data: Dataset) -> tuple[ColumnHeader, ...]:
    decisions = {decision.column: decision for decision in data.decisions}
    return tuple(
        ColumnHeader(one.name, one.kind, one.levels, one.ordered, one.missing is not None, decisions.get(one.name))
        for one in data.columns
    )
