"""Several methods, and the network of the one that predicts unseen rows best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.reading.door import takes_table
from arcwise.errors import OptionError, check_least, check_positive
from arcwise.judging.columns import most_related
from arcwise.judging.folds import Folds
from arcwise.judging.racing import Heat, Runner, leader, race, standing
from arcwise.learners.completed import completing
from arcwise.learners.draws import Draws
from arcwise.learners.integrated import Integrated
from arcwise.parts.monitor import Progress, with_deadline
from arcwise.parts.protocols import Learner
from arcwise.parts.spec import members, to_spec
from arcwise.problem import Answer, Problem, learn_by_solving
from arcwise.results.choice import Choice
from arcwise.results.result import TraceStep
from arcwise.scores.dirichlet import BDeu
from arcwise.scores.suited import Suited
from arcwise.search.orders.boss import Boss

FIRST_LOOK = 4.0  # standard errors: a method may do badly with few rows and well with many


@checked
@dataclass(frozen=True, kw_only=True)
class Automatic:
    """Judge the candidates by the held-out density of the values, and learn from all rows with the best of them.

    They race: first each learns from some rows, then fold after fold is predicted from the others, and those far behind
    the best are dropped. levels: the candidates for tables without continuous columns. folds: parts of the table, each
    predicted from the others. look: rows of the first look. rows: most rows that the race learns from, and that it
    predicts in a fold. columns: most columns, those that are most related. errors: standard errors, by pairs of rows,
    behind the best at which a candidate is dropped (4 in the first look).
    budget: seconds for the race, after which the best so far wins; then the answer may depend on the machine.
    draws: how missing cells are drawn.
    """

    kind: ClassVar[str] = "automatic"  # "auto" is what a loop may start from
    reference: ClassVar[str] = "Stone 1974; Maron and Moore 1994"
    takes_missing: ClassVar[bool] = True
    cuts_columns: ClassVar[bool] = True

    candidates: tuple[Learner, ...] = (Boss(score=Suited()), Integrated())
    levels: tuple[Learner, ...] = (Boss(score=BDeu(arc_prior="sparse")),)
    folds: int = 5
    look: int = 500
    rows: int = 5000
    columns: int = 60
    errors: float = 3.0
    budget: float | None = None
    draws: Draws = Draws()

    def __post_init__(self) -> None:
        check_least(self, folds=2, look=10, rows=10, columns=2)
        check_positive(self, "errors", "budget")
        for name in ("candidates", "levels"):
            if not getattr(self, name):
                raise OptionError(f"option {name!r} must name at least one method")
            for one in getattr(self, name):
                if isinstance(one, Automatic):
                    raise OptionError(f"option {name!r} cannot have 'auto' among its methods")

    learn = learn_by_solving

    def solve(self, problem: Problem) -> Answer:
        runners, winner = self._raced(problem)
        return self._answer(problem, runners, winner)

    def choose(self, problem: Problem) -> Learner:
        return self._raced(problem)[1].learner

    @takes_table
    def among(self, data: Dataset) -> tuple[Learner, ...]:
        return self.levels if all(kind is Kind.DISCRETE for kind in data.kinds) else self.candidates

    def _raced(self, problem: Problem) -> tuple[Sequence[Runner], Runner]:
        """All that were in the race, and the winner."""
        data = problem.data
        runners = [
            Runner(name, completing(one, data, self.draws), to_spec(one))
            for name, one in members(self.among(data)).items()
        ]
        if len(runners) == 1 or data.n_rows < 2:
            return runners, runners[0]
        seed = int(problem.rng.spawn(1)[0].integers(2**31))  # the winner learns with the numbers that it has alone
        folds = Folds.of(data, min(self.folds, data.n_rows), seed)
        judging = problem
        if self._is_wide(data):
            judging = problem.part(most_related(folds, self.columns, seed))
            folds = Folds.of(judging.data, folds.n, seed)
        if self.budget is not None:
            judging = replace(judging, monitor=with_deadline(problem.monitor, self.budget))
        race(runners, judging, folds, self._heats(folds), seed)
        standby = next((one for one in runners if one.runs), runners[0])  # where none was judged
        return runners, leader(runners) or standby

    def _is_wide(self, data: Dataset) -> bool:
        """Whether the race looks at some of the columns only."""
        return self.columns < data.n_columns

    def _heats(self, folds: Folds) -> list[Heat]:
        n_train = min(folds.table.n_rows - len(folds.held_out(0)), self.rows)
        look = [Heat(0, self.look, self.rows, FIRST_LOOK, first=True)] if n_train >= 2 * self.look else []
        return [*look, *(Heat(k, self.rows, self.rows, self.errors) for k in range(folds.n))]

    def _answer(self, problem: Problem, runners: Sequence[Runner], winner: Runner) -> Answer:
        """What the winner learns from all rows; where there is no time for that, what it learned last from some."""
        tried = standing(runners, winner)
        trace = [
            TraceStep("judging", one.folds, f"{one.name} {one.fate}", one.density)
            for one in tried
            if one.density is not None
        ]
        last, part = winner.last, self._is_wide(problem.data)
        if last is not None and not part and problem.monitor.should_stop():
            doubt = "stopped while methods were judged: this was learned from a part of the rows"
            found = replace(last.answer, status="stopped", completion=None, warnings=(doubt,))
        else:
            problem.monitor.report(Progress("learning", message=f"with {winner.name}"))
            found = winner.learner.solve(problem.starting(problem.start) if problem.start else problem)
        judged = [trial for one in runners for trial in (one.look, *one.trials) if trial is not None]
        return replace(
            found,
            trace=[*trace, *found.trace],
            counters=sum((trial.answer.counters for trial in judged), found.counters),
            choice=Choice(tried, self.columns if part and len(tried) > 1 else None),
            chosen=winner.learner,
        )
