"""The dimensions of a table: what moments are moments of.

A continuous column is one dimension. A discrete column is a block of indicators, one for each level that occurs but the
most frequent, which the others imply; or one dimension, its codes. A constant column is an empty block.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import frexp, inf
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import Block, Dataset, FloatArray, Kind
from arcwise.data.rows.elsewhere import asked

if TYPE_CHECKING:
    from arcwise.stats.ranks import RankFeature

Transform = Literal["none", "normal-scores"]  # what stands for the values of a column with an order
LEAST_EXPONENT = -1000  # 2^1000 is still a number, and squares of what it scales up do not vanish
Ends = dict[int, tuple[float, float]]  # the extreme values of a column
LevelCounts = dict[int, FloatArray]


@dataclass(frozen=True, slots=True)
class Dimension:
    """A column x as u = 2^-exponent x, so that |u| <= 1, or the indicator of one of its levels.

    Scaling by a power of two is exact. low and high: the extreme values of u.
    """

    column: int
    level: int = -1
    exponent: int = 0
    low: float = 0.0
    high: float = 1.0

    @property
    def is_centred(self) -> bool:
        """Whether sums of its values as they are lose no digits: indicators sum up to whole numbers."""
        return self.level >= 0

    def fill(self, values: NDArray[Any], out: FloatArray) -> None:
        if self.level >= 0:
            np.equal(values, self.level, out=out)
        else:
            np.multiply(values, 2.0**-self.exponent, out=out)


def dimensions(data: Dataset, by_codes: bool) -> list[list[Dimension]]:
    """Those of each column. by_codes: levels are the numbers 0, 1, 2, ... instead of indicators. O(n N)."""
    counts, ends = asked(data, Extent(by_codes))
    return [_indicators(j, counts[j]) if j in counts else _number(j, *ends[j]) for j in range(data.n_columns)]


def values_of(block: Block, dims: Sequence[Dimension | RankFeature], n_rows: int) -> FloatArray:
    """A row for each dimension and a number for each row of the block; below them zeros, up to n_rows."""
    values = np.zeros((n_rows, len(block.columns[0]) if block.columns else 0))
    column, places = -1, np.empty(0, dtype=np.intp)
    for dim, row in zip(dims, values, strict=False):
        if isinstance(dim, Dimension):
            dim.fill(block.columns[dim.column], row)
            continue
        if dim.column != column:  # the features of a column follow each other
            column, places = dim.column, dim.cells.places(block.columns[dim.column])
        np.take(dim.heights, places, out=row, mode="clip")
    return values


@dataclass(frozen=True)
class Extent:
    """How often each level occurs, or, for numbers, the smallest and the largest."""

    by_codes: bool

    def of(self, rows: Dataset, first: int) -> tuple[LevelCounts, Ends]:
        levels = enumerate(zip(rows.kinds, rows.cardinalities, strict=True))
        counts = {j: np.zeros(max(n, 1)) for j, (kind, n) in levels if kind is Kind.DISCRETE and not self.by_codes}
        ends = {j: (inf, -inf) for j in range(len(rows.kinds)) if j not in counts}
        for block in rows.blocks():
            for j, found in counts.items():
                np.add(found, np.bincount(block.columns[j], block.weights, minlength=len(found)), out=found)
            for j, (low, high) in ends.items():
                values = block.columns[j]
                ends[j] = (min(low, float(values.min())), max(high, float(values.max())))
        return counts, ends

    def join(self, answers: Sequence[tuple[LevelCounts, Ends]]) -> tuple[LevelCounts, Ends]:
        every_count, every_end = [counts for counts, _ in answers], [ends for _, ends in answers]
        counts = {j: np.sum([one[j] for one in every_count], axis=0) for j in every_count[0]}
        lows_highs = {j: list(zip(*(one[j] for one in every_end), strict=True)) for j in every_end[0]}
        return counts, {j: (min(lows), max(highs)) for j, (lows, highs) in lows_highs.items()}


def _indicators(column: int, counts: FloatArray) -> list[Dimension]:
    """Without the most frequent level the indicators are as far from collinear as they can be."""
    return [Dimension(column, int(v)) for v in np.flatnonzero(counts) if v != counts.argmax()]


def _number(column: int, low: float, high: float) -> list[Dimension]:
    if low >= high:  # also where there are no rows
        return []
    exponent = max(frexp(max(-low, high))[1], LEAST_EXPONENT)
    unit = 2.0**-exponent
    return [Dimension(column, -1, exponent, low * unit, high * unit)]
