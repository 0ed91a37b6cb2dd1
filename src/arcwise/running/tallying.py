"""Tallies of a table whose rows are elsewhere: each call is one question to all of them, with one small answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from arcwise._kernels.counts import counting as kernels
from arcwise._kernels.counts.counting import Plan, Shape
from arcwise.data.dataset import Dataset, IntArray
from arcwise.data.rows.elsewhere import Question
from arcwise.stats.occurring import States, merge_states
from arcwise.stats.packing import NEVER, shape_of
from arcwise.stats.tallies import Blocks, CountArray

AHEAD = 1 << 22  # bytes of tables that are asked for in one question when the first of them is needed

_packed: WeakKeyDictionary[Dataset, Blocks] = WeakKeyDictionary()  # of the rows of this process
_packing = Lock()


@dataclass(frozen=True)
class Tally:
    """A call of `Blocks`. shape: that of the whole table."""

    call: str
    arguments: tuple[Any, ...]
    shape: Shape

    def of(self, rows: Dataset, first: int) -> Any:
        return getattr(self._blocks(rows), self.call)(*self.arguments)

    def join(self, answers: Sequence[Any]) -> Any:
        if self.call == "occurring":
            (members,) = self.arguments
            return merge_states(answers, [int(self.shape.cards[m]) for m in members])
        if isinstance(answers[0], tuple):
            return tuple(_added(tables) for tables in zip(*answers, strict=True))
        return _added(answers)

    def _blocks(self, rows: Dataset) -> Blocks:
        with _packing:
            found = _packed.get(rows)
            if found is None:
                found = _packed[rows] = Blocks(rows, shape=self.shape)
            return found


@dataclass(frozen=True)
class Several:
    """Questions that go out as one."""

    questions: tuple[Question[Any], ...]

    def of(self, rows: Dataset, first: int) -> list[Any]:
        return [question.of(rows, first) for question in self.questions]

    def join(self, answers: Sequence[list[Any]]) -> list[Any]:
        parts = zip(*answers, strict=True)
        return [question.join(some) for question, some in zip(self.questions, parts, strict=True)]


class FarTallies:
    """ask: has a question answered by all rows of the table."""

    def __init__(self, data: Dataset, ask: Callable[[Question[Any]], Any]) -> None:
        self.shape = shape_of(np.array(data.cardinalities, dtype=np.intp), data.n_rows, data.n_stored)
        self.n_counted = data.n_stored if self.shape.few == NEVER else data.n_rows
        self._ask = ask
        self._ahead: dict[tuple[str, int], Any] = {}  # what was asked for before it was needed
        self._lock = Lock()

    def base(self, child: int, plan: Plan) -> tuple[CountArray, CountArray]:
        if len(plan.shared) or self._n <= self.shape.few:  # so few others would be planned one by one
            return self._one("base", child, plan)

        def alone(x: int) -> tuple[Any, ...] | None:
            others = np.delete(np.arange(self._n), x)[:, None]
            plan = kernels.plan_families(x, others, self.shape)
            return (x, plan) if plan.n_lanes else None  # without lanes there is no room for what would be counted

        if alone(child) is None:  # the family without parents is by lanes, too: with it there were enough
            return self._one("base", child, plan)
        # A search begins with the tables of each column with every other one: those of many go out at once.
        return self._first("base", child, alone, self.shape.n_lanes)

    def dense(self, child: int, shared: IntArray, extras: IntArray, offsets: IntArray) -> CountArray:
        return self._one("dense", child, shared, extras, offsets)

    def occurring(self, members: Sequence[int]) -> States:
        return self._one("occurring", [int(m) for m in members])

    def pairs(self, x: int) -> CountArray:
        return self._first("pairs", x, lambda y: (y,), int(self.shape.cards.sum()))

    def levels(self) -> CountArray:
        return self._one("levels")

    @property
    def _n(self) -> int:
        return len(self.shape.cards)

    def _one(self, call: str, *arguments: Any) -> Any:
        return self._ask(Tally(call, arguments, self.shape))

    def _first(self, call: str, x: int, arguments: Callable[[int], tuple[Any, ...] | None], width: int) -> Any:
        """The answer for column x, and in the same question those for later columns that have one, up to some size."""
        with self._lock:
            if (call, x) not in self._ahead:
                sizes: NDArray[Any] = np.cumsum(self.shape.cards[x:] * max(width, 1) * 4)
                some = range(x, x + max(1, int(np.searchsorted(sizes, AHEAD))))
                chosen = {y: found for y in some if (found := arguments(y)) is not None}
                asked = Several(tuple(Tally(call, found, self.shape) for found in chosen.values()))
                answers = self._ask(asked)
                self._ahead.update({(call, y): answer for y, answer in zip(chosen, answers, strict=True)})
            return self._ahead[call, x]


def _added(tables: Sequence[CountArray]) -> CountArray:
    """Of the same type, as no count is larger than the number of rows."""
    total: CountArray = np.add.reduce(tables, dtype=tables[0].dtype)
    return total
