"""Chen, Wheeler and Kochenderfer's way from column to column."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from hashlib import blake2b

import numpy as np

from arcwise.data.dataset import IntArray
from arcwise.discretize.bins.equal_width import equal_width_cuts
from arcwise.discretize.policies.policy import improves
from arcwise.discretize.thresholds.best_partition import ExactSearch
from arcwise.discretize.thresholds.neighbourhood import Neighbourhood
from arcwise.parts.protocols import Partition

REPEATS = 3  # times that a column is cut anew in the same surroundings


@dataclass(frozen=True, slots=True, eq=False)
class ChenSearch:
    """The best partition; for a column without neighbours as many bins of equal width as any column has levels.

    Columns judge the same arc by different objectives, and lam changes with all of them: no common score rises, and
    they could change each other for ever. So surroundings that come back often have had their say.
    """

    exact: ExactSearch
    met: Counter[tuple[int, bytes]] = field(default_factory=Counter)

    def evaluate(self, around: Neighbourhood, starts: IntArray) -> Partition:
        return self.exact.evaluate(around, starts)

    def find(self, around: Neighbourhood) -> tuple[Partition, int]:
        if not _isolated(around):
            return self.exact.find(around)
        values = around.values
        inner = np.searchsorted(values, equal_width_cuts(values, around.most_levels))
        return self.evaluate(around, np.concatenate([[0], inner, [around.n_rows]]).astype(np.intp)), 1

    def improve(self, around: Neighbourhood, present: IntArray) -> tuple[Partition | None, int]:
        new, weighed = self.find(around)
        return (new if self.accepts(around, new, present) else None), weighed + (not _isolated(around))

    def accepts(self, around: Neighbourhood, new: Partition, present: IntArray) -> bool:
        if _isolated(around):
            return not np.array_equal(new.starts, present)
        if not improves(new, self.evaluate(around, present)):
            return False
        surroundings = blake2b(around.values.tobytes() + around.codes.tobytes()).digest()
        self.met[around.most_levels, surroundings] += 1
        return self.met[around.most_levels, surroundings] <= REPEATS


def _isolated(around: Neighbourhood) -> bool:
    return around.q == 1.0 and len(around.child_q) == 0
