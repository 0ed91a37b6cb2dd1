"""Pictures of two columns: how many rows are where, and a few rows as points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from arcwise.data.dataset import Dataset, IntArray, WeightArray
from arcwise.report.columns import Shown, totals

STEPS = 500  # places along an axis at which a point may stand
COARSE = 15  # bins of either column in a map of counts
FIRST = 0  # seed of the sample: the same table gives the same page


def pair_content(columns: Sequence[Shown], i: int, j: int, weights: WeightArray | None, dense: bool) -> dict[str, Any]:
    """Counts of rows by the groups of two columns, and by the bins of either one given the groups of the other.

    Every list goes through the second of its two codes first. dense: also by the bins of both, coarser.
    """
    a, b = columns[i], columns[j]
    found: dict[str, Any] = {"groups": _joint(a.groups, len(a.labels), b.groups, len(b.labels), weights)}
    if a.bins is not None:
        found["a"] = _joint(b.groups, len(b.labels), a.bins, a.n_bins, weights)
    if b.bins is not None:
        found["b"] = _joint(a.groups, len(a.labels), b.bins, b.n_bins, weights)
    if dense and a.bins is not None and b.bins is not None:
        (rough_a, n_a, step_a), (rough_b, n_b, step_b) = _rough(a.bins, a.n_bins), _rough(b.bins, b.n_bins)
        found["map"] = _joint(rough_a, n_a, rough_b, n_b, weights)
        found["sizes"], found["steps"] = [n_a, n_b], [step_a, step_b]
    return found


def _joint(a: IntArray, n_a: int, b: IntArray, n_b: int, weights: WeightArray | None) -> list[int]:
    return totals(np.where((a >= 0) & (b >= 0), a * n_b + b, -1), n_a * n_b, weights)


def _rough(bins: IntArray, n: int) -> tuple[IntArray, int, float]:
    """Cells of as many whole bins each, lest some hold more than others; how many; one's share of the axis.

    The last cell ends with the axis.
    """
    each = -(-n // COARSE)
    return np.where(bins >= 0, bins // each, -1), -(-n // each), each / n


def sample_content(data: Dataset, columns: Sequence[Shown], wanted: Iterable[int], rows: int) -> dict[str, Any] | None:
    """Some rows of the table, as places along the axes of these columns; None: no rows at all.

    A place is one of STEPS; null where the cell is missing or beyond the ends of the histogram.
    """
    positions = sorted(set(wanted))
    if not rows or not positions or not data.n_stored:
        return None
    chosen = _chosen(data, rows)
    places = {}
    for k in positions:
        spread, values = columns[k].spread, data.columns[k].values[chosen]
        assert spread is not None
        with np.errstate(invalid="ignore"):
            steps = np.rint(STEPS * spread.place(values))
        places[str(k)] = [int(step) if 0 <= step <= STEPS else None for step in steps.tolist()]
    return {"rows": len(chosen), "steps": STEPS, "places": places}


def _chosen(data: Dataset, rows: int) -> IntArray:
    """Positions of stored rows, each at most as often as it counts, in no order that tells where they stood."""
    rng = np.random.default_rng(FIRST)
    chosen = rng.choice(data.n_rows, min(rows, data.n_rows), replace=False)
    if data.weights is None:
        return chosen
    return np.searchsorted(np.cumsum(data.weights), chosen, side="right")
