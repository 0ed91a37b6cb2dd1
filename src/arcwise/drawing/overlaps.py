"""Boxes moved as little as possible until none covers another (Dwyer, Marriott, Stuckey 2005): across, then down."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from arcwise.drawing.linear import FloatArray, nearest

BoolArray = NDArray[np.bool_]
TURNS = 3  # across, before what is left is moved apart for good
Apart = tuple[int, int, float]


def separated(
    x: FloatArray, y: FloatArray, width: FloatArray, height: FloatArray, below: Sequence[Apart]
) -> tuple[FloatArray, FloatArray]:
    """Centres of boxes of these sizes, gaps included. below: (i, j, how far at least j must be below i)."""
    y = nearest(y, below)
    for _ in range(TURNS):
        wide, high = _reach(width), _reach(height)
        over = wide - np.abs(x[:, None] - x), high - np.abs(y[:, None] - y)
        beside = (over[0] > 0) & (over[1] > 0) & (over[0] <= over[1])
        if not beside.any():
            break
        x = nearest(x, _kept(x, beside, wide))
    wide, high = _reach(width), _reach(height)
    return x, nearest(y, [*below, *_kept(y, np.abs(x[:, None] - x) < wide - 1e-6, high)])


def _reach(size: FloatArray) -> FloatArray:
    return (size[:, None] + size) / 2


def _kept(places: FloatArray, pairs: BoolArray, least: FloatArray) -> list[Apart]:
    """The pairs, each in the order of their places, without those that others imply."""
    order = np.argsort(places, kind="stable")
    ahead = np.triu(pairs[np.ix_(order, order)], 1)
    implied = ahead.astype(np.float32) @ ahead.astype(np.float32) > 0
    return [(int(order[i]), int(order[j]), float(least[order[i], order[j]])) for i, j in np.argwhere(ahead & ~implied)]
