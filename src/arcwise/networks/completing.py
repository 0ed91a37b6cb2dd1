"""A table with its missing cells filled in from a network, and how sure each of them is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from arcwise.data.dataset import Column, Dataset, FloatArray, IntArray, Kind, code_dtype
from arcwise.data.filled import FilledColumn, FilledTable, filled_in
from arcwise.data.row_order import sorted_rows
from arcwise.errors import DataError
from arcwise.networks.columns import level_cells
from arcwise.networks.inference.hidden_rows import HiddenRows
from arcwise.networks.inference.incomplete import sums_exactly
from arcwise.networks.models.protocol import ConditionalModel
from arcwise.networks.streams import stream
from arcwise.printing import listed

if TYPE_CHECKING:
    from arcwise.networks.network import Network


def complete(network: Network, data: Dataset, how: str, seed: int) -> FilledTable:
    """See `Network.complete`; the table is without weights."""
    _check_models(network.models)
    data = _with_levels(network, data)
    table = network.cut(data)
    # Draws belong to rows in an order of their own, so that it does not matter how the rows came.
    order = sorted_rows(table)
    cells = HiddenRows.of(network.models, table.take(order), readings=network.read)
    shares, means, sds = cells.shares()
    rng = stream(seed, "completed table")
    codes, values = cells.draw(rng) if how == "draw" else (None, means)
    found: dict[str, FilledColumn] = {}
    for j, table_of_node in enumerate(cells.levels):
        name = table_of_node.child
        if name not in data.names or data.column(name).missing is None:
            continue
        column, cut, hidden = data.column(name), network.numbers.get(name), cells.hidden_levels[:, j]
        assert column.missing is not None
        gone = column.missing[order]  # states that were read are hidden, too
        own, here = shares[j][gone[hidden]], gone.nonzero()[0]
        _check_possible(own, order[here])
        chosen = own.argmax(axis=1) if codes is None else codes[here, j].astype(np.intp)
        if cut is None or column.kind is Kind.DISCRETE:
            sure = own[np.arange(len(chosen)), chosen]
            found[column.name] = _filled(column, order[here], chosen, sure)
        else:
            numbers, spread = cut.moments(own)
            numbers = numbers if codes is None else cut.sample(chosen, rng).values
            found[column.name] = _filled(column, order[here], numbers, spread)
    for j, model in enumerate(cells.numbers):
        if model.child in data.names and data.column(model.child).missing is not None:
            here = cells.hidden_numbers[:, j].nonzero()[0]
            _check_possible(means[here, j], order[here])
            found[model.child] = _filled(data.column(model.child), order[here], values[here, j], sds[here, j])
    columns = tuple(found[name] for name in data.names if name in found)
    left = [repr(name) for name in data.missing_counts() if name not in found]
    note = (f"missing cells of {listed(left)} stay missing: the network has no such node",) if left else ()
    return FilledTable(replace(filled_in(data, columns), warnings=(*data.warnings, *note)), columns)


def _filled(column: Column, rows: IntArray, values: np.ndarray, sure: FloatArray) -> FilledColumn:
    by_row = np.argsort(rows)
    return FilledColumn(column.name, column.levels, rows[by_row], values[by_row], sure[by_row])


def _with_levels(network: Network, data: Dataset) -> Dataset:
    """Discrete columns with missing cells get all levels of their nodes: any of them may be filled in."""

    def levelled(column: Column) -> Column:
        known = column.name in network.names and column.missing is not None and column.kind is Kind.DISCRETE
        levels = network.model(column.name).levels if known else column.levels
        if levels == column.levels:
            return column
        codes = level_cells(data, column.name, levels)[0].astype(code_dtype(len(levels)))
        return Column(column.name, Kind.DISCRETE, codes, levels, column.ordered, column.missing)

    return replace(data, columns=tuple(levelled(column) for column in data.columns))


def _check_models(models: Sequence[ConditionalModel]) -> None:
    if not sums_exactly(models):
        from arcwise.networks.models.linear_gaussian import LinearGaussian
        from arcwise.networks.models.table import Table

        other = next(model for model in models if not isinstance(model, Table | LinearGaussian))
        raise DataError(
            f"node {other.child!r} has a {other.kind} model, and missing cells are filled in by networks of tables and "
            f"linear Gaussians only; fit with model='cpt' or 'gaussian'"
        )


def _check_possible(found: FloatArray, rows: IntArray) -> None:
    wrong = np.isnan(found if found.ndim == 1 else found[:, 0])
    if wrong.any():
        raise DataError(
            f"row {int(rows[wrong].min()) + 1} is impossible under the network, so nothing is probable in it; fit the "
            f"network with smoothing above 0"
        )
