"""Missing numbers drawn from conditional normal densities: for methods that assume linear relations anyway."""

from __future__ import annotations

import numpy as np

from arcwise.data.dataset import Column, Dataset, FloatArray, IntArray, Kind
from arcwise.data.filled import FilledColumn
from arcwise.learners.draws import Draws
from arcwise.problem import Problem
from arcwise.stats.states import in_units

SWEEPS = 3  # of the numbers for each sweep of `Draws`: they cost little


class NormalFiller:
    """The continuous columns of a table, given each other and the levels of the discrete ones.

    With L the inverse of the covariance of all columns (levels as indicators) in the rows as they are now,

        x_j | the rest ~ N(- sum_i L_ij x_i / L_jj, 1 / L_jj),      x less its mean.

    The covariance is that of the rows and of a prior worth as many rows as there are dimensions, in which columns
    have nothing to do with each other.
    """

    def __init__(self, problem: Problem, draws: Draws, order: IntArray) -> None:
        table = problem.data
        self._table, self._order, self._sweeps = table, order, draws.sweeps * SWEEPS
        self._numbers = [j for j, column in enumerate(table.columns) if column.kind is Kind.CONTINUOUS]
        self._open = [j for j in self._numbers if table.columns[j].missing is not None]
        self._centre, self._scale = {}, {}
        for j in self._numbers:
            self._centre[j], self._scale[j] = centre_and_scale(table.columns[j].recorded)
        self._drawn = {j: self._first(j, problem.rng) for j in self._open}
        self._sums = {j: np.zeros((2, len(drawn))) for j, drawn in self._drawn.items()}
        self._kept = 0

    def draw(self, rng: np.random.Generator) -> int:
        self.values(self.table(), rng)
        return sum(map(len, self._drawn.values()))

    def values(self, table: Dataset, rng: np.random.Generator) -> dict[int, FloatArray]:
        """The missing numbers by column, drawn given all cells of the table and what they were before."""
        x = np.empty((table.n_rows, sum(max(card - 1, 1) for card in table.cardinalities)))
        place, at = {}, 0
        for j, column in enumerate(table.columns):
            if column.kind is Kind.CONTINUOUS:
                x[:, at] = (column.values - self._centre[j]) / (self._scale[j] or 1.0)
                if j in self._drawn:
                    x[self._missing(j), at] = self._drawn[j]
                place[j] = at
                at += 1
            else:
                for level in range(1, max(column.cardinality, 2)):
                    x[:, at] = column.values == level
                    at += 1
        means = x.mean(axis=0)
        x -= means
        prior = x.shape[1]
        covariance = (x.T @ x + prior * np.eye(prior) * np.maximum(x.var(axis=0), 1e-9)) / (len(x) + prior)
        inverse = np.linalg.inv(covariance)
        for _ in range(self._sweeps):
            for j in rng.permutation(self._open).tolist():
                rows, at = self._missing(j), place[j]
                if not self._scale[j]:  # one value in all that is recorded, so in all that is not
                    continue
                own = inverse[at, at]
                expected = x[rows, at] - x[rows] @ inverse[:, at] / own
                x[rows, at] = expected + rng.standard_normal(len(expected)) / np.sqrt(own)
        for j in self._open:
            self._drawn[j] = x[self._missing(j), place[j]] + means[place[j]]
        return {j: self._in_units(j) for j in self._open}

    def table(self) -> Dataset:
        columns = list(self._table.columns)
        for j in self._open:
            values = columns[j].values.copy()
            values[columns[j].missing] = self._in_units(j)
            columns[j] = Column(columns[j].name, Kind.CONTINUOUS, values)
        return Dataset(tuple(columns), self._table.decisions, self._table.warnings)

    def keep(self) -> None:
        self._kept += 1
        for j, sums in self._sums.items():
            sums[0] += self._drawn[j]
            sums[1] += self._drawn[j] ** 2

    def columns(self) -> tuple[FilledColumn, ...]:
        found, draws = [], max(self._kept, 1)
        for j, (first, second) in self._sums.items():
            rows = self._order[self._missing(j)]
            by_row = np.argsort(rows)
            mean, scale = first / draws, self._scale[j]
            spread = np.sqrt(np.maximum(second / draws - mean * mean, 0.0)) * scale
            values = self._centre[j] + scale * mean
            name = self._table.columns[j].name
            found.append(FilledColumn(name, (), rows[by_row], values[by_row], spread[by_row]))
        return tuple(found)

    def _missing(self, j: int) -> np.ndarray:
        missing = self._table.columns[j].missing
        assert missing is not None  # only such columns are open
        return missing

    def _in_units(self, j: int) -> FloatArray:
        return self._centre[j] + self._scale[j] * self._drawn[j]

    def _first(self, j: int, rng: np.random.Generator) -> FloatArray:
        """In units of the recorded values: some of them, at random."""
        chosen = rng.choice(self._table.columns[j].recorded, int(self._missing(j).sum()))
        return (chosen - self._centre[j]) / (self._scale[j] or 1.0)


def centre_and_scale(values: FloatArray) -> tuple[float, float]:
    """Mean and standard deviation, 0 where all are equal; no square of a very large or small number is on the way."""
    if values.min() == values.max():
        return float(values[0]), 0.0
    return in_units(values)[:2]
