"""A short description of every column, for printing and JSON."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwise.data.accepting import takes_table
from arcwise.data.dataset import Column, Dataset, Kind, TypingDecision, WeightArray


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
    return [_summary(column, decisions.get(column.name), data.weights) for column in data.columns]


def _summary(column: Column, decision: TypingDecision | None, weights: WeightArray | None) -> ColumnSummary:
    reason = decision.reason if decision else ""
    doubtful = decision.doubtful if decision else False
    if column.kind is Kind.DISCRETE:
        counts = np.bincount(column.values, weights, minlength=column.cardinality).astype(np.int64)
        seen = int(np.count_nonzero(counts))
        rows = tuple(counts.tolist())
        return ColumnSummary(column.name, column.kind, seen, reason, doubtful, column.levels, rows)
    if weights is None:
        ordered = np.sort(column.values)  # one sort answers everything
        n_rows, middle = len(ordered), ordered[(len(ordered) - 1) // 2 : len(ordered) // 2 + 1]
    else:
        order = np.argsort(column.values)
        ordered, ends = column.values[order], np.cumsum(weights[order])
        n_rows = int(ends[-1])
        middle = ordered[np.searchsorted(ends, [(n_rows - 1) // 2, n_rows // 2], side="right")]
    return ColumnSummary(
        column.name,
        column.kind,
        1 + int(np.count_nonzero(ordered[1:] != ordered[:-1])),
        reason,
        doubtful,
        minimum=float(ordered[0]),
        median=float(middle[0] if n_rows % 2 else middle[0] / 2 + middle[-1] / 2),
        maximum=float(ordered[-1]),
    )
