"""A search as another package would write it, and a preset that puts it behind a discretizer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from weather_parts import Halves, RightGuesses

from arcwise import Dag
from arcwise.catalog import Method
from arcwise.learners import TwoStage
from arcwise.parts.protocols import Score
from arcwise.problem import Answer, Problem
from arcwise.scores import BIC


@dataclass(frozen=True, kw_only=True)
class BestForest:
    """Each column gets at most one parent: the best of those before it in the alphabet."""

    kind: ClassVar[str] = "best-forest"
    reference: ClassVar[str] = "Weather 2026"
    score: Score = BIC()

    def solve(self, problem: Problem) -> Answer:
        bound, edges, total = problem.bind(self.score), [], 0.0
        for child, name in enumerate(problem.names):
            alone = bound.local_score(child, [])
            scores = bound.local_scores(child, np.arange(child)[:, None])
            if child and scores.max() > alone:
                edges.append((problem.names[int(scores.argmax())], name))
            total += max([alone, *scores])
        return Answer(graph=Dag(problem.names, edges), score=total)


FOREST_OF_HALVES = Method(
    name="forest-of-halves",
    family="discretize, then learn",
    accepts="continuous, discrete, mixed",
    paper="Weather 2026",
    summary="columns cut in halves, then a forest of right guesses",
    learner=TwoStage(discretizer=Halves(), search=BestForest(score=RightGuesses())),
)
