"""Tables of hidden states and densities of their readings, by expectation and maximisation.

    p(row) = sum over all states s of prod_j P(s_j | parents of s_j) f_j(x_j; s_j).

In turns the states are expected, given all readings of a row and the network as it is, and tables and densities are
fitted to what is expected. The sums over states are exact, but for states that a reading all but excludes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from arcwise.data.dataset import Column, Dataset, FloatArray, Kind, code_dtype
from arcwise.data.row_order import sorted_rows
from arcwise.data.states import FREEDOM, States
from arcwise.errors import DataError
from arcwise.graph.dag import Dag
from arcwise.networks.inference.hidden_levels import HiddenLevels
from arcwise.networks.inference.hidden_rows import HiddenRows
from arcwise.networks.models.expectation import Prior
from arcwise.networks.models.inputs import sd_floor
from arcwise.networks.models.linear_gaussian import LARGEST, SMALLEST, standardized
from arcwise.networks.models.readings import Readings
from arcwise.networks.models.regression import location
from arcwise.networks.models.table import Table, fit_table, table_of_counts

EXCLUDED = 1e-6  # likelihood of a state, next to the likeliest of its reading, that is not expected
ENOUGH = 1e-4  # nats a row: a step that gains less is the last
MOST_STEPS = 100
OWN_PRIOR = 2.0  # rows that the common variance is worth for a state with one of its own


def fit_hidden_states(
    dag: Dag, data: Dataset, states: Mapping[str, States], prior: Prior
) -> tuple[tuple[Table, ...], tuple[Readings, ...], list[str]]:
    """(the table of each node, the densities of readings, what is doubtful).

    data: the columns of the nodes without weights; those with `states` are continuous, all others have levels.
    """
    for name in states:
        if not len(data.column(name).recorded):
            raise DataError(f"column {name!r} has no value in any row; leave it out, or fill some in")
    data = data.take(sorted_rows(data))  # so that sums do not depend on the order of the rows
    fit = _Fit(dag, data, states, prior)
    gain = fit.run()
    doubt = (
        f"after {MOST_STEPS} steps the fit of hidden states still gained {gain:.1g} nats a row; it may not be the best"
    )
    return fit.models, tuple(fit.readings.values()), [doubt] if gain > ENOUGH else []


class _Fit:
    def __init__(self, dag: Dag, data: Dataset, states: Mapping[str, States], prior: Prior) -> None:
        self._data, self._prior = data, prior
        self.readings = {name: Readings.of(name, own, data.column(name).recorded) for name, own in states.items()}
        # Rounded or repeated values say nothing about narrower densities: a spike on each would win any comparison.
        self._floors = {name: _floor(data.column(name).recorded) for name in states}
        table = replace(data, columns=tuple(_likeliest(column, states.get(column.name)) for column in data.columns))
        self._columns = table
        # The first tables have the usual prior, whatever they will have: no row is impossible then.
        self.models = tuple(
            fit_table(table.select((*dag.parents(name), name)).complete_rows(), name, dag.parents(name))
            for name in dag.names
        )

    def run(self) -> float:
        """What the last step gained, nats a row."""
        before, gain = -np.inf, np.inf
        for _ in range(MOST_STEPS):
            value = self.step()
            gain, before = value - before, value
            if gain <= ENOUGH:
                break
        return float(gain)

    def step(self) -> float:
        """Expect and fit once; the mean log posterior before."""
        rows = HiddenRows.of(self.models, self._data, readings=self.readings)
        levels = HiddenLevels(rows.parents, rows.codes, rows.hidden_levels, rows.read, EXCLUDED)
        counts, logs, shares = levels.expected_counts(rows.tables, np.ones(rows.n_rows))
        assert rows.scale is not None  # rows of a table have it
        before = _log_prior(self.models, self._prior)
        self.models = tuple(self._table(model, own) for model, own in zip(self.models, counts, strict=True))
        for j, own in shares.items():
            name = self.models[j].child
            column = self._data.column(name)
            there = slice(None) if column.missing is None else ~column.missing
            reading = self.readings[name]
            held = own[there] * reading.genuine(column.recorded)  # strays say nothing of the states
            states = fitted_states(column.recorded, held, reading.states, self._floors[name])
            self.readings[name] = replace(reading, states=states)
        return float((logs + rows.scale).mean() + before / rows.n_rows)

    def _table(self, table: Table, counts: FloatArray) -> Table:
        columns = [self._columns.column(name) for name in (table.child, *table.parents)]
        return table_of_counts(columns[0], columns[1:], counts, *self._prior)


def _floor(values: FloatArray) -> float:
    centre, spread = location(values)
    return sd_floor(standardized(values, centre, spread or 1.0))


def _likeliest(column: Column, states: States | None) -> Column:
    """The state of each value that is likeliest by itself, as a level."""
    if states is None or column.kind is Kind.DISCRETE:
        return column
    values = column.values if column.missing is None else np.where(column.missing, states.means[0], column.values)
    with np.errstate(divide="ignore"):
        codes = np.argmax(states.log_densities(values) + np.log(states.shares), axis=1)
    values = codes.astype(code_dtype(len(states)))
    return Column(column.name, Kind.DISCRETE, values, states.labels, ordered=True, missing=column.missing)


def _log_prior(models: Sequence[Table], prior: Prior) -> float:
    """ln of the density of the tables, up to a constant: sum of a ln P, see `fit_table`."""
    total = 0.0
    for model in models:
        cells = model.probabilities
        r = cells.shape[-1]
        a = {"configuration": 1.0 / r, "table": 1.0 / cells.size, "cell": 1.0}[prior.per] * prior.smoothing
        if a > 0:
            total += a * float(np.log(cells).sum())
    return total


def fitted_states(values: FloatArray, shares: FloatArray, states: States, floor: float) -> States:
    """Means, spreads and shares of states; shares: (values, states) how far each value counts for each.

    States that had one standard deviation in common keep one; the others have their own, with the common one worth
    OWN_PRIOR rows. With heavy tails values far away count less, by their distance as it was. floor: the least standard
    deviation, in those of the column.
    """
    centre, scale = location(values)
    scale = scale or abs(centre) or 1.0
    units = standardized(values, centre, scale)
    before = standardized(np.array(states.means), centre, scale)
    weights = shares
    if states.heavy:
        away = (units[:, None] - before) / np.maximum(np.array(states.sds) / scale, SMALLEST)
        weights = shares * (FREEDOM + 1.0) / (FREEDOM + np.square(away))
    rows, held = shares.sum(axis=0), weights.sum(axis=0)
    means = np.where(held > 0, (units @ weights) / np.maximum(held, SMALLEST), before)
    means = np.maximum.accumulate(means)  # states stay in their order
    squares = (weights * np.square(units[:, None] - means)).sum(axis=0)
    pooled = squares.sum() / max(rows.sum(), SMALLEST)
    common = len(set(states.sds)) == 1
    variances = np.full(len(states), pooled) if common else (squares + OWN_PRIOR * pooled) / (rows + OWN_PRIOR)
    sds = np.clip(scale * np.sqrt(np.maximum(variances, floor**2)), SMALLEST, LARGEST)
    means = np.clip(centre + scale * means, -LARGEST, LARGEST)
    return States(
        tuple(means.tolist()), tuple(sds.tolist()), tuple((rows / max(rows.sum(), SMALLEST)).tolist()), states.heavy
    )
