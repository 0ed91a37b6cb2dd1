"""Learning from draws of hidden cells: fill them, learn, and again; what most draws say is the answer.

Data augmentation (Tanner and Wong 1987) with a learner in it, where structural EM (Friedman 1998) has expectations.
The network that cells are drawn from is a generous one, with more edges than the rows prove: what a strict one leaves
out would be left out of the draws, too, and could never come back.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar, Protocol, runtime_checkable

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import Dataset
from arcwise.data.filled import FilledColumn
from arcwise.errors import OptionError, check_least
from arcwise.graph.pdag import Pdag
from arcwise.parts.monitor import Progress, Within
from arcwise.parts.protocols import (
    BoundScore,
    CuttingLearner,
    Learner,
    Score,
    ScoredSearch,
    tolerance,
)
from arcwise.printing import counted
from arcwise.problem import Answer, Memory, Problem
from arcwise.results.completion import Completion
from arcwise.results.result import Counters, TraceStep
from arcwise.results.strengths import Strengths
from arcwise.scores.dirichlet import BDeu
from arcwise.search.orders.boss import Boss

GENEROUS = 10.0  # equivalent sample size with which weak edges are kept


@checked
@dataclass(frozen=True, kw_only=True)
class Draws:
    """How hidden cells are drawn, and how often.

    search: finds the network of levels that they are drawn from. sweeps: how often each cell is drawn between two
    networks. burn_in: rounds before the first draw that is learned from. least: fewest draws that are learned
    from. most: most of them, where they do not settle before. settled: how much the shares of edges in their first and
    second half may differ then, on average.
    """

    kind: ClassVar[str] = "draws"

    search: ScoredSearch = Boss(score=BDeu(ess=GENEROUS), restarts=0, backward=False)
    sweeps: int = 3
    burn_in: int = 10
    least: int = 8
    most: int = 24
    settled: float = 0.15

    def __post_init__(self) -> None:
        check_least(self, sweeps=1, burn_in=0, least=1, most=1)
        if self.most < self.least:
            raise OptionError(f"option 'most' must be at least {self.least}, as option 'least' is, not {self.most}")
        if not 0.0 <= self.settled <= 1.0:
            raise OptionError(f"option 'settled' must be a number from 0 to 1, not {self.settled!r}")


@runtime_checkable
class DrawingLearner(Learner, Protocol):
    """A learner that draws what is hidden."""

    draws: Draws

    def drawing(self, graphs: int) -> Learner:
        """The same that learns from just so many draws."""
        ...


def just(draws: Draws, graphs: int) -> Draws:
    """The same, for so many draws that are learned from."""
    return replace(draws, least=graphs, most=graphs)


class Filler(Protocol):
    """A table while its hidden cells are drawn."""

    def draw(self, rng: np.random.Generator) -> int:
        """Draw them anew, given what they are; how many changed."""
        ...

    def table(self) -> Dataset:
        """The table with the cells as they were drawn last. Columns without hidden cells are always the same."""
        ...

    def keep(self) -> None:
        """Let the last draw count for `columns`."""
        ...

    def columns(self) -> tuple[FilledColumn, ...]:
        """What the missing cells are, by the draws that count."""
        ...


def paced(problem: Problem) -> Problem:
    """The problem of a loop, for its filler, too: whatever runs in it reports how far the loop is."""
    return problem if isinstance(problem.monitor, Within) else replace(problem, monitor=Within.of(problem.monitor))


def learn_from_draws(draws: Draws, filler: Filler, learner: Learner, problem: Problem) -> Answer:
    """The graph that stands for those learned from the draws: see `Judged.best`."""
    return _Loop(draws, filler, learner, paced(problem)).run()


@dataclass(slots=True, eq=False)
class Judged:
    """The answers that were learned, each from another draw."""

    score: Score | None  # that of the learner, if it scores the table as it is
    answers: list[Answer] = field(default_factory=list)
    patterns: list[Pdag] = field(default_factory=list)
    bounds: list[BoundScore] = field(default_factory=list)
    _means: dict[tuple[int, tuple[int, ...]], float] = field(default_factory=dict)

    def unsettled(self) -> float:
        """The mean difference between the shares of edges in the first and in the second half."""
        half = len(self.patterns) // 2
        if not half:
            return 1.0
        first, second = (Strengths.of(some).adjacent for some in (self.patterns[:half], self.patterns[half:]))
        some = np.triu(first + second) > 0
        return float(np.abs(first - second)[some].mean()) if some.any() else 0.0

    def best(self) -> int:
        """The one to show: the highest mean score over the draws, or without a score the most typical."""
        if self.score is not None and len(self.answers) > 1:
            means = [self._mean_score(answer) for answer in self.answers]
            top = max(means)
            return next(i for i, mean in enumerate(means) if mean >= top - tolerance(top))
        strengths = Strengths.of(self.patterns)
        distances = [_distance(pattern, strengths) for pattern in self.patterns]
        return int(np.argmin(distances))

    def _mean_score(self, answer: Answer) -> float:
        if answer.graph is None:
            return -np.inf
        families = enumerate(tuple(parents.nonzero()[0].tolist()) for parents in answer.graph.adjacency.T)
        return sum(self._family(child, parents) for child, parents in families)

    def _family(self, child: int, parents: tuple[int, ...]) -> float:
        """The mean score of a family over the draws; most graphs share most of theirs."""
        if (child, parents) not in self._means:
            scores = [bound.local_score(child, parents) for bound in self.bounds]
            self._means[child, parents] = sum(scores) / len(scores)
        return self._means[child, parents]


def _distance(pattern: Pdag, strengths: Strengths) -> float:
    """How far a pattern is from what the others say, over all pairs: neighbours or not, and directions."""
    edges = np.abs(pattern.adjacency - strengths.adjacent).sum() / 2
    return float(edges + np.abs(pattern.directed_matrix - strengths.directed).sum())


class _Loop:
    def __init__(self, draws: Draws, filler: Filler, learner: Learner, problem: Problem) -> None:
        self.draws, self.filler, self.learner, self.problem = draws, filler, learner, problem
        scored = isinstance(learner, ScoredSearch) and not isinstance(learner, CuttingLearner)
        self.judged = Judged(learner.score if scored else None)  # type: ignore[attr-defined]
        self.memory = Memory()
        self.counters = Counters()
        self.trace: list[TraceStep] = []
        self.stopped = False

    def run(self) -> Answer:
        draws, judged = self.draws, self.judged
        for turn in range(draws.burn_in):
            if self._draw("filling", turn + 1):
                break
        settled = False
        while not judged.answers or not (settled or self.stopped or len(judged.answers) >= draws.most):
            if not self.stopped and self._draw("drawing", len(judged.answers) + 1) and judged.answers:
                break
            self._learn()
            done = len(judged.answers)
            settled = done >= draws.least and judged.unsettled() <= draws.settled
        return self._answer(settled)

    def _draw(self, phase: str, turn: int) -> bool:
        """One more draw; whether to stop."""
        changed = self.filler.draw(self.problem.rng)
        action = f"{counted(changed, 'cell')} drawn anew"
        before, monitor = self.draws.burn_in if phase == "drawing" else 0, self.problem.monitor
        assert isinstance(monitor, Within)  # see `paced`
        monitor.pace.reach((before + turn - 1) / (self.draws.burn_in + self.draws.most))
        monitor.report(Progress(phase, turn, message=action))
        self.stopped = self.stopped or monitor.should_stop()
        return self.stopped

    def _learn(self) -> None:
        judged, problem = self.judged, self.problem.on(self.filler.table(), self.memory)
        if judged.score is not None:
            bound = problem.bind(judged.score)
            problem = problem.scored(judged.score, bound)
            if len(judged.bounds) < self.draws.least:  # each keeps a table: not more than it takes
                judged.bounds.append(bound)
        answer = self.learner.solve(problem)
        self.counters += answer.counters
        self.stopped = self.stopped or answer.status != "converged"
        if answer.status != "converged" and judged.answers:
            return  # half an answer says less than those before
        judged.answers.append(answer)
        judged.patterns.append(problem.pattern(answer))
        self.filler.keep()
        n_edges = judged.patterns[-1].n_edges
        score = float(n_edges) if answer.score is None else answer.score
        self.trace.append(TraceStep("draw", len(judged.answers), counted(n_edges, "edge"), score))

    def _answer(self, settled: bool) -> Answer:
        judged = self.judged
        best = judged.answers[judged.best()]
        warnings = list(best.warnings)
        if not settled and not self.stopped:
            warnings.append(
                f"after {len(judged.answers)} draws of the hidden cells the shares of edges still differ by "
                f"{judged.unsettled():.2f} between their halves; raise draws.most"
            )
        if self.stopped:
            warnings.append(f"stopped after {counted(len(judged.answers), 'draw')} of the hidden cells")
        return replace(
            best,
            trace=self.trace,
            counters=self.counters,
            status="stopped" if self.stopped and best.status == "converged" else best.status,
            warnings=warnings,
            completion=Completion(Strengths.of(judged.patterns), self.filler.columns()),
        )
