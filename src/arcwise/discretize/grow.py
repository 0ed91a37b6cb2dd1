"""The greedy threshold search that Friedman, Monti and Steck share: add the best cut while it pays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwise._kernels.sweep import add_density, best_cut, sum_parts, sweep, tabulate_steps
from arcwise.contracts.ties import tolerance
from arcwise.data.dataset import FloatArray, IntArray
from arcwise.discretize.cuts import interval_edges
from arcwise.discretize.neighbourhood import Neighbourhood
from arcwise.discretize.policy import LocalScore, Partition

TABULATED = 2048  # counts below this are looked up in a sweep


class StepTables:
    """Tabulated increments of cell functions, by pseudo-count."""

    def __init__(self, n_rows: int) -> None:
        self._slots: dict[float, int] = {}
        self._steps: FloatArray = np.empty((32, min(n_rows + 1, TABULATED)))
        self._pseudo: FloatArray = np.empty(32)

    def slots(self, pseudo_counts: FloatArray) -> IntArray:
        return np.array([self._slot(a) for a in pseudo_counts.tolist()], dtype=np.intp)

    def arrays(self) -> tuple[FloatArray, FloatArray]:
        """(steps, pseudo) as the kernels take them."""
        return self._steps, self._pseudo

    def _slot(self, a: float) -> int:
        slot = self._slots.get(a)
        if slot is None:
            slot = len(self._slots)
            if slot == len(self._pseudo):
                self._steps = np.concatenate([self._steps, np.empty_like(self._steps)])
                self._pseudo = np.concatenate([self._pseudo, np.empty_like(self._pseudo)])
            self._steps[slot] = tabulate_steps(a, self._steps.shape[1])
            self._pseudo[slot] = a
            self._slots[a] = slot
        return slot


@dataclass(frozen=True, slots=True, eq=False)
class GreedySearch:
    """The search for one data set and policy score."""

    score: LocalScore
    tables: StepTables
    patience: int = 0

    def evaluate(self, around: Neighbourhood, starts: IntArray) -> Partition:
        """A given partition with its local score."""
        r, intervals = len(starts) - 1, np.column_stack([starts[:-1], starts[1:]])
        slots = self.tables.slots(self.score.pseudo_counts(around, r))
        arguments = (around.codes, around.sizes, self._signs(around), slots, intervals)
        total: float = sum_parts(*arguments, *self.tables.arrays())
        if self.score.density_floor is not None:
            edges, scratch = interval_edges(around.values, starts), np.zeros(around.n_rows)
            total += add_density(around.values, intervals, edges, 0.0, scratch)
        return Partition(starts, total + self.score.constant(around, r))

    def find(self, around: Neighbourhood) -> tuple[Partition, int]:
        """(the partition reached, number of partitions evaluated).

        One sweep evaluates every cut of every interval. Where the pseudo-counts do not depend on the number of levels
        only the two halves of the last cut are swept again.
        """
        best = current = self.evaluate(around, np.array([0, around.n_rows], dtype=np.intp))
        gains = np.empty(around.n_rows)
        margin = tolerance(current.score)
        known, base, gain, fresh, calls, failures = np.empty(0), 0.0, 0.0, current.intervals(), 1, 0
        while failures <= self.patience:
            r, intervals = current.n_levels + 1, current.intervals()
            pseudo = self.score.pseudo_counts(around, r)
            lasting = self.score.density_floor is None and np.array_equal(pseudo, known)
            swept = self._sweep(around, current.starts, fresh if lasting else intervals, pseudo, gains)
            base, known = (base + gain if lasting else swept), pseudo
            calls += around.n_distinct - current.n_levels
            gain, row = best_cut(gains, around.values, intervals, margin)
            if row < 0 or gain == -np.inf:
                break
            gain = float(gains[row])
            fresh = _halves(current.starts, row)
            score = base + gain + self.score.constant(around, r)
            current = Partition(np.sort(np.append(current.starts, row + 1)), score)
            if score > best.score + margin:
                best, failures = current, 0
            else:
                failures += 1
        return best, calls

    def _sweep(
        self, around: Neighbourhood, starts: IntArray, intervals: IntArray, pseudo: FloatArray, gains: FloatArray
    ) -> float:
        """Gains of all cuts of these intervals into `gains`; returns their score uncut, without the constant."""
        signs, slots = self._signs(around), self.tables.slots(pseudo)
        base: float = sweep(around.codes, around.sizes, signs, slots, intervals, *self.tables.arrays(), gains)
        if self.score.density_floor is not None:
            least = self.score.density_floor * (around.values[-1] - around.values[0])
            base += add_density(around.values, intervals, interval_edges(around.values, starts), least, gains)
        return base

    def _signs(self, around: Neighbourhood) -> FloatArray:
        signs = around.signs.copy()
        signs[-1] = self.score.level_sign
        return signs


def _halves(starts: IntArray, row: int) -> IntArray:
    """The two intervals into which a cut after `row` parts its interval."""
    k = int(np.searchsorted(starts, row, side="right")) - 1
    return np.array([[starts[k], row + 1], [row + 1, starts[k + 1]]], dtype=np.intp)
