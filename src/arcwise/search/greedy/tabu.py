"""Hill climbing that walks on past local optima."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from arcwise.checking import checked
from arcwise.errors import check_least
from arcwise.parts.protocols import Score
from arcwise.problem import Answer, Problem, learn_by_solving, within_score
from arcwise.scores.dirichlet import BDeu
from arcwise.search.greedy.hill_climb import greedy


@checked
@dataclass(frozen=True, kw_only=True)
class Tabu:
    """Take the best move to a structure not among the last `tenure`, even if the score falls; return the best met.

    max_parents: most parents of a node, max_table: most cells of a family's count table (none: no limit).
    restarts: how often to start again from the best graph. perturbation: random moves before a new start.
    tenure: structures remembered. patience: moves in a row without a new best before the search ends.
    """

    kind: ClassVar[str] = "tabu"
    reference: ClassVar[str] = "Glover 1989; Tsamardinos, Brown and Aliferis 2006"

    score: Score = BDeu()
    max_parents: int | None = None
    max_table: int | None = None
    restarts: int = 0
    perturbation: int = 10
    tenure: int = 100
    patience: int = 15

    def __post_init__(self) -> None:
        check_least(self, max_parents=0, max_table=1, restarts=0, perturbation=1, tenure=1, patience=1)

    learn = learn_by_solving

    @within_score
    def solve(self, problem: Problem) -> Answer:
        return greedy(self, problem, tenure=self.tenure, patience=self.patience)
