"""Tables and regressions from a table with missing cells: expectation and maximisation (Dempster, Laird, Rubin 1977).

In turns the missing cells are expected, given what is recorded in their row and the network as it is, and the network
is fitted to what is expected: tables to expected counts, regressions to expected moments. The expectations are exact,
so that nothing is drawn and no seed is needed, but for tables of which that would take too long (`drawn_counts`).
Cells are missing at random: whether one is missing may depend on what was recorded, not on what it would have been.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arcwise.data.dataset import Dataset, FloatArray, Kind
from arcwise.data.row_order import distinct_rows
from arcwise.errors import DataError
from arcwise.graph.dag import Dag
from arcwise.networks.inference.hidden_rows import NOTHING, Cases, HiddenRows
from arcwise.networks.models.expected_moments import Moments
from arcwise.networks.models.linear_gaussian import LinearGaussian
from arcwise.networks.models.protocol import ConditionalModel
from arcwise.networks.models.regression import fit_linear_gaussian, without_parents
from arcwise.networks.models.table import PER, SMOOTHING, Per, Table, fit_table, table_of_counts

SETTLED = 1e-6  # the largest change of a probability, or of a weight in standardized units, of the last step
MOST_STEPS = 300
MOST_WORK = 2**27  # numbers in the tables of all rows in a step: a second or so


class Prior(NamedTuple):
    """That of tables, see `fit_table`."""

    smoothing: float = SMOOTHING
    per: Per = PER


def fit_incomplete(dag: Dag, data: Dataset, prior: Prior) -> tuple[tuple[ConditionalModel, ...], list[str]]:
    """(the model of each node, what is doubtful). A table for each discrete node, a regression for each continuous one.

    A family that lacks no cell is fitted as ever. The fit begins with the rows that have all cells of a family.
    """
    for column in data.columns:
        if column.kind is Kind.CONTINUOUS and not len(column.recorded):
            raise DataError(f"column {column.name!r} has no value in any row; leave it out, or fill some in")
    table = distinct_rows(data)  # so that the order of the rows does not matter, not even in the last bit
    fit = _Fit(dag, table, prior)
    if fit.is_too_much():
        doubt = "too many missing cells depend on each other to be expected exactly, so the tables are fitted to draws"
        return fit.drawn(), [doubt]
    fit.run()
    if fit.change <= SETTLED:
        return fit.models(), []
    doubt = (
        f"after {MOST_STEPS} steps the fit to missing cells still changed by {fit.change:.1g}; it may not be the best"
    )
    return fit.models(), [doubt]


class _Fit:
    def __init__(self, dag: Dag, table: Dataset, prior: Prior) -> None:
        self._dag, self._table, self._prior = dag, table, prior
        assert table.weights is not None  # distinct rows have them
        self._weights = table.weights.astype(np.float64)
        families = {name: table.select((*dag.parents(name), name)) for name in dag.names}
        self._open = [name for name, family in families.items() if not family.is_complete]
        self._models = {name: self._first(name, family) for name, family in families.items()}
        regressions = [name for name in self._open if isinstance(self._models[name], LinearGaussian)]
        self._moments = {name: Moments.of(table, name, dag.parents(name)) for name in regressions}
        self._rows = HiddenRows.of(list(self._models.values()), table)
        self.change = 0.0

    def is_too_much(self) -> bool:
        return not self._rows.numbers and self._rows.work() > MOST_WORK

    def drawn(self) -> tuple[ConditionalModel, ...]:
        """The models from draws, of a network of tables."""
        from arcwise.networks.models.drawn_counts import drawn_counts

        counts = drawn_counts(self._dag, self._table)
        tables = {table.child: self._table_of(table, counts[table.child]) for table in self._rows.levels}
        return tuple(tables[name] if name in self._open else self._models[name] for name in self._dag.names)

    def run(self) -> None:
        """Until nothing changes any more, or for so many steps."""
        for _ in range(MOST_STEPS if self._open else 0):
            self.change = self._step()
            if self.change <= SETTLED:
                return

    def models(self) -> tuple[ConditionalModel, ...]:
        """In the order of the nodes; the noise of regressions as if only recorded values had been fitted."""
        found = dict(self._models)
        for name, moments in self._moments.items():
            found[name] = moments.unbiased()
        return tuple(found[name] for name in self._dag.names)

    def _first(self, name: str, family: Dataset) -> ConditionalModel:
        """Fitted to the rows that have all cells; where there are too few, the parents say nothing."""
        parents, rows = self._dag.parents(name), family.complete_rows()
        if family.column(name).kind is Kind.DISCRETE:
            # The first of an incomplete one has the usual prior, whatever it will have: no row is impossible then.
            prior = self._prior if rows is family else Prior()
            return fit_table(rows, name, parents, smoothing=prior.smoothing, per=prior.per)
        inputs = sum(max(rows.column(parent).cardinality - 1, 1) for parent in parents)
        if rows is family or rows.n_rows > inputs + 1:
            return fit_linear_gaussian(rows, name, parents)
        return without_parents(family, name, parents)

    def _step(self) -> float:
        rows = self._rows.with_models(list(self._models.values()))
        for moments in self._moments.values():
            moments.clear()
        if rows.numbers:
            counts = [np.zeros(table.shape) for table in rows.tables]
            for cases in rows.cases(NOTHING, covariances=True):
                self._add(rows, cases, counts)
        else:
            counts = rows.expected_counts(self._weights)
        change = 0.0
        for table, own in zip(rows.levels, counts, strict=True):
            if table.child in self._open:
                found = self._table_of(table, own)
                change = max(change, float(np.abs(found.probabilities - table.probabilities).max()))
                self._models[table.child] = found
        for name, moments in self._moments.items():
            self._models[name] = moments.regression()
            change = max(change, moments.change)
        return change

    def _add(self, rows: HiddenRows, cases: Cases, counts: list[FloatArray]) -> None:
        weights = self._weights[cases.rows][cases.row] * cases.shares
        weights[~np.isfinite(weights)] = 0.0
        if rows.levels:
            for j, own in enumerate(cases.levels.expected_counts(rows.tables, weights)[0]):
                counts[j] += own
        for moments in self._moments.values():
            moments.add(rows, cases, weights)

    def _table_of(self, table: Table, counts: FloatArray) -> Table:
        columns = [self._table.column(name) for name in (table.child, *table.parents)]
        return table_of_counts(columns[0], columns[1:], counts, *self._prior)
