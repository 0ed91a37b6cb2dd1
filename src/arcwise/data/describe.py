"""A short description of every column, for printing and JSON."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwise.data.dataset import Column, Dataset, FloatArray, Kind, TypingDecision, WeightArray
from arcwise.data.reading.door import takes_table

FEW_LEVELS = 16  # a look at all rows for each of so many is quicker than one that counts them


@dataclass(frozen=True, slots=True)
class ColumnSummary:
    """One column: `levels` and `counts` (rows of each) if discrete, else minimum, median and maximum."""

    name: str
    kind: Kind
    n_distinct: int
    reason: str
    doubtful: bool
    levels: tuple[str, ...] = ()
    counts: tuple[int, ...] = ()
    minimum: float | None = None
    median: float | None = None
    maximum: float | None = None


@takes_table
def describe(data: Dataset) -> list[ColumnSummary]:
    """One summary per column, in column order; O(cells log rows)."""
    decisions = {decision.column: decision for decision in data.decisions}
    return [_summary(column, data.weights, decisions.get(column.name)) for column in data.columns]


def _summary(column: Column, weights: WeightArray | None, decision: TypingDecision | None) -> ColumnSummary:
    reason = decision.reason if decision else ""
    doubtful = decision.doubtful if decision else False
    if column.kind is Kind.DISCRETE:
        rows = _rows_of_levels(column, weights)
        seen = sum(count > 0 for count in rows)
        return ColumnSummary(column.name, column.kind, seen, reason, doubtful, column.levels, rows)
    ordered, middle, after = _middle(column.values, weights)
    return ColumnSummary(
        column.name,
        column.kind,
        1 + int(np.count_nonzero(ordered[1:] != ordered[:-1])),
        reason,
        doubtful,
        minimum=float(ordered[0]),
        median=middle if middle == after else middle / 2 + after / 2,
        maximum=float(ordered[-1]),
    )


def _rows_of_levels(column: Column, weights: WeightArray | None) -> tuple[int, ...]:
    if weights is None and column.cardinality <= FEW_LEVELS:
        return tuple(int(np.count_nonzero(column.values == level)) for level in range(column.cardinality))
    counts = np.bincount(column.values, weights, minlength=column.cardinality)
    return tuple(counts.astype(np.int64).tolist())


def _middle(values: FloatArray, weights: WeightArray | None) -> tuple[FloatArray, float, float]:
    """The values in order, and the two in the middle of them, which are one where their number is odd."""
    if weights is None:
        ordered = np.sort(values)
        return ordered, float(ordered[(len(ordered) - 1) // 2]), float(ordered[len(ordered) // 2])
    order = np.argsort(values, kind="stable")
    last = np.cumsum(weights[order])  # after the rows of each value
    places = np.searchsorted(last, [(last[-1] - 1) // 2, last[-1] // 2], side="right")
    middle, after = values[order[places]].tolist()
    return values[order], middle, after
