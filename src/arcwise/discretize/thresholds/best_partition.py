"""The best partition of a column under a local score: dynamic programming over all cuts, no greed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwise.data.dataset import IntArray
from arcwise.discretize.thresholds.interval_weights import Ends, interval_weights
from arcwise.discretize.thresholds.level_bounds import ColumnBounds, LevelRange
from arcwise.discretize.thresholds.neighbourhood import Neighbourhood
from arcwise.parts.protocols import ColumnSearch, LocalScore, Partition, tolerance


@dataclass(frozen=True, slots=True, eq=False)
class ExactSearch:
    """The search for one data set and policy score. O(m^2 (parts + 1)) a pass for m distinct values, mostly two passes.

    Of partitions with the same score that with fewer levels is found, then that with the lower last cut, the lower
    last but one, and so on. scored: evaluates and accepts partitions; ends: terms of the first and last value of an
    interval, where a score has them; max_levels: no more than these, None for any number.
    """

    score: LocalScore
    scored: ColumnSearch
    ends: Ends | None = None
    max_levels: int | None = None

    def evaluate(self, around: Neighbourhood, starts: IntArray) -> Partition:
        plain = self.scored.evaluate(around, starts)
        if self.ends is None:
            return plain
        opening, closing = self.ends(around)
        distinct = np.concatenate([[0], np.cumsum(around.values[1:] != around.values[:-1])])
        first, last = distinct[starts[:-1]], distinct[starts[1:] - 1]
        return Partition(starts, plain.score + float(np.sum(opening[first]) + np.sum(closing[last])))

    def accepts(self, around: Neighbourhood, new: Partition, present: IntArray) -> bool:
        return self.scored.accepts(around, new, present)

    def improve(self, around: Neighbourhood, present: IntArray) -> tuple[Partition | None, int]:
        new, weighed = self.find(around)
        return (new if self.accepts(around, new, present) else None), weighed + 1

    def find(self, around: Neighbourhood) -> tuple[Partition, int]:
        """(the best partition, number of intervals weighed)."""
        whole = self.evaluate(around, np.array([0, around.n_rows], dtype=np.intp))
        if around.n_distinct == 1:
            return whole, 1
        bounds = ColumnBounds(interval_weights(around, self.score, self.ends), tolerance(whole.score))
        if bounds.level_free and self.max_levels is None:
            ((_, _, starts),) = bounds.run([LevelRange(1, around.n_distinct)])
            return self.evaluate(around, starts), bounds.weighed
        best = whole
        for partition in sorted(self._contenders(bounds, whole), key=lambda partition: partition.n_levels):
            if partition.score > best.score + bounds.margin:
                best = partition
        return best, bounds.weighed

    def _contenders(self, bounds: ColumnBounds, whole: Partition) -> list[Partition]:
        """The best partition into r levels for every r that is not proved to be worse than another.

        A range of r whose bound is below the score of some partition is done with. It is settled when the partition
        behind the bound attains it with the fewest levels of the range; or else it is parted, down to a single r.
        """
        around, margin = bounds.weights.around, bounds.margin
        most = around.n_distinct if self.max_levels is None else min(around.n_distinct, self.max_levels)
        if most == 1:
            return []
        settled: list[Partition] = []
        known, ranges = bounds.reachable(whole.score, most), [(2, most)]
        while ranges:
            batch, ranges = bounds.plan(ranges, known)
            reached = [(levels, bound, self.evaluate(around, starts)) for levels, bound, starts in bounds.run(batch)]
            known = max([known, *(partition.score for _, _, partition in reached if partition.n_levels <= most)])
            for levels, bound, partition in reached:
                k = partition.n_levels
                if bound < known - margin:
                    continue
                if k == levels.low and partition.score >= bound - 2 * (k + 1) * margin:
                    settled.append(partition)
                elif not levels.long:
                    settled += [self.evaluate(around, starts) for starts in bounds.with_levels(levels.low)]
                    known = max([known, *(partition.score for partition in settled[-1:])])
                elif k > levels.low or bounds.from_below(levels) >= known - margin:
                    ranges += bounds.fail(levels, k)
        return settled
