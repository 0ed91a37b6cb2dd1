"""Optimal Reinsertion: take a column out of the network and put it back in the best way, column after column."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count
from typing import ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.errors import OptionError, check_least, check_positive
from arcwise.parts.monitor import with_deadline
from arcwise.parts.protocols import Score, tolerance
from arcwise.problem import Answer, Problem, learn_by_solving, left_out, within_score
from arcwise.scores.dirichlet import BDeu
from arcwise.scores.suited import Suited

MOST_CANDIDATES = 20  # 2^20 parent sets are as many as can be kept


@checked
@dataclass(frozen=True, kw_only=True)
class OptimalReinsertion:
    """Take out each column in random order and put it back with the best parents and children that it can have.

    Passes over all columns and hill climbing go on until neither raises the score, from the start graph, from what hill
    climbing makes of it, then from copies of the best graph, changed at random. The best is returned.
    restarts: copies of the best graph to start from (none: until the time is over). perturbation: random moves of a
    change (none: two for each column). seconds: time for the whole search (none: no limit). max_parents: most parents
    of a column. candidates: possible parents of a column, the best ones by the score of the pair. thorough: sets of up
    to so many parents are all scored, larger ones only where they extend a set that no subset equals. max_table: most
    cells of a family's count table (none: no limit).
    """

    kind: ClassVar[str] = "optimal-reinsertion"
    reference: ClassVar[str] = "Moore and Wong 2003"

    score: Score = Suited(discrete=BDeu(ess=10, arc_prior=1 / 11))
    max_parents: int = 5
    candidates: int = 15
    thorough: int = 3
    max_table: int | None = None
    restarts: int | None = 10
    perturbation: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        check_least(self, max_parents=0, candidates=1, thorough=1, max_table=1, restarts=0, perturbation=1)
        if self.candidates > MOST_CANDIDATES:
            raise OptionError(f"option 'candidates' must be at most {MOST_CANDIDATES}, not {self.candidates!r}")
        check_positive(self, "seconds")
        if self.restarts is None and self.seconds is None:
            raise OptionError("with restarts=none the search has no end; set the option 'seconds' as well")

    learn = learn_by_solving

    @within_score
    def solve(self, problem: Problem) -> Answer:
        from arcwise.search.greedy.perturb import perturb
        from arcwise.search.reinsertion.reinsert import Reinsertion

        adj = problem.start_adjacency()
        if self.seconds is not None:
            problem = replace(problem, monitor=with_deadline(problem.monitor, self.seconds))
        bound = problem.bind(self.score)
        search = Reinsertion(self, bound, problem)
        moves = 2 * len(adj) if self.perturbation is None else self.perturbation
        climbed = best = search.climb(adj, "climb")
        for turn in count():
            if search.stopped or (self.restarts is not None and turn > self.restarts + 1):
                break
            if turn == 0:
                found = search.settle(adj, "from start")
            elif turn == 1:
                found = search.settle(climbed.adj, "from climb")
            else:
                away = perturb(best.adj, problem.known, self.max_parents, moves, problem.rng, search.fits)
                found = search.settle(away, f"restart {turn - 1}")
            if found.score > best.score + tolerance(best.score):
                best = found
        return Answer(
            graph=problem.dag(best.adj),
            score=best.score if np.isfinite(best.score) else None,
            trace=search.trace,
            counters=search.counters(),
            status="stopped" if search.stopped else "converged",
            warnings=(*bound.warnings, *left_out(problem.data, self.max_table, bound)),
        )
