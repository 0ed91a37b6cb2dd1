"""Missing cells drawn from a network of levels; numbers are cut for it, and drawn from those recorded in a level."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arcwise.data.dataset import Column, Dataset, IntArray, Kind, code_dtype
from arcwise.data.filled import FilledColumn
from arcwise.discretize.bins.equal_frequency import EqualFrequency
from arcwise.learners.draws import Draws
from arcwise.learners.filling.normal import NormalFiller
from arcwise.learners.filling.recorded import drawn_from
from arcwise.learners.filling.tallies import Tallies
from arcwise.problem import Memory, Problem
from arcwise.stats.hidden import HiddenCells

FEWEST_LEVELS, MOST_LEVELS = 2, 8  # of a continuous column


class LevelFiller:
    """A table of any kinds. normal: draws the numbers instead, given the levels that were drawn.

    order: where its rows come from, position by position.
    """

    def __init__(self, problem: Problem, draws: Draws, order: IntArray, normal: NormalFiller | None = None) -> None:
        table = problem.data
        bins = int(np.clip(round(np.cbrt(table.n_rows) / 2), FEWEST_LEVELS, MOST_LEVELS))
        self._cuts = EqualFrequency(bins=bins).fit(table)
        self._problem, self._draws, self._order, self._table, self._normal = problem, draws, order, table, normal
        levels = self._cuts.apply(table)
        cards = np.array(levels.cardinalities)
        codes = np.empty((table.n_rows, table.n_columns), dtype=code_dtype(int(cards.max())))
        hidden = np.zeros(codes.shape, dtype=np.bool_)
        for j, column in enumerate(levels.columns):
            codes[:, j] = column.values
            if column.missing is not None:
                hidden[:, j] = column.missing
                codes[column.missing, j] = problem.rng.choice(column.recorded, int(column.missing.sum()))
        self._cells = HiddenCells(codes, cards, hidden)
        self._levels, self._memory = levels, Memory()
        self._open = [j for j, column in enumerate(table.columns) if column.missing is not None]
        self._numbers = [j for j in self._open if table.columns[j].kind is Kind.CONTINUOUS]
        self._values: dict[int, np.ndarray] = {}
        self._fill(problem.rng)
        scales = {j: float(np.abs(table.columns[j].recorded).max()) or 1.0 for j in self._numbers}
        self._tallies = Tallies(table, self._cells, [j for j in self._open if j not in self._numbers], scales)

    def draw(self, rng: np.random.Generator) -> int:
        found = self._draws.search.solve(self._problem.starting(None).on(self._drawn_levels(), self._memory))
        assert found.graph is not None  # a search gives a DAG
        self._cells.follow(found.graph.adjacency)
        changed = self._cells.sweep(self._draws.sweeps, rng)
        self._fill(rng)
        return changed

    def table(self) -> Dataset:
        columns = list(self._table.columns)
        for j in self._open:
            old = columns[j]
            if j in self._numbers:
                values = old.values.copy()
                values[old.missing] = self._values[j]
            else:
                values = self._cells.codes[:, j].astype(old.values.dtype)
            columns[j] = Column(old.name, old.kind, values, old.levels, old.ordered)
        return replace(self._table, columns=tuple(columns))

    def keep(self) -> None:
        self._tallies.add(self._cells, self._values)

    def columns(self) -> tuple[FilledColumn, ...]:
        return tuple(self._tallies.column(self._table.columns[j], j, self._order) for j in self._open)

    def _drawn_levels(self) -> Dataset:
        columns = list(self._levels.columns)
        for j in self._open:
            old = columns[j]
            codes = np.ascontiguousarray(self._cells.codes[:, j], dtype=old.values.dtype)
            columns[j] = Column(old.name, old.kind, codes, old.levels, old.ordered)
        return replace(self._levels, columns=tuple(columns))

    def _fill(self, rng: np.random.Generator) -> None:
        """Numbers for the missing cells of continuous columns: recorded ones of the level, each as likely."""
        for j in self._numbers:
            column = self._table.columns[j]
            codes = self._cells.codes[column.missing, j]
            self._values[j] = drawn_from(column.recorded, self._cuts.thresholds[column.name], codes, rng)
        if self._normal is not None and self._numbers:
            self._values = self._normal.values(self.table(), rng)
            for j, values in self._values.items():
                cuts = self._cuts.thresholds[self._table.columns[j].name]
                missing = self._table.columns[j].missing
                self._cells.codes[missing, j] = np.searchsorted(cuts, values, side="right")
