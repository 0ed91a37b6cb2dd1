"""A short description of every column, for printing and JSON."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwise.data.accepting import takes_table
from arcwise.data.dataset import Column, Dataset, Kind, TypingDecision


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
    return [_summary(column, decisions.get(column.name)) for column in data.columns]


def _summary(column: Column, decision: TypingDecision | None) -> ColumnSummary:
    reason = decision.reason if decision else ""
    doubtful = decision.doubtful if decision else False
    if column.kind is Kind.DISCRETE:
        counts = np.bincount(column.values, minlength=column.cardinality)
        seen = int(np.count_nonzero(counts))
        rows = tuple(counts.tolist())
        return ColumnSummary(column.name, column.kind, seen, reason, doubtful, column.levels, rows)
    ordered = np.sort(column.values)  # one sort answers everything
    middle = len(ordered) // 2
    return ColumnSummary(
        column.name,
        column.kind,
        1 + int(np.count_nonzero(ordered[1:] != ordered[:-1])),
        reason,
        doubtful,
        minimum=float(ordered[0]),
        median=float(ordered[middle] if len(ordered) % 2 else ordered[middle - 1] / 2 + ordered[middle] / 2),
        maximum=float(ordered[-1]),
    )
