"""Columns that follow each other in memory or in a mapped file, seen as one matrix without a copy."""

from __future__ import annotations

import mmap
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray


class _Lent:
    """Memory of another array, which lives as long as this does.

    It says that it may be written to, whether or not that is so: kernels are compiled for arrays of this kind, and
    would have to be compiled again for others. None of them writes to the columns of a table.
    """

    def __init__(self, base: NDArray[Any], shape: tuple[int, int], step: int) -> None:
        self.base = base
        self.__array_interface__ = {
            "version": 3,
            "typestr": base.dtype.str,
            "data": (_address(base), False),
            "shape": shape,
            "strides": (step, base.itemsize),
        }


def matrix_of(columns: Sequence[NDArray[Any]]) -> NDArray[Any] | None:
    """(columns, rows) where the columns are parts of one array at equal distances, in order; else None."""
    if not columns or not len(columns[0]):
        return None
    first, owner = columns[0], _owner(columns[0])
    if _owner(columns[-1]) is not owner:  # as in most tables, of which the rest need not be asked
        return None
    places = [_address(column) for column in columns]
    step = places[1] - places[0] if len(places) > 1 else first.nbytes
    like = first.dtype, first.shape, first.strides
    fits = first.flags.c_contiguous and all(
        (column.dtype, column.shape, column.strides) == like and _owner(column) is owner for column in columns
    )
    if not fits or step < first.nbytes or any(b - a != step for a, b in pairwise(places)):
        return None
    return np.asarray(_Lent(first, (len(columns), len(first)), step))


def let_go(rows: NDArray[Any]) -> None:
    """Give back the memory of rows of a mapped matrix; whoever reads them again has them from the file again.

    Nothing happens to other arrays.
    """
    root = _owner(rows)
    if not isinstance(root, np.memmap) or root.mode not in ("r", "r+") or not hasattr(mmap.mmap, "madvise"):
        return
    pages: Any = root.base
    start = _address(root) - root.offset % mmap.ALLOCATIONGRANULARITY
    for row in rows:
        first = (_address(row) - start) // mmap.PAGESIZE * mmap.PAGESIZE
        pages.madvise(mmap.MADV_DONTNEED, first, _address(row) - start + row.nbytes - first)


def _address(array: NDArray[Any]) -> int:
    return int(array.__array_interface__["data"][0])


def _owner(array: NDArray[Any]) -> NDArray[Any]:
    """The array of which this one is a part; of a mapped file, the memmap of all of it."""
    here: Any = array
    while True:
        base = getattr(here, "base", None)
        if base is None or isinstance(base, mmap.mmap) or not hasattr(base, "__array_interface__"):
            found: NDArray[Any] = here
            return found
        here = base
