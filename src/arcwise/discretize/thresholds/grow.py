"""The greedy threshold search that Friedman, Monti and Steck share: add the best cut while it pays."""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass, replace
from math import inf

import numpy as np

from arcwise._kernels.thresholds.sweep import Parts, least_width, log_density, next_cut, sum_parts, tabulate_steps
from arcwise.data.dataset import FloatArray, IntArray
from arcwise.discretize.policies.policy import improves
from arcwise.discretize.thresholds.neighbourhood import Neighbourhood
from arcwise.parts.protocols import LocalScore, Partition, tolerance

TABULATED = 1 << 17  # counts below this are looked up in a sweep; the logarithm of a larger one is worked out
ROOM = 64 << 20  # bytes for the tables


class StepTables:
    """Tabulated increments of cell functions, by pseudo-count. When there is no room for more, all are forgotten."""

    def __init__(self, n_rows: int) -> None:
        self._slots: dict[float, int] = {}
        width = min(n_rows + 1, TABULATED)
        self._reserve(max(32, ROOM // (8 * width)), width)

    def slots(self, pseudo_counts: FloatArray) -> IntArray:
        wanted = pseudo_counts.tolist()
        try:
            found = [self._slots[a] for a in wanted]
        except KeyError:
            self._tabulate(list(dict.fromkeys(wanted)))
            found = [self._slots[a] for a in wanted]
        return np.array(found, dtype=np.intp)

    def _reserve(self, n_slots: int, width: int) -> None:
        self.steps: FloatArray = np.empty((n_slots, width))  # pages never written to take no memory
        self.pseudo: FloatArray = np.empty(n_slots)

    def _tabulate(self, wanted: list[float]) -> None:
        n_slots, width = self.steps.shape
        if len(self._slots) + len(wanted) > n_slots:
            self._slots.clear()
            if len(wanted) > n_slots:
                self._reserve(len(wanted), width)
        for a in wanted:
            if a not in self._slots:
                slot = self._slots[a] = len(self._slots)
                self.pseudo[slot] = a
                self.steps[slot] = tabulate_steps(a, width)


@dataclass(frozen=True, slots=True, eq=False)
class GreedySearch:
    """The search for one data set and policy score.

    recount: a partition is accepted by the sum of all columns' local scores, in which a family counts once for its
    child and once for each parent (Fu 2005, IV); else by the joint score, in which it counts once.
    """

    score: LocalScore
    tables: StepTables
    patience: int = 0
    recount: bool = False

    def evaluate(self, around: Neighbourhood, starts: IntArray) -> Partition:
        """A given partition with its local score."""
        r = len(starts) - 1
        pseudo = self.score.pseudo_counts(around, r)
        total: float = sum_parts(around.codes, around.sizes, self._signs(around), pseudo, starts)
        if self.score.density_floor is not None:
            total += log_density(around.values, starts, self.score.density_floor)
        return Partition(starts, total + self.score.constant(around, r))

    def accepts(self, around: Neighbourhood, new: Partition, present: IntArray) -> bool:
        if not self.recount:
            return improves(new, self.evaluate(around, present))
        recounted = replace(around, signs=around.signs * around.weights)
        return improves(self.evaluate(recounted, new.starts), self.evaluate(recounted, present))

    def improve(self, around: Neighbourhood, present: IntArray) -> tuple[Partition | None, int]:
        new, calls = self.find(around)
        return (new if self.accepts(around, new, present) else None), calls + (2 if self.recount else 1)

    def find(self, around: Neighbourhood) -> tuple[Partition, int]:
        """(the partition reached, number of partitions evaluated).

        One sweep evaluates every cut of every interval. What does not depend on the number of levels is worked out
        again for the two halves of the last cut only: the density, and all of it where the pseudo-counts stay the same.
        """
        best = current = self.evaluate(around, np.array([0, around.n_rows], dtype=np.intp))
        signs, margin = self._signs(around), tolerance(current.score)
        floor = self.score.density_floor
        least = inf if floor is None else least_width(around.values, floor)
        gains, density = np.empty(around.n_rows), np.zeros((around.n_rows, 1 if floor is None else 3))
        dense = 0.0 if floor is None else log_density(around.values, current.starts, floor)
        known, base, fresh, calls, failures = b"", 0.0, 0, 1, 0
        while failures <= self.patience:
            r = current.n_levels + 1
            pseudo = self.score.pseudo_counts(around, r)
            lasting = pseudo.tobytes() == known
            slots, known = self.tables.slots(pseudo), pseudo.tobytes()
            parts = Parts(around.codes, around.sizes, signs, slots, self.tables.steps, self.tables.pseudo)
            where = (around.values, current.starts, fresh, min(r - 1, 2), lasting)
            whole, gain, row = next_cut(parts, *where, least, margin, gains, density)
            calls += _cuts_within(around.values, current.starts, fresh) if lasting else around.n_distinct - r + 1
            if row < 0:
                break
            base = (base if lasting else whole + dense) + gain
            dense += float(density[row, -1])
            starts = current.starts.tolist()
            fresh = bisect(starts, row) - 1
            starts.insert(fresh + 1, row + 1)
            current = Partition(np.array(starts, dtype=np.intp), base + self.score.constant(around, r))
            if current.score > best.score + margin:
                best, failures = current, 0
            else:
                failures += 1
        return best, calls

    def _signs(self, around: Neighbourhood) -> FloatArray:
        signs = around.signs.copy()
        signs[-1] = self.score.level_sign
        return signs


def _cuts_within(values: FloatArray, starts: IntArray, fresh: int) -> int:
    """How many cuts the two intervals from `fresh` on have between them, the one that parts them left out."""
    rows = values[starts[fresh] : starts[fresh + 2]]
    return int(np.count_nonzero(rows[1:] != rows[:-1])) - 1
