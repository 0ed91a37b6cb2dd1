"""Hidden states behind the values of continuous columns, drawn with all that a row says about them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import Column, Dataset, FloatArray, IntArray, Kind, code_dtype
from arcwise.data.discretization import Discretization
from arcwise.data.filled import FilledColumn
from arcwise.data.states import States
from arcwise.discretize.bins.equal_frequency import EqualFrequency
from arcwise.discretize.policies.steck import Steck
from arcwise.learners.draws import Draws
from arcwise.learners.filling.recorded import drawn_from
from arcwise.learners.filling.tallies import Tallies
from arcwise.parts.monitor import Progress
from arcwise.parts.protocols import ALL_DISCRETE, ScoredSearch, resolved
from arcwise.printing import counted
from arcwise.problem import Memory, Problem
from arcwise.stats.hidden import HiddenCells
from arcwise.stats.states import Emission, Neighbours, estimated, improved, states_of
from arcwise.stats.threads import map_threads

FIRST_LEVELS = EqualFrequency(bins=3)  # of columns that show no states
EVERY = 2  # rounds from one look at the number of states to the next


@dataclass(frozen=True, slots=True)
class StateOptions:
    """search: for the network that states are split and merged by. looks: how often that is done."""

    search: ScoredSearch
    emission: Emission
    max_states: int
    looks: int


class StateFiller:
    """A table of any kinds while the states of its continuous columns are drawn, and its missing cells with them.

    A column that shows no states by its values has levels between thresholds instead, which are sought anew whenever
    states are looked at. order: where the rows come from, position by position.
    """

    def __init__(self, problem: Problem, draws: Draws, options: StateOptions, order: IntArray) -> None:
        self._problem, self._draws, self._options, self._order = problem, draws, options, order
        self._data, self._memory, self._turn = problem.data, Memory(), 0
        self._numbers = [j for j, column in enumerate(self._data.columns) if column.kind is Kind.CONTINUOUS]
        self._gaps = [j for j, column in enumerate(self._data.columns) if column.missing is not None]
        problem.monitor.report(Progress("states", message=f"looking at {counted(len(self._numbers), 'column')}"))
        found = map_threads(self._alone, self._numbers)
        self.states = {j: states for j, states in zip(self._numbers, found, strict=True) if len(states) > 1}
        flat = [self._data.names[j] for j in self._numbers if j not in self.states]
        first = FIRST_LEVELS.fit(self._data.select(flat)).thresholds if flat else {}
        self.cuts = {self._data.names.index(name): cuts for name, cuts in first.items()}
        self._codes = [self._first_codes(j, problem.rng) for j in range(self._data.n_columns)]
        self._settle()
        self._values: dict[int, FloatArray] = {}
        self._tallies: Tallies | None = None
        # So that the last look is over before draws count.
        last = max(draws.burn_in - EVERY, 1)
        self._when = {last - EVERY * back for back in range(options.looks)} if draws.burn_in else set[int]()

    def draw(self, rng: np.random.Generator) -> int:
        self._turn += 1
        if self._turn in self._when:
            self._look(rng)
        found = self._draws.search.solve(self._problem.starting(None).on(self.table(), self._memory))
        assert found.graph is not None  # a search gives a DAG
        columns = list(self.states)
        self._cells.observe(dict(zip(columns, map_threads(self._likelihood, columns), strict=True)))
        self._cells.follow(found.graph.adjacency)
        changed = self._cells.sweep(self._draws.sweeps, rng)
        self._codes = list(np.ascontiguousarray(self._cells.codes.T))
        self._estimate()
        self._fill(rng)
        return changed

    def table(self) -> Dataset:
        return replace(self._data, columns=tuple(map(self._column, range(self._data.n_columns))))

    def keep(self) -> None:
        if self._tallies is None:
            levels = [j for j in self._gaps if j not in self._numbers]
            numbers = [j for j in self._gaps if j in self._numbers]
            scales = {j: float(np.abs(self._data.columns[j].recorded).max()) or 1.0 for j in numbers}
            self._tallies = Tallies(self._data, self._cells, levels, scales)
        self._tallies.add(self._cells, self._values)

    def columns(self) -> tuple[FilledColumn, ...]:
        if self._tallies is None:
            return ()
        return tuple(self._tallies.column(self._data.columns[j], j, self._order) for j in self._gaps)

    def discretization(self) -> Discretization:
        """The thresholds of columns without states."""
        return Discretization({self._data.names[j]: cuts for j, cuts in self.cuts.items()})

    def _alone(self, j: int) -> States:
        return states_of(self._data.columns[j].recorded, self._options.emission, self._options.max_states)

    def _first_codes(self, j: int, rng: np.random.Generator) -> NDArray[np.integer]:
        """The most probable state of each value by itself; missing ones as frequent as those that are recorded."""
        column = self._data.columns[j]
        if j in self.states:
            with np.errstate(divide="ignore"):
                logs = self.states[j].log_densities(column.values) + np.log(self.states[j].shares)
            codes = logs.argmax(axis=1)
        else:
            codes = np.searchsorted(self.cuts[j], column.values, side="right") if j in self.cuts else column.values
        if column.missing is None:
            return codes
        codes = codes.copy()
        codes[column.missing] = rng.choice(codes[~column.missing], int(column.missing.sum()))
        return codes

    def _card(self, j: int) -> int:
        if j in self.states:
            return len(self.states[j])
        return len(self.cuts[j]) + 1 if j in self.cuts else self._data.columns[j].cardinality

    def _settle(self) -> None:
        """The cells anew, after columns have got other levels."""
        cards = np.array([self._card(j) for j in range(self._data.n_columns)])
        codes = np.column_stack(self._codes).astype(code_dtype(int(cards.max())))
        hidden = np.zeros(codes.shape, dtype=np.bool_)
        for j, column in enumerate(self._data.columns):
            hidden[:, j] = j in self.states or (False if column.missing is None else column.missing)
        self._cells = HiddenCells(codes, cards, hidden)

    def _likelihood(self, j: int) -> FloatArray:
        column = self._data.columns[j]
        if column.missing is None:
            return self.states[j].likelihoods(column.values)
        found = np.ones((self._data.n_rows, len(self.states[j])))
        found[~column.missing] = self.states[j].likelihoods(column.recorded)
        return found

    def _column(self, j: int) -> Column:
        old = self._data.columns[j]
        if old.kind is Kind.DISCRETE and old.missing is None:
            return old
        card = self._card(j)
        levels = old.levels or tuple(map(str, range(card)))
        codes = self._codes[j].astype(code_dtype(card))
        return Column(old.name, Kind.DISCRETE, codes, levels, ordered=old.ordered or not old.levels)

    def _estimate(self) -> None:
        for j, states in self.states.items():
            column = self._data.columns[j]
            codes = self._codes[j] if column.missing is None else self._codes[j][~column.missing]
            self.states[j] = estimated(column.recorded, codes, states, self._options.emission)

    def _fill(self, rng: np.random.Generator) -> None:
        """Numbers for the missing cells of continuous columns: a reading of the state, or one recorded in the level."""
        for j in self._gaps:
            if j not in self._numbers:
                continue
            column = self._data.columns[j]
            codes = self._codes[j][column.missing]
            if j in self.states:
                means, sds = np.array(self.states[j].means), np.array(self.states[j].sds)
                self._values[j] = means[codes] + sds[codes] * rng.standard_normal(len(codes))
            else:
                self._values[j] = drawn_from(column.recorded, self.cuts[j], codes, rng)

    def _look(self, rng: np.random.Generator) -> None:
        """Split and merge states, and seek thresholds anew, by the network that the rows as drawn prove."""
        found = self._options.search.solve(self._problem.starting(None).on(self.table(), self._memory))
        assert found.graph is not None  # a search gives a DAG
        adj, codes, emission = found.graph.adjacency, self._cells.codes, self._options.emission

        def one(j: int) -> tuple[States, FloatArray] | None:
            column = self._data.columns[j]
            there = slice(None) if column.missing is None else ~column.missing
            around = Neighbours(adj, j, codes[there], self._cells.cards)
            own = codes[there, j].astype(np.intp)
            return improved(column.recorded, own, self.states[j], around, emission, self._options.max_states)

        looked = list(self.states)
        for j, better in zip(looked, map_threads(one, looked), strict=True):
            if better is not None:
                self._take(j, *better, rng)
        if self.cuts:
            self._cut_anew(adj)
        self._settle()

    def _take(self, j: int, states: States, probabilities: FloatArray, rng: np.random.Generator) -> None:
        """Read column j by these states, drawn from their probabilities; a single one is none."""
        column = self._data.columns[j]
        there = np.ones(self._data.n_rows, dtype=np.bool_) if column.missing is None else ~column.missing
        if len(states) == 1:
            del self.states[j]
            alone = self._data.select([column.name])
            self.cuts[j] = FIRST_LEVELS.fit(alone).thresholds[column.name]
            self._codes[j] = self._first_codes(j, rng)
            return
        self.states[j] = states
        codes = np.empty(self._data.n_rows, dtype=np.intp)
        edges, uniform = np.cumsum(probabilities, axis=1), rng.random(len(probabilities))
        codes[there] = np.minimum((edges < uniform[:, None]).sum(axis=1), len(states) - 1)
        codes[~there] = rng.choice(codes[there], int((~there).sum()))
        self._codes[j] = codes

    def _cut_anew(self, adj: NDArray[np.bool_]) -> None:
        from arcwise.discretize.loop.learn_policy import WorkingTable, learn_policy

        columns = [self._with_numbers(j) if j in self.cuts else self._column(j) for j in range(self._data.n_columns)]
        policy, score = Steck(), resolved(self._options.search.score, ALL_DISCRETE)
        table = WorkingTable(replace(self._data, columns=tuple(columns)), self.discretization())
        learn_policy(table, adj, policy.searcher(score, self._data.n_rows), self._problem.monitor, {})
        for j in self.cuts:
            self.cuts[j] = table.thresholds(j)
            self._codes[j] = table.codes[j].astype(np.intp)

    def _with_numbers(self, j: int) -> Column:
        """A column without states, its missing cells filled."""
        column = self._data.columns[j]
        if column.missing is None:
            return column
        values = column.values.copy()
        values[column.missing] = self._values[j]
        return Column(column.name, Kind.CONTINUOUS, values)
