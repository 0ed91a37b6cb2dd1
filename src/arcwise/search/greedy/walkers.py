"""Which of the two walks a problem takes: with a cell for every pair of columns, or with lists of candidates."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol

from arcwise.data.dataset import BoolArray
from arcwise.parts.protocols import BoundScore
from arcwise.problem import Problem
from arcwise.search.greedy.cache import ScoreCache, cache_for
from arcwise.search.greedy.climb import Outcome, climb
from arcwise.search.greedy.listed import climb_listed, slots_of, suits_lists
from arcwise.search.greedy.listed_scores import ListedScores

if TYPE_CHECKING:
    from arcwise.search.greedy.hill_climb import HillClimb
    from arcwise.search.greedy.tabu import Tabu


class Walk(Protocol):
    def __call__(self, adj: BoolArray, /, *, phase: str, tenure: int, patience: int) -> Outcome: ...


@dataclass(frozen=True, slots=True)
class Walker:
    """Walks from any graph that the problem permits; `scores` keeps and counts what they asked for."""

    walk: Walk
    scores: ScoreCache | ListedScores


def walker_for(problem: Problem, start: BoolArray, bound: BoundScore, options: HillClimb | Tabu) -> Walker:
    """start: the first graph to walk from. The answer does not depend on which walk it is."""
    names, known, monitor = problem.names, problem.known, problem.monitor
    if not suits_lists(known):
        cache = cache_for(problem, bound, options.score, (options.max_parents, options.max_table))
        return Walker(partial(climb, required=known.required, cache=cache, names=names, monitor=monitor), cache)
    permitted = known.allowed | known.required
    slots = slots_of(permitted, start, known.required)
    scores = ListedScores(
        bound,
        slots,
        permitted[slots.parent, slots.child],
        cards=problem.data.cardinalities,
        max_parents=options.max_parents,
        max_table=options.max_table,
    )
    return Walker(partial(climb_listed, scores=scores, names=names, monitor=monitor), scores)
