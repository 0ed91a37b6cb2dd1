"""The bound form of every score that is computed from counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arcwise._kernels.counts.toggled import Families
from arcwise.data.dataset import FloatArray, IntArray
from arcwise.stats.cells import Cells
from arcwise.stats.counts import Counts


@dataclass(frozen=True, slots=True, eq=False)
class CountedScore:
    """sum_jk f(N_jk) - sum_j g(N_j) - (per_parameter (r - 1) q + per_column[child]) + |parents| log_arc_prior."""

    counts: Counts
    cells: Cells
    per_parameter: float = 0.0
    per_column: FloatArray | None = None
    log_arc_prior: float = 0.0
    warnings: tuple[str, ...] = ()

    def local_score(self, child: int, parents: Sequence[int]) -> float:
        return float(self.local_scores(child, np.array([list(parents)], dtype=np.intp))[0])

    def local_scores(self, child: int, parent_sets: IntArray) -> FloatArray:
        scores, q = self.counts.family_sums(child, parent_sets, self.cells)
        if self.per_parameter:
            price = self.per_parameter * (int(self.counts.cards[child]) - 1) * q
            scores -= price if self.per_column is None else price + self.per_column[child]
        if self.log_arc_prior:
            scores += self.log_arc_prior * np.count_nonzero(parent_sets >= 0, axis=1)
        return scores

    def families(self, before: Families | None = None) -> Families | None:
        """What a kernel needs to score families by itself, None for too many rows. before: what it was: see `whole`."""
        whole = self.counts.whole(self.cells, None if before is None else before.cells)
        if whole is None:
            return None
        own = np.zeros(len(self.counts.cards)) if self.per_column is None else self.per_column
        block, shape, cells, steps, address = whole
        costs = self.counts.cards, self.per_parameter, own, self.log_arc_prior
        return Families(block, shape, cells, steps, address, *costs)
