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
        sizes = [min(COARSE, one.n_bins) for one in (a, b)]
        rough = [_rough(one.bins, one.n_bins, size) for one, size in zip((a, b), sizes, strict=True)]
        found["map"] = _joint(rough[0], sizes[0], rough[1], sizes[1], weights)
        found["sizes"] = sizes
    return found


def _joint(a: IntArray, n_a: int, b: IntArray, n_b: int, weights: WeightArray | None) -> list[int]:
    return totals(np.where((a >= 0) & (b >= 0), a * n_b + b, -1), n_a * n_b, weights)


def _rough(bins: IntArray | None, n: int, size: int) -> IntArray:
    assert bins is not None
    return np.where(bins >= 0, bins * size // max(n, 1), -1)


def sample_content(data: Dataset, columns: Sequence[Shown], wanted: Iterable[int], rows: int) -> dict[str, Any] | None:
    """Some rows, the likelier the more they count, as places along the axes of these columns; None: no rows at all.

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
    """Positions of stored rows, each at most once, in no order that tells where they stood.

    With weights: those with the smallest e / w, e exponential (Efraimidis and Spirakis 2006).
    """
    rng = np.random.default_rng(FIRST)
    waits = rng.exponential(size=data.n_stored)
    if data.weights is not None:
        waits = waits / data.weights
    return np.argsort(waits, kind="stable")[:rows]
