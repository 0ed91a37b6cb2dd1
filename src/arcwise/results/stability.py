"""How stable thresholds are: how many a column has in how many of the graphs, and where they lie."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypedDict

import numpy as np

from arcwise.data.dataset import Column, FloatArray, WeightArray

NEAR = 0.05  # share of the rows that may lie between two thresholds that are taken for the same


@dataclass(frozen=True, slots=True)
class Threshold:
    """One threshold of a column: its median and quartiles, and the share of graphs that have one near it."""

    median: float
    lower: float
    upper: float
    near: float


class ThresholdContent(TypedDict):
    median: float
    lower: float
    upper: float
    near: float


class StabilityContent(TypedDict):
    column: str
    levels: list[tuple[int, int]]
    thresholds: list[ThresholdContent]


@dataclass(frozen=True, slots=True)
class Stability:
    """The thresholds of one column over many graphs.

    levels: (levels, graphs that cut the column into so many), fewest first. thresholds: those of the graphs with the
    usual number of levels; near: no more than one row in twenty lies between.
    """

    column: str
    levels: tuple[tuple[int, int], ...]
    thresholds: tuple[Threshold, ...]

    @property
    def usual(self) -> int:
        """The number of levels that most graphs have; the smaller of two."""
        return max(self.levels, key=lambda pair: (pair[1], -pair[0]))[0]

    @property
    def share_of_usual(self) -> float:
        return dict(self.levels)[self.usual] / sum(graphs for _, graphs in self.levels)

    def to_dict(self) -> dict[str, Any]:
        plain = [asdict(one) for one in self.thresholds]
        return {"column": self.column, "levels": [list(pair) for pair in self.levels], "thresholds": plain}

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> Stability:
        """The inverse of `to_dict`, of content that was checked."""
        levels = tuple((number, graphs) for number, graphs in content["levels"])
        plain = ({name: one[name] for name in ThresholdContent.__annotations__} for one in content["thresholds"])
        return Stability(content["column"], levels, tuple(Threshold(**one) for one in plain))


def stability_of(cuts: Sequence[Sequence[float]], column: Column, weights: WeightArray | None) -> Stability:
    """cuts: the thresholds of this column in each graph, in order; at least one graph."""
    levels = tuple(sorted(Counter(len(one) + 1 for one in cuts).items()))
    found = Stability(column.name, levels, ())
    alike = np.array([one for one in cuts if len(one) + 1 == found.usual], dtype=np.float64)
    rank = _Ranks(column, weights)
    thresholds = []
    for places in alike.T:
        lower, median, upper = np.quantile(places, (0.25, 0.5, 0.75)).tolist()
        near = sum(bool(np.any(np.abs(rank(np.asarray(one)) - rank(median)) <= NEAR)) for one in cuts)
        thresholds.append(Threshold(median, lower, upper, near / len(cuts)))
    return Stability(column.name, levels, tuple(thresholds))


class _Ranks:
    """The share of a column's recorded values that lie below a number."""

    def __init__(self, column: Column, weights: WeightArray | None) -> None:
        counts = np.ones(len(column.values), dtype=np.int64) if weights is None else weights
        if column.missing is not None:
            counts = counts[~column.missing]
        order = np.argsort(column.recorded, kind="stable")
        self._values = column.recorded[order]
        self._below = np.concatenate(([0], np.cumsum(counts[order])))

    def __call__(self, numbers: FloatArray | float) -> FloatArray:
        return self._below[np.searchsorted(self._values, numbers, side="left")] / self._below[-1]
