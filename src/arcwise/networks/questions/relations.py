"""How a column follows each of its parents by a fitted network: partial dependence (Friedman 2001)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from arcwise.data.dataset import Dataset, Kind
from arcwise.data.row_order import sorted_rows
from arcwise.drawing.relations import Relation
from arcwise.errors import DataError, GraphError, unknown_name

if TYPE_CHECKING:
    from arcwise.graph.dag import Dag
    from arcwise.networks.network import Network

POINTS = 41  # along a parent that has numbers
MOST_ROWS = 200  # that an average is over
ENDS = 0.01  # share of the rows beyond either end of a curve


def relations(net: Network, name: str, data: Dataset) -> tuple[Relation, ...]:
    """One for each parent, in the order of their names."""
    parents = shown_parents(net.dag, name)
    rows = data.select(parents).complete_rows().repeated()
    if not rows.n_rows:
        raise DataError(f"no row has all parents of {name!r}; give a table that has some")
    rows = rows.take(sorted_rows(rows))
    spaced = rows.take(np.unique(np.linspace(0, rows.n_rows - 1, min(MOST_ROWS, rows.n_rows)).astype(np.intp)))
    return tuple(_relation(net, name, parent, rows, spaced) for parent in parents)


def shown_parents(dag: Dag, name: str) -> list[str]:
    """By name; a node that has none has no relations."""
    if name not in dag.names:
        raise GraphError(unknown_name("node", name, dag.names))
    parents = sorted(dag.parents(name))
    if not parents:
        raise GraphError(f"{name!r} has no parents in the graph, so there is no relation to show; choose another node")
    return parents


def _relation(net: Network, name: str, parent: str, rows: Dataset, spaced: Dataset) -> Relation:
    own, n = rows.column(parent), spaced.n_rows
    at: tuple[float, ...] | tuple[str, ...]
    if own.kind is Kind.DISCRETE:
        codes = np.unique(own.values)
        at = tuple(own.levels[code] for code in codes)
        tried = np.repeat(codes, n)
    else:
        low, high = np.quantile(own.values, [ENDS, 1.0 - ENDS])
        points = np.unique(np.linspace(low, high, POINTS))
        at, tried = tuple(points.tolist()), np.repeat(points, n)
    columns = [
        replace(
            column, values=tried.astype(own.values.dtype) if column.name == parent else np.tile(column.values, len(at))
        )
        for column in spaced.columns
    ]
    found = net.expected(name, Dataset(tuple(columns)), evidence="parents")
    model = net.model(name)
    levels = model.levels if name not in net.numbers else ()
    return Relation(name, parent, at, found.reshape(len(at), n, *found.shape[1:]).mean(axis=1), levels)
