"""Monti's and Steck's scores of thresholds: the Bayesian-Dirichlet score of the families, and a term for the levels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from arcwise.data.dataset import FloatArray
from arcwise.discretize.neighbourhood import Neighbourhood


def bdeu_pseudo_counts(ess: float, around: Neighbourhood, r: int, levels: float) -> FloatArray:
    """Pseudo-counts of all parts when the column has r levels; `levels` names the function of the last part.

    The column's own configurations keep theirs, ess / q, so they add a constant and are left out.
    """
    out = np.empty(len(around.sizes))
    out[0] = ess / (around.q * r)
    out[1:-1:2] = ess / (r * around.child_q * around.child_levels)
    out[2:-1:2] = ess / (r * around.child_q)
    out[-1] = levels
    return out


@dataclass(frozen=True, kw_only=True)
class Steck:
    """ln p(D | G) - sum_k ln Gamma(N_k): the predictive score, which depends on the ranks of the values only."""

    kind: ClassVar[str] = "steck"
    reference: ClassVar[str] = "Steck and Jaakkola 2003"

    level_sign: ClassVar[float] = -1.0
    density_floor: ClassVar[float | None] = None
    ess: float = 1.0

    def pseudo_counts(self, around: Neighbourhood, r: int) -> FloatArray:
        return bdeu_pseudo_counts(self.ess, around, r, levels=0.0)

    def constant(self, around: Neighbourhood, r: int) -> float:
        return 0.0


@dataclass(frozen=True, kw_only=True)
class Monti:
    """ln p(D | G) - sum_k N_k ln(width_k): values spread evenly over the interval of their level.

    min_width: no interval may be narrower than this share of the range; isolating tied values would pay without end.
    """

    kind: ClassVar[str] = "monti"
    reference: ClassVar[str] = "Monti and Cooper 1998; Monti 1999"

    level_sign: ClassVar[float] = 0.0
    ess: float = 1.0
    min_width: float = 1e-6

    @property
    def density_floor(self) -> float:
        return self.min_width

    def pseudo_counts(self, around: Neighbourhood, r: int) -> FloatArray:
        return bdeu_pseudo_counts(self.ess, around, r, levels=-1.0)

    def constant(self, around: Neighbourhood, r: int) -> float:
        return 0.0
