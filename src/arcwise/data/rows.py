"""Rows as they come: one block after another. What is learned from rows is additive over blocks.

Statistics see rows only through `Rows`, so they need not know whether a table lies in memory, in files or elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import Dataset, Kind, WeightArray

BLOCK_ROWS = 1 << 15  # rows in a block: enough work for a thread, and their joint codes stay in cache


class Block(NamedTuple):
    """Some rows: the values of each column, and how many times each row counts (None: once)."""

    columns: tuple[NDArray[Any], ...]
    weights: WeightArray | None


class Rows(Protocol):
    """A table as blocks of rows. n_rows counts rows with their weights, n_stored as they come."""

    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def kinds(self) -> tuple[Kind, ...]: ...
    @property
    def cardinalities(self) -> tuple[int, ...]: ...
    @property
    def n_rows(self) -> int: ...
    @property
    def n_stored(self) -> int: ...

    def blocks(self) -> Iterator[Block]: ...


@dataclass(frozen=True, slots=True, eq=False)
class RowsInMemory:
    """The rows of a dataset in blocks of about equal size; no values are copied."""

    data: Dataset

    @property
    def names(self) -> tuple[str, ...]:
        return self.data.names

    @property
    def kinds(self) -> tuple[Kind, ...]:
        return self.data.kinds

    @property
    def cardinalities(self) -> tuple[int, ...]:
        return self.data.cardinalities

    @property
    def n_rows(self) -> int:
        return self.data.n_rows

    @property
    def n_stored(self) -> int:
        return self.data.n_stored

    def blocks(self) -> Iterator[Block]:
        n, weights = self.n_stored, self.data.weights
        for a, b in pairwise(np.linspace(0, n, -(-n // BLOCK_ROWS) + 1).astype(int).tolist()):
            columns = tuple(column.values[a:b] for column in self.data.columns)
            yield Block(columns, None if weights is None else weights[a:b])


def rows_of(data: Dataset) -> Rows:
    return RowsInMemory(data)
