"""Exact answers of tables together with linear Gaussians: the evidence is a row of which some cells are missing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from arcwise.data.dataset import Column, Dataset, FloatArray, Kind, code_dtype
from arcwise.errors import OptionError
from arcwise.networks.inference.hidden_rows import HiddenRows
from arcwise.networks.models.protocol import ConditionalModel
from arcwise.networks.models.table import Table
from arcwise.networks.questions.ask import Found, of_number
from arcwise.networks.questions.evidence import Evidence
from arcwise.networks.questions.posterior import Marginal

if TYPE_CHECKING:
    from arcwise.networks.network import Network

MOST_CELLS = 1 << 16  # of a joint table: each is a row
NO, YES = "no", "yes"


def by_rows(
    network: Network, models: Sequence[ConditionalModel], wanted: Sequence[str], evidence: Evidence, joint: bool
) -> Found:
    models = [*models, *_witnesses(network, evidence)]
    row = _row(network, evidence)
    log_evidence = float(HiddenRows.of(models, row).log_densities()[0])
    if not np.isfinite(log_evidence):
        return Found(log_evidence, ())
    rows = HiddenRows.of(models, row)
    marginals = [
        Marginal(name, probabilities=rows.posterior(name)[0]) if network.model(name).levels else _number(rows, name)
        for name in wanted
    ]
    return Found(log_evidence, marginals, _joint(network, models, row, wanted, log_evidence) if joint else None)


def _number(rows: HiddenRows, name: str) -> Marginal:
    """A mixture of what each combination of missing levels says."""
    at = rows.system.position[name]
    own = rows.numbers[at]
    (cases,) = rows.cases(name, covariances=True)
    assert cases.numbers is not None
    spread = np.sqrt(cases.numbers.covariances[:, at, at]) * own.scale
    return of_number(name, cases.shares, own.own_units(cases.numbers.means[:, at]), spread)


def _joint(
    network: Network, models: Sequence[ConditionalModel], row: Dataset, wanted: Sequence[str], log_evidence: float
) -> FloatArray:
    """p(levels, evidence) / p(evidence), a row for each combination of levels."""
    levels = [network.model(name).levels for name in wanted]
    shape = tuple(map(len, levels))
    if prod(shape) > MOST_CELLS:
        raise OptionError(
            f"the joint table has {prod(shape):,} cells, more than {MOST_CELLS:,}; ask about fewer nodes together"
        )
    codes = np.array(list(product(*map(range, shape))))
    many = row.take(np.zeros(len(codes), dtype=np.intp)).columns
    named = zip(wanted, levels, codes.T, strict=True)
    known = tuple(Column(name, Kind.DISCRETE, code.astype(code_dtype(len(own))), own) for name, own, code in named)
    logs = HiddenRows.of(models, Dataset((*many, *known))).log_densities()
    found: FloatArray = np.exp(logs - log_evidence).reshape(shape)
    return found / found.sum()


def _witnesses(network: Network, evidence: Evidence) -> list[Table]:
    """Evidence with weights is a child of its node, which says yes with these probabilities (Pearl 1988)."""
    found = []
    for name, weights in evidence.weights.items():
        cells = np.stack([1.0 - weights, weights], axis=1)
        found.append(Table(_witness(name), (NO, YES), (name,), (network.model(name).levels,), cells))
    return found


def _witness(name: str) -> str:
    return f"{name}\x00 evidence"


def _row(network: Network, evidence: Evidence) -> Dataset:
    columns = []
    for name, code in evidence.codes.items():
        levels = network.model(name).levels
        columns.append(Column(name, Kind.DISCRETE, np.array([code], dtype=code_dtype(len(levels))), levels))
    columns += [
        Column(_witness(name), Kind.DISCRETE, np.array([1], dtype=np.uint8), (NO, YES)) for name in evidence.weights
    ]
    columns += [Column(name, Kind.CONTINUOUS, np.array([value])) for name, value in evidence.numbers.items()]
    # A table without columns has no rows: one that no model knows says how many there are.
    return Dataset((*columns, Column("\x00 row", Kind.CONTINUOUS, np.zeros(1))))
