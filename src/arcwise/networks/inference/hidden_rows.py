"""Rows with missing cells in a network of tables and linear Gaussians: what is recorded says the rest, exactly.

Levels by themselves are asked with `HiddenLevels`, numbers given all levels with `LinearSystem`. What joins the two are
missing levels with numbers as children: a row is taken apart into one *case* for each combination of them,

    p(case | recorded) ~ p(recorded levels, those of the case) p(recorded numbers | levels).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import BoolArray, Dataset, FloatArray, IntArray, Kind
from arcwise.data.row_order import alike
from arcwise.errors import DataError
from arcwise.networks.columns import level_cells, number_cells
from arcwise.networks.inference.hidden_levels import HiddenLevels
from arcwise.networks.inference.linear_system import Conditioned, LinearSystem
from arcwise.networks.models.linear_gaussian import LinearGaussian
from arcwise.networks.models.protocol import ConditionalModel
from arcwise.networks.models.readings import Readings
from arcwise.networks.models.table import Table
from arcwise.printing import listed

MOST_CASES = 1 << 16  # of one row
CHUNK = 1 << 21  # numbers for a stretch of rows
NOTHING, EVERYTHING = "", None  # what is asked for: only p(recorded), or every cell; else the name of a node
Codes = NDArray[np.uint16]
NO_READINGS: Mapping[str, Readings] = {}


@dataclass(frozen=True, slots=True, eq=False)
class Cases:
    """Some rows, each as one case or several. levels: those of the cases are recorded there."""

    rows: IntArray  # which rows these are
    row: IntArray  # of each case: its position in `rows`
    chosen: tuple[int, ...]  # the levels that make the cases
    levels: HiddenLevels
    numbers: Conditioned | None
    plays: BoolArray  # of numbers, case by case
    shares: FloatArray  # p(case | recorded); NaN where that is impossible
    logs: FloatArray  # ln p(recorded) of each row

    def sums(self, values: FloatArray) -> FloatArray:
        """Over the cases of each row."""
        if len(self.row) == len(self.rows):
            return values
        starts = np.arange(0, len(self.row), len(self.row) // max(len(self.rows), 1))
        return np.asarray(np.add.reduceat(values, starts, axis=0)) if len(starts) else values

    def mean(self, values: FloatArray) -> FloatArray:
        """Of each row, with the cases as probable as they are."""
        shares = self.shares if values.ndim == 1 else self.shares[:, None]
        return self.sums(shares * values)


@dataclass(frozen=True, eq=False)
class HiddenRows:
    """levels, numbers: the nodes of either kind. Their cells are columns of the arrays, in that order.

    read: likelihoods of the levels of nodes that are read with noise, see `HiddenLevels`; in networks of tables only.
    scale: (rows,) ln of what these were divided by, in all.
    """

    levels: Sequence[Table]
    numbers: Sequence[LinearGaussian]
    codes: Codes
    hidden_levels: BoolArray
    values: FloatArray
    hidden_numbers: BoolArray
    read: Mapping[int, FloatArray] = field(default_factory=dict)
    scale: FloatArray | None = None

    @staticmethod
    def of(
        models: Sequence[ConditionalModel],
        data: Dataset,
        hide: Sequence[str] = (),
        readings: Mapping[str, Readings] = NO_READINGS,
    ) -> HiddenRows:
        """The rows of a table. A column that it lacks is missing in every row, and so are those to hide.

        readings: of the columns that are read; a column with levels says them itself.
        """
        levels = [model for model in models if isinstance(model, Table)]
        numbers = [model for model in models if isinstance(model, LinearGaussian)]
        n = data.n_stored
        codes, gone = np.zeros((n, len(levels)), dtype=np.uint16), np.ones((n, len(levels)), dtype=np.bool_)
        read, scale = {}, np.zeros(n)
        for j, table in enumerate(levels):
            if table.child not in data.names or table.child in hide:
                continue
            if table.child in readings and data.column(table.child).kind is Kind.CONTINUOUS:
                read[j] = _likelihoods(readings[table.child], *number_cells(data, table.child), scale)
            else:
                codes[:, j], gone[:, j] = level_cells(data, table.child, table.levels)
        values, lost = np.zeros((n, len(numbers))), np.ones((n, len(numbers)), dtype=np.bool_)
        for j, model in enumerate(numbers):
            if model.child in data.names and model.child not in hide:
                values[:, j], lost[:, j] = number_cells(data, model.child)
        return HiddenRows(levels, numbers, codes, gone, values, lost, read, scale)

    def with_models(self, models: Sequence[ConditionalModel]) -> HiddenRows:
        """The same rows in a network of the same graph."""
        by_name = {model.child: model for model in models}
        levels, numbers = ([by_name[model.child] for model in own] for own in (self.levels, self.numbers))
        cells = (self.codes, self.hidden_levels, self.values, self.hidden_numbers, self.read, self.scale)
        return HiddenRows(levels, numbers, *cells)  # type: ignore[arg-type]

    @property
    def n_rows(self) -> int:
        return len(self.codes)

    @cached_property
    def tables(self) -> list[FloatArray]:
        return [table.probabilities for table in self.levels]

    @cached_property
    def system(self) -> LinearSystem:
        return LinearSystem(self.numbers)

    def log_densities(self) -> FloatArray:
        """(rows,) ln p(recorded cells): minus infinity where they are impossible."""
        if not self.numbers:
            found = self._level_rows.log_densities(self.tables)
            return found if self.scale is None else found + self.scale
        found = np.empty(self.n_rows)
        for cases in self.cases(NOTHING):
            found[cases.rows] = cases.logs
        return found

    def expected_counts(self, weights: FloatArray) -> list[FloatArray]:
        """Of the cells of each table, in a network of tables alone."""
        return self._level_rows.expected_counts(self.tables, weights)[0]

    def work(self) -> float:
        """Of expected counts, in a network of tables alone; see `HiddenLevels.work`."""
        return self._level_rows.work(self.tables)

    def posterior(self, name: str) -> FloatArray:
        """(rows,) E[name | recorded cells of the others]; (rows, levels) the probabilities of a node with levels."""
        if name in self._level_at:
            target = self._level_at[name]
            if not self.numbers:
                return self._level_rows.posteriors(self.tables, target)
            found = np.empty((self.n_rows, len(self.levels[target].levels)))
            for cases in self.cases(name):
                found[cases.rows] = cases.mean(self._level_posteriors(cases, target))
            return found
        at, means = self.system.position[name], np.empty(self.n_rows)
        for cases in self.cases(name):
            assert cases.numbers is not None
            means[cases.rows] = cases.mean(cases.numbers.means[:, at])
        own = self.numbers[at]
        return own.own_units(means)

    def moments(self, name: str) -> tuple[FloatArray, FloatArray]:
        """(rows,) mean and standard deviation of a number given the recorded cells of the others."""
        at, means, sds = self.system.position[name], np.empty(self.n_rows), np.empty(self.n_rows)
        for cases in self.cases(name, covariances=True):
            assert cases.numbers is not None
            own = cases.numbers.means[:, at]
            centre = cases.mean(own)
            away = own - centre[cases.row]
            means[cases.rows] = centre
            sds[cases.rows] = np.sqrt(cases.mean(cases.numbers.covariances[:, at, at] + away * away))
        model = self.numbers[at]
        return model.own_units(means), sds * model.scale

    def shares(self) -> tuple[list[FloatArray], FloatArray, FloatArray]:
        """(of each node with levels (missing cells, levels), means and standard deviations of all numbers)."""
        if not self.numbers:
            empty = np.empty((self.n_rows, 0))
            return self._level_rows.shares(self.tables), empty, empty
        every = [np.full((self.n_rows, len(table.levels)), np.nan) for table in self.levels]
        means, sds = np.empty_like(self.values), np.empty_like(self.values)
        for cases in self.cases(EVERYTHING, covariances=True):
            assert cases.numbers is not None
            inner = cases.levels.shares(self.tables) if self.levels else []
            for j, own in enumerate(every):
                if j in cases.chosen:
                    own[cases.rows] = cases.mean(self._indicators(cases, j))
                    continue
                here = cases.levels.hidden[:, j]
                wide = np.zeros((len(cases.row), own.shape[1]))
                wide[here] = inner[j]
                own[cases.rows] = cases.mean(wide)
            centre = cases.mean(cases.numbers.means)
            within = np.diagonal(cases.numbers.covariances, axis1=1, axis2=2)
            away = cases.numbers.means - centre[cases.row]
            means[cases.rows], sds[cases.rows] = centre, np.sqrt(cases.mean(within + away * away))
        found = [own[self.hidden_levels[:, j]] for j, own in enumerate(every)]
        return found, self.system.own_units(means), sds * self.system.scales

    def draw(self, rng: np.random.Generator) -> tuple[Codes, FloatArray]:
        """(codes, values) with the missing cells drawn, all of a row together."""
        if not self.numbers:
            return self._level_rows.draw(self.tables, rng), self.values
        codes, values = self.codes.copy(), self.values.copy()
        for cases in self.cases(EVERYTHING):
            n_cases = len(cases.row) // len(cases.rows)
            edges = np.cumsum(cases.shares.reshape(-1, n_cases), axis=1)
            edges[:, -1] = np.inf
            picked = np.argmax(rng.random(len(cases.rows))[:, None] < edges, axis=1)
            one = np.arange(len(cases.rows)) * n_cases + picked
            drawn = cases.levels.codes[one]
            if self.levels:
                levels = HiddenLevels(cases.levels.parents, drawn, cases.levels.hidden[one])
                drawn = levels.draw(self.tables, rng)
            codes[cases.rows] = drawn
            hidden, plays = self.hidden_numbers[cases.rows], np.ones_like(self.hidden_numbers[cases.rows])
            noise = rng.standard_normal(hidden.shape)
            found = self.system.condition(self.values[cases.rows], hidden, plays, self._by_name(drawn), noise=noise)
            values[cases.rows] = np.where(hidden, self.system.own_units(found.means), values[cases.rows])
        return codes, values

    def cases(self, wanted: str | None, *, covariances: bool = False) -> Iterator[Cases]:
        """All rows, some at a time; those with the same levels missing above numbers go together."""
        hidden_levels, hidden_numbers = self.hidden_levels, self.hidden_numbers
        if wanted in self._level_at:
            hidden_levels = hidden_levels.copy()
            hidden_levels[:, self._level_at[wanted]] = True
        asked = np.full(hidden_numbers.shape, wanted is EVERYTHING)
        if wanted is not None and wanted in self.system.position:
            hidden_numbers, target = hidden_numbers.copy(), self.system.position[wanted]
            hidden_numbers[:, target] = asked[:, target] = True
        plays = self.system.plays(hidden_numbers, asked)
        joining = np.zeros_like(hidden_levels)
        for e, model in enumerate(self.numbers):
            for parent in model.parents:
                if parent in self._level_at:
                    joining[:, self._level_at[parent]] |= plays[:, e]
        joining &= hidden_levels
        for rows in alike(joining):
            chosen = tuple(joining[rows[0]].nonzero()[0].tolist())
            grid = self._grid(chosen)
            step = max(CHUNK // (len(grid) * (len(self.numbers) ** (2 if covariances else 1) + len(self.levels))), 1)
            for start in range(0, len(rows), step):
                some = rows[start : start + step]
                row = np.repeat(np.arange(len(some)), len(grid))
                codes, gone = self.codes[some][row], hidden_levels[some][row]
                codes[:, chosen] = np.tile(grid, (len(some), 1))
                gone[:, chosen] = False
                yield self._weighed(
                    some, row, chosen, codes, gone, hidden_numbers[some][row], plays[some][row], covariances
                )

    def _weighed(
        self,
        rows: IntArray,
        row: IntArray,
        chosen: tuple[int, ...],
        codes: Codes,
        gone: BoolArray,
        hidden: BoolArray,
        plays: BoolArray,
        covariances: bool,
    ) -> Cases:
        levels = HiddenLevels(self.parents, codes, gone)
        logs = levels.log_densities(self.tables) if self.levels else np.zeros(len(row))
        numbers = None
        if self.numbers:
            with np.errstate(over="ignore", invalid="ignore"):  # what is too far is impossible
                numbers = self.system.condition(
                    self.values[rows][row], hidden, plays, self._by_name(codes), covariances=covariances
                )
                logs = logs + numbers.logs
        each = logs.reshape(len(rows), -1)
        with np.errstate(invalid="ignore", divide="ignore"):
            top = each.max(axis=1, keepdims=True)
            weights = np.exp(each - np.where(np.isfinite(top), top, 0.0))
            total = weights.sum(axis=1, keepdims=True)
            shares = (weights / total).ravel() if each.shape[1] > 1 else np.ones(len(row))
            whole = (top + np.log(total))[:, 0] if each.shape[1] > 1 else each[:, 0]
        return Cases(rows, row, chosen, levels, numbers, plays, shares, whole)

    def _grid(self, chosen: tuple[int, ...]) -> Codes:
        """(cases, chosen): every combination of their levels."""
        sizes = [len(self.levels[j].levels) for j in chosen]
        if prod(sizes) > MOST_CASES:
            names = listed([repr(self.levels[j].child) for j in chosen])
            raise DataError(
                f"a row lacks {names}, which have {prod(sizes):.3g} combinations of levels above numbers, more than "
                f"{MOST_CASES:,} to sum over; leave out such rows, or fill some of these cells"
            )
        return np.array(list(product(*map(range, sizes))), dtype=np.uint16).reshape(prod(sizes), len(chosen))

    def _level_posteriors(self, cases: Cases, target: int) -> FloatArray:
        """(cases, levels)."""
        if target in cases.chosen:
            return self._indicators(cases, target)
        return cases.levels.posteriors(self.tables, target)

    def _indicators(self, cases: Cases, j: int) -> FloatArray:
        levels = np.arange(len(self.levels[j].levels))
        return (cases.levels.codes[:, j, None] == levels).astype(np.float64)

    def _by_name(self, codes: Codes) -> dict[str, NDArray[np.uint16]]:
        return {table.child: codes[:, j] for j, table in enumerate(self.levels)}

    @cached_property
    def _level_at(self) -> dict[str | None, int]:
        return {table.child: j for j, table in enumerate(self.levels)}

    @cached_property
    def parents(self) -> list[list[int]]:
        return [[self._level_at[parent] for parent in table.parents] for table in self.levels]

    @cached_property
    def _level_rows(self) -> HiddenLevels:
        return HiddenLevels(self.parents, self.codes, self.hidden_levels, self.read)


def _likelihoods(own: Readings, values: FloatArray, missing: BoolArray, scale: FloatArray) -> FloatArray:
    """(rows, states) the largest of each row 1, NaN where the value is missing; `scale` gains ln of the divisors."""
    logs = own.log_densities(np.where(missing, own.means[0], values))
    top = logs.max(axis=1)
    scale += np.where(missing, 0.0, top)
    found = np.exp(logs - top[:, None])
    found[missing] = np.nan
    return found
