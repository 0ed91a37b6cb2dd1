"""Learning from tables with missing cells, whatever the method."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, ClassVar

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, IntArray, Kind
from arcwise.data.row_order import sorted_rows
from arcwise.errors import OptionError
from arcwise.learners.draws import Draws, Filler, just, learn_from_draws, paced
from arcwise.parts.protocols import (
    CuttingLearner,
    IncompleteLearner,
    IndependenceTest,
    Learner,
    LinearPart,
    Score,
    resolved,
)
from arcwise.problem import Answer, Problem, learn_by_solving
from arcwise.scores.dirichlet import BDeu
from arcwise.scores.suited import Suited
from arcwise.search.orders.boss import Boss


@checked
@dataclass(frozen=True, kw_only=True)
class Completed:
    """Fill the missing cells with draws, learn with `learner`, and again: see `Draws`.

    Cells are missing at random: whether a cell is missing may depend on what was recorded, not on what it would have
    been. Levels are drawn from a network of levels, with continuous columns cut into equally frequent ones and
    numbers drawn from those recorded in a level; where the learner assumes linear relations, numbers are drawn from
    conditional normal densities instead. A complete table is learned from as it is.
    """

    kind: ClassVar[str] = "completed"
    reference: ClassVar[str] = "Tanner and Wong 1987; Friedman 1998"
    takes_missing: ClassVar[bool] = True

    learner: Learner = Boss(score=Suited(discrete=BDeu(arc_prior="sparse")))
    draws: Draws = Draws()

    def __post_init__(self) -> None:
        if isinstance(self.learner, IncompleteLearner):
            raise OptionError(f"option 'learner' cannot be {self.learner.kind!r}, which takes missing cells itself")

    learn = learn_by_solving

    def drawing(self, graphs: int) -> Completed:
        return replace(self, draws=just(self.draws, graphs))

    def solve(self, problem: Problem) -> Answer:
        if problem.data.is_complete:
            return self.learner.solve(problem)
        whole = problem.data.repeated()
        order = sorted_rows(whole)
        inner = paced(problem.on(whole.take(order)))
        return learn_from_draws(self.draws, self._filler(inner, order), self.learner, inner)

    def _filler(self, problem: Problem, order: IntArray) -> Filler:
        from arcwise.learners.filling.levels import LevelFiller  # they bring the compiled kernels along
        from arcwise.learners.filling.normal import NormalFiller

        numbers = [column for column in problem.data.columns if column.kind is Kind.CONTINUOUS]
        if not is_linear(self.learner, problem.data) or all(column.missing is None for column in numbers):
            return LevelFiller(problem, self.draws, order)
        normal = NormalFiller(problem, self.draws, order)
        gaps = any(column.missing is not None and column.levels for column in problem.data.columns)
        return LevelFiller(problem, self.draws, order, normal) if gaps else normal


def completing(learner: Learner, data: Dataset, draws: Draws) -> Learner:
    """The learner, or where cells are missing and it does not take them one that fills them with draws for it."""
    if data.is_complete or isinstance(learner, IncompleteLearner):
        return learner
    return Completed(learner=learner, draws=draws)


def is_linear(learner: Learner, data: Dataset) -> bool:
    """Whether every score and test that the learner asks about these columns assumes linear relations."""
    asked = [resolved(part, data) for part in _asked(learner)]
    return not isinstance(learner, CuttingLearner) and bool(asked) and all(isinstance(one, LinearPart) for one in asked)


def _asked(part: Any) -> Iterator[Score | IndependenceTest]:
    """The scores and tests in a part, but not those that they stand for."""
    for option in fields(part):
        value = getattr(part, option.name)
        for inner in value if isinstance(value, tuple) else (value,):
            if isinstance(inner, Score | IndependenceTest):
                yield inner
            elif is_dataclass(inner):
                yield from _asked(inner)
