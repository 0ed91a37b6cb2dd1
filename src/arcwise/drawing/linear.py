"""Linear programs of layouts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


def minimise(cost: Sequence[float], entries: list[tuple[int, int, float]], bounds: list[float]) -> FloatArray:
    """The non-negative x with the least cost under A x <= bounds, A given by (row, column, value) entries."""
    from scipy.optimize import linprog
    from scipy.sparse import coo_array

    rows, columns, values = zip(*entries, strict=True)
    matrix: Any = coo_array((values, (rows, columns)), shape=(len(bounds), len(cost))).tocsr()
    solution = linprog(np.asarray(cost), A_ub=matrix, b_ub=bounds, method="highs-ds")
    return np.asarray(solution.x, dtype=np.float64)


def nearest(wished: FloatArray, apart: Sequence[tuple[int, int, float]]) -> FloatArray:
    """The places x nearest to the wished ones: min sum |x - wished| with x_j - x_i >= least for each (i, j, least)."""
    if not apart:
        return wished
    n, shift = len(wished), float(wished.min()) - sum(least for *_, least in apart)  # no place is below this
    entries: list[tuple[int, int, float]] = []
    bounds: list[float] = []
    for i, j, least in apart:
        entries += [(len(bounds), i, 1.0), (len(bounds), j, -1.0)]
        bounds.append(-least)
    for i, place in enumerate(wished - shift):
        for sign in (1.0, -1.0):  # a slack n + i of at least |x_i - wished|
            entries += [(len(bounds), i, sign), (len(bounds), n + i, -1.0)]
            bounds.append(sign * float(place))
    return minimise([0.0] * n + [1.0] * n, entries, bounds)[:n] + shift
