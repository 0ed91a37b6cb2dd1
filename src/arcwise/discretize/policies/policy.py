"""What policy scores have in common: the scores of networks beside them, and the local score of Monti and Steck."""

from __future__ import annotations

from dataclasses import dataclass
from math import lgamma
from typing import TYPE_CHECKING

import numpy as np

from arcwise.checking import shown
from arcwise.data.dataset import FloatArray
from arcwise.errors import OptionError
from arcwise.parts.protocols import Partition, PolicyScore, tolerance
from arcwise.scores.dirichlet import K2, BDeu
from arcwise.scores.likelihood import MDL
from arcwise.stats.cells import Cells

if TYPE_CHECKING:  # it brings the compiled kernels along
    from arcwise.discretize.thresholds.neighbourhood import Neighbourhood

NetworkScore = BDeu | K2 | MDL


def improves(new: Partition, old: Partition) -> bool:
    """The local score rises, and so does the joint score, by as much: each family counts once."""
    return new.score > old.score + tolerance(old.score)


def check_score(policy: PolicyScore, score: object) -> None:
    """Refuse a score that the policy cannot share a loop with."""
    if not isinstance(score, policy.scores):
        wanted = " or ".join(repr(known.kind) for known in policy.scores)
        raise OptionError(f"the policy {policy.kind!r} needs a search with the score {wanted}, not {shown(score)}")


def cells_of(score: NetworkScore) -> Cells:
    """Pseudo-counts of a score with a Dirichlet prior; which those are, a policy says in `scores`."""
    assert not isinstance(score, MDL)
    return score.cells


@dataclass(frozen=True, slots=True)
class DirichletLocal:
    """BDeu or K2, whose pseudo-counts are `cells`.

    levels, level_sign: pseudo-count and sign of the term in the levels' own counts (see _kernels/sweep.py).
    density_floor: least width of an interval when the density of the values counts too.
    """

    cells: Cells
    levels: float
    level_sign: float
    density_floor: float | None = None

    def pseudo_counts(self, around: Neighbourhood, r: int) -> FloatArray:
        """The column's own configurations are no part: what they add depends on the number of levels at most."""
        a, spread = self.cells.ess, self.cells.spread
        out = [a / (around.q * r) if spread else a]
        for q, levels in zip(around.child_q.tolist(), around.child_levels.tolist(), strict=True):
            out += [a / (r * q * levels), a / (r * q)] if spread else [a, a * levels]
        return np.array([*out, self.levels])  # a list first: there are few, and they are asked for often

    def constant(self, around: Neighbourhood, r: int) -> float:
        """sum_j lnG(a_j) - lnG(a_j + N_j) over the parents' configurations; a_j is ess / q in BDeu, whatever r."""
        if self.cells.spread:
            return 0.0
        a = self.cells.ess * r
        rows, times = np.unique(np.bincount(around.codes[0]), return_counts=True)
        terms = (k * (lgamma(a) - lgamma(a + n)) for n, k in zip(rows.tolist(), times.tolist(), strict=True))
        return float(around.signs[0] * sum(terms))
