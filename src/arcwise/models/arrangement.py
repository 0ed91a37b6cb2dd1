"""An order of the rows and columns of a table that depends on its contents, not on names, units or where things stand.

Colour refinement: a column's colour sums what its cells and their rows look like, a row's colour what its cells and
their columns look like, in turn, until no more columns are told apart. Cells are ranks within their column, which any
unit leaves as they are.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import Column, Dataset, IntArray, Kind

Colours = NDArray[np.uint64]


def arrange(data: Dataset) -> tuple[IntArray, IntArray]:
    """(rows, columns): the order of each. Equal rows keep their order; columns that nothing tells apart go by name.

    Unequal rows with equal colours (a chance of N^2 / 2^65) would keep the order given, too.
    """
    by_name = sorted(range(data.n_columns), key=data.names.__getitem__)
    cells = [_ranks(data.columns[j]) for j in by_name]
    columns = np.array([data.columns[j].kind is Kind.CONTINUOUS for j in by_name], dtype=np.uint64)
    found = 0
    while found < (found := len(np.unique(columns))):
        rows = _rows(cells, columns, data.n_rows)
        columns = np.array([_mixed(_mixed(own) + rows).sum(dtype=np.uint64) for own in cells], dtype=np.uint64)
    order = np.argsort(columns, kind="stable")
    columns[order] = _mixed(np.arange(len(order), dtype=np.uint64))  # as many colours as columns
    # One colour is the same for rank j in column k and rank k in column j; the other one is not.
    first, second = (_rows(cells, own, data.n_rows) for own in (columns, _mixed(columns)))
    return np.lexsort((second, first)), np.array(by_name, dtype=np.intp)[order]


def in_random_order(data: Dataset, seed: int) -> tuple[Dataset, IntArray]:
    """The rows in an order that the seed and the contents decide, and the order of the columns by their contents."""
    data = data.repeated()
    rows, columns = arrange(data)
    rows = rows[np.random.default_rng(seed).permutation(data.n_rows)]
    moved = (Column(c.name, c.kind, c.values[rows], c.levels, c.ordered) for c in data.columns)
    return Dataset(tuple(moved)), columns


def _ranks(column: Column) -> Colours:
    """Codes of levels, or ranks of numbers, equal ones alike."""
    if column.kind is Kind.DISCRETE:
        return column.values.astype(np.uint64)
    return np.unique(column.values, return_inverse=True)[1].astype(np.uint64)


def _rows(cells: list[Colours], columns: Colours, n_rows: int) -> Colours:
    """A sum over the columns, so that columns of one colour may change places."""
    total = np.zeros(n_rows, dtype=np.uint64)
    for own, colour in zip(cells, columns, strict=True):
        total += _mixed(_mixed(own) + colour)
    return total


def _mixed(bits: Colours) -> Colours:
    """A bijection of 64-bit words that spreads every bit (splitmix64)."""
    bits = bits + np.uint64(0x9E3779B97F4A7C15)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))
