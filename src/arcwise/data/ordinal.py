"""Ordered levels as numbers, so that thresholds can be put between them; and the order that levels have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import Column, Dataset, Kind, TypingDecision, code_dtype
from arcwise.data.discretization import Discretization
from arcwise.data.reading.door import takes_table
from arcwise.data.scales import any_order
from arcwise.errors import DataError, unknown_name
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


@takes_table
@checked
def in_order(data: Dataset, orders: Mapping[str, Sequence[str] | None]) -> Dataset:
    """The same table; the levels of these discrete columns stand in the order that is given for them.

    None: the order that they have, as numbers or ordered categories, or else the one that their names tell: words of a
    scale (low, medium, high), or the numbers in them ("0-4", "5-9", "85+"). An order must have every level that occurs;
    it may have others.
    """
    columns = {column.name: column for column in data.columns}
    decisions = {decision.column: decision for decision in data.decisions}
    for name, labels in orders.items():
        column = data.column(name)
        if column.kind is not Kind.DISCRETE:
            raise DataError(f"column {name!r} is continuous, so its order is known; leave it out of the ordered ones")
        own = _own_order(column) if labels is None else tuple(labels)
        columns[name] = _reordered(column, own)
        whose = "in this order" if labels is not None else "in their own order" if column.ordered else "by their names"
        decisions[name] = TypingDecision(name, Kind.DISCRETE, f"levels {whose}: {listed(own)}")
    return replace(
        data,
        columns=tuple(columns[name] for name in data.names),
        decisions=tuple(decisions[name] for name in data.names if name in decisions),
    )


def _own_order(column: Column) -> tuple[str, ...]:
    found = column.levels if column.ordered else any_order(column.levels)
    if found is None:
        raise DataError(
            f"the names of the levels of column {column.name!r} do not tell their order ({listed(column.levels)}); "
            f"give it: --ordered '{column.name}=first,second,...' (in_order(data, {{{column.name!r}: [...]}}))"
        )
    return found


def _reordered(column: Column, labels: tuple[str, ...]) -> Column:
    for k, label in enumerate(labels):
        if label in labels[:k]:
            raise DataError(f"the order of column {column.name!r} has the level {label!r} twice; name it once")
    place = {label: k for k, label in enumerate(labels)}
    seen = np.unique(column.recorded)
    for code in seen:
        if column.levels[code] not in place:
            raise DataError(
                f"the order of column {column.name!r} lacks its level {column.levels[code]!r}; put it where it belongs"
            )
    unknown = [label for label in labels if label not in column.levels]
    if len(unknown) == len(labels):
        raise DataError(f"column {column.name!r}: {unknown_name('level', labels[0], column.levels)}")
    moved = np.array([place.get(label, 0) for label in column.levels], dtype=code_dtype(len(labels)))
    return Column(column.name, Kind.DISCRETE, moved[column.values], labels, ordered=True, missing=column.missing)


def named(cuts: Discretization, data: Dataset) -> Discretization:
    """Thresholds that were found on `as_numbers(data)`, with the levels of `data` where it has levels.

    So they can be applied to `data` itself, and to others with the same levels.
    """
    discrete = {name: data.column(name) for name in cuts.thresholds if data.column(name).kind is Kind.DISCRETE}
    return Discretization(cuts.thresholds, {name: column.levels for name, column in discrete.items()})


def _numbered(column: Column) -> Column:
    return Column(column.name, Kind.CONTINUOUS, column.values.astype(np.float64), missing=column.missing)


def _decision(column: Column) -> TypingDecision:
    reason = f"levels numbered from 0 in this order: {listed(column.levels)}"
    return TypingDecision(column.name, Kind.CONTINUOUS, reason, doubtful=not column.ordered)
