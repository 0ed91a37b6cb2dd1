"""Learning from a random sample of many rows, where a method looks at rows themselves; never without saying so."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import Dataset
from arcwise.data.rows.mapped import is_at_hand
from arcwise.errors import OptionError, check_least
from arcwise.learners.completed import completing
from arcwise.learners.draws import Draws
from arcwise.metrics import shd
from arcwise.parts.monitor import Progress
from arcwise.parts.protocols import (
    ALL_DISCRETE,
    ChoosingLearner,
    CuttingLearner,
    Discretizer,
    Learner,
    RowReader,
    ThresholdLearner,
    resolved,
)
from arcwise.problem import Answer, Problem, learn_by_solving
from arcwise.results.result import TraceStep
from arcwise.search import HillClimb
from arcwise.stats.row_sample import sample_of

SAMPLE_ROWS = 50_000  # what more bring is in docs/large-data.md
MOST_REPEATED = 1 << 24  # rows of a table in memory that weights may stand for where rows have to be repeated


@checked
@dataclass(frozen=True, kw_only=True)
class Sampled:
    """Learn with `learner` from some rows, drawn at random without replacement; smaller tables are learned whole.

    What can be learned from all rows is: where the learner found thresholds in the sample, all rows are cut there and
    its search learns the network anew from them; where it chose a method that needs no sample, that one does. The
    answer says which of this was done. rows: how many rows the sample has.
    """

    kind: ClassVar[str] = "sampled"
    reference: ClassVar[str] = ""
    takes_missing: ClassVar[bool] = True

    learner: Learner = HillClimb()
    rows: int = SAMPLE_ROWS

    def __post_init__(self) -> None:
        check_least(self, rows=2)
        if isinstance(self.learner, Sampled):
            raise OptionError("option 'learner' cannot be 'sampled' again; give it the learner inside")

    learn = learn_by_solving

    def solve(self, problem: Problem) -> Answer:
        data = problem.data
        learner = completing(self.learner, data, Draws())
        if data.n_rows <= self.rows:
            if data.elsewhere is None or row_reader(learner, data) is None:
                return learner.solve(problem)
            near = problem.on(data.take(np.arange(data.n_stored)))
            return learner.solve(replace(near, kept=problem.kept))
        sample = sample_of(data, self.rows, problem.rng.spawn(1)[0])
        found = learner.solve(replace(problem.on(sample), kept=problem.kept))
        chosen, drawn = found.chosen or learner, sample_words(self.rows, data)
        reader = row_reader(chosen, data)
        if reader is None and found.chosen is not None and found.status == "converged":
            return self._by_chosen(problem, found, f"the method was chosen by {drawn}")
        if reader is not None and isinstance(chosen, ThresholdLearner) and found.status == "converged":
            return self._with_thresholds(problem, chosen, found, f"thresholds were found in {drawn}")
        why = "as asked" if reader is None else why_sampled(reader, data)
        return replace(found, warnings=(f"learned from {drawn}, {why}", *found.warnings))

    def _by_chosen(self, problem: Problem, found: Answer, said: str) -> Answer:
        """What the method that was chosen learns from all rows."""
        assert found.chosen is not None
        again = found.chosen.solve(problem)
        return replace(
            again,
            trace=[*found.trace, *again.trace],
            counters=found.counters + again.counters,
            choice=found.choice,
            chosen=found.chosen,
            warnings=(said, *again.warnings),
        )

    def _with_thresholds(self, problem: Problem, chosen: ThresholdLearner, found: Answer, said: str) -> Answer:
        """The network of all rows with the thresholds of the sample."""
        assert found.discretization is not None
        n_rows = problem.data.n_rows
        problem.monitor.report(Progress("learning", message=f"from all {n_rows:,} rows"))
        cut = found.discretization.apply(problem.data)
        again = chosen.search.solve(replace(problem.on(cut), kept=problem.kept))
        if again.status != "converged":
            doubt = f"stopped before the network was learned from all {n_rows:,} rows: it is that of the sample"
            return replace(found, status="stopped", warnings=(doubt, said, *found.warnings))
        before, now = problem.pattern(found), problem.pattern(again)
        differing = shd(now, before)
        differ = (
            "no edge differs"
            if not differing
            else "1 edge differs"
            if differing == 1
            else f"{differing:,} edges differ"
        )
        checked_on = f"{said}; with them the network was learned from all rows: {differ} from the network of the sample"
        assert again.score is not None  # a search has one
        step = TraceStep("all rows", n_rows, differ, again.score)
        return replace(
            again,
            discretization=found.discretization,
            rounds=found.rounds,
            trace=[*found.trace, *again.trace, step],
            counters=found.counters + again.counters,
            choice=found.choice,
            chosen=found.chosen,
            warnings=(checked_on, *found.warnings, *(one for one in again.warnings if one not in found.warnings)),
        )


def sampling(learner: Learner, data: Dataset, rows: int | None = None, *, far: bool = False) -> Learner:
    """The learner, or one that learns from a sample for it: of so many rows, or where it must of as many as will do.

    far: the rows are about to go elsewhere.
    """
    check_sample(rows)
    far = far or data.elsewhere is not None
    must = (far or is_out_of_reach(data)) and row_reader(learner, data) is not None
    wanted = rows or SAMPLE_ROWS
    if isinstance(learner, Sampled) or not (must or rows) or (wanted >= data.n_rows and not (must and far)):
        return learner
    return Sampled(learner=learner, rows=wanted)


def check_sample(rows: int | None) -> None:
    """Refuse a sample that nothing can be learned from."""
    if rows is not None and rows < 2:
        raise OptionError(f"sample_rows must be a whole number from 2, not {rows}; leave it out for all rows")


def is_out_of_reach(data: Dataset) -> bool:
    """Whether the rows of a table are not to be read into memory: in files, elsewhere, or repeated by large weights."""
    if not is_at_hand(data):
        return True
    return data.weights is not None and data.n_rows > max(MOST_REPEATED, data.n_stored)


def table_sample(data: Dataset, rows: int | None, seed: int) -> tuple[Dataset, tuple[str, ...]]:
    """A table that can be read row by row, and what to say of it: a sample of so many rows, or where it must be."""
    check_sample(rows)
    wanted = rows if rows is not None else SAMPLE_ROWS if is_out_of_reach(data) else data.n_rows
    if wanted >= data.n_rows:
        return (data if data.elsewhere is None else data.take(np.arange(data.n_stored))), ()
    why = "as asked" if rows is not None else "since the table is too long to be read again and again"
    words = f"all of this is about {sample_words(wanted, data)}, {why}"
    return sample_of(data, wanted, np.random.default_rng(seed).spawn(1)[0]), (words,)


def sample_words(rows: int, data: Dataset) -> str:
    return f"a random sample of {rows:,} of {data.n_rows:,} rows"


def why_sampled(reader: Any, data: Dataset) -> str:
    """Why a part was given a sample."""
    if not data.is_complete:
        return "since missing cells are drawn row by row"
    if isinstance(reader, ChoosingLearner):
        return "since methods were compared row by row"
    if isinstance(reader, ThresholdLearner):
        return "since thresholds are sought among the rows themselves"
    return f"since {reader.kind} looks at the rows themselves"


def row_reader(learner: Learner, data: Dataset) -> Any | None:
    """What in a learner looks at the rows of such a table themselves; None: all it asks for are sums over them."""
    return learner if not data.is_complete else _reader(learner, data)


def _reader(part: Any, data: Dataset) -> Any | None:
    part = resolved(part, data)
    if isinstance(part, RowReader) and not part.reads_rows.isdisjoint(data.kinds):
        return part
    if isinstance(part, ChoosingLearner):
        among = part.among(data)
        return part if len(among) > 1 else _reader(among[0], data)
    cut = ALL_DISCRETE if isinstance(part, CuttingLearner) else data  # what is left for all but discretizers
    values = (getattr(part, option.name) for option in fields(part))
    inner = (one for value in values for one in (value if isinstance(value, tuple) else (value,)) if is_dataclass(one))
    found = (_reader(one, data if isinstance(one, Discretizer) else cut) for one in inner)
    return next((one for one in found if one is not None), None)
