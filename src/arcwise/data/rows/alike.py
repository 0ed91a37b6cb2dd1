"""Columns of a long table that are copies of each other: looked for in some rows, then held against all of them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcwise.data.copies import SAME_CORRELATION, copies
from arcwise.data.dataset import Column, Dataset, IntArray, Kind, TypingDecision
from arcwise.data.kinds import Typed
from arcwise.data.reading.raw import Origin
from arcwise.data.rows.matrix import let_go

SOME = 1 << 16  # rows that tell nearly all columns apart
SHORT = 1 << 20  # rows up to which all of them are looked at, as in memory
BLOCK = 1 << 20


def copies_in(data: Dataset) -> list[list[str]]:
    """Groups of names of columns that say the same, in the order of the columns."""
    if data.n_stored <= SHORT:
        return [[column.name for column in group] for group in copies(_typed(data))]
    rows = _telling_rows(data)
    found: list[list[str]] = []
    left = copies(_typed(data.take(rows)))
    for group in left:
        names = [column.name for column in group]
        while len(names) > 1:
            first = data.column(names[0])
            same = [name for name in names[1:] if _same(first, data.column(name))]
            if same:
                found.append([names[0], *same])
            names = [name for name in names[1:] if name not in same]
    return sorted(found, key=lambda group: data.index(group[0]))


def _typed(data: Dataset) -> list[Typed]:
    return [
        Typed(
            one.name, one.values, one.levels, one.ordered, one.missing, Origin.NUMBER,
            TypingDecision(one.name, one.kind, ""),
        )
        for one in data.columns
    ]  # fmt: skip


def _telling_rows(data: Dataset) -> IntArray:
    """Rows at equal distances; and of columns that are constant there, a row that is different, if there is one.

    Copies differ in the same rows, so two that are constant in the others are still found.
    """
    rows = np.linspace(0, data.n_stored - 1, SOME).astype(np.intp)
    more = [_odd_row(column, rows) for column in data.columns]
    return np.unique(np.concatenate([rows, np.array([row for row in more if row >= 0], dtype=np.intp)]))


def _odd_row(column: Column, rows: IntArray) -> int:
    some = column.values[rows]
    let_go(column.values[None])  # a few rows of a mapped column bring pages of all of it into memory
    there = some if column.missing is None else some[~column.missing[rows]]
    if len(there) and (there != there[0]).any():
        return -1
    for start, values, missing in _blocks(column):
        usual = there[0] if len(there) else values[0]
        odd = values != usual
        if missing is not None:
            odd &= ~missing
        if odd.any():
            return start + int(np.argmax(odd))
    return -1


def _blocks(column: Column) -> Iterator[tuple[int, NDArray[Any], NDArray[np.bool_] | None]]:
    for start in range(0, len(column.values), BLOCK):
        end = start + BLOCK
        yield start, column.values[start:end], None if column.missing is None else column.missing[start:end]


def _pairs(a: Column, b: Column) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
    """The values of both in the rows that both have, block by block."""
    for (_, x, no_x), (_, y, no_y) in zip(_blocks(a), _blocks(b), strict=True):
        gaps = [one for one in (no_x, no_y) if one is not None]
        there = ~np.logical_or.reduce(gaps) if gaps else slice(None)
        yield x[there], y[there]


def _same(a: Column, b: Column) -> bool:
    return _relabelled(a, b) if a.kind is Kind.DISCRETE else _affine(list(_sums(a, b)))


def _relabelled(a: Column, b: Column) -> bool:
    """Whether every level of one goes with just one of the other."""
    together = np.zeros(a.cardinality * b.cardinality, dtype=np.bool_)
    for x, y in _pairs(a, b):
        together[np.unique(x.astype(np.intp) * b.cardinality + y)] = True
        table = together.reshape(a.cardinality, b.cardinality)
        if table.sum(axis=0).max() > 1 or table.sum(axis=1).max() > 1:
            return False
    return True


def _sums(a: Column, b: Column) -> Iterator[tuple[float, float, float]]:
    """(variance of a, of b, covariance) of each block, times its rows, about the means of all."""
    sums = np.zeros(3)
    for x, y in _pairs(a, b):
        sums += (len(x), x.sum(), y.sum())
    centre_x, centre_y = sums[1:] / max(sums[0], 1.0)
    for x, y in _pairs(a, b):
        u, v = x - centre_x, y - centre_y
        yield float(u @ u), float(v @ v), float(u @ v)


def _affine(sums: Sequence[tuple[float, float, float]]) -> bool:
    xx, yy, xy = (math.fsum(column) for column in zip(*sums, strict=True))
    return xx > 0 and yy > 0 and abs(xy) >= (1.0 - SAME_CORRELATION) * math.sqrt(xx) * math.sqrt(yy)
