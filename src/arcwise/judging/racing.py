"""Several methods judged fold after fold; those that are behind by more than chance are dropped on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf, isfinite
from typing import Any

import numpy as np

from arcwise.data.dataset import FloatArray
from arcwise.errors import ArcwiseError
from arcwise.judging.folds import Folds
from arcwise.judging.held_out import Trial, judge
from arcwise.judging.paired import difference, estimate, worse
from arcwise.parts.monitor import Progress, Within
from arcwise.parts.protocols import Learner
from arcwise.problem import Problem
from arcwise.results.choice import Fate, Tried

ORDER: dict[Fate, int] = {"won": 0, "lost": 1, "dropped": 1, "untried": 2, "failed": 3}  # of the places


@dataclass(slots=True, eq=False)
class Runner:
    """A learner in a race. look: what it made of the first look, if there was one; trials: of the folds."""

    name: str
    learner: Learner
    spec: Mapping[str, Any]
    look: Trial | None = None
    trials: list[Trial] = field(default_factory=list)
    fate: Fate = "untried"
    reason: str = ""

    @property
    def runs(self) -> bool:
        return self.fate in ("untried", "lost")

    @property
    def last(self) -> Trial | None:
        """What it learned last."""
        return self.trials[-1] if self.trials else self.look

    def densities(self, folds: int) -> FloatArray:
        """Of the rows of the first so many folds; 0: of those of the first look."""
        seen = self.trials[:folds] if folds else [self.look] if self.look else []
        return np.concatenate([trial.densities for trial in seen]) if seen else np.empty(0)


@dataclass(frozen=True, slots=True)
class Heat:
    """One look at all that still run: at most `foretold` rows of fold k from at most `learned` others.

    errors: by how many standard errors one must be behind to be dropped. first: a look that does not count later.
    """

    k: int
    learned: int
    foretold: int
    errors: float
    first: bool = False


def race(runners: Sequence[Runner], problem: Problem, folds: Folds, heats: Sequence[Heat], seed: int) -> bool:
    """Run the heats while two or more are in the race; False where it was broken off."""
    within = Within.of(problem.monitor)
    inner = replace(problem, monitor=within)
    for turn, heat in enumerate(heats):
        still = [one for one in runners if one.runs]
        if len(still) < 2:
            return True
        for i, one in enumerate(still):
            within.pace.reach((turn + i / len(still)) / len(heats))
            within.report(Progress("judging", turn + 1, message=one.name))
            if problem.monitor.should_stop() or not _judged(one, inner, folds, heat, seed):
                return False
        _drop([one for one in still if one.runs], heat)
    return True


def _judged(one: Runner, problem: Problem, folds: Folds, heat: Heat, seed: int) -> bool:
    """Judge one in one heat; False where that was broken off."""
    try:
        trial = judge(one.learner, problem, folds, heat.k, seed, heat.learned, heat.foretold)
    except ArcwiseError as error:
        one.fate, one.reason = "failed", str(error)
        return True
    if trial.stopped:
        return False
    one.fate = "lost"  # until it wins
    if heat.first:
        one.look = trial
    else:
        one.trials.append(trial)
    return True


def _drop(runners: Sequence[Runner], heat: Heat) -> None:
    """Those that are behind the best by more than chance."""
    best = leader(runners)
    for one in runners:
        folds = len(one.trials)
        if best is not None and worse(difference(one.densities(folds), best.densities(folds)), heat.errors):
            one.fate = "dropped"


def leader(runners: Sequence[Runner]) -> Runner | None:
    """Of those that run, the one with the highest mean over the folds that all of them have; of equal ones the first.

    None: not one of them was judged.
    """
    judged = [one for one in runners if one.runs and one.last is not None]
    if any(one.trials for one in judged):
        judged = [one for one in judged if one.trials]
    folds = min((len(one.trials) for one in judged), default=0)
    return max(judged, key=lambda one: estimate(one.densities(folds)).mean, default=None)


def standing(runners: Sequence[Runner], winner: Runner) -> tuple[Tried, ...]:
    """All of them, the winner first, then by how far they are behind it."""
    tried = [_tried(one, winner) for one in runners if one is not winner]
    tried.sort(key=lambda one: (ORDER[one.fate], inf if one.gap is None else one.gap, one.impossible))
    return (_tried(winner, winner), *tried)


def _tried(one: Runner, winner: Runner) -> Tried:
    fate: Fate = "won" if one is winner and one.last else one.fate
    own, shared = len(one.trials), min(len(one.trials), len(winner.trials))
    rows = one.densities(own)
    if not len(rows):
        return Tried(one.name, fate, reason=one.reason, spec=one.spec)
    mean, error = estimate(rows)
    gap, gap_error = difference(winner.densities(shared), one.densities(shared))
    return Tried(
        one.name,
        fate,
        folds=own,
        density=_finite(mean),
        error=_finite(error),
        gap=_finite(gap),
        gap_error=_finite(gap_error),
        impossible=int(np.isneginf(rows).sum()),
        reason=one.reason,
        spec=one.spec,
    )


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None
