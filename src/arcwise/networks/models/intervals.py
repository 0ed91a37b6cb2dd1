"""What a level of a cut column says about the value: even between two thresholds, falling off beyond the outer ones.

With `bars` the values have a shape within each level, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from math import exp, isfinite, lgamma, log, log1p
from typing import Any, TypedDict

import numpy as np

from arcwise.data.dataset import Column, FloatArray, IntArray, Kind
from arcwise.data.discretization import Discretization
from arcwise.errors import DataError, GraphError
from arcwise.networks.models.bars import EVEN, Bars, BarsContent, Within, bars_of, usual_gap
from arcwise.networks.models.linear_gaussian import LARGEST, SMALLEST, standardized
from arcwise.networks.models.moments import mixed_moments
from arcwise.networks.models.regression import location

SHORTEST = 0.1  # end of a level, in standard deviations of the column, beforehand


class _LaterTail(TypedDict, total=False):
    """What files of earlier versions have not."""

    end: float
    power: float
    even: float


class _TailContent(_LaterTail):
    shape: float
    scale: float


class _LaterContent(TypedDict, total=False):
    """What files of earlier versions have not."""

    bars: BarsContent | None


class IntervalsContent(_LaterContent):
    """What `Intervals.to_dict` gives."""

    column: str
    thresholds: list[float]
    centre: float
    low: _TailContent
    high: _TailContent
    means: list[float]


@dataclass(frozen=True, slots=True)
class Tail:
    """The distance d >= 0 from an outer threshold: it falls off or is even up to an end, as the rows say.

    Falling off: p(d) = (shape / scale) (1 + d / scale)^-(shape + 1). This is what n distances with sum S predict for
    the next one if distances are exponential and nothing else is known than a typical distance u, one over a rate that
    is Gamma(2, u) beforehand: shape = n + 2, scale = S + u. With many rows it is the exponential density, with few a
    wider one.

    Even: what they predict if distances are even from 0 to an end that is Pareto beforehand, p(end) ~ end^-2 from
    SHORTEST u on. With power = n + 1, it is power / (power + 1) / end up to `end`, the largest distance and half the
    usual gap between values more, and falls off as (end / d)^(power + 1) beyond. The gap is for rounded values: a
    level that holds one of them is as wide as all others are apart.

    `even` is the probability of the second by the rows, 1/2 beforehand: the density is the mixture of both, so every
    value has one. A level that ends, as that of a rating or a share does, is not taken for one that falls off.
    """

    shape: float
    scale: float
    end: float = 1.0
    power: float = 1.0
    even: float = 0.0

    @staticmethod
    def of(distances: FloatArray, unit: float, half_gap: float) -> Tail:
        """Fitted to distances that are given in units of `unit`, as is half the usual gap between values."""
        n, total = len(distances), float(distances.sum()) + 1.0
        end = max(float(distances.max(initial=0.0)) + half_gap, SHORTEST)
        falls = lgamma(n + 2.0) - (n + 2.0) * log(total)
        lasts = log(SHORTEST) - log(n + 1.0) - (n + 1.0) * log(end)
        even = 1.0 / (1.0 + exp(min(falls - lasts, 700.0))) if n else 0.0
        scale, end = (max(min(length * unit, LARGEST), SMALLEST) for length in (total, end))
        return Tail(n + 2.0, scale, end, n + 1.0, even)

    @staticmethod
    def from_dict(content: Mapping[str, float]) -> Tail:
        """The inverse of `asdict`; files of earlier versions have the first two numbers only."""
        return Tail(**{one.name: float(content[one.name]) for one in fields(Tail) if one.name in content})

    @property
    def mean(self) -> float:
        falls = self.scale / (self.shape - 1.0)
        if not self.even:
            return falls
        lasts = self.power / (self.power + 1.0) * (0.5 + 1.0 / (self.power - 1.0)) * self.end
        return (1.0 - self.even) * falls + self.even * lasts

    def log_density(self, ratios: FloatArray) -> FloatArray:
        """ln p of distances that are given in units of `scale`."""
        falls = log(self.shape) - log(self.scale) - (self.shape + 1.0) * np.log1p(ratios)
        if not self.even:
            return falls
        with np.errstate(divide="ignore", over="ignore"):
            beyond = np.maximum(np.log(ratios) + log(self.scale) - log(self.end), 0.0)
        lasts = log(self.power / (self.power + 1.0)) - log(self.end) - (self.power + 1.0) * beyond
        if self.even == 1.0:
            return lasts
        return np.logaddexp(log1p(-self.even) + falls, log(self.even) + lasts)

    def sample(self, uniform: FloatArray) -> FloatArray:
        lasting = uniform < self.even
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            own = np.where(lasting, uniform / self.even, (uniform - self.even) / (1.0 - self.even))
            falls = self.scale * np.expm1(-np.log1p(-own) / self.shape)
            within = self.end * own * (self.power + 1.0) / self.power
            beyond = self.end * ((1.0 - own) * (self.power + 1.0)) ** (-1.0 / self.power)
        lasts = np.where(own * (self.power + 1.0) < self.power, within, beyond)
        return np.minimum(np.where(lasting, lasts, falls), LARGEST)


@dataclass(frozen=True, eq=False)
class Intervals:
    """A cut column: its thresholds, the tails beyond the outermost, and the mean of the fitted rows of each level.

    The density of a value is P(level) times that of the value in its level. A column with one level only is split at
    `centre`, its median, into two tails of 1/2 each.
    """

    column: str
    thresholds: FloatArray
    centre: float
    low: Tail
    high: Tail
    means: tuple[float, ...]
    bars: Bars | None = None

    def __post_init__(self) -> None:
        cuts = Discretization({self.column: self.thresholds}).thresholds[self.column]
        object.__setattr__(self, "thresholds", cuts)
        if len(self.means) != len(cuts) + 1:
            raise GraphError(f"the cut column {self.column!r} needs one mean for each of its {len(cuts) + 1} levels")
        tails = [x for tail in (self.low, self.high) for x in (tail.shape, tail.scale, tail.end, tail.power)]
        shares = (self.low.even, self.high.even)
        finite = all(isfinite(x) for x in (*tails, *self.means, self.centre))
        if not finite or min(tails) <= 0 or not all(0 <= share <= 1 for share in shares):
            raise GraphError(f"the tails and means of the cut column {self.column!r} must be finite, the tails above 0")
        if self.bars is not None:
            self.bars.check(self.column, cuts)

    @staticmethod
    def of(column: Column, thresholds: FloatArray, within: Within = EVEN) -> Intervals:
        """Fitted to the recorded values of a continuous column, of which there is at least one."""
        values: FloatArray = column.recorded
        if not len(values):
            raise DataError(f"column {column.name!r} has no value in any row; leave it out, or fill some in")
        middle, spread = location(values)
        unit = max(spread or abs(middle) or 1.0, SMALLEST)
        centre = float(np.partition(values, len(values) // 2)[len(values) // 2])
        edges = thresholds if len(thresholds) else np.array([centre])
        below, above = values[values < edges[0]], values[values >= edges[-1]]
        half_gap = 0.5 * usual_gap(standardized(values, middle, unit))
        low = Tail.of(-standardized(below, float(edges[0]), unit), unit, half_gap)
        high = Tail.of(standardized(above, float(edges[-1]), unit), unit, half_gap)
        means = _means(values, thresholds, low, high, middle, unit)
        bars = bars_of(values, thresholds, within, middle, unit)
        return Intervals(column.name, thresholds, centre, low, high, means, bars)

    def log_density(self, values: FloatArray) -> FloatArray:
        """(n,) ln p(value | its level): - ln of the width of an inner interval, a tail beyond; finite for any value.

        With bars, these and one such row.
        """
        edges = self._edges
        piece = np.searchsorted(edges, values, side="right")
        result = np.empty(len(values))
        below, above = piece == 0, piece == len(edges)
        inner = ~(below | above)
        result[below] = self.low.log_density(-standardized(values[below], float(edges[0]), self.low.scale))
        result[above] = self.high.log_density(standardized(values[above], float(edges[-1]), self.high.scale))
        halves = 0.5 * edges[1:] - 0.5 * edges[:-1]  # the width itself may be beyond the largest float
        result[inner] = -(np.log(np.maximum(halves, SMALLEST)) + log(2.0))[piece[inner] - 1]
        even = result if len(self.thresholds) else result - log(2.0)
        if self.bars is None:
            return even
        return self.bars.mixed(values, np.searchsorted(self.thresholds, values, side="right"), even)

    @cached_property
    def variances(self) -> FloatArray:
        """Of the value in each level, about its mean; of a tail, as if it were exponential."""
        tails = np.array([self.low.mean, self.high.mean])
        with np.errstate(over="ignore"):
            if not len(self.thresholds):
                return np.minimum(np.square(tails).sum(keepdims=True), LARGEST)
            inner = np.square(np.diff(self.thresholds)) / 12.0
            return np.minimum(np.array([tails[0] ** 2, *inner, tails[1] ** 2]), LARGEST)

    def moments(self, shares: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(mean, standard deviation) of a value whose level has these probabilities, (n, levels)."""
        return mixed_moments(shares, np.array(self.means), self.variances)

    def sample(self, codes: IntArray, rng: np.random.Generator) -> Column:
        """A value for each level, which falls into that level again."""
        edges, uniform = self._edges, rng.random(len(codes))
        piece = codes if len(self.thresholds) else (rng.random(len(codes)) < 0.5).astype(np.intp)
        with np.errstate(over="ignore"):
            starts, ends = np.array([-LARGEST, *edges]), np.array([*np.nextafter(edges, -np.inf), LARGEST])
        values = (1.0 - uniform) * starts[piece] + uniform * ends[piece]
        below, above = piece == 0, piece == len(edges)
        with np.errstate(over="ignore"):
            values[below] = edges[0] - self.low.sample(uniform[below])
            values[above] = edges[-1] + self.high.sample(uniform[above])
        values = np.clip(values, starts[piece], ends[piece])
        if self.bars is not None:
            shares = self.bars.rows / (self.bars.rows + 1.0)
            drawn = self.bars.sample(codes, rng.random((2, len(codes))))
            if len(self.thresholds):
                drawn = np.clip(drawn, starts[codes], ends[codes])
            values = np.where(rng.random(len(codes)) < shares[codes], drawn, values)
        return Column(self.column, Kind.CONTINUOUS, values)

    def to_dict(self) -> dict[str, Any]:
        return {
            "column": self.column,
            "thresholds": self.thresholds.tolist(),
            "centre": self.centre,
            "low": asdict(self.low),
            "high": asdict(self.high),
            "means": list(self.means),
            "bars": None if self.bars is None else self.bars.to_dict(),
        }

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> Intervals:
        low, high = (Tail.from_dict(content[side]) for side in ("low", "high"))
        means = tuple(float(mean) for mean in content["means"])
        bars = None if content.get("bars") is None else Bars.from_dict(content["bars"])
        return Intervals(content["column"], content["thresholds"], float(content["centre"]), low, high, means, bars)

    @property
    def _edges(self) -> FloatArray:
        return self.thresholds if len(self.thresholds) else np.array([self.centre])


def _means(
    values: FloatArray, thresholds: FloatArray, low: Tail, high: Tail, middle: float, unit: float
) -> tuple[float, ...]:
    """The mean of the rows of each level; without rows, the middle of the interval or the mean of the tail."""
    if not len(thresholds):
        return (middle,)
    codes = np.searchsorted(thresholds, values, side="right")
    counts = np.bincount(codes, minlength=len(thresholds) + 1)
    sums = np.bincount(codes, weights=standardized(values, middle, unit), minlength=len(counts))
    with np.errstate(over="ignore"):
        found = middle + unit * (sums / np.maximum(counts, 1))
        ends = (thresholds[0] - low.mean, thresholds[-1] + high.mean)
    empty = np.array([ends[0], *(0.5 * thresholds[1:] + 0.5 * thresholds[:-1]), ends[1]])
    starts, stops = np.array([-LARGEST, *thresholds]), np.array([*thresholds, LARGEST])
    means = np.clip(np.where(counts > 0, found, empty), starts, stops)
    return tuple(means.tolist())
