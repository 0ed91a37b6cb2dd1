"""Ordered levels as numbers, so that thresholds can be put between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from arcwise.data.dataset import Column, Dataset, Kind, TypingDecision
from arcwise.data.reading.door import takes_table
from arcwise.errors import DataError
from arcwise.printing import listed


@takes_table
def as_numbers(data: Dataset, columns: Sequence[str] | None = None) -> Dataset:
    """The same table with levels numbered 0, 1, 2, ... in their order, as continuous columns.

    columns: names of discrete columns, whose levels are then taken to be in order even if nothing else says so (the
    log of decisions calls that doubtful); None: every column whose levels are ordered. A threshold of 1.5 then lies
    between the second and the third level.
    """
    if columns is None:
        chosen = {column.name for column in data.columns if column.kind is Kind.DISCRETE and column.ordered}
    else:
        chosen = {data.column(name).name for name in ([columns] if isinstance(columns, str) else columns)}
    for name in chosen:
        if data.column(name).kind is not Kind.DISCRETE:
            raise DataError(f"column {name!r} is continuous already; name discrete columns only")
    new = {name: _decision(data.column(name)) for name in chosen}
    kept = {decision.column: decision for decision in data.decisions} | new
    return replace(
        data,
        columns=tuple(_numbered(column) if column.name in chosen else column for column in data.columns),
        decisions=tuple(kept[name] for name in data.names if name in kept),
    )


def _numbered(column: Column) -> Column:
    return Column(column.name, Kind.CONTINUOUS, column.values.astype(np.float64), missing=column.missing)


def _decision(column: Column) -> TypingDecision:
    reason = f"levels numbered from 0 in this order: {listed(column.levels)}"
    return TypingDecision(column.name, Kind.CONTINUOUS, reason, doubtful=not column.ordered)
