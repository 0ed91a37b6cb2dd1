"""Greedy hill climbing, and what tabu search has in common with it: from a problem to an answer by walks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.errors import check_least
from arcwise.parts.protocols import Score, tolerance
from arcwise.problem import Answer, Problem, learn_by_solving, left_out, within_score
from arcwise.results.result import Counters
from arcwise.scores.dirichlet import BDeu

if TYPE_CHECKING:
    from arcwise.search.greedy.climb import Outcome
    from arcwise.search.greedy.tabu import Tabu


@checked
@dataclass(frozen=True, kw_only=True)
class HillClimb:
    """Add, delete or reverse the arc that raises the score most, until none does.

    max_parents: most parents of a node, max_table: most cells of a family's count table (none: no limit).
    restarts: how often to start again from the best graph. perturbation: random moves before a new start.
    """

    kind: ClassVar[str] = "hill-climb"
    reference: ClassVar[str] = "Heckerman, Geiger and Chickering 1995"

    score: Score = BDeu()
    max_parents: int | None = None
    max_table: int | None = None
    restarts: int = 0
    perturbation: int = 10

    def __post_init__(self) -> None:
        check_least(self, max_parents=0, max_table=1, restarts=0, perturbation=1)

    learn = learn_by_solving

    @within_score
    def solve(self, problem: Problem) -> Answer:
        return greedy(self, problem)


def greedy(options: HillClimb | Tabu, problem: Problem, *, tenure: int = 0, patience: int = 0) -> Answer:
    """Walk from the start graph, then from `restarts` perturbed copies of the best graph; return the best."""
    from arcwise.search.greedy.perturb import perturb
    from arcwise.search.greedy.walkers import walker_for

    data, known = problem.data, problem.known
    adj = problem.start_adjacency()
    bound = problem.bind(options.score)
    walker = walker_for(problem, adj, bound, options)
    walks: list[Outcome] = []
    best: Outcome | None = None
    for turn in range(options.restarts + 1):
        if best is not None:
            adj = perturb(best.adj, known, options.max_parents, options.perturbation, problem.rng, walker.scores.fits)
        phase = "search" if turn == 0 else f"restart {turn}"
        walks.append(walker.walk(adj, phase=phase, tenure=tenure, patience=patience))
        if best is None or walks[-1].score > best.score + tolerance(walks[-1].score):
            best = walks[-1]
        if walks[-1].stopped:
            break
    assert best is not None  # there is always a first walk
    return Answer(
        graph=problem.dag(best.adj),
        score=best.score if np.isfinite(best.score) else None,
        trace=[step for walk in walks for step in walk.trace],
        counters=Counters(
            score_asked=walker.scores.asked,
            score_computed=walker.scores.computed,
            steps=sum(walk.steps for walk in walks),
            ties=sum(walk.ties for walk in walks),
        ),
        status="stopped" if walks[-1].stopped else "converged",
        warnings=(*bound.warnings, *left_out(data, options.max_table, bound)),
    )
