"""The bound form of every score that is computed from counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from arcwise._kernels.counts.toggles import sizes
from arcwise.data.dataset import FloatArray, IntArray
from arcwise.stats.cells import Cells
from arcwise.stats.counts import Counts

# (parent configurations q, child levels r) -> what a family pays for its parameters
Penalty = Callable[[FloatArray, int], FloatArray | float]


def no_penalty(q: FloatArray, r: int) -> float:
    return 0.0


@dataclass(frozen=True, slots=True, eq=False)
class CountedScore:
    """score = sum_jk f(N_jk) - sum_j g(N_j) - penalty(q, r) + |parents| log_arc_prior."""

    counts: Counts
    cells: Cells
    penalty: Penalty = no_penalty
    log_arc_prior: float = 0.0
    warnings: ClassVar[tuple[str, ...]] = ()

    def local_score(self, child: int, parents: Sequence[int]) -> float:
        return float(self.local_scores(child, np.array([list(parents)], dtype=np.intp))[0])

    def local_scores(self, child: int, parent_sets: IntArray) -> FloatArray:
        scores, q = self.counts.family_sums(child, parent_sets, self.cells)
        if self.penalty is not no_penalty:
            scores -= self.penalty(q, int(self.counts.cards[child]))
        if self.log_arc_prior:
            scores += self.log_arc_prior * sizes(parent_sets)
        return scores
