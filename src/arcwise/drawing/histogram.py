"""How the values of a column are spread, in bins of equal width that suit a picture."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from arcwise.data.dataset import FloatArray, IntArray, WeightArray
from arcwise.data.discretization import format_numbers
from arcwise.printing import counted

FEWEST_BINS = 10
SQUEEZED = 0.2  # share of the width that nearly all rows must fill, lest outliers are left out
OUTLIERS = 200  # one row in so many may be left out at either end
FINE_GRID = 50  # with so many grid points in a bin, one more or less does not show


@dataclass(frozen=True, slots=True, eq=False)
class Histogram:
    """counts[k]: rows in bin k of `low` to `high`; `below` and `above`: rows left out on either side.

    `shown`: the smallest and the largest value that is counted; on a grid the bins begin half a step before it.
    """

    low: float
    high: float
    counts: IntArray
    below: int
    above: int
    shown: tuple[float, float]

    @property
    def ends(self) -> list[tuple[str, float]]:
        """The smallest and the largest value that is counted, and where to write them; once if they are the same."""
        low, high = self.shown
        if low == high:
            return [(f"{low:.6g}", 0.5)]
        return list(zip(format_numbers(np.array(self.shown)), (0.0, 1.0), strict=True))

    def marks(self, cuts: FloatArray) -> list[tuple[str, float]]:
        """The thresholds that lie between the ends, and where."""
        placed = zip(format_numbers(cuts), self.place(cuts).tolist(), strict=True)
        return [(text, place) for text, place in placed if 0 <= place <= 1]

    def place(self, values: FloatArray) -> FloatArray:
        """Where the values lie: 0 at `low`, 1 at `high`; a single value lies in the middle."""
        if self.low == self.high:
            return 0.5 + np.sign(values - self.low)
        return _fraction(values, self.low, self.high)

    def left_out(self, values: FloatArray, cuts: FloatArray) -> str:
        """Which rows and thresholds of the column lie beyond the ends, in words; empty when none does."""
        parts = []
        if self.below:
            parts.append(f"{counted(self.below, 'row')} below, down to {values.min():.6g}")
        if self.above:
            parts.append(f"{counted(self.above, 'row')} above, up to {values.max():.6g}")
        beyond = len(cuts) - len(self.marks(cuts))
        if beyond:
            parts.append(counted(beyond, "threshold"))
        return f"not shown: {'; '.join(parts)}" if parts else ""


def histogram(values: FloatArray, most_bins: int, weights: WeightArray | None = None) -> Histogram:
    """Bins for a column of finite values; the fewer the rows, the fewer the bins. O(N log N).

    Outliers are left out when nearly all other rows would share a few bins. Values on a grid, such as integers, get
    whole grid steps to a bin: otherwise some bins hold more grid points than others, and the bars form a comb.
    weights: how many rows each value stands for.
    """
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    rows = np.ones(len(values), dtype=np.int64) if weights is None else weights[order]
    before = np.concatenate(([0], np.cumsum(rows)))  # rows before each value
    first, last = _without_outliers(ordered, before)
    inside = ordered[first:last]
    low, high = float(inside[0]), float(inside[-1])
    bins = min(most_bins, max(FEWEST_BINS, 2 * math.isqrt(int(before[last] - before[first]))))
    edges = _grid_edges(inside, bins)
    if edges is not None:
        left, right, bins = edges
    elif low == high:
        left, right, bins = low, high, 3  # one bar with some air on both sides
    else:
        left, right = low, high
    beyond = int(before[first]), int(before[-1] - before[last])
    found = Histogram(left, right, np.empty(0, dtype=np.intp), *beyond, (low, high))
    bin_of = np.minimum((found.place(inside) * bins).astype(np.intp), bins - 1)
    counts = np.bincount(bin_of, rows[first:last], minlength=bins).astype(np.intp)
    return replace(found, counts=counts)


def _without_outliers(ordered: FloatArray, before: IntArray) -> tuple[int, int]:
    """First and last + 1 of the sorted values to show: all, unless the ends would squeeze the rest together."""
    n = int(before[-1])
    few = max(1, n // OUTLIERS)
    if n <= 2 * few:
        return 0, len(ordered)
    core_low, core_high = ordered[np.searchsorted(before, [few, n - 1 - few], side="right") - 1]
    # Halves, because the difference of two floats may overflow.
    core, whole = core_high / 2 - core_low / 2, ordered[-1] / 2 - ordered[0] / 2
    if core <= 0 or core >= SQUEEZED * whole:
        return 0, len(ordered)
    # Rows within one width of the core stay, so an end without outliers stays as it is.
    near = np.abs(ordered / 2 - (core_low / 4 + core_high / 4)) <= 1.5 * core
    kept = np.flatnonzero(near)
    return int(kept[0]), int(kept[-1]) + 1


def _grid_edges(ordered: FloatArray, bins: int) -> tuple[float, float, int] | None:
    """(left, right, number) of bins that each hold the same number of grid points; None when there is no grid."""
    with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is no grid
        gaps = np.diff(ordered)
        gaps = gaps[gaps > 0]
        steps = gaps / gaps.min(initial=np.inf)
        points = float(np.rint(steps).sum()) + 1
    if not len(gaps):
        return None
    if not math.isfinite(points) or points > FINE_GRID * bins or np.abs(steps - np.rint(steps)).max() > 1e-3:
        return None
    step = (float(ordered[-1]) - float(ordered[0])) / (points - 1)
    width = math.ceil(points / bins)
    number = math.ceil(points / width)
    left = float(ordered[0]) - step / 2
    right = left + number * width * step
    return (left, right, number) if math.isfinite(right) and left < right else None


def _fraction(values: FloatArray, low: float, high: float) -> FloatArray:
    if math.isinf(high - low):
        values, low, high = values / 2, low / 2, high / 2
    with np.errstate(over="ignore"):  # far beyond either end is infinitely far
        result: FloatArray = (values - low) / (high - low)
    return result
