"""Several methods on one table: each learns from all rows, and predicts fold after fold from the others.

Both are pieces of work of their own (see `running`), so that they run side by side and what is finished is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.metadata import version
from math import isfinite
from typing import Any

import numpy as np

from arcwise.compiling import clock
from arcwise.data.dataset import Dataset, FloatArray
from arcwise.data.digest import digest
from arcwise.errors import ArcwiseError
from arcwise.graph.pdag import Pdag
from arcwise.judging.advice import recommend
from arcwise.judging.folds import Folds
from arcwise.judging.held_out import constant_columns, judge
from arcwise.judging.paired import difference, estimate
from arcwise.parts.knowledge import Knowledge
from arcwise.parts.monitor import Monitor, with_deadline
from arcwise.parts.protocols import Learner
from arcwise.parts.spec import to_spec
from arcwise.printing import counted, duration, listed
from arcwise.problem import Problem, result, status_of, table_doubts
from arcwise.results.comparison import Compared, Comparison, Gap, Standing
from arcwise.running import Finished, Stopped, Store, run
from arcwise.scores.kgv import KGV
from arcwise.scores.total import total

FEW = 20  # rows
SKELETON = "its edges have no directions, so there is no density"


@dataclass(frozen=True, eq=False)
class Contest:
    """What all pieces share. learners: by the names of the methods."""

    data: Dataset
    learners: Mapping[str, Learner]
    knowledge: Knowledge
    folds: int
    seed: int


def what(contest: Contest) -> dict[str, Any]:
    """All that the pieces depend on, plain: for the store."""
    methods = {name: to_spec(learner) for name, learner in contest.learners.items()}
    known = contest.knowledge.to_dict()
    return {
        "comparison of": methods,
        "arcwise": version("arcwise"),
        "data": digest(Folds.of(contest.data, contest.folds, contest.seed).table),
        "knowledge": known,
        "folds": contest.folds,
        "seed": contest.seed,
    }


@dataclass(frozen=True, slots=True)
class Ways:
    """How the pieces are run: see `running.run`. budget: seconds for all of them; None: as long as it takes."""

    monitor: Monitor
    budget: float | None = None
    workers: int | None = None
    scheduler: Any = None
    store: Store | None = None


def compare(contest: Contest, ways: Ways) -> Comparison:
    """Learn with every method, judge those that have a density, the quickest first, and say which to take."""
    began = clock()
    monitor = ways.monitor if ways.budget is None else with_deadline(ways.monitor, ways.budget)
    share = None if ways.budget is None else ways.budget / len(contest.learners)
    limit = "" if share is None else f", at most {share:g} s"
    keys = {name: f"{name}: all rows{limit}" for name in contest.learners}
    tasks = {key: {"method": name, "limit": share} for name, key in keys.items()}
    whole = _run(learn_piece, contest, tasks, ways, monitor, "learning")
    graphs = {name: whole.results[key] for name, key in keys.items() if key in whole.results}
    failures = {name: whole.failures[key] for name, key in keys.items() if key in whole.failures}
    ready = [name for name, found in graphs.items() if found["status"] == "converged" and not found["skeleton"]]
    ready.sort(key=lambda name: graphs[name]["seconds"])
    trials = {(name, k): f"{name}: fold {k + 1}" for name in ready for k in range(contest.folds)}
    tasks = {key: {"method": name, "fold": k} for (name, k), key in trials.items()}
    judged = _run(judge_piece, contest, tasks, ways, monitor, "judging")
    densities: dict[str, dict[int, FloatArray]] = {}
    for (name, k), key in trials.items():
        if key in judged.results:
            rows = [-np.inf if value is None else value for value in judged.results[key]["densities"]]
            densities.setdefault(name, {})[k] = np.array(rows)
        elif key in judged.failures:
            failures.setdefault(name, f"{judged.failures[key]} (fold {k + 1})")
    found = [
        _row(name, contest, graphs.get(name), densities.get(name, {}), failures.get(name)) for name in contest.learners
    ]
    return _comparison(contest, found, densities, whole.stopped or judged.stopped, began)


def _run(piece: Any, contest: Contest, tasks: Mapping[str, Any], ways: Ways, monitor: Monitor, phase: str) -> Finished:
    return run(
        piece,
        contest,
        tasks,
        workers=ways.workers,
        scheduler=ways.scheduler,
        store=ways.store,
        monitor=monitor,
        phase=phase,
    )


def learn_piece(contest: Contest, task: Mapping[str, Any], monitor: Monitor) -> dict[str, Any]:
    """The graph that a method learns from all rows, or as much of it as it finds within its limit."""
    learner, limit = contest.learners[task["method"]], task["limit"]
    _load(learner, contest, monitor)
    began = clock()
    watcher = monitor if limit is None else with_deadline(monitor, limit)
    rng = np.random.default_rng(contest.seed)  # as `arcwise.learn` does
    problem = Problem.of(contest.data, rng=rng, knowledge=contest.knowledge, monitor=watcher)
    found = result(problem, learner.solve(problem), contest.data.names, learner)
    found = replace(found, status=status_of(found, learner))
    if monitor.should_stop() and found.status != "converged":
        raise Stopped
    seconds = clock() - began
    complete = contest.data.is_complete and not found.only_skeleton
    return {
        "pattern": found.cpdag.to_dict(),
        "status": found.status,
        "skeleton": found.only_skeleton,
        "kgv": total(KGV(), found.dag(), contest.data) if complete else None,
        "seconds": seconds,
    }


def _load(learner: Learner, contest: Contest, monitor: Monitor) -> None:
    """Learn from a few rows, so that modules and kernels are loaded: the first to need them would pay for others."""
    few = contest.data.take(slice(FEW))
    problem = Problem.of(few, rng=np.random.default_rng(0), knowledge=contest.knowledge, monitor=monitor)
    with suppress(ArcwiseError):  # what is wrong is told of all rows
        learner.solve(problem)


def judge_piece(contest: Contest, task: Mapping[str, Any], monitor: Monitor) -> dict[str, Any]:
    """The densities of the rows of one fold; None for minus infinity."""
    problem = Problem.of(contest.data, rng=np.random.default_rng(), knowledge=contest.knowledge, monitor=monitor)
    folds = Folds.of(contest.data, contest.folds, contest.seed)
    trial = judge(contest.learners[task["method"]], problem, folds, task["fold"], contest.seed)
    if trial.stopped:
        raise Stopped
    return {"densities": [value if isfinite(value) else None for value in trial.densities.tolist()]}


def _row(
    name: str,
    contest: Contest,
    graph: Mapping[str, Any] | None,
    densities: Mapping[int, FloatArray],
    failure: str | None,
) -> Compared:
    pattern = None if graph is None or graph["status"] == "unanswered" else Pdag.from_dict(graph["pattern"])
    standing: Standing = "judged" if len(densities) == contest.folds else "unfinished"
    reason = ""
    if failure is not None:
        standing, reason = "failed", failure
    elif graph is None or graph["status"] != "converged":
        reason = "not ready within its time" if graph is None else f"stopped after {duration(graph['seconds'])}"
    elif graph["skeleton"]:
        standing, reason = "graph", SKELETON
    elif standing == "unfinished":
        reason = f"judged in {len(densities)} of {counted(contest.folds, 'fold')} when the time was over"
    rows = np.concatenate(list(densities.values())) if densities else np.empty(0)
    mean, error = estimate(rows)
    told = standing in ("judged", "unfinished")  # of one that failed in a fold the others say little
    return Compared(
        name,
        standing,
        folds=len(densities),
        density=_finite(mean) if told else None,
        error=_finite(error) if told else None,
        impossible=int(np.isneginf(rows).sum()),
        edges=None if pattern is None else pattern.n_edges,
        kgv=None if graph is None or pattern is None else graph["kgv"],
        seconds=None if graph is None else graph["seconds"],
        reason=reason,
        pattern=pattern,
        spec=to_spec(contest.learners[name]),
    )


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None


def _comparison(
    contest: Contest,
    found: Sequence[Compared],
    densities: Mapping[str, Mapping[int, FloatArray]],
    stopped: bool,
    began: float,
) -> Comparison:
    """The methods in their order, and how far each is above each other one."""
    order = sorted(found, key=_place)
    gaps = {
        (a.name, b.name): _gap(densities[a.name], densities[b.name])
        for a in order
        for b in order
        if a is not b and a.folds and b.folds
    }
    best = next((one for one in order if one.standing == "judged"), None)
    if best is not None:
        order = [_behind(one, best, gaps) for one in order]
    recommended, advice = recommend(order, gaps)
    return Comparison(
        names=contest.data.names,
        n_rows=contest.data.n_rows,
        folds=contest.folds,
        seed=contest.seed,
        methods=tuple(order),
        recommended=recommended,
        advice=advice,
        gaps=gaps,
        warnings=tuple(_doubts(contest)),
        stopped=stopped,
        elapsed=clock() - began,
    )


def _place(one: Compared) -> tuple[int, int, float]:
    """Judged ones by their density, then those that were not finished, then the others as they were given."""
    standings: dict[Standing, int] = {"judged": 0, "unfinished": 1, "graph": 2, "failed": 3}
    density = 0.0 if one.density is None else one.density
    return standings[one.standing], one.impossible, -density


def _gap(one: Mapping[int, FloatArray], other: Mapping[int, FloatArray]) -> Gap:
    shared = sorted(one.keys() & other.keys())
    if not shared:
        return Gap(None, None)
    mean, error = difference(*(np.concatenate([rows[k] for k in shared]) for rows in (one, other)))
    return Gap(_finite(mean), _finite(error))


def _behind(one: Compared, best: Compared, gaps: Mapping[tuple[str, str], Gap]) -> Compared:
    mean, error = Gap(0.0, 0.0) if one is best else gaps.get((best.name, one.name), Gap(None, None))
    return replace(one, behind=mean, behind_error=error)


def _doubts(contest: Contest) -> list[str]:
    doubts, constant = table_doubts(contest.data), constant_columns(contest.data)
    if not constant:
        return doubts
    names = listed([repr(name) for name in constant])
    vary = "varies, so its density takes" if len(constant) == 1 else "vary, so their densities take"
    return [*doubts, f"{names} never {vary} no part"]
