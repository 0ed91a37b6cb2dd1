"""A coded store while it is written: a folder beside the store, which gets its name when every cell is on the disk."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcwise.data.rows.checksums import VERIFIED, checksum, remember_verified
from arcwise.data.rows.header import FILES, TABLE, Header, save_header
from arcwise.errors import FileError
from arcwise.machine import in_words

SUFFIX = ".arcwise"
PARTIAL = ".partial"
WRITING = "writing"  # what a run keeps beside the files, to go on after it was ended

# By file and place of its row in the matrix: the cells of some rows of the table.
Cells = Mapping[tuple[str, int], NDArray[Any]]


def partial_of(path: Path) -> Path:
    """The folder in which a store is written."""
    return path.with_name(path.name + PARTIAL)


def check_target(path: Path, replace: bool = False) -> None:
    """Refuse a name that a store cannot have or that is taken; a store is replaced if `replace` says so."""
    if not path.name.endswith(SUFFIX):
        raise FileError(f"cannot write {path}: the name of a coded store must end in {SUFFIX}")
    if not path.parent.is_dir():
        raise FileError(f"cannot write {path}: there is no folder {path.parent}; make it first")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise FileError(f"cannot write {path}: the folder may not be written to; choose another")
    if not path.exists() and not path.is_symlink():
        return
    if not replace:
        raise FileError(f"{path} is there already; choose another name, or replace it with --replace (replace=True)")
    if not is_ours(path):
        raise FileError(f"cannot write {path}: it is no coded store, so it is not replaced; choose another name")


def is_ours(folder: Path) -> bool:
    """Whether nothing is in this folder but what a store has."""
    known = {TABLE, VERIFIED, *FILES}
    return folder.is_dir() and not folder.is_symlink() and {file.name for file in folder.iterdir()} <= known


class Draft:
    """The files of a store, laid out by its header. Rows may be written in any order, by several threads."""

    def __init__(self, path: Path, header: Header) -> None:
        self.path, self.header = path, header
        self.folder = partial_of(path)
        self._files: dict[str, int] = {}
        try:
            self.folder.mkdir(exist_ok=True)
            self._check_room()
            for file, size in header.files().items():
                self._files[file] = os.open(self.folder / file, os.O_RDWR | os.O_CREAT, 0o666)
                os.truncate(self._files[file], size)
        except OSError as error:
            self.close()
            raise _cannot(path, error) from None

    def _check_room(self) -> None:
        there = sum((self.folder / file).stat().st_size for file in FILES if (self.folder / file).exists())
        needed, free = sum(self.header.files().values()) - there, shutil.disk_usage(self.folder).free
        if needed > free:
            raise FileError(
                f"{self.path} would take {in_words(needed)} on the disk, where only {in_words(free)} are free; choose "
                f"a folder on a larger disk, or leave columns out"
            )

    def put(self, first: int, cells: Cells, sums: dict[tuple[str, int], int]) -> None:
        """Write cells of the rows from `first` on; `sums` has the checksums of what stands before them, and after."""
        try:
            for key, values in cells.items():
                dtype = self.header.dtype(key[0])
                row = np.ascontiguousarray(values, dtype=dtype)
                place = (key[1] * self.header.n_rows + first) * dtype.itemsize
                left = row.view(np.uint8).data
                sums[key] = checksum(row, sums.get(key, 0))
                while left:
                    written = os.pwrite(self._files[key[0]], left, place)
                    left, place = left[written:], place + written
        except OSError as error:
            raise _cannot(self.path, error) from None

    def keep(self) -> None:
        """All that was written is on the disk when this returns."""
        try:
            for handle in self._files.values():
                os.fsync(handle)
        except OSError as error:
            raise _cannot(self.path, error) from None

    def finish(self, header: Header) -> None:
        """The store under its own name, with this header. An older one is put aside until this one is there."""
        self.keep()
        self.close()
        save_header(self.folder, header)
        shutil.rmtree(self.folder / WRITING, ignore_errors=True)
        remember_verified(self.folder)
        old = self.path.with_name(self.path.name + ".old")
        try:
            shutil.rmtree(old, ignore_errors=True)
            if self.path.exists():
                self.path.rename(old)
            self.folder.rename(self.path)
            shutil.rmtree(old, ignore_errors=True)
            _keep_name(self.path.parent)
        except OSError as error:
            raise _cannot(self.path, error) from None

    def close(self) -> None:
        for handle in self._files.values():
            os.close(handle)
        self._files = {}


def _keep_name(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _cannot(path: Path, error: OSError) -> FileError:
    return FileError(f"cannot write {path}: {error.strerror}; choose a folder that can be written and has room")
