"""Linear Gaussians together with tables: one column given others, exactly, whatever columns are absent.

With the unknown levels fixed, every linear Gaussian says that k (y - sum of parts) ~ N(0, 1), k = 1 / sd, which is
linear in the unknown numbers u: r = b + G u. So the mean of u is the least-squares solution, the density of what is
known is exp(-|r|^2 / 2) at that solution times a constant, and levels only shift b. Sums over unknown levels are then
sums over their configurations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np

from arcwise.data.dataset import Dataset, FloatArray, IntArray
from arcwise.errors import DataError
from arcwise.networks.columns import continuous_values, state_codes
from arcwise.networks.models.linear_gaussian import LARGEST, Effects, LinearGaussian, standardized
from arcwise.networks.models.protocol import ConditionalModel
from arcwise.networks.models.table import Table

MOST_CONFIGURATIONS = 1 << 16
CHUNK = 1 << 20  # numbers for a stretch of rows


@dataclass(frozen=True, slots=True, eq=False)
class _System:
    """r = b + shifts[:, configuration] + G u, solved for u: u = solve @ (b + shift), r = rest @ (b + shift)."""

    solve: FloatArray  # (unknown numbers, equations)
    rest: FloatArray  # (equations, equations)
    shifts: FloatArray  # (equations, configurations)


def posterior(
    unknown: Sequence[ConditionalModel], families: Sequence[ConditionalModel], name: str, data: Dataset
) -> FloatArray:
    """(n_rows,) E[name | known], or (n_rows, levels) its probabilities; `unknown` are the nodes without a column."""
    levels = {model.child: len(model.levels) for model in unknown if isinstance(model, Table)}
    numbers = {model.child: model for model in unknown if isinstance(model, LinearGaussian)}
    n_configurations = prod(levels.values())
    if n_configurations > MOST_CONFIGURATIONS:
        absent = ", ".join(repr(column) for column in levels if column != name)
        raise DataError(
            f"the absent columns {absent} have {n_configurations:.3g} combinations of levels, more than "
            f"{MOST_CONFIGURATIONS:,} to sum over; give some of them, or predict with evidence='parents'"
        )
    grid = list(product(*(range(n) for n in levels.values())))
    configurations = np.array(grid, dtype=np.intp).reshape(n_configurations, len(levels))
    at = dict(zip(levels, configurations.T, strict=True))
    gaussians = [model for model in families if isinstance(model, LinearGaussian)]
    system = _solved(gaussians, numbers, at, n_configurations)
    position = {column: i for i, column in enumerate(numbers)}
    step = max(CHUNK // (n_configurations * max(len(gaussians), 1)), 1)
    parts: list[FloatArray] = []
    for start in range(0, data.n_rows, step):
        rows = data.take(slice(start, start + step))
        known = _known_parts(gaussians, numbers, at, rows)
        with np.errstate(over="ignore", invalid="ignore"):  # what is too far is impossible
            residuals = (system.rest @ known)[:, :, None] + (system.rest @ system.shifts)[:, None, :]
            logs = -0.5 * np.square(residuals).sum(axis=0)
            for table in families:
                if isinstance(table, Table):
                    logs = logs + _log_probabilities(table, at, rows, n_configurations)
            shares = np.exp(logs - logs.max(axis=1, keepdims=True)) if levels else np.ones_like(logs)
        shares /= shares.sum(axis=1, keepdims=True)
        if name in levels:
            indicator = at[name][:, None] == np.arange(levels[name])
            parts.append(shares @ indicator.astype(np.float64))
        else:
            solve = system.solve[position[name]]
            parts.append((shares * ((solve @ known)[:, None] + solve @ system.shifts)).sum(axis=1))
    if name in levels:
        return np.concatenate(parts) if parts else np.empty((0, levels[name]))
    own, found = numbers[name], np.concatenate(parts) if parts else np.empty(0)
    with np.errstate(over="ignore"):
        return np.clip(own.centre + own.scale * found, -LARGEST, LARGEST)


def _solved(
    gaussians: Sequence[LinearGaussian],
    numbers: Mapping[str, LinearGaussian],
    at: Mapping[str, IntArray],
    n_configurations: int,
) -> _System:
    """Unknown numbers are in units of their own scale, from their own centre; every one has an equation of its own."""
    columns = {column: i for i, column in enumerate(numbers)}
    matrix = np.zeros((len(gaussians), len(columns)))
    shifts = np.zeros((len(gaussians), n_configurations))
    for e, model in enumerate(gaussians):
        weight = model.scale / model.sd
        if model.child in columns:
            matrix[e, columns[model.child]] += weight
        for term in model.terms:
            if isinstance(term, Effects) and term.parent in at:
                shifts[e] -= weight * np.array(term.weights)[at[term.parent]]
            elif not isinstance(term, Effects) and term.parent in columns:
                parent = numbers[term.parent]
                matrix[e, columns[term.parent]] -= weight * term.weight * (parent.scale / term.scale)
                start = standardized(np.array([parent.centre]), term.centre, term.scale)[0]
                shifts[e] -= weight * term.weight * start
    q, r = np.linalg.qr(matrix)
    solve = -np.linalg.solve(r, q.T) if columns else np.empty((0, len(gaussians)))
    return _System(solve, np.eye(len(gaussians)) - q @ q.T, shifts)


def _known_parts(
    gaussians: Sequence[LinearGaussian],
    numbers: Mapping[str, LinearGaussian],
    at: Mapping[str, IntArray],
    rows: Dataset,
) -> FloatArray:
    """(equations, rows): k (y - parts), as far as the columns are there."""
    known = np.zeros((len(gaussians), rows.n_rows))
    for e, model in enumerate(gaussians):
        if model.child not in numbers:
            known[e] += standardized(continuous_values(rows, model.child), model.centre, model.scale)
        for term in model.terms:
            if term.parent not in numbers and term.parent not in at:
                known[e] -= term.part(rows)
        known[e] *= model.scale / model.sd
    return known


def _log_probabilities(table: Table, at: Mapping[str, IntArray], rows: Dataset, n_configurations: int) -> FloatArray:
    """(rows, configurations), or (rows, 1) of a table without unknown levels."""
    n_columns = n_configurations if any(column in at for column in table.columns) else 1
    cell = np.zeros((rows.n_rows, n_columns), dtype=np.intp)
    for column, levels in table.columns.items():
        cell *= len(levels)
        cell += at[column] if column in at else state_codes(rows, column, levels)[:, None]
    with np.errstate(divide="ignore"):
        result: FloatArray = np.log(table.probabilities.ravel())[cell]
    return result
