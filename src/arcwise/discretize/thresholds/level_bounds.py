"""Bounds on the score of all partitions of a column into a given number of levels, for many such numbers at once.

For r levels the local score is a sum of interval weights W_r plus constant(r). For numbers of levels low <= r <= high,
weights W >= W_r and any penalty t,

    best score with r levels  <=  max over partitions of [sum of (W - t)]  +  max over r of [constant(r) + t r],

because a partition into r intervals pays r t on the left and gets r t back on the right. The maximum on the left takes
one pass over all pairs of cuts, and four ranges of r share a pass. Which ranges, and which penalties make their bounds
low, is judged by the same sums over a few of the cuts, the rough candidates: that costs little and decides nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from math import inf, isqrt

import numpy as np

from arcwise._kernels.thresholds.partition import LANES
from arcwise.data.dataset import FloatArray, IntArray
from arcwise.discretize.thresholds.interval_weights import IntervalWeights

ROUGH, ROUGH_MOST = 128, 1000  # candidate cuts with which a search is planned, at first and at most
ROUGH_SHARE = 4  # and at most one of so many
REMEMBERED = 12  # partitions behind former bounds that help to choose penalties
AHEAD = 16  # longest range of levels that is planned in full
CLEAR = 2.0  # how far below the best the rough bound of a range must be for a pass to be spent on it


@dataclass(frozen=True, slots=True)
class LevelRange:
    """Numbers of levels low..high to be bounded at once, with the penalty of an interval.

    bound, reached: what the rough candidates say of the bound and of the best score.
    """

    low: int
    high: int
    penalty: float = 0.0
    bound: float = inf
    reached: float = -inf

    @property
    def long(self) -> bool:
        return self.low < self.high

    def parted(self, k: int = 1) -> list[tuple[int, int]]:
        """In two; k: the number of levels with the highest bound.

        The lower part of a wide range is small, because its upper part is often done with as a whole.
        """
        middle = max(self.low + self.low // 4, isqrt(self.low * k))
        middle = min((self.low + self.high) // 2, middle)
        return [(self.low, middle), (middle + 1, self.high)]

    def contains(self, other: LevelRange) -> bool:
        return self.low <= other.low and other.high <= self.high


@dataclass(slots=True, eq=False)
class ColumnBounds:
    """One column while it is searched; `rough` has only some of the candidate cuts."""

    weights: IntervalWeights
    margin: float
    rough: IntervalWeights = field(init=False)
    chosen: IntArray = field(init=False)  # the candidates in `rough`
    constants: FloatArray = field(init=False)  # by number of levels, from 1
    paths: list[IntArray] = field(default_factory=list)  # partitions behind former bounds, as candidates
    failed: list[LevelRange] = field(default_factory=list)
    weighed: int = 0

    def __post_init__(self) -> None:
        around, score = self.weights.around, self.weights.score
        m = around.n_distinct
        self.constants = np.array([score.constant(around, r) for r in range(1, m + 1)])
        self.chosen = np.unique(np.linspace(0, m, min(ROUGH, m) + 1).astype(np.intp))
        self.rough = self.weights.only(self.chosen)

    @property
    def level_free(self) -> bool:
        """Whether the score of an interval never depends on how many levels there are."""
        around, score = self.weights.around, self.weights.score
        one, all_ = score.pseudo_counts(around, 1), score.pseudo_counts(around, around.n_distinct)
        return np.array_equal(one, all_) and not np.any(self.constants)

    def run(self, batch: list[LevelRange]) -> list[tuple[LevelRange, float, IntArray]]:
        """(range, bound, starts of the partition that attains the left maximum) for up to LANES ranges."""
        lanes = [*batch, *[batch[-1]] * (LANES - len(batch))]
        steps = [self.weights.steps(levels.low, levels.high) for levels in lanes]
        penalties = np.array([levels.penalty for levels in lanes])
        best, previous = self.weights.free(steps, penalties, self.margin)
        self._count(self.weights)
        out = []
        for lane, levels in enumerate(batch):
            path = [len(previous) - 1]
            while path[-1] > 0:
                path.append(int(previous[path[-1], lane]))
            # A tie may cost the margin at every cut, which is as if the penalty were greater by it.
            back = self._back(levels.low, levels.high, levels.penalty + self.margin)
            out.append((levels, float(best[-1, lane]) + back, self.weights.starts[path[::-1]]))
            self.paths = [*self.paths[1 - REMEMBERED :], np.array(path[::-1], dtype=np.intp)]
            if len(self.chosen) + len(path) <= min(ROUGH_MOST, len(self.weights.starts) // ROUGH_SHARE):
                self.chosen = np.union1d(self.chosen, path)
        self.rough = self.weights.only(self.chosen)
        return out

    def from_below(self, levels: LevelRange) -> float:
        """Another bound of a range, by partitions into at least `low` intervals without a penalty."""
        best, _ = self.weights.counted(self.weights.steps(levels.low, levels.high), levels.low, self.margin)
        self._count(self.weights)
        return float(best[-1, -1]) + self._back(levels.low, levels.high, 0.0) + levels.low * self.margin

    def fail(self, levels: LevelRange, k: int) -> list[tuple[int, int]]:
        """The parts of a range whose bound was too high, with k levels behind it; it will not be tried whole again."""
        self.failed.append(levels)
        return levels.parted(k)

    def with_levels(self, r: int) -> list[IntArray]:
        """Starts of the best partition into exactly r levels; none when every one is forbidden."""
        best, previous = self.weights.counted(self.weights.steps(r, r), r, self.margin)
        self._count(self.weights)
        if best[-1, r] == -inf:
            return []
        path = [len(previous) - 1]
        for k in range(r, 0, -1):
            path.append(int(previous[path[-1], k]))
        return [self.weights.starts[path[::-1]]]

    def reachable(self, best: float, most: int) -> float:
        """`best`, or the score of a better partition by rough candidates into 2..most levels."""
        r = 2
        while True:
            best = max(best, self._aim(r, r).reached)
            following = r + max(1, r // 4)
            if following > most or self._aim(following, most).bound < best - CLEAR:
                return best
            r = following

    def plan(self, ranges: list[tuple[int, int]], known: float) -> tuple[list[LevelRange], list[tuple[int, int]]]:
        """(what the next pass shall bound, the ranges left over), judged by the rough candidates.

        The pieces are as long as can be done with; those with the highest bounds come first.
        """
        target = known - CLEAR
        pieces = self._joined(self._split(sorted(ranges), target), target)
        pieces.sort(key=lambda piece: (piece.long and piece.bound >= target, -piece.bound))
        return pieces[:LANES], [(piece.low, piece.high) for piece in pieces[LANES:]]

    def _split(self, ranges: list[tuple[int, int]], target: float) -> list[LevelRange]:
        """Pieces of the ranges with bounds below the target, as far as a few passes will need them."""
        done: list[LevelRange] = []
        pending = [self._aim(low, high) for low, high in ranges]
        while pending:
            piece = pending.pop(0)
            if piece.bound < target or not piece.long or len(done) + len(pending) >= 3 * LANES:
                done.append(piece)
            else:
                pending = [self._aim(low, high) for low, high in piece.parted()] + pending
        return done

    def _joined(self, pieces: list[LevelRange], target: float) -> list[LevelRange]:
        """Neighbours among the pieces that can be done with as one become one."""
        out = pieces[:1]
        for piece in pieces[1:]:
            if out[-1].high + 1 == piece.low and max(piece.bound, out[-1].bound) < target:
                joint = self._aim(out[-1].low, piece.high)
                if joint.bound < target and not any(joint.contains(levels) for levels in self.failed):
                    out[-1] = joint
                    continue
            out.append(piece)
        return out

    def _aim(self, low: int, high: int) -> LevelRange:
        """The range with the penalty that makes its bound lowest, as far as rough cuts and former partitions tell.

        The bound is a convex function of the penalty; the kinks of its first term are the slopes of the upper hull of
        totals by number of intervals. A negative penalty is of no use: intervals of one row each would collect it.
        """
        most = (high if high - low <= AHEAD else low + 2) + 1
        steps = self.weights.steps(low, high)
        found = self.rough.counted(steps, most, self.margin)[0][-1]
        self._count(self.rough)
        totals, more = found[1:-1], float(found[-1])
        points = [(k, float(total)) for k, total in enumerate(totals, start=1) if total > -inf]
        points += [(len(path) - 1, self.weights.total(steps, path)) for path in self.paths]
        slopes = np.array(_hull_slopes(points))
        choices = np.unique(np.maximum(np.concatenate([[0.0], slopes, (slopes[1:] + slopes[:-1]) / 2]), 0.0))
        sums = np.max([total - choices * k for k, total in points], axis=0)
        bounds = sums + np.array([self._back(low, high, t) for t in choices.tolist()])
        unpaid = self._back(low, high, 0.0)
        bounds[0] = max(float(bounds[0]), more + unpaid)
        lowest = np.flatnonzero(bounds <= bounds.min() + self.margin)
        enough = max([more, *(total for k, total in points if k >= low)])
        inside = slice(low - 1, min(high, most))
        return LevelRange(
            low,
            high,
            penalty=float(choices[lowest[len(lowest) // 2]]),  # amid them the partition that attains it has low levels
            bound=min(float(bounds.min()), enough + unpaid),
            reached=float(np.max(totals[inside] + self.constants[inside])),
        )

    def _back(self, low: int, high: int, penalty: float) -> float:
        return float(np.max(self.constants[low - 1 : high] + penalty * np.arange(low, high + 1)))

    def _count(self, weights: IntervalWeights) -> None:
        n = len(weights.starts)
        self.weighed += n * (n - 1) // 2


def _hull_slopes(points: list[tuple[int, float]]) -> list[float]:
    """Slopes of the upper hull of points (k, total), falling."""
    hull: list[tuple[int, float]] = []
    for k, total in sorted(points):
        if hull and hull[-1][0] == k:
            hull.pop()  # the points of one k come in rising order
        while len(hull) > 1 and _slope(hull[-2], hull[-1]) <= _slope(hull[-1], (k, total)):
            hull.pop()
        hull.append((k, total))
    return [_slope(a, b) for a, b in pairwise(hull)]


def _slope(a: tuple[int, float], b: tuple[int, float]) -> float:
    return (b[1] - a[1]) / (b[0] - a[0])
