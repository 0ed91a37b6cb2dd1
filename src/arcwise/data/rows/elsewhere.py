"""Rows that live somewhere else, such as on the workers of a cluster: questions go to them, small answers come back.

A `Question` is asked of all rows of a table by `asked`, wherever these are: it has an answer for some rows that follow
each other, and joins such answers. A table whose rows are elsewhere is an ordinary `Dataset` with
`elsewhere` set, whose columns are `Far`: they have everything but values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, TypeVar

import numpy as np

from arcwise.data.dataset import Column, Kind
from arcwise.errors import DataError

if TYPE_CHECKING:
    from arcwise.data.dataset import Dataset, IntArray
    from arcwise.data.discretization import Discretization

GROUP_ROWS = 1 << 18  # whoever holds rows holds whole groups, but for the last: sums of numbers are formed by group
Found = TypeVar("Found")


class Question(Protocol[Found]):
    """What is asked of the rows of a table. It is sent to others: small, and of a class that a module has."""

    def of(self, rows: Dataset, first: int) -> Found:
        """The answer for rows that follow each other. first: the place of the first in the table, a whole group's."""

    def join(self, answers: Sequence[Found]) -> Found:
        """One answer of several, in any order: how the rows were divided must not matter."""


class Elsewhere(Protocol):
    """Where the rows of a table are."""

    @property
    def n_stored(self) -> int: ...
    @property
    def n_rows(self) -> int:
        """With weights."""

    @property
    def missing(self) -> Mapping[str, int]:
        """Cells, of each column that lacks some; weights are counted."""

    def until(self, stop: Callable[[], bool]) -> Elsewhere:
        """The same, but while an answer is waited for stop() is asked, and where it says yes that is an error."""

    def ask(self, data: Dataset, question: Question[Found]) -> Found:
        """The answer of all rows of the columns of `data`, in their order."""

    def tallies(self, data: Dataset) -> Any:
        """Sums over the rows of these discrete columns: `stats.tallies.Tallies`."""

    def sample(self, data: Dataset, positions: IntArray) -> Dataset:
        """These rows of these columns, in this order, in memory, with their weights."""

    def cut(self, data: Dataset, discretization: Discretization) -> Dataset:
        """The table with its columns cut where they are; its rows stay there."""


class Far(Column):
    """A column whose values are elsewhere."""

    __slots__ = ()

    def __init__(self, name: str, kind: Kind, levels: tuple[str, ...] = (), ordered: bool = False) -> None:
        for field, value in (("name", name), ("kind", kind), ("levels", levels), ("ordered", ordered)):
            object.__setattr__(self, field, value)
        object.__setattr__(self, "missing", None)  # `Elsewhere.missing` says how many are

    @property
    def values(self) -> NoReturn:
        raise DataError(
            f"the rows of column {self.name!r} are on a cluster and cannot be read one by one; "
            "learn from a sample of them (sample_rows), or from a table in memory"
        )

    def __repr__(self) -> str:
        return f"Far(name={self.name!r}, kind={self.kind.value!r}, levels={self.levels!r}, ordered={self.ordered!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Far, (self.name, self.kind, self.levels, self.ordered)


def asked(data: Dataset, question: Question[Found]) -> Found:
    """The answer of all rows of a table, wherever they are."""
    return question.of(data, 0) if data.elsewhere is None else data.elsewhere.ask(data, question)


def first_rows(data: Dataset, n: int) -> Dataset:
    """The first stored rows, in memory."""
    return data.take(np.arange(min(n, data.n_stored))) if data.elsewhere is not None else data.take(slice(n))
