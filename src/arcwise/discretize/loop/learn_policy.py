"""LearnDP: the thresholds of all columns, given a network (Fu 2005, Algorithm 2), and the table that it cuts."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from arcwise.data.complete import check_complete
from arcwise.data.dataset import BoolArray, Column, Dataset, FloatArray, IntArray, Kind, code_dtype
from arcwise.data.discretization import Discretization
from arcwise.discretize.bins.cuts import midpoints
from arcwise.discretize.thresholds.neighbourhood import Family, Neighbourhood, neighbourhood
from arcwise.errors import OptionError
from arcwise.parts.monitor import Monitor, Progress
from arcwise.parts.protocols import ColumnSearch

# What a column's thresholds depend on: its parents, its children with their other parents, and the versions of these.
Surroundings = tuple[tuple[int, ...], tuple[Family, ...], tuple[int, ...]]


class WorkingTable:
    """Columns by position. A continuous column is cut at row starts of its sorted values; discrete ones never change.

    values[i], order[i]: column i sorted, and the rows in that order; starts[i]: first sorted row of each level, and N.
    version[i] counts the cuts of column i so far, so that whoever depends on it can tell whether it changed.
    most: levels that a column may begin with; neighbouring ones are joined until there are no more.
    """

    def __init__(self, data: Dataset, cuts: Discretization, most: int | None = None) -> None:
        check_complete(data, "a search for thresholds")
        self.data = data
        self.continuous = tuple(i for i, kind in enumerate(data.kinds) if kind is Kind.CONTINUOUS)
        self.values: dict[int, FloatArray] = {}
        self.order: dict[int, IntArray] = {}
        self.starts: dict[int, IntArray] = {}
        self._columns = list(data.columns)
        self._last_two: tuple[Dataset, ...] = ()  # the counts of the one before are for the next to take over
        self.version = [0] * data.n_columns
        self.cards: IntArray = np.array(data.cardinalities, dtype=np.intp)
        n_rows = data.n_rows if self.continuous else 0  # without a column to cut rows are not looked at
        self.codes: NDArray[np.uint16] = np.zeros((data.n_columns, n_rows), dtype=np.uint16)
        for i, column in enumerate(data.columns):
            if i not in self.continuous:
                if self.continuous:
                    self.codes[i] = column.values
                continue
            self.order[i] = np.argsort(column.values, kind="stable")
            self.values[i] = np.ascontiguousarray(column.values[self.order[i]])
            inner = np.searchsorted(self.values[i], cuts.thresholds[column.name])
            starts = np.concatenate([[0], inner, [data.n_rows]]).astype(np.intp)
            self.cut(i, starts if most is None else joined(starts, most))

    def cut(self, i: int, starts: IntArray) -> None:
        """Give column i these levels."""
        sizes = np.diff(starts)
        self.starts[i] = starts
        self.version[i] += 1
        self._columns[i] = self.data.columns[i]  # continuous, until the discrete one is asked for
        self.cards[i] = len(sizes)
        self.codes[i, self.order[i]] = np.repeat(np.arange(len(sizes)), sizes)

    def around(self, i: int, parents: Sequence[int], children: Sequence[Family]) -> Neighbourhood:
        return neighbourhood(self.values[i], self.order[i], self.codes, self.cards, parents, children, self.continuous)

    def thresholds(self, i: int) -> FloatArray:
        inner = self.starts[i][1:-1]
        return midpoints(self.values[i][inner - 1], self.values[i][inner])

    def discretization(self) -> Discretization:
        return Discretization({self.data.names[i]: self.thresholds(i) for i in self.continuous})

    def dataset(self) -> Dataset:
        """The table as it is cut now, a column the same object until it is cut anew; levels are numbered."""
        for i in self.continuous:
            if self._columns[i].kind is Kind.CONTINUOUS:
                card = int(self.cards[i])
                name, codes = self.data.names[i], self.codes[i].astype(code_dtype(card))
                levels = tuple(str(k) for k in range(card))
                self._columns[i] = Column(name, Kind.DISCRETE, codes, levels, ordered=True)
        self._last_two = (*self._last_two[-1:], replace(self.data, columns=tuple(self._columns)))
        return self._last_two[-1]


def joined(starts: IntArray, most: int) -> IntArray:
    """Two neighbouring levels become one, those with the fewest rows first, then the lowest, until `most` are left."""
    while len(starts) - 1 > most:
        starts = np.delete(starts, 1 + int(np.argmin(starts[2:] - starts[:-2])))
    return starts


def learn_policy(
    table: WorkingTable,
    adj: BoolArray,
    search: ColumnSearch,
    monitor: Monitor,
    settled: dict[int, Surroundings],
) -> tuple[set[int], int]:
    """Cut the columns of `table` anew until none gains; (columns that changed, partitions evaluated).

    Changing one column's levels changes the joint score by exactly the change of its local score, so every acceptance
    raises the joint score and the queue runs dry. `settled` remembers, from call to call, the surroundings in which a
    column was last looked at: in the same ones the search would end the same.
    """
    parents = [np.flatnonzero(adj[:, i]).tolist() for i in range(len(adj))]
    children = [np.flatnonzero(adj[i]).tolist() for i in range(len(adj))]
    queue = deque(i for i in table.continuous if table.values[i][0] < table.values[i][-1])
    able = set(queue)  # a constant column cannot be cut
    changed: set[int] = set()
    calls = 0
    while queue and not monitor.should_stop():
        i = queue.popleft()
        families = tuple(Family(c, tuple(p for p in parents[c] if p != i)) for c in children[i])
        spouses = sorted(p for family in families for p in family.others)
        blanket = list(dict.fromkeys([*parents[i], *children[i], *spouses]))
        surroundings = (tuple(parents[i]), families, tuple(table.version[j] for j in blanket))
        if settled.get(i) == surroundings:
            continue
        settled[i] = surroundings
        around = table.around(i, parents[i], families)
        name = table.data.names[i]
        try:
            new, evaluated = search.improve(around, table.starts[i])
        except OptionError as error:  # a search does not know the column's name
            raise OptionError(f"column {name!r}: {error}") from None
        calls += evaluated
        if new is not None:
            table.cut(i, new.starts)
            changed.add(i)
            monitor.report(Progress("thresholds", len(changed), message=f"{name}: {new.n_levels} levels"))
            for j in blanket:
                if j in able and j not in queue:
                    queue.append(j)
    return changed, calls
