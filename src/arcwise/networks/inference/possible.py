"""Which rows a network excludes. Only zeros of tables can: every other model gives every value some density."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from arcwise.data.dataset import BoolArray, Dataset
from arcwise.networks.inference.hidden_rows import HiddenRows
from arcwise.networks.models.protocol import ConditionalModel
from arcwise.networks.models.readings import Readings
from arcwise.networks.models.table import Table


def possible_rows(
    models: Sequence[ConditionalModel], data: Dataset, hide: Sequence[str], readings: Mapping[str, Readings]
) -> BoolArray:
    """(n_rows,) whether what is recorded in a row has a probability above 0; columns to hide are not recorded."""
    if not any(map(_excludes, models)):
        return np.ones(data.n_rows, dtype=np.bool_)
    supports = [_support(model) for model in models if model.levels]
    return np.isfinite(HiddenRows.of(supports, data, hide, readings).log_densities())


def _excludes(model: ConditionalModel) -> bool:
    return isinstance(model, Table) and bool((model.probabilities == 0.0).any())


def _support(model: ConditionalModel) -> ConditionalModel:
    """A family without zeros joins nothing: sums over what is missing stay small."""
    n = len(model.levels)
    return model if _excludes(model) else Table(model.child, model.levels, (), (), np.full(n, 1.0 / n))
