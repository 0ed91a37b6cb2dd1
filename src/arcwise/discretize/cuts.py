"""What discretizers share: the walk over the columns, thresholds between neighbouring values, densities."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from arcwise.data.dataset import Dataset, FloatArray, IntArray, Kind
from arcwise.data.discretization import Discretization


def cut_columns(data: Dataset, cut: Callable[[FloatArray], FloatArray]) -> Discretization:
    """Thresholds by `cut` for each continuous column; a constant one gets none, a discrete one no entry."""
    thresholds: dict[str, FloatArray] = {}
    for column in data.columns:
        if column.kind is Kind.CONTINUOUS:
            constant = bool(np.all(column.values == column.values[0]))
            thresholds[column.name] = np.empty(0) if constant else cut(column.values)
    return Discretization(thresholds)


def midpoints(low: FloatArray, high: FloatArray) -> FloatArray:
    """Thresholds t with low < t <= high, elementwise, for low < high: the midpoint where floats have one.

    Between neighbouring floats the midpoint rounds to one of them; if that is `low`, then `high` is the
    threshold, because a threshold belongs to the upper level.
    """
    with np.errstate(over="ignore"):
        middle = (low + high) / 2
    # The sum overflows only where halving first loses nothing.
    middle = np.where(np.isfinite(middle), middle, low / 2 + high / 2)
    return np.where(middle > low, middle, high)


def log_density(values: FloatArray, starts: IntArray, floor: float) -> float:
    """-sum n_k ln(width_k): the values of a level spread evenly between its ends.

    Levels end at the thresholds between them, the outer ones at the smallest and largest value. floor: least width
    that counts, as a share of the range: between neighbouring numbers there is none.
    """
    inner = starts[1:-1]
    edges = np.concatenate([[values[0]], midpoints(values[inner - 1], values[inner]), [values[-1]]])
    least = np.log(floor) + log_width(values[0], values[-1])
    return -float(np.sum(np.diff(starts) * np.maximum(log_width(edges[:-1], edges[1:]), least)))


def log_width(low: FloatArray | float, high: FloatArray | float) -> FloatArray:
    """ln(high - low), also where the difference overflows; -inf where there is none."""
    with np.errstate(over="ignore", divide="ignore"):
        whole = np.log(np.subtract(high, low))
        return np.where(np.isposinf(whole), np.log(np.multiply(high, 0.5) - np.multiply(low, 0.5)) + np.log(2.0), whole)
