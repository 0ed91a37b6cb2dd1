"""What a network says of its target in rows that lack cells, also where there is no exact sum over them."""

from __future__ import annotations

from typing import Any

import numpy as np

from arcwise.data.dataset import Dataset, FloatArray, Kind
from arcwise.errors import DataError
from arcwise.networks.inference.incomplete import patterns
from arcwise.networks.network import Network
from arcwise.networks.questions.ask import ImpossibleError
from arcwise.results.result import LearnResult


def fitted(result: LearnResult, table: Dataset, model: str | None, options: dict[str, Any]) -> Network:
    """`LearnResult.fit`; models that refuse missing cells are fitted to the values that these probably had."""
    try:
        return result.fit(table, model, **options)
    except DataError:
        if table.is_complete or result.completion is None:
            raise
        return result.fit(result.completion.fill(table), model, **options)


def expected(network: Network, name: str, table: Dataset) -> FloatArray:
    """(rows,) E[name | what is recorded], or (rows, levels) the probabilities; NaN where a row is impossible.

    Exact where it can be. Rows that lack cells which a model cannot sum over are asked about one by one, by weighted
    samples.
    """
    try:
        return network.expected(name, table)
    except DataError:
        if table.is_complete:
            raise
    n_levels = 0 if name in network.numbers else len(network.model(name).levels)
    found = np.empty((table.n_rows, n_levels) if n_levels else table.n_rows)
    for rows, _ in patterns(table):
        alike = table.take(rows)
        try:
            found[rows] = network.expected(name, alike)
        except DataError:
            if alike.is_complete:
                raise
            for row in rows.tolist():
                found[row] = _asked(network, name, table.take([row]))
    return found


def _asked(network: Network, name: str, row: Dataset) -> FloatArray | float:
    given = {
        column.name: column.levels[column.values[0]] if column.kind is Kind.DISCRETE else float(column.values[0])
        for column in row.columns
        if column.missing is None
    }
    try:
        answer = network.query(name, given)[name]
    except ImpossibleError:
        return np.nan
    if name in network.numbers or answer.probabilities is None:
        return np.nan if answer.mean is None else answer.mean
    return answer.probabilities
