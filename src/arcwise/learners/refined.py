"""Networks by quick scores, of which a better score takes the best one and mends it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, cast

import numpy as np

from arcwise.checking import checked
from arcwise.errors import OptionError
from arcwise.graph.dag import Dag
from arcwise.parts.monitor import Progress
from arcwise.parts.protocols import BoundScore, PatientLearner, Score, ScoredSearch, tolerance
from arcwise.problem import Answer, Problem, learn_by_solving
from arcwise.results.result import Counters, TraceStep
from arcwise.scores.copula import Copula
from arcwise.scores.smooth import Smooth
from arcwise.scores.smooth_regression import SmoothRegression
from arcwise.search.greedy.hill_climb import HillClimb
from arcwise.search.orders.boss import Boss
from arcwise.stats.threads import map_threads


@checked
@dataclass(frozen=True, kw_only=True)
class Refined:
    """Let each of the searches `of` find a network, each by a score of its own; the last search goes on from one.

    It begins with the network that its own score likes best, and may only delete and turn edges of it. For a likelihood
    that is too dear for a search from the empty graph, or whose search would end early, and quick scores that find
    neighbours but are too ready for more edges. Of networks that are tied the first counts. The trace tells how each of
    them did.
    """

    kind: ClassVar[str] = "refined"
    reference: ClassVar[str] = f"{Smooth.reference}; {SmoothRegression.reference}; {Boss.reference}"

    of: tuple[ScoredSearch, ...] = (Boss(score=Smooth()), Boss(score=Copula()))
    search: ScoredSearch = HillClimb(score=SmoothRegression())

    def __post_init__(self) -> None:
        if not self.of:
            raise OptionError("option 'of' must name at least one search")

    @property
    def score(self) -> Score:
        return self.search.score

    learn = learn_by_solving

    def hasty(self, in_loop: bool = False) -> Refined:
        """The same with less of the searches."""
        less = (one.hasty(in_loop) if isinstance(one, PatientLearner) else one for one in self.of)
        return replace(self, of=cast(tuple[ScoredSearch, ...], tuple(less)))

    def solve(self, problem: Problem) -> Answer:
        bound = problem.bind(self.score)
        found: list[Answer] = []
        trace: list[TraceStep] = []
        best, most = 0, -np.inf
        for k, search in enumerate(self.of):
            answer = search.solve(replace(problem, bound=None, memory=None))
            found.append(answer)
            trace += answer.trace
            if answer.graph is not None:
                score, said = _total(bound, answer.graph), f"by {search.score.kind}"
                trace.append(TraceStep("network", k + 1, said, score))
                problem.monitor.report(Progress("network", k + 1, score, said))
                if score > most + tolerance(score):
                    best, most = k, score
            if answer.status == "stopped":
                left = [one.score.kind for one in self.of[k + 1 :]]
                before = f"the searches by {', '.join(left)}" if left else "edges were looked at again"
                return replace(
                    found[best],
                    score=most if np.isfinite(most) else None,
                    trace=trace,
                    counters=sum((one.counters for one in found), Counters()),
                    status="stopped",
                    warnings=(*found[best].warnings, f"stopped before {before}"),
                )
        start = found[best].graph
        assert start is not None  # a search has one
        edges = start.adjacency | start.adjacency.T
        last = self.search.solve(replace(problem.among(edges), start=start, memory=None).scored(self.score, bound))
        return replace(
            last,
            trace=(*trace, *last.trace),
            counters=sum((one.counters for one in found), last.counters),
            warnings=tuple(dict.fromkeys((*found[best].warnings, *last.warnings))),
        )


def _total(bound: BoundScore, graph: Dag) -> float:
    adj = graph.adjacency
    return sum(map_threads(lambda v: bound.local_score(v, np.flatnonzero(adj[:, v]).tolist()), range(len(adj))))
