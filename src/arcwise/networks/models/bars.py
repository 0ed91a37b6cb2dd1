"""How the values of a cut column lie within its levels: bars, by a histogram or a kernel density of the fitted rows.

A level with n rows has the density (n bar(x) + even(x)) / (n + 1): the bars of its rows, and one more row that is even
between the thresholds or in the tail (see `Intervals`). So every value has a density, and each level integrates to 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypedDict, get_args

import numpy as np

from arcwise.data.dataset import FloatArray, IntArray
from arcwise.errors import GraphError, OptionError, unknown_name
from arcwise.networks.models.linear_gaussian import LARGEST, SMALLEST, standardized

Within = Literal["even", "histogram", "kernel"]
EVEN: Within = "even"
CELLS = 256  # of a level, by which a kernel density is drawn
REACH = 4.0  # bandwidths from the outermost rows to the end of a kernel density
LEAST_ROWS = 2  # of a level that has bars of its own shape


class BarsContent(TypedDict):
    """What `Bars.to_dict` gives."""

    edges: list[float]
    shares: list[float]
    rows: list[int]


@dataclass(frozen=True, eq=False)
class Bars:
    """Bar c lies between edges[c] and edges[c + 1] and has the share shares[c] of its level, whose shares sum to 1.

    Thresholds are edges, and every level has a bar. rows: of each level.
    """

    edges: FloatArray
    shares: FloatArray
    rows: IntArray

    def check(self, column: str, thresholds: FloatArray) -> None:
        """Refuse bars that do not fit the levels of a column."""
        edges, shares, rows = self.edges, self.shares, self.rows
        finite = np.isfinite(edges).all() and np.isfinite(shares).all() and (np.diff(edges) >= 0).all()
        if not finite or len(edges) != len(shares) + 1 or len(rows) != len(thresholds) + 1 or (rows < 0).any():
            raise GraphError(
                f"the bars of the cut column {column!r} need finite edges that ascend, and a row count each"
            )
        inside = np.isin(thresholds, edges).all() and (shares >= 0).all()
        levels = np.searchsorted(thresholds, edges[:-1], side="right")
        totals = np.bincount(levels, shares, minlength=len(rows))
        if not inside or len(totals) != len(rows) or not np.allclose(totals, 1.0, atol=1e-6):
            raise GraphError(f"the bars of the cut column {column!r} must sum to 1 in each of its levels")

    def mixed(self, values: FloatArray, levels: IntArray, even: FloatArray) -> FloatArray:
        """ln p(value | level), where `even` is the log density of the row that is even."""
        cell = np.searchsorted(self.edges, values, side="right") - 1
        inside = (cell >= 0) & (cell < len(self.shares))
        logs = np.full(len(values), -np.inf)
        logs[inside] = self._log_heights[cell[inside]]
        with np.errstate(divide="ignore"):
            rows = np.log(self.rows.astype(np.float64))[levels]
        return np.logaddexp(rows + logs, even) - np.log1p(self.rows)[levels]

    def sample(self, levels: IntArray, uniform: FloatArray) -> FloatArray:
        """A value in a bar of each level. uniform: (2, values) random numbers from 0 to 1."""
        ends = np.cumsum(self.shares)
        last = np.searchsorted(ends, levels + 1.0 - 1e-9, side="left")
        cell = np.minimum(np.searchsorted(ends, levels + uniform[0], side="right"), np.minimum(last, len(ends) - 1))
        return (1.0 - uniform[1]) * self.edges[cell] + uniform[1] * self.edges[cell + 1]

    def to_dict(self) -> dict[str, Any]:
        return {"edges": self.edges.tolist(), "shares": self.shares.tolist(), "rows": self.rows.tolist()}

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> Bars:
        edges, shares = (np.array(content[name], dtype=np.float64) for name in ("edges", "shares"))
        return Bars(edges, shares, np.array(content["rows"], dtype=np.int64))

    @cached_property
    def _log_heights(self) -> FloatArray:
        """The width itself may be beyond the largest float."""
        halves = 0.5 * self.edges[1:] - 0.5 * self.edges[:-1]
        with np.errstate(divide="ignore"):
            return np.log(self.shares) - np.log(np.maximum(halves, SMALLEST)) - np.log(2.0)


def usual_gap(z: FloatArray) -> float:
    """The median distance between neighbouring values that differ; 0 if all are the same."""
    gaps = np.diff(np.unique(z))
    return float(np.median(gaps)) if len(gaps) else 0.0


def bars_of(values: FloatArray, thresholds: FloatArray, within: Within, centre: float, unit: float) -> Bars | None:
    """The bars of all levels; None: even. centre, unit: the units to work in."""
    if within not in get_args(Within):
        raise OptionError(unknown_name("option 'within':", str(within), get_args(Within)))
    if within == EVEN:
        return None
    z = np.sort(standardized(values, centre, unit))
    cuts = standardized(thresholds, centre, unit)
    gap = usual_gap(z) or 1.0
    places = np.searchsorted(cuts, z, side="right")
    edges, shares, rows = [], [], []
    for level in range(len(cuts) + 1):
        own = z[places == level]
        low = cuts[level - 1] if level else -np.inf
        high = cuts[level] if level < len(cuts) else np.inf
        ends, bars = _SHAPES[within](own, float(low), float(high), gap)
        edges.append(ends[:-1] if level < len(cuts) else ends)
        shares.append(bars / bars.sum())
        rows.append(len(own))
    flat = np.concatenate(edges)
    with np.errstate(over="ignore"):
        back = np.clip(centre + unit * flat, -LARGEST, LARGEST)
    # Thresholds stand among the edges to the last bit.
    starts = np.cumsum([len(bars) for bars in shares])[:-1]
    back[starts] = thresholds
    return Bars(np.maximum.accumulate(back), np.concatenate(shares), np.array(rows, dtype=np.int64))


def _histogram(z: FloatArray, low: float, high: float, gap: float) -> tuple[FloatArray, FloatArray]:
    """Bins of equal width, 2 n^(1/3) of them, but none narrower than two usual gaps between values."""
    low, high = _ends(z, low, high, gap / 2)
    n_bins = int(min(2 * len(z) ** (1 / 3), (high - low) / (2 * gap))) if len(z) >= LEAST_ROWS else 1
    edges = np.linspace(low, high, max(n_bins, 1) + 1)
    counts = np.histogram(z, edges)[0]
    return edges, counts.astype(np.float64) if counts.any() else np.ones(len(counts))


def _kernel(z: FloatArray, low: float, high: float, gap: float) -> tuple[FloatArray, FloatArray]:
    """A normal kernel, its bandwidth by Silverman's rule and half the usual gap or more, reflected at thresholds."""
    from scipy.special import ndtr

    if len(z) < LEAST_ROWS:
        low, high = _ends(z, low, high, gap)
        return np.array([low, high]), np.ones(1)
    quarter, three = np.quantile(z, [0.25, 0.75])
    spread = min(float(z.std()), float(three - quarter) / 1.34) or float(z.std())
    width = max(0.9 * spread * len(z) ** -0.2, gap / 2)
    start, stop = _ends(z, low, high, REACH * width)
    edges = np.linspace(start, stop, CELLS + 1)
    width = max(width, float(edges[1] - edges[0]))
    counts = np.histogram(z, edges)[0]
    some = counts.nonzero()[0]
    centres = 0.5 * (edges[some] + edges[some + 1])
    mass = np.zeros(CELLS)
    mirrors = [centres, *((2 * end - centres) for end, cut in ((start, low), (stop, high)) if np.isfinite(cut))]
    for where in mirrors:
        below = ndtr((edges[:, None] - where) / width)
        mass += np.diff(below, axis=0) @ counts[some]
    return edges, mass


def _ends(z: FloatArray, low: float, high: float, beyond: float) -> tuple[float, float]:
    """Where the bars of a level begin and end: at its thresholds, or so far beyond its outermost rows."""
    if not np.isfinite(low):
        low = float(z[0]) - beyond if len(z) else high - beyond
    if not np.isfinite(high):
        high = float(z[-1]) + beyond if len(z) else low + beyond
    return low, high


_SHAPES = {"histogram": _histogram, "kernel": _kernel}
