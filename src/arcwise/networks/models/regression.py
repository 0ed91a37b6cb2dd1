"""Least squares for linear Gaussian models, safe for collinear parents, few rows and any finite numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np

from arcwise.data.complete import check_complete
from arcwise.data.dataset import Column, Dataset, FloatArray, IntArray, Kind
from arcwise.data.reading.door import takes_table
from arcwise.errors import DataError
from arcwise.networks.models.inputs import Standard
from arcwise.networks.models.linear_gaussian import (
    FLOOR,
    LARGEST,
    SMALLEST,
    Effects,
    LinearGaussian,
    Slope,
    standardized,
)

COLLINEAR = 1e-5  # directions in which the parents spread less than this share of the widest have weight 0
BLOCK_NUMBERS = 1 << 18  # numbers in a block of rows, so that it stays in cache
MOST_INPUTS = 4096


@dataclass(frozen=True, slots=True, eq=False)
class _Input:
    """A standardized column of the design: a continuous parent, or the indicator of a level of a discrete one."""

    column: Column
    centre: float
    scale: float
    level: int = -1

    def values(self, stretch: slice) -> FloatArray:
        values = self.column.values[stretch]
        return standardized(values if self.level < 0 else values == self.level, self.centre, self.scale)


@takes_table
def fit_linear_gaussian(data: Dataset, child: str, parents: tuple[str, ...]) -> LinearGaussian:
    """Least squares; the solution of minimum norm, in standardized units, if parents are collinear. O(N d^2).

    sd^2 = RSS / (N - rank - 1), unbiased. With N <= rank + 1 rows the residuals say nothing about the noise, and sd is
    that of the child itself. sd is at least FLOOR of the child's standard deviation; of the magnitude of the value if
    the child is constant (of 1 if that is 0).
    """
    data = data.select((child, *parents)).repeated()
    check_complete(data, "a regression")
    own = data.column(child)
    if own.kind is not Kind.CONTINUOUS:
        raise DataError(f"column {child!r} is discrete and a linear Gaussian model needs numbers; fit a table to it")
    blocks = [_inputs(data.column(name)) for name in parents]
    inputs = [x for block in blocks for x in block]
    if len(inputs) > MOST_INPUTS:
        raise DataError(
            f"the {len(parents)} parents of column {child!r} make {len(inputs)} inputs (each level of a discrete one "
            f"is one), more than {MOST_INPUTS}; use fewer parents or levels"
        )
    n_rows, (centre, spread) = data.n_rows, location(own.values)
    weights, rank, squares = _least_squares(inputs, _Input(own, centre, spread or 1.0), n_rows)
    relative = sqrt(squares / (n_rows - rank - 1)) if n_rows > rank + 1 else sqrt(n_rows / max(n_rows - 1, 1))
    scale = spread or abs(centre) or 1.0
    sd = min(max(max(relative if spread else 0.0, FLOOR) * scale, SMALLEST), LARGEST)
    starts = np.cumsum([0, *(len(block) for block in blocks)])
    terms = tuple(
        _term(data.column(name), block, weights[start : start + len(block)])
        for name, block, start in zip(parents, blocks, starts, strict=False)
    )
    return LinearGaussian(child, terms, centre, scale, sd)


def without_parents(data: Dataset, child: str, parents: tuple[str, ...]) -> LinearGaussian:
    """The mean and noise of the recorded values of the child, to which the parents add nothing."""
    own = fit_linear_gaussian(data.select((child,)).complete_rows(), child, ())
    terms = tuple(
        Effects(name, data.column(name).levels, (0.0,) * data.column(name).cardinality)
        if data.column(name).kind is Kind.DISCRETE
        else Slope(name, 0.0, 1.0, 0.0)
        for name in parents
    )
    return replace(own, terms=terms)


def location(values: FloatArray) -> tuple[float, float]:
    """(mean, standard deviation, divided by N); (value, 0) of a constant column. A spread below SMALLEST is none."""
    low, high, standard = float(values.min()), float(values.max()), Standard.of(values)
    with np.errstate(over="ignore"):
        centre, spread = np.ldexp([standard.centre, standard.spread], standard.exponent)
    return float(np.clip(centre, low, high)), float(min(spread, LARGEST)) if spread >= SMALLEST else 0.0


def _inputs(column: Column) -> list[_Input]:
    """Nothing for a constant column; of a discrete one, the levels that occur but the most frequent."""
    if column.kind is Kind.CONTINUOUS:
        centre, spread = location(column.values)
        return [_Input(column, centre, spread)] if spread else []
    shares = np.bincount(column.values) / len(column.values)
    occurring = [int(level) for level in np.flatnonzero(shares) if level != shares.argmax()]
    return [_Input(column, shares[v], sqrt(shares[v] * (1.0 - shares[v])), v) for v in occurring]


def _least_squares(inputs: list[_Input], child: _Input, n_rows: int) -> tuple[FloatArray, int, float]:
    """(weights, rank, residual sum of squares), in standardized units.

    The rows are folded block by block into the triangle R of a QR decomposition: [X y] = Q R, and
    |y - X w|^2 = |R_y - R_X w|^2 for every w. Not by sums of products (stats/moments.py): they square the condition,
    which takes half of the digits where parents are nearly collinear or noise is tiny.
    """
    d = len(inputs)
    triangle: FloatArray = np.empty((0, d + 1))
    for stretch in _stretches(n_rows, d + 1):
        done = len(triangle)
        block = np.empty((d + 1, done + stretch.stop - stretch.start))
        block[:, :done] = triangle.T
        for row, x in zip(block, (*inputs, child), strict=True):
            row[done:] = x.values(stretch)
        triangle = np.asarray(np.linalg.qr(block.T, mode="r"))
    design, response = triangle[:, :d], triangle[:, d]
    if d == 0:
        return np.empty(0), 0, float(response @ response)
    solution, _, rank, _ = np.linalg.lstsq(design, response, rcond=COLLINEAR)
    weights: FloatArray = solution.astype(np.float64, copy=False)
    residuals = response - design @ weights
    return weights, int(rank), float(residuals @ residuals)


def _stretches(n_rows: int, width: int) -> Iterator[slice]:
    length = max(BLOCK_NUMBERS // width, width)
    return (slice(first, min(first + length, n_rows)) for first in range(0, n_rows, length))


def _term(column: Column, block: list[_Input], weights: FloatArray) -> Slope | Effects:
    if column.kind is Kind.CONTINUOUS:
        if not block:
            return Slope(column.name, float(column.values[0]), 1.0, 0.0)
        return Slope(column.name, block[0].centre, block[0].scale, float(weights[0]))
    effects = np.zeros(column.cardinality)
    effects[[x.level for x in block]] = [w / x.scale for w, x in zip(weights, block, strict=True)]
    counts: IntArray = np.bincount(column.values, minlength=column.cardinality)
    effects -= effects @ counts / counts.sum()
    effects[counts == 0] = 0.0
    return Effects(column.name, column.levels, tuple(effects.tolist()))
