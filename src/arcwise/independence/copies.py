"""Rows that are copies of others, told from rows that agree by chance.

A test takes every row for a new observation; rows that were written down twice, or once for each of five, are not.

The whole table: if how often each distinct row occurs has a common divisor m > 1, it was written m times.

Some of the rows: numbers with fractions seldom agree by chance. So where a value of a continuous column comes back, and
the whole row comes back with it, that is a copy. With a block the rows of one value of that column,

    mixed = rows in blocks whose rows differ / rows in blocks of two rows or more,
    apart = neighbouring blocks that differ / neighbouring blocks,

rows that agree are copies if mixed <= SHARE apart in one of the columns: `apart` is what to expect of rows that have
nothing to do with each other. There must be blocks enough to see that (EXPECTED). Nothing here depends on the order of
rows or columns.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import IntArray

SHARE = 0.25
EXPECTED = 5.0  # blocks that would differ if rows agreed by chance
FEWEST = 20  # distinct rows from which on a common divisor is no chance: below 2^(1 - FEWEST)
Ranks = NDArray[np.int32]


def without_copies(ranks: Ranks, orders: Ranks, is_discrete: NDArray[np.bool_]) -> IntArray | None:
    """The rows that are no copies of others; None where all rows count.

    ranks, orders: as in RankedColumns. O(columns rows log rows), and next to nothing where a column has no ties.
    """
    n = ranks.shape[1]
    group: IntArray = np.zeros(n, dtype=np.intp)  # rows that agree in the columns so far
    for of_column in ranks:
        group = np.unique(group * n + of_column, return_inverse=True)[1]
        if group.max(initial=0) == n - 1:
            return None
    times = np.bincount(group)
    written = int(np.gcd.reduce(times)) if len(times) >= FEWEST else 1
    if any(_comes_back_whole(ranks, orders, int(key)) for key in np.flatnonzero(~is_discrete)):
        left = np.ones_like(times)
    elif written > 1:
        left = times // written
    else:
        return None
    by_group = np.argsort(group, kind="stable")
    earlier = np.arange(n) - np.repeat(np.cumsum(times) - times, times)  # rows of the same group before this one
    return by_group[earlier < np.repeat(left, times)]


def _comes_back_whole(ranks: Ranks, orders: Ranks, key: int) -> bool:
    """Whether rows with the same value in column `key` are the same rows."""
    rows = np.bincount(ranks[key])
    starts = np.cumsum(rows) - rows
    others = np.delete(ranks, key, axis=0)[:, orders[key]]
    low, high = np.minimum.reduceat(others, starts, axis=1), np.maximum.reduceat(others, starts, axis=1)
    shared = rows > 1
    if len(rows) < 2 or not shared.any():
        return False
    mixed = rows[shared & (low != high).any(axis=0)].sum() / rows[shared].sum()
    apart = (low[:, 1:] != low[:, :-1]).any(axis=0).mean()
    return bool(apart * np.count_nonzero(shared) >= EXPECTED and mixed <= SHARE * apart)
