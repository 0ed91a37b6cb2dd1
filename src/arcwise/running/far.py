"""A table whose rows are on the workers of a cluster, as the rest of arcwise sees it: `Elsewhere`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import get_ident
from typing import Any

import numpy as np

from arcwise.data.dataset import Column, Dataset, IntArray, Kind
from arcwise.data.discretization import Discretization
from arcwise.data.rows.elsewhere import Far, Found, Question
from arcwise.running.library import Library
from arcwise.running.shelves import Request, View, joined
from arcwise.running.tallying import FarTallies


@dataclass(frozen=True, eq=False)
class OnCluster:
    """Rows on the shelves of a cluster, with some columns cut."""

    library: Library
    n_stored: int
    n_rows: int
    missing: Mapping[str, int]
    cuts: Discretization | None = None
    stop: Callable[[], bool] = lambda: False

    def until(self, stop: Callable[[], bool]) -> OnCluster:
        here = get_ident()  # monitors know one thread
        return replace(self, stop=lambda: get_ident() == here and stop())

    def ask(self, data: Dataset, question: Question[Found]) -> Found:
        answer: Found = self.library.ask(Request(View(data.names, self.cuts), question), self.stop)
        return answer

    def tallies(self, data: Dataset) -> FarTallies:
        return FarTallies(data, lambda question: self.ask(data, question))

    def sample(self, data: Dataset, positions: IntArray) -> Dataset:
        ordered, where = np.unique(positions, return_inverse=True)
        parts = self.ask(data, Chosen(ordered))
        rows = joined([part for _, part in sorted(parts, key=lambda part: part[0])])
        columns = tuple(replace(column, name=own.name) for column, own in zip(rows.columns, data.columns, strict=True))
        return replace(data, columns=columns, weights=rows.weights, elsewhere=None).take(where)

    def cut(self, data: Dataset, discretization: Discretization) -> Dataset:
        if self.cuts is not None:
            thresholds = {**self.cuts.thresholds, **discretization.thresholds}
            discretization = Discretization(thresholds, {**self.cuts.orders, **discretization.orders})
        columns = tuple(_cut(column, discretization) for column in data.columns)
        return replace(data, columns=columns, elsewhere=replace(self, cuts=discretization))


@dataclass(frozen=True)
class Chosen:
    """Some rows. positions: of all that are wanted, in ascending order; answered by (place of the first, rows)."""

    positions: IntArray

    def of(self, rows: Dataset, first: int) -> list[tuple[int, Dataset]]:
        a, b = np.searchsorted(self.positions, (first, first + rows.n_stored))
        taken = rows.take(self.positions[a:b] - first)
        return [(first, Dataset(taken.columns, weights=taken.weights))] if b > a or first == 0 else []

    def join(self, answers: Sequence[list[tuple[int, Dataset]]]) -> list[tuple[int, Dataset]]:
        return [part for answer in answers for part in answer]


def far_columns(columns: Sequence[Column]) -> tuple[Far, ...]:
    """The same without their values."""
    return tuple(Far(one.name, one.kind, one.levels, one.ordered) for one in columns)


def _cut(column: Column, cuts: Discretization) -> Far:
    if column.name not in cuts.thresholds:
        return Far(column.name, column.kind, column.levels, column.ordered)
    return Far(column.name, Kind.DISCRETE, cuts.levels(column.name), ordered=True)


def describe(table: Dataset) -> dict[str, Any]:
    """What `OnCluster` has to know of a table beside its rows."""
    return {"n_stored": table.n_stored, "n_rows": table.n_rows, "missing": table.missing_counts()}
