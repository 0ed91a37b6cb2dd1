"""What discretizers share: a check of options, the walk over the columns, thresholds between neighbouring values."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from arcwise.data.dataset import Dataset, FloatArray, Kind
from arcwise.data.discretization import Discretization
from arcwise.errors import OptionError
from arcwise.stats.ordered import Ordered, ordered


def require_whole_number(option: str, value: int, *, at_most: int | None = None) -> None:
    """Refuse a number that is not from 1 to `at_most`."""
    if value >= 1 and (at_most is None or value <= at_most):
        return
    allowed = "an int of 1 or more" if at_most is None else f"an int from 1 to {at_most}"
    raise OptionError(f"option {option!r} must be {allowed}, not {value!r}")


def cut_columns(data: Dataset, cut: Callable[[Ordered], FloatArray]) -> Discretization:
    """Thresholds by `cut` for each continuous column; a constant one gets none, a discrete one no entry.

    Missing cells say nothing: the thresholds are those of the recorded values. Long columns give the same thresholds
    without being copied (stats/ordered.py).
    """
    thresholds: dict[str, FloatArray] = {}
    for column in data.columns:
        if column.kind is Kind.CONTINUOUS:
            values = ordered(data, column.name)
            varies = values.n > 0 and values.lowest < values.highest
            thresholds[column.name] = cut(values) if varies else np.empty(0)
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
