"""Room for arrays as long as a table, in memory or, where they are too large for it, in a mapped file.

The file has no name: it goes when the array does, however the process ends.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from math import prod
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from arcwise.errors import FileError
from arcwise.machine import free_memory, in_words

SHARE = 4  # an array that takes more than one in so many parts of the memory that is free goes into a file
SMALL = 1 << 26  # bytes that are taken without a question


def room_for(shape: int | tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
    """Zeros: in memory, or in a mapped file where they are large beside the memory that is free."""
    shape, dtype = shape if isinstance(shape, tuple) else (shape,), np.dtype(dtype)
    size = prod(shape) * dtype.itemsize
    if size <= SMALL or SHARE * size <= free_memory():
        return np.zeros(shape, dtype)
    return _mapped(shape, dtype, size)


def _mapped(shape: tuple[int, ...], dtype: np.dtype[Any], size: int) -> NDArray[Any]:
    folder = tempfile.gettempdir()
    free = shutil.disk_usage(folder).free
    needed = f"{in_words(size)} of counts and codes do not fit into memory, and need a file in {folder!r}"
    remedy = "set the environment variable TMPDIR to a folder on a larger disk, or keep fewer rows or columns"
    if size > free:
        raise FileError(f"{needed}, where only {in_words(free)} are free; {remedy}")
    try:
        with tempfile.TemporaryFile(dir=folder, prefix="arcwise-") as file:
            if hasattr(os, "posix_fallocate"):  # so that no write into the array can find the disk full
                os.posix_fallocate(file.fileno(), 0, size)
            return np.memmap(file, dtype, "r+", 0, shape).view(np.ndarray)  # kernels know these sooner
    except OSError as error:
        raise FileError(f"{needed}, which failed: {error}; {remedy}") from error
