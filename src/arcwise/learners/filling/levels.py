"""Missing cells drawn from a network of levels; numbers are cut for it, and drawn from those recorded in a level."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arcwise.data.dataset import Column, Dataset, IntArray, Kind, code_dtype
from arcwise.data.filled import FilledColumn
from arcwise.discretize.bins.equal_frequency import EqualFrequency
from arcwise.learners.draws import Draws
from arcwise.learners.filling.normal import NormalFiller
from arcwise.problem import Memory, Problem
from arcwise.stats.hidden import HiddenCells, Places

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
        self._donors = {j: self._recorded(j) for j in self._open if table.columns[j].kind is Kind.CONTINUOUS}
        self._values: dict[int, np.ndarray] = {}
        self._fill(problem.rng)
        self._tallies = _Tallies(self._cells, [j for j in self._open if j not in self._donors], list(self._donors))

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
            if j in self._donors:
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

    def _recorded(self, j: int) -> list[np.ndarray]:
        """The recorded values of each level of a continuous column."""
        column = self._table.columns[j]
        thresholds = self._cuts.thresholds[column.name]
        ordered = np.sort(column.recorded)
        return np.split(ordered, np.searchsorted(ordered, thresholds, side="left"))

    def _fill(self, rng: np.random.Generator) -> None:
        """Numbers for the missing cells of continuous columns: recorded ones of the level, each as likely."""
        for j, donors in self._donors.items():
            missing = self._table.columns[j].missing
            assert missing is not None
            codes = self._cells.codes[missing, j]
            sizes = np.array([len(own) for own in donors])
            starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
            chosen = starts[codes] + (rng.random(len(codes)) * sizes[codes]).astype(np.intp)
            self._values[j] = np.concatenate(donors)[chosen]
        if self._normal is not None and self._donors:
            self._values = self._normal.values(self.table(), rng)
            for j, values in self._values.items():
                cuts = self._cuts.thresholds[self._table.columns[j].name]
                missing = self._table.columns[j].missing
                self._cells.codes[missing, j] = np.searchsorted(cuts, values, side="right")


class _Tallies:
    """What the missing cells were in the draws that count: levels by their probabilities, numbers by two moments."""

    def __init__(self, cells: HiddenCells, levels: list[int], numbers: list[int]) -> None:
        self.draws = 0
        self._rows = {j: cells.hidden[:, j].nonzero()[0] for j in (*levels, *numbers)}
        self._starts: dict[int, np.ndarray] = {}
        begin = 0
        for j in levels:
            size = len(self._rows[j]) * int(cells.cards[j])
            self._starts[j] = np.arange(begin, begin + size, int(cells.cards[j]), dtype=np.int64)
            begin += size
        self._shares = np.zeros(begin, dtype=np.float32)
        self._sums = {j: np.zeros((2, len(self._rows[j]))) for j in numbers}
        self._centres: dict[int, np.ndarray] = {}
        listed = [(self._rows[j], np.full(len(self._rows[j]), j), self._starts[j]) for j in levels]
        self._places = Places(*map(np.concatenate, zip(*listed, strict=True))) if listed else None

    def add(self, cells: HiddenCells, values: dict[int, np.ndarray]) -> None:
        self.draws += 1
        if self._places is not None:
            cells.add_probabilities(self._places, self._shares)
        for j, sums in self._sums.items():
            away = values[j] - self._centres.setdefault(j, values[j].copy())
            sums[0] += away
            sums[1] += away * away

    def column(self, column: Column, j: int, order: IntArray) -> FilledColumn:
        rows, draws = order[self._rows[j]], max(self.draws, 1)
        by_row = np.argsort(rows)
        if j in self._sums:
            mean = self._sums[j][0] / draws
            values = self._centres.get(j, np.zeros(len(rows))) + mean
            sure = np.sqrt(np.maximum(self._sums[j][1] / draws - mean * mean, 0.0))
        else:
            r = column.cardinality
            first = self._starts[j][0]
            shares = self._shares[first : first + r * len(rows)].reshape(-1, r) / draws
            values, sure = shares.argmax(axis=1), shares.max(axis=1).astype(np.float64)
        return FilledColumn(column.name, column.levels, rows[by_row], values[by_row], sure[by_row])
