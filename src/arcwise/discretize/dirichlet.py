"""The local score that Monti and Steck share: BDeu of the families around a column, and a term for its levels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from arcwise.data.dataset import FloatArray

if TYPE_CHECKING:  # it brings the compiled kernels along
    from arcwise.discretize.neighbourhood import Neighbourhood


@dataclass(frozen=True, slots=True)
class DirichletLocal:
    """BDeu with equivalent sample size `ess`.

    levels, level_sign: pseudo-count and sign of the term in the levels' own counts (see _kernels/sweep.py).
    density_floor: least width of an interval when the density of the values counts too.
    """

    ess: float
    levels: float
    level_sign: float
    density_floor: float | None = None

    def pseudo_counts(self, around: Neighbourhood, r: int) -> FloatArray:
        """The column's own configurations keep theirs, ess / q: a constant, so they are no part."""
        out = [self.ess / (around.q * r)]
        for q, levels in zip(around.child_q.tolist(), around.child_levels.tolist(), strict=True):
            out += [self.ess / (r * q * levels), self.ess / (r * q)]
        return np.array([*out, self.levels])  # a list first: there are few, and they are asked for often

    def constant(self, around: Neighbourhood, r: int) -> float:
        return 0.0
