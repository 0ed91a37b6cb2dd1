"""Arrays that are files: parts of a file seen as arrays, and from an array back to its place in the file."""

from __future__ import annotations

import mmap
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from arcwise.errors import FileError

if TYPE_CHECKING:
    from arcwise.data.dataset import Dataset


@dataclass(frozen=True, slots=True)
class Place:
    """Numbers of one type that follow each other in a file. offset: of the first, in bytes; dtype: as NumPy writes it.

    Another process maps the same rows by `place.open()`.
    """

    path: str
    offset: int
    dtype: str
    length: int

    def open(self) -> NDArray[Any]:
        """Columns of one file are parts of one map, so that they are seen to follow each other (`matrix.py`)."""
        dtype = np.dtype(self.dtype)
        content = _whole(Path(self.path))[self.offset : self.offset + self.length * dtype.itemsize]
        if len(content) < self.length * dtype.itemsize:
            raise FileError(f"cannot map {self.path}: it has become shorter; check that the file is there and whole")
        return content.view(dtype).view(np.ndarray)


_maps: WeakValueDictionary[tuple[str, int, int, int], np.memmap[Any, Any]] = WeakValueDictionary()
_mapping = Lock()


def _whole(path: Path) -> np.memmap[Any, Any]:
    """The bytes of a file, mapped once for all who use them at the same time, unless it was replaced in between."""
    try:
        now = path.stat()
        with _mapping:
            key = str(path), now.st_ino, now.st_size, now.st_mtime_ns
            found = _maps.get(key)
            if found is None:
                found = _maps[key] = np.memmap(path, np.uint8, "r")
            return found
    except (OSError, ValueError) as error:
        raise _cannot_map(path, error) from None


def mapped(path: Path, dtype: np.dtype[Any], shape: tuple[int, ...], offset: int = 0) -> NDArray[Any]:
    """A part of a file as an array that cannot be written; a plain one, which kernels know sooner than a memmap."""
    if 0 in shape:
        return np.zeros(shape, dtype)
    try:
        return np.memmap(path, dtype, "r", offset, shape).view(np.ndarray)
    except (OSError, ValueError) as error:
        raise _cannot_map(path, error) from None


def _cannot_map(path: Path, error: Exception) -> FileError:
    reason = getattr(error, "strerror", None) or str(error)
    return FileError(f"cannot map {path}: {reason}; check that the file is there and whole")


def place_of(array: NDArray[Any]) -> Place | None:
    """Where these numbers stand in a file; None for an array in memory, one without a file, or one with gaps."""
    if array.ndim != 1 or not array.flags.c_contiguous or not len(array):
        return None
    root = _root(array)
    if root is None or not isinstance(root.filename, str | Path):
        return None
    distance = array.__array_interface__["data"][0] - root.__array_interface__["data"][0]
    return Place(str(root.filename), root.offset + distance, array.dtype.str, len(array))


def _root(array: NDArray[Any]) -> np.memmap[Any, Any] | None:
    """The memmap that was made of a file. Its slices are memmaps, too, but do not know their own offset."""
    here: Any = array
    while here is not None:
        base = getattr(here, "base", None)
        if isinstance(here, np.memmap) and isinstance(base, mmap.mmap):
            return here
        here = base
    return None


def is_at_hand(data: Dataset) -> bool:
    """Whether the rows of the table are in memory: neither in files nor elsewhere."""
    return data.elsewhere is None and not is_mapped(data)


def is_mapped(data: Dataset) -> bool:
    """Whether the rows of the table are in files, seen through a map: then reading them all at once may not fit."""
    return any(_root(column.values) is not None for column in data.columns if data.n_stored)
