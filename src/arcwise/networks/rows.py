"""What a network says about the rows of a table: their densities, and what a column is expected to be."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from arcwise.data.dataset import Column, Dataset, FloatArray, Kind, code_dtype
from arcwise.errors import OptionError, unknown_name
from arcwise.networks.columns import state_codes
from arcwise.networks.models.intervals import Intervals
from arcwise.networks.models.protocol import ConditionalModel

if TYPE_CHECKING:
    from arcwise.networks.network import Network

Evidence = Literal["all", "parents"]


def log_density(network: Network, data: Dataset) -> FloatArray:
    """(n_rows,) ln p(what is recorded in a row); see `Network.log_density`."""
    if network.readings or _lacks_cells(data, network.names):
        from arcwise.networks.inference.incomplete import log_density_of_recorded

        found = log_density_of_recorded(network.models, network.cut(data), network.read)
        for intervals in network.intervals:
            found += _within_level(intervals, data)
        return found
    total, cut = np.zeros(data.n_rows), _own_levels(network, network.cut(data))
    for model in network.models:
        total += _given_parents(network, model, data, cut)
    return total


def log_density_of_node(network: Network, name: str, data: Dataset) -> FloatArray:
    """(n_rows,) ln p(node | its parents), from what is recorded of them."""
    return _given_parents(network, network.model(name), data, network.cut(data))


def expected(network: Network, name: str, data: Dataset, evidence: Evidence) -> FloatArray:
    """(n_rows,) E[name | evidence], or (n_rows, levels) the probabilities of a node with levels."""
    own, cut = network.model(name), network.cut(data)
    check_evidence(evidence)
    from arcwise.networks.inference.incomplete import given_recorded

    if evidence == "parents":
        if own.parents and (network.readings or _lacks_cells(cut, own.parents)):
            return given_recorded(network.models, name, cut.select(own.parents), network.read)
        return own.expected(cut)
    return given_recorded(network.models, name, cut, network.read)


def check_evidence(evidence: str) -> None:
    if evidence not in get_args(Evidence):
        raise OptionError(unknown_name("evidence", str(evidence), get_args(Evidence)))


def _given_parents(network: Network, model: ConditionalModel, data: Dataset, cut: Dataset) -> FloatArray:
    intervals = network.cuts.get(model.child)
    if network.readings or _lacks_cells(cut, model.columns):
        from arcwise.networks.inference.incomplete import log_density_given_parents

        result = log_density_given_parents(network.models, model.child, cut, network.read)
    else:
        result = model.log_density(cut)
    return result if intervals is None else result + _within_level(intervals, data)


def _within_level(intervals: Intervals, data: Dataset) -> FloatArray:
    """ln p(value | its level) of a cut column; 0 where there is no value."""
    column = data.column(intervals.column)
    if column.kind is Kind.DISCRETE:
        return np.zeros(data.n_rows)
    if column.missing is None:
        return intervals.log_density(column.values)
    found = np.zeros(data.n_rows)
    found[~column.missing] = intervals.log_density(column.recorded)
    return found


def _own_levels(network: Network, data: Dataset) -> Dataset:
    """The same columns with the levels of the nodes, in their order: found by label once, not in every family."""
    own = dict(zip(network.names, network.states, strict=True))

    def levelled(column: Column) -> Column:
        levels = own[column.name]
        if column.kind is not Kind.DISCRETE or not levels or column.levels == levels:
            return column
        codes = state_codes(data, column.name, levels).astype(code_dtype(len(levels)))
        return Column(column.name, Kind.DISCRETE, codes, levels)

    return Dataset(tuple(levelled(column) for column in data.columns if column.name in own))


def _lacks_cells(data: Dataset, names: Collection[str]) -> bool:
    """Whether a cell of these columns is missing; it may lack whole columns."""
    return any(column.missing is not None for column in data.columns if column.name in names)
