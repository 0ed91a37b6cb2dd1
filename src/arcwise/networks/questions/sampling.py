"""Answers by weighted samples, for models of any kind (Fung and Chang 1989; Shachter and Peot 1989).

Nodes without evidence are drawn, parents before children; nodes with evidence have it, and the row is weighed by how
probable that is given its parents. Shares of the weights are probabilities, their mean is p(evidence).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log, prod
from typing import TYPE_CHECKING

import numpy as np

from arcwise.data.dataset import Column, Dataset, FloatArray, Kind, code_dtype
from arcwise.networks.columns import Drawn
from arcwise.networks.models.protocol import ConditionalModel
from arcwise.networks.questions.ask import Found, ImpossibleError
from arcwise.networks.questions.evidence import Evidence
from arcwise.networks.questions.posterior import SHARES, Marginal
from arcwise.networks.streams import stream

if TYPE_CHECKING:
    from arcwise.networks.network import Network

DRAWS = 1 << 16
SEED = 0  # the same question has the same answer


def by_samples(
    network: Network, models: Sequence[ConditionalModel], wanted: Sequence[str], evidence: Evidence, joint: bool
) -> Found:
    drawn, logs = _weighted(models, evidence)
    top = float(logs.max())
    if not np.isfinite(top):
        raise ImpossibleError(
            f"none of {DRAWS:,} samples agrees with the evidence, which is impossible under the network or too rare "
            "to sample; give less of it, or fit with model='cpt' or 'gaussian'"
        )
    weights = np.exp(logs - top)
    total = float(weights.sum())
    shares = weights / total
    marginals = [_marginal(drawn.column(name), shares) for name in wanted]
    whole = _joint([drawn.column(name) for name in wanted], shares) if joint else None
    return Found(top + log(total / DRAWS), marginals, whole, effective=float(1.0 / np.square(shares).sum()))


def _weighted(models: Sequence[ConditionalModel], evidence: Evidence) -> tuple[Drawn, FloatArray]:
    """(a value of every node in each row, ln of the weight of each row)."""
    drawn, logs = Drawn(DRAWS, sum(not model.levels for model in models)), np.zeros(DRAWS)
    for model in models:
        name = model.child
        known = name in evidence.codes or name in evidence.numbers
        if not known:
            drawn.add(model.sample(drawn, stream(SEED, f"question: {name}")))
        elif model.levels:
            codes = np.full(DRAWS, evidence.codes[name], dtype=code_dtype(len(model.levels)))
            drawn.add(Column(name, Kind.DISCRETE, codes, model.levels))
        else:
            drawn.add(Column(name, Kind.CONTINUOUS, np.full(DRAWS, evidence.numbers[name])))
        if known:
            logs += model.log_density(Dataset(tuple(drawn.column(member) for member in model.columns)))
        if name in evidence.weights:
            with np.errstate(divide="ignore"):
                logs += np.log(evidence.weights[name])[drawn.column(name).values]
    return drawn, np.where(np.isnan(logs), -inf, logs)


def _marginal(column: Column, shares: FloatArray) -> Marginal:
    """With standard errors: of a weighted mean, the root of the sum of squares of share times distance."""
    values, squares = column.values, np.square(shares)
    if column.levels:
        found: FloatArray = np.bincount(values, shares, minlength=len(column.levels)).astype(np.float64)
        own = np.bincount(values, squares, minlength=len(column.levels))
        others = np.maximum(squares.sum() - own, 0.0)  # rounding can make it less
        error = np.sqrt(own * (1.0 - found) ** 2 + others * found**2)
        return Marginal(column.name, probabilities=found, error=error)
    mean = float(shares @ values)
    away = np.square(values - mean)
    order = np.argsort(values, kind="stable")
    below = np.cumsum(shares[order])
    at = np.minimum(np.searchsorted(below, SHARES), len(values) - 1)
    quantiles = dict(zip(SHARES, values[order[at]].tolist(), strict=True))
    error = np.array([np.sqrt(squares @ away)])
    return Marginal(column.name, mean=mean, sd=float(np.sqrt(shares @ away)), quantiles=quantiles, error=error)


def _joint(columns: Sequence[Column], shares: FloatArray) -> FloatArray:
    shape = tuple(len(column.levels) for column in columns)
    cells = np.ravel_multi_index([column.values for column in columns], shape)
    return np.bincount(cells, shares, minlength=prod(shape)).astype(np.float64).reshape(shape)
