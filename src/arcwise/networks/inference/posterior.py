"""One column given all others that a table has: p(x | rest) ~ p(x | parents) * product over children c of p(c | pa(c)).

Columns that are not there are summed over where that is exact: tables by variable elimination, linear Gaussians with
tables by least squares. A column of any other model needs its parents, its children and their other parents, as far as
these say something about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

import numpy as np

from arcwise.data.dataset import Column, Dataset, FloatArray, Kind, code_dtype
from arcwise.errors import DataError
from arcwise.networks.columns import state_codes
from arcwise.networks.inference import conditional_gaussian, quadrature
from arcwise.networks.inference.elimination import posterior, requisite
from arcwise.networks.models.linear_gaussian import LinearGaussian
from arcwise.networks.models.protocol import ConditionalModel, Density
from arcwise.networks.models.table import Table
from arcwise.printing import listed


def given_all(models: Sequence[ConditionalModel], name: str, data: Dataset) -> FloatArray:
    """(n_rows,) E[name | the other columns]; for a node with levels (n_rows, levels): the probability of each.

    Exact but for continuous columns of neural models, see `quadrature`. NaN where what bears on the node is impossible;
    other columns are not looked at, see `possible_rows`.
    """
    position = {model.child: i for i, model in enumerate(models)}
    parents = [[position[parent] for parent in model.parents] for model in models]
    target = position[name]
    present = [position[column] for column in data.names if column in position and column != name]
    unknown, families = requisite(parents, target, present)
    needed = {i: models[i] for i in families}
    tables = {i: model for i, model in needed.items() if isinstance(model, Table)}
    if len(tables) == len(needed):
        known = {i for family in families for i in (*parents[family], family)} - set(unknown)
        codes = {i: state_codes(data, models[i].child, models[i].levels) for i in known}
        cpts = {i: table.probabilities for i, table in tables.items()}
        return posterior(cpts, parents, target, codes, data.n_rows)
    if all(isinstance(model, Table | LinearGaussian) for model in needed.values()):
        return conditional_gaussian.posterior([models[i] for i in unknown], list(needed.values()), name, data)
    if len(unknown) > 1:
        raise DataError(_needs(name, (models[i].child for i in unknown if i != target)))
    children = [model for model in needed.values() if model.child != name]
    own = models[target]
    if own.levels:
        return _of_levels(own, children, data)
    return quadrature.posterior_mean(cast("Density", own), children, data)


def _needs(name: str, absent: Iterable[str]) -> str:
    names = sorted(absent)
    these = f"column {names[0]!r}, which is" if len(names) == 1 else f"columns {listed(names)}, which are"
    return (
        f"predicting {name!r} needs the {these} not in the table: what is absent can be summed over in networks of "
        f"tables and linear Gaussians only; add {'it' if len(names) == 1 else 'them'}, or predict with "
        f"evidence='parents'"
    )


def _of_levels(own: ConditionalModel, children: Sequence[ConditionalModel], data: Dataset) -> FloatArray:
    """Each level in turn is put in the place of the column, and the children are asked how likely they are then."""
    with np.errstate(divide="ignore"):
        logs = np.log(own.expected(data))
    others = tuple(column for column in data.columns if column.name != own.child)
    for level in range(len(own.levels)):
        codes = np.full(data.n_rows, level, dtype=code_dtype(len(own.levels)))
        table = Dataset((*others, Column(own.child, Kind.DISCRETE, codes, own.levels)))
        for child in children:
            logs[:, level] += child.log_density(table)
    return _normalised(logs)


def _normalised(logs: FloatArray) -> FloatArray:
    """(n, k) probabilities in proportion to exp(logs); NaN where all are 0."""
    with np.errstate(invalid="ignore"):
        shares = np.exp(logs - logs.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)
