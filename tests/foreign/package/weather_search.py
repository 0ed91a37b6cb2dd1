"""A search as another package would write it, and a preset that puts it behind a discretizer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from weather_parts import Halves, RightGuesses

from arcwise import Dag, LearnResult
from arcwise.catalog import Method
from arcwise.data.dataset import Dataset
from arcwise.learners import TwoStage
from arcwise.parts.knowledge import NONE, Knowledge
from arcwise.parts.monitor import SILENT, Monitor
from arcwise.parts.protocols import Score
from arcwise.scores import BIC


@dataclass(frozen=True, kw_only=True)
class BestForest:
    """Each column gets at most one parent: the best of those before it in the alphabet."""

    kind: ClassVar[str] = "best-forest"
    reference: ClassVar[str] = "Weather 2026"
    score: Score = BIC()

    def learn(
        self,
        data: Dataset,
        *,
        rng: np.random.Generator,
        knowledge: Knowledge = NONE,
        monitor: Monitor = SILENT,
        start: Dag | None = None,
    ) -> LearnResult:
        columns = data.by_name()
        bound = self.score.bind(columns)
        edges, total = [], 0.0
        for child in range(columns.n_columns):
            alone = bound.local_score(child, [])
            scores = bound.local_scores(child, np.arange(child)[:, None])
            if child and scores.max() > alone:
                edges.append((columns.names[int(scores.argmax())], columns.names[child]))
            total += max([alone, *scores])
        dag = Dag(data.names, edges)
        return LearnResult(graph=dag, cpdag=dag.cpdag(), score=total)


FOREST_OF_HALVES = Method(
    name="forest-of-halves",
    family="discretize, then learn",
    accepts="continuous, discrete, mixed",
    paper="Weather 2026",
    summary="columns cut in halves, then a forest of right guesses",
    learner=TwoStage(discretizer=Halves(), search=BestForest(score=RightGuesses())),
)
