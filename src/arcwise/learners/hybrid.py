"""A skeleton by independence tests, then a search among its edges."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from arcwise.checking import checked
from arcwise.constraint.max_min.max_min import MMPC
from arcwise.parts.protocols import Learner, Score, ScoredSearch
from arcwise.problem import Answer, Problem, learn_by_solving
from arcwise.scores.dirichlet import BDeu
from arcwise.scores.suited import Suited
from arcwise.search.greedy.tabu import Tabu

ESS = 10.0  # equivalent sample size of the papers; each arc is 1 / (ESS + 1) as probable a priori as no arc


@checked
@dataclass(frozen=True, kw_only=True)
class Hybrid:
    """Arcs only where `skeleton` has an edge; `search` chooses among them and points them (MMHC, PMMHC).

    Any learner that finds adjacencies can be the skeleton, any that scores networks the search.
    """

    kind: ClassVar[str] = "hybrid"
    reference: ClassVar[str] = "Tsamardinos, Brown and Aliferis 2006; Brown, Tsamardinos and Aliferis 2005"

    skeleton: Learner = MMPC()
    search: ScoredSearch = Tabu(score=Suited(discrete=BDeu(ess=ESS, arc_prior=1 / (ESS + 1))))

    @property
    def score(self) -> Score:
        return self.search.score

    learn = learn_by_solving

    def solve(self, problem: Problem) -> Answer:
        """The search begins with `start`, or the empty graph; trace, counters and warnings are those of both parts."""
        first = self.skeleton.solve(problem.starting(None))
        found = self.search.solve(problem.among(problem.pattern(first).adjacency))
        stopped = {first.status, found.status} != {"converged"}
        early = ("stopped while testing, before the search began: that there is no edge yet says nothing",)
        return replace(
            found,
            trace=(*first.trace, *found.trace),
            counters=first.counters + found.counters,
            status="stopped" if stopped else "converged",
            warnings=(
                *(early if first.status != "converged" else ()),
                *first.warnings,
                *(w for w in found.warnings if w not in first.warnings),
            ),
        )
