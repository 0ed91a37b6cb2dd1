"""Learning on a cluster, with what was found until then should the cluster be lost on the way.

A search cannot go on without rows, and does not know how to end without them. But it can be stopped whenever it asks
whether to, and it takes the same way again when it is given the same answers: these were kept. So the way is gone again
without the cluster, and stopped where the search last asked before it was lost: what comes out is what a deadline would
have given there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from arcwise.errors import ClusterError
from arcwise.parts.monitor import SILENT, Calling, Monitor, StopWhen, listens
from arcwise.parts.protocols import Learner
from arcwise.problem import Answer, Problem, result
from arcwise.results.result import LearnResult
from arcwise.running.library import Stopped


def learned(
    learner: Learner, begin: Callable[[Monitor], Problem], monitor: Monitor, names: tuple[str, ...]
) -> tuple[Answer, LearnResult]:
    """What the learner finds. begin: the problem from its beginning, random numbers, too. names: order of columns."""
    turns = _Turns()
    problem = begin(StopWhen(monitor, turns.passed))
    try:
        answer = learner.solve(problem)
    except ClusterError as error:
        problem, answer = _again(learner, begin, listens(monitor), turns.count, error)
    try:
        return answer, result(problem, answer, names, learner)
    except ClusterError as error:  # what it was to be asked afterwards is left out
        told = f"{error}; the graph is finished, but not what each edge adds to the score"
        found = result(replace(problem, kept=None), answer, names, learner)
        return answer, replace(found, warnings=(*found.warnings, told))


def _again(
    learner: Learner, begin: Callable[[Monitor], Problem], told: bool, last: int, error: ClusterError
) -> tuple[Problem, Answer]:
    """told: whether somebody listens, since a search then asks more often whether to stop."""
    turns = _Turns(last)
    problem = begin(StopWhen(Calling(lambda progress: None) if told else SILENT, turns.passed))
    problem = replace(problem, kept=None)
    try:
        answer = learner.solve(problem) if last else None
    except ClusterError:
        answer = None
    if answer is None and isinstance(error, Stopped):
        nothing = np.zeros((len(problem.names), len(problem.names)), dtype=np.bool_)
        return problem, Answer(graph=problem.dag(nothing), status="unanswered")
    if answer is None:
        raise ClusterError(f"{error}; nothing was found until then") from error
    told_words = f"{error}; this is what was found until then"
    return problem, replace(answer, status="stopped", warnings=(*answer.warnings, told_words))


@dataclass
class _Turns:
    """Counts how often it was asked whether to stop, and says yes at the `last` time."""

    last: int | None = None
    count: int = 0

    def passed(self) -> bool:
        self.count += 1
        return self.last is not None and self.count >= self.last
