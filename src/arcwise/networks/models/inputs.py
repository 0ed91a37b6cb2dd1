"""Columns as the numbers that a network reads and writes: standardized values, and indicators of levels.

Rows and columns may be put into an order that depends on their contents, not on names, units or where things stand, by
colour refinement: a column's colour sums what its cells and their rows look like, a row's colour what its cells and
their columns look like, in turn, until no more columns are told apart. Cells are ranks within their column, which any
unit leaves as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from math import frexp, log
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import Column, Dataset, FloatArray, IntArray, Kind
from arcwise.errors import GraphError
from arcwise.networks.columns import Columns, continuous_values, state_codes
from arcwise.networks.tables import as_states

LEAST_EXPONENT = -1000  # 2^1000 is still a number
MOST_EXPONENT = 1024  # that of the largest number
FARTHEST_INPUT = 1e6  # standard deviations; a hidden unit is saturated long before
FARTHEST_TARGET = 1e100  # its square over the smallest variance is still a number
LEAST_SD = 0.01  # of the sd of the column
MOST_FLOOR = 0.5
GRID = 2.0**16
LARGEST = float(np.finfo(np.float64).max)
Colours = NDArray[np.uint64]


class StandardContent(TypedDict):
    exponent: int
    centre: float
    spread: float


class _NumberContent(StandardContent):
    name: str


class _LevelsContent(TypedDict):
    name: str
    levels: list[str]
    indicators: list[int]


InputContent = _NumberContent | _LevelsContent


@dataclass(frozen=True, slots=True)
class Standard:
    """z = (2^-exponent x - centre) / spread; spread 0: the column was constant, and z is 0 there.

    Scaling by a power of two first is exact, so that 1e300 and 1e-300 are units like any other.
    """

    exponent: int
    centre: float
    spread: float

    @staticmethod
    def of(values: FloatArray) -> Standard:
        """By mean and standard deviation (divided by N)."""
        low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 0.0)
        exponent = max(frexp(max(-low, high))[1], LEAST_EXPONENT)
        if low == high:
            return Standard(exponent, float(np.ldexp(low, -exponent)), 0.0)
        scaled = np.ldexp(values, -exponent)
        centre = float(scaled.mean())
        return Standard(exponent, centre, float(np.sqrt(np.square(scaled - centre).mean())))

    @property
    def unit(self) -> float:
        """What z is measured in: about the magnitude of a constant column, which has no spread."""
        return self.spread or 1.0

    @property
    def log_unit(self) -> float:
        """ln dx/dz: what the density of z loses when it becomes one of x."""
        return log(self.unit) + self.exponent * log(2.0)

    def standardized(self, values: FloatArray) -> FloatArray:
        with np.errstate(over="ignore"):  # what is infinitely far is clipped
            far = (np.ldexp(values, -self.exponent) - self.centre) / self.unit
        return np.clip(far, -FARTHEST_TARGET, FARTHEST_TARGET)

    def own_units(self, z: FloatArray) -> FloatArray:
        with np.errstate(over="ignore"):
            values = np.ldexp(z * self.unit + self.centre, self.exponent)
        return np.clip(values, -LARGEST, LARGEST)


@dataclass(frozen=True, slots=True)
class Input:
    """A parent: either its `standard`, or its `levels` with the codes of those that have an `indicator`.

    A level has one if it occurred, but for the commonest, which the others imply; levels that did not occur
    count as the commonest.
    """

    name: str
    standard: Standard | None = None
    levels: tuple[str, ...] = ()
    indicators: tuple[int, ...] = ()

    @staticmethod
    def of(column: Column) -> Input:
        if column.kind is Kind.CONTINUOUS:
            return Input(column.name, Standard.of(column.values))
        counts = np.bincount(column.values, minlength=column.cardinality)
        shown = [int(code) for code in counts.nonzero()[0] if code != counts.argmax()]
        return Input(column.name, None, column.levels, tuple(shown))

    @property
    def width(self) -> int:
        """Numbers that the network reads; 0 for a constant column."""
        return len(self.indicators) if self.standard is None else int(self.standard.spread > 0)

    def encode(self, data: Columns) -> FloatArray:
        """(width, n_rows)."""
        if self.standard is None:
            codes = state_codes(data, self.name, self.levels)
            is_level: NDArray[np.bool_] = codes == np.array(self.indicators, dtype=np.intp)[:, None]
            return is_level.astype(np.float64)
        values = self.standard.standardized(continuous_values(data, self.name))
        return np.clip(values, -FARTHEST_INPUT, FARTHEST_INPUT)[None][: self.width]


def on_grid(z: FloatArray) -> FloatArray:
    """Standardized values as multiples of 2^-16, to train with.

    In another unit they differ in their last bits, and training enlarges any difference.
    """
    return np.rint(z * GRID) / GRID


def sd_floor(z: FloatArray) -> float:
    """The least sd of a component of a mixture for standardized values: 0.01, or half the usual gap between values.

    The gap is the median one. Values that are rounded, or few, say nothing about narrower densities: a spike on every
    whole number would win any comparison of likelihoods.
    """
    gaps = np.diff(np.unique(z))
    return float(np.clip(0.5 * np.median(gaps), LEAST_SD, MOST_FLOOR)) if len(gaps) else LEAST_SD


def encode(inputs: Iterable[Input], data: Columns) -> FloatArray:
    """(inputs, n_rows): what the network reads in each row."""
    rows = [np.empty((0, data.n_rows)), *(one.encode(data) for one in inputs)]
    return np.concatenate(rows)


def to_dict(one: Input) -> dict[str, Any]:
    if one.standard is not None:
        return {"name": one.name, **asdict(one.standard)}
    return {"name": one.name, "levels": list(one.levels), "indicators": list(one.indicators)}


def from_dict(content: Mapping[str, Any]) -> Input:
    if "levels" not in content:
        return Input(content["name"], standard_from_dict(content))
    name, levels, shown = content["name"], as_states(content["name"], content["levels"]), content["indicators"]
    if len(set(shown)) < len(shown) or not all(0 <= code < len(levels) for code in shown):
        raise GraphError(f"the indicators of {name!r} must be different levels from 0 to {len(levels) - 1}")
    return Input(name, None, levels, tuple(shown))


def standard_from_dict(content: Mapping[str, Any]) -> Standard:
    exponent, centre, spread = content["exponent"], float(content["centre"]), float(content["spread"])
    if not (abs(exponent) <= MOST_EXPONENT and spread >= 0):
        raise GraphError(f"an exponent must be from {-MOST_EXPONENT} to {MOST_EXPONENT}, and a spread 0 or more")
    return Standard(exponent, centre, spread)


def arrange(data: Dataset) -> tuple[IntArray, IntArray]:
    """(rows, columns): the order of each. Equal rows keep their order; columns that nothing tells apart go by name.

    Unequal rows with equal colours (a chance of N^2 / 2^65) would keep the order given, too.
    """
    by_name = sorted(range(data.n_columns), key=data.names.__getitem__)
    cells = [_ranks(data.columns[j]) for j in by_name]
    columns = np.array([data.columns[j].kind is Kind.CONTINUOUS for j in by_name], dtype=np.uint64)
    found = 0
    while found < (found := len(np.unique(columns))):
        rows = _rows(cells, columns, data.n_rows)
        columns = np.array([_mixed(_mixed(own) + rows).sum(dtype=np.uint64) for own in cells], dtype=np.uint64)
    order = np.argsort(columns, kind="stable")
    columns[order] = _mixed(np.arange(len(order), dtype=np.uint64))  # as many colours as columns
    # One colour is the same for rank j in column k and rank k in column j; the other one is not.
    first, second = (_rows(cells, own, data.n_rows) for own in (columns, _mixed(columns)))
    return np.lexsort((second, first)), np.array(by_name, dtype=np.intp)[order]


def in_random_order(data: Dataset, seed: int) -> tuple[Dataset, IntArray]:
    """The rows in an order that the seed and the contents decide, and the order of the columns by their contents."""
    data = data.repeated()
    rows, columns = arrange(data)
    rows = rows[np.random.default_rng(seed).permutation(data.n_rows)]
    return data.take(rows), columns


def _ranks(column: Column) -> Colours:
    """Codes of levels, or ranks of numbers, equal ones alike."""
    if column.kind is Kind.DISCRETE:
        return column.values.astype(np.uint64)
    return np.unique(column.values, return_inverse=True)[1].astype(np.uint64)


def _rows(cells: list[Colours], columns: Colours, n_rows: int) -> Colours:
    """A sum over the columns, so that columns of one colour may change places."""
    total = np.zeros(n_rows, dtype=np.uint64)
    for own, colour in zip(cells, columns, strict=True):
        total += _mixed(_mixed(own) + colour)
    return total


def _mixed(bits: Colours) -> Colours:
    """A bijection of 64-bit words that spreads every bit (splitmix64)."""
    bits = bits + np.uint64(0x9E3779B97F4A7C15)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))
