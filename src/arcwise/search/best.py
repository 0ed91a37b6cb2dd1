"""Several searches, and the best that any of them finds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from typing import ClassVar

from arcwise.checking import checked
from arcwise.errors import OptionError
from arcwise.parts.monitor import Progress
from arcwise.parts.protocols import Score, ScoredSearch, tolerance
from arcwise.problem import Answer, Memory, Problem, learn_by_solving
from arcwise.results.result import Counters, TraceStep
from arcwise.scores.suited import Suited
from arcwise.search.ges.ges import GES
from arcwise.search.greedy.tabu import Tabu
from arcwise.search.orders.boss import Boss


@checked
@dataclass(frozen=True, kw_only=True)
class Best:
    """Run the searches `of` one after the other and return the network with the highest score.

    They have one score, one set of statistics and one memory of scores. Of searches that are tied the first counts.
    The trace tells what each of them reached.
    """

    kind: ClassVar[str] = "best"
    reference: ClassVar[str] = f"{Boss.reference}; {GES.reference}; {Tabu.reference}"

    of: tuple[ScoredSearch, ...] = (Boss(), GES(), Tabu(score=Suited()))

    def __post_init__(self) -> None:
        if not self.of:
            raise OptionError("option 'of' must name at least one search")
        for search in self.of:
            if search.score != self.of[0].score:
                kinds = f"{self.of[0].score.kind!r} and {search.kind!r} has {search.score.kind!r}"
                same = " with other options" if search.score.kind == self.of[0].score.kind else ""
                raise OptionError(
                    f"the searches in option 'of' must have one score to be compared by, but {self.of[0].kind!r} has "
                    f"{kinds}{same}; set the option 'score'"
                )

    @property
    def score(self) -> Score:
        return self.of[0].score

    learn = learn_by_solving

    def solve(self, problem: Problem) -> Answer:
        bound = problem.bind(self.score)
        problem = replace(problem, memory=problem.memory or Memory())
        found: list[Answer] = []
        trace: list[TraceStep] = []
        for search in self.of:
            answer = search.solve(problem.scored(self.score, bound))
            found.append(answer)
            trace += answer.trace
            if answer.score is not None:
                trace.append(TraceStep("best of", len(found), f"{search.kind} ends", answer.score))
                problem.monitor.report(Progress("best of", len(found), answer.score, f"{search.kind} ends"))
            if answer.status == "stopped":
                break
        best = reduce(_better, found)
        stopped = found[-1].status == "stopped"
        missed = [search.kind for search in self.of[len(found) :]]
        return Answer(
            graph=best.graph,
            pattern=best.pattern,
            score=best.score,
            trace=trace,
            counters=sum((answer.counters for answer in found), Counters()),
            status="stopped" if stopped else "converged",
            warnings=(
                *dict.fromkeys(one for answer in found for one in answer.warnings),
                *([f"stopped before {', '.join(missed)} had begun"] if missed else []),
            ),
        )


def _better(one: Answer, other: Answer) -> Answer:
    if one.score is None or other.score is None:
        return other if one.score is None else one
    return other if other.score > one.score + tolerance(one.score) else one
