"""Several searches, each by a score of its own, and the network that one more score likes best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.errors import OptionError
from arcwise.graph.dag import Dag
from arcwise.parts.monitor import Progress
from arcwise.parts.protocols import BoundScore, Score, ScoredSearch, tolerance
from arcwise.problem import Answer, Problem, learn_by_solving
from arcwise.results.result import Counters, TraceStep
from arcwise.scores.gaussian import DegenerateGaussian
from arcwise.scores.smooth import Smooth
from arcwise.scores.smooth_regression import SmoothRegression
from arcwise.search.orders.boss import Boss


@checked
@dataclass(frozen=True, kw_only=True)
class BestBy:
    """Let each of the searches `of` find a network, and return the one with the highest score `by`.

    For quick scores that suit some tables and not others, and a likelihood that is too dear for a search, or whose
    search would end early, but can tell their networks apart. Of networks that are tied the first counts. The trace
    tells how each of them did.
    """

    kind: ClassVar[str] = "best-by"
    reference: ClassVar[str] = f"{Smooth.reference}; {SmoothRegression.reference}; {Boss.reference}"

    of: tuple[ScoredSearch, ...] = (Boss(score=Smooth()), Boss(score=DegenerateGaussian(arc_prior="sparse")))
    by: Score = SmoothRegression()

    def __post_init__(self) -> None:
        if not self.of:
            raise OptionError("option 'of' must name at least one search")

    @property
    def score(self) -> Score:
        return self.by

    learn = learn_by_solving

    def hasty(self, in_loop: bool = False) -> BestBy:
        """The same with hasty searches."""
        return replace(self, of=tuple(one.hasty(in_loop) if isinstance(one, Boss) else one for one in self.of))

    def solve(self, problem: Problem) -> Answer:
        found: list[Answer] = []
        for search in self.of:
            found.append(search.solve(replace(problem, bound=None, memory=None)))
            if found[-1].status == "stopped":
                break
        bound = problem.bind(self.by)
        totals = [-np.inf if answer.graph is None else _total(bound, answer.graph) for answer in found]
        best, trace = 0, list[TraceStep]()
        for k, (search, answer, score) in enumerate(zip(self.of, found, totals, strict=False)):
            said = f"network by {search.score.kind}"
            trace += [*answer.trace, TraceStep("judging", k + 1, said, score)]
            problem.monitor.report(Progress("judging", k + 1, score, said))
            if score > totals[best] + tolerance(score):
                best = k
        stopped = found[-1].status == "stopped"
        missed = [search.score.kind for search in self.of[len(found) :]]
        return Answer(
            graph=found[best].graph,
            score=totals[best] if np.isfinite(totals[best]) else None,
            trace=trace,
            counters=sum((answer.counters for answer in found), Counters()),
            status="stopped" if stopped else "converged",
            warnings=(
                *dict.fromkeys((*found[best].warnings, *bound.warnings)),
                *([f"stopped before the search by {', '.join(missed)} had begun"] if missed else []),
            ),
        )


def _total(bound: BoundScore, graph: Dag) -> float:
    def parents(v: int) -> Sequence[int]:
        return np.flatnonzero(graph.adjacency[:, v]).tolist()

    return sum(bound.local_score(v, parents(v)) for v in range(len(graph.names)))
