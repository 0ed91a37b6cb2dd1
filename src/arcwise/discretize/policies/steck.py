"""Steck and Jaakkola's predictive score of thresholds."""

from __future__ import annotations

from dataclasses import dataclass
from math import lgamma
from typing import ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import FloatArray, IntArray
from arcwise.discretize.policies.policy import DirichletLocal, NetworkScore, cells_of
from arcwise.parts.protocols import ColumnSearch, Score
from arcwise.scores.dirichlet import K2, BDeu


@checked
@dataclass(frozen=True, kw_only=True)
class Steck:
    """ln p(D | G) - sum over columns and levels of ln Gamma(N_k): it depends on the ranks of the values only."""

    kind: ClassVar[str] = "steck"
    reference: ClassVar[str] = "Steck and Jaakkola 2003"
    scores: ClassVar[tuple[type[NetworkScore], ...]] = (BDeu, K2)
    stops_with: ClassVar[str] = "score"

    def network_score(self, score: NetworkScore) -> Score:
        return score

    def local(self, score: NetworkScore) -> DirichletLocal:
        return DirichletLocal(cells=cells_of(score), levels=0.0, level_sign=-1.0)

    def searcher(self, score: NetworkScore, n_rows: int) -> ColumnSearch:
        from arcwise.discretize.thresholds.grow import GreedySearch, StepTables

        return GreedySearch(self.local(score), StepTables(n_rows))

    def column_term(self, values: FloatArray, starts: IntArray) -> float:
        return -sum(lgamma(n) for n in np.diff(starts))

    def discrete_term(self, counts: IntArray) -> float:
        return 0.0

    def most_levels(self, n_rows: int) -> int | None:
        return None
