"""Shelves: rows that a worker of a cluster keeps, and answers questions about.

A shelf has rows that follow each other, whole groups of them (`GROUP_ROWS`). It is the result of a task, so that the
cluster makes it again on another worker when its own is lost. What a question needs of it (columns in an order, cut
ones, what was packed to count them) is worked out when it is first asked for, and kept beside it.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from threading import Lock
from typing import Any, NamedTuple

from arcwise.data.dataset import Dataset
from arcwise.data.discretization import Discretization
from arcwise.data.rows.elsewhere import GROUP_ROWS, Question
from arcwise.errors import DataError, FileError

KEPT = 4  # views of a shelf, such as the columns cut in one way, that are kept for the next question


class View(NamedTuple):
    """What a table is beside its rows: columns in an order, after some were cut."""

    names: tuple[str, ...]
    cuts: Discretization | None = None

    def of(self, rows: Dataset) -> Dataset:
        return (rows if self.cuts is None else self.cuts.apply(rows)).select(self.names)


class Request(NamedTuple):
    view: View
    question: Question[Any]


class Shelf:
    """Some rows of a table. first: the place of the first of them in it."""

    def __init__(self, rows: Dataset, first: int) -> None:
        self.rows, self.first = rows, first
        self._views: dict[View, Dataset] = {}
        self._lock = Lock()

    def answer(self, request: Request) -> Any:
        return request.question.of(self._view(request.view), self.first)

    def _view(self, view: View) -> Dataset:
        with self._lock:
            found = self._views.pop(view, None)
            if found is None:
                found = view.of(self.rows)
            self._views[view] = found  # the last used is the last to go
            while len(self._views) > KEPT:
                del self._views[next(iter(self._views))]
            return found

    def __reduce__(self) -> tuple[Any, ...]:
        return Shelf, (self.rows, self.first)  # what is kept can be worked out again

    def __sizeof__(self) -> int:
        """For Dask, which looks after the memory of workers. Rows in files take none that could not be given back."""
        from arcwise.data.rows.mapped import place_of

        arrays = [column.values for column in self.rows.columns]
        return sum(array.nbytes for array in arrays if place_of(array) is None)


def received(content: bytes, first: int) -> Shelf:
    """A shelf of rows that were sent, or of the place where they are. In a task."""
    try:
        return Shelf(pickle.loads(content), first)
    except FileError as error:
        raise FileError(f"worker {_own_name()} cannot open rows of the table: {error}") from None


@dataclass(frozen=True)
class Range:
    """Rows first..last - 1 of a table, those of a shelf."""

    first: int
    last: int


def ranges(n_stored: int, workers: int) -> list[Range]:
    """Whole groups of rows, shared out to so many workers as evenly as these go."""
    groups = max(-(-n_stored // GROUP_ROWS), 1)
    shelves = max(min(workers, groups), 1)
    ends = [min(groups * i // shelves * GROUP_ROWS, n_stored) for i in range(shelves + 1)]
    return [Range(first, last) for first, last in pairwise(ends)]


def joined(parts: Sequence[Dataset]) -> Dataset:
    """One table of the rows of several, one after another; their columns are alike."""
    import numpy as np

    if not parts:
        raise DataError("a shelf needs rows")
    columns = []
    for j, column in enumerate(parts[0].columns):
        same = [part.columns[j] for part in parts]
        missing = None
        if any(one.missing is not None for one in same):
            missing = np.concatenate(
                [np.zeros(len(one.values), np.bool_) if one.missing is None else one.missing for one in same]
            )
        columns.append(replace(column, values=np.concatenate([one.values for one in same]), missing=missing))
    weights = None
    if parts[0].weights is not None:
        weights = np.concatenate([part.weights for part in parts if part.weights is not None])
    return replace(parts[0], columns=tuple(columns), weights=weights)


def _own_name() -> str:
    from distributed import get_worker

    return str(get_worker().address)
