"""Different values of a column counted exactly, however long it is: its rows are read again, some values at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from arcwise.data.rows.ranges import Range
from arcwise.data.rows.survey import How, missing_cells, numbers_in

if TYPE_CHECKING:
    import polars as pl

HELD = 1 << 25  # values that are held at a time
Cells = Callable[[], Iterator["pl.Series"]]


def no_number_twice(cells: Cells, numbers: Range, how: How) -> bool:
    """Whether no number of a column occurs twice. The values are gone through in slices of their range."""
    low, high = (float(end) for end in (_least(numbers), _most(numbers)))
    n_slices = -(-numbers.n // HELD)
    edges = np.linspace(low, high, n_slices + 1)
    for k in range(n_slices):
        held: list[NDArray[Any]] = []
        for batch in cells():
            values = numbers_in(batch)[~missing_cells(batch, how)]
            inside = (values >= edges[k]) & ((values < edges[k + 1]) if k + 1 < n_slices else (values <= edges[k + 1]))
            some = np.sort(values if n_slices == 1 else values[inside])
            if (some[1:] == some[:-1]).any():
                return False
            held.append(some)
        together = np.sort(np.concatenate(held)) if held else np.zeros(0)
        if (together[1:] == together[:-1]).any():
            return False
    return True


def _least(numbers: Range) -> float:
    return min(float(numbers.low), *numbers.odd, np.inf)


def _most(numbers: Range) -> float:
    return max(float(numbers.high), *numbers.odd, -np.inf)


def count_distinct(cells: Cells, n_rows: int, how: How) -> int:
    """How many different texts a column has, by 64 bits of each: two of a billion may be taken for one."""
    n_slices, found = -(-n_rows // HELD), 0
    for k in range(n_slices):
        held = np.zeros(0, dtype=np.uint64)
        for batch in cells():
            hashes = batch.filter(~missing_cells(batch, how)).hash(seed=1).to_numpy()
            held = np.union1d(held, hashes if n_slices == 1 else hashes[hashes % np.uint64(n_slices) == k])
        found += len(held)
    return found
