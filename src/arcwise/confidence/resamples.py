"""Strengths of edges: a method on many resamples of a table, each a piece of work of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from arcwise.compiling import clock
from arcwise.confidence.effort import hasty
from arcwise.confidence.sampling import bootstrapped, halved
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.digest import digest
from arcwise.data.row_order import distinct_rows
from arcwise.errors import DataError, OptionError
from arcwise.learners.draws import DrawingLearner
from arcwise.machine import check_fits
from arcwise.networks.streams import stream
from arcwise.parts.knowledge import NONE, Knowledge
from arcwise.parts.monitor import SILENT, Monitor
from arcwise.parts.protocols import CuttingLearner, Learner
from arcwise.parts.spec import to_spec
from arcwise.printing import counted
from arcwise.problem import Problem
from arcwise.results.stability import stability_of
from arcwise.results.status import Status
from arcwise.results.strengths import Origin, Resample, Strengths
from arcwise.running import Finished, Stopped, Store, run

TASK_BYTES = 1_000  # of one resample, at least
CHAIN = 8  # draws of one chain: fewer would mostly be burning in


@dataclass(frozen=True, slots=True, eq=False)
class Resamples:
    """What all pieces share: the table, its rows and columns in an order of their own, and how it is learned from."""

    table: Dataset
    learner: Learner
    resample: Resample
    seed: int
    knowledge: Knowledge

    @staticmethod
    def of(table: Dataset, learner: Learner, resample: Resample, seed: int, knowledge: Knowledge = NONE) -> Resamples:
        if resample == "draws":
            check_hidden(table, learner)
        if resample == "half" and table.n_rows < 4:
            raise DataError(f"half of {counted(table.n_rows, 'row')} is too few to learn from; take resample='rows'")
        return Resamples(distinct_rows(table.by_name()), hasty(learner), resample, seed, knowledge)

    def tasks(self, n: int) -> dict[str, Any]:
        """One for each resample; draws of hidden cells come in chains."""
        if self.resample != "draws":
            return {str(k): {"number": k, "graphs": 1} for k in range(n)}
        chains = [(k, min(CHAIN, n - k * CHAIN)) for k in range(-(-n // CHAIN))]
        return {f"{k}, {graphs} draws": {"number": k, "graphs": graphs} for k, graphs in chains}

    def what(self) -> dict[str, Any]:
        """All that the pieces depend on, plain."""
        return {
            "work": "bootstrap",
            "arcwise": version("arcwise"),
            "resample": self.resample,
            "seed": self.seed,
            "method": to_spec(self.learner),
            "knowledge": self.knowledge.to_dict(),
            "data": digest(self.table),
        }


def check_hidden(table: Dataset, learner: Learner) -> None:
    """Refuse draws of hidden cells where nothing is hidden."""
    readings = isinstance(learner, CuttingLearner) and Kind.CONTINUOUS in table.kinds
    if not isinstance(learner, DrawingLearner) or (table.is_complete and not readings):
        raise OptionError(
            "resample='draws' is for tables with missing cells and for continuous columns of hidden-states, and "
            "nothing is hidden here; take resample='rows' or 'half'"
        )


def one_resample(shared: Resamples, task: Mapping[str, int], monitor: Monitor) -> dict[str, Any]:
    """How many graphs of one resample, mostly one, have which edges; positions are those of the sorted names."""
    number, graphs, learner = task["number"], task["graphs"], shared.learner
    rng = stream(shared.seed, f"resample {shared.resample}", number)
    if shared.resample == "draws":
        assert isinstance(learner, DrawingLearner)  # see `check_hidden`
        learner = learner.drawing(graphs)
        table = shared.table
    else:
        table = (bootstrapped if shared.resample == "rows" else halved)(shared.table, rng)
    problem = Problem.of(table, rng=rng, knowledge=shared.knowledge, monitor=monitor)
    answer = learner.solve(problem)
    if answer.status != "converged":
        raise Stopped
    if shared.resample == "draws":
        assert answer.completion is not None  # something is hidden
        found = answer.completion.strengths
    else:
        found = Strengths.of([problem.pattern(answer)])
    counts = (np.rint(found.graphs * shares).astype(np.int64) for shares in (found.adjacent, found.directed))
    adjacent, directed = counts
    pairs = np.argwhere(np.triu(adjacent)).tolist()
    cuts = {} if answer.discretization is None else answer.discretization.thresholds
    return {
        "graphs": found.graphs,
        "edges": [[i, j, int(adjacent[i, j]), int(directed[i, j]), int(directed[j, i])] for i, j in pairs],
        "cuts": {name: list(map(float, thresholds)) for name, thresholds in cuts.items()},
    }


def check_number(n: int) -> None:
    """Refuse a number of resamples that there cannot be."""
    if n < 1:
        raise OptionError(f"the number of resamples must be a whole number from 1, not {n}")
    check_fits(TASK_BYTES * n, f"a list of {n:,} resamples", "ask for fewer", OptionError)


def resampled(
    shared: Resamples,
    n: int,
    names: Sequence[str],
    *,
    method: str,
    workers: int | None = None,
    scheduler: Any = None,
    store: str | Path | None = None,
    monitor: Monitor = SILENT,
) -> Strengths:
    """Shares of n graphs, with the columns in the order of these names. What is finished when it is stopped counts."""
    check_number(n)
    began = clock()
    kept = None if store is None else Store(store, shared.what())
    finished = run(
        one_resample,
        shared,
        shared.tasks(n),
        workers=workers,
        scheduler=scheduler,
        store=kept,
        monitor=monitor,
        phase="resampling",
    )
    if finished.failures and not finished.results and not finished.stopped:
        raise DataError(f"every resample failed: {next(iter(finished.failures.values()))}")
    strengths = _strengths(shared, finished)
    status: Status = "converged" if not finished.stopped else "stopped" if strengths.graphs else "unanswered"
    table = shared.table
    origin = Origin(
        method=method,
        spec=to_spec(shared.learner),
        resample=shared.resample,
        seed=shared.seed,
        asked=n,
        n_rows=table.n_rows,
        status=status,
        elapsed=clock() - began,
        knowledge=shared.knowledge,
    )
    return replace(strengths, origin=origin, warnings=tuple(_doubts(finished, n, strengths.graphs))).reordered(names)


def _strengths(shared: Resamples, finished: Finished) -> Strengths:
    """Integer sums, so that the order in which pieces were finished does not matter."""
    table, graphs = shared.table, sum(one["graphs"] for one in finished.results.values())
    adjacent, directed = np.zeros((2, table.n_columns, table.n_columns), dtype=np.int64)
    cuts: dict[str, list[list[float]]] = {}
    for one in finished.results.values():
        for i, j, joined, forward, backward in one["edges"]:
            adjacent[i, j] += joined
            adjacent[j, i] += joined
            directed[i, j] += forward
            directed[j, i] += backward
        for name, thresholds in one["cuts"].items():
            cuts.setdefault(name, []).append(thresholds)
    stability = {name: stability_of(found, table.column(name), table.weights) for name, found in cuts.items()}
    whole = max(graphs, 1)
    return Strengths(table.names, graphs, adjacent / whole, directed / whole, stability=stability)


def _doubts(finished: Finished, n: int, graphs: int) -> list[str]:
    doubts = []
    if finished.failures:
        first = next(iter(finished.failures.values()))
        doubts.append(f"{counted(len(finished.failures), 'resample')} failed and do not count: {first}")
    if finished.stopped and graphs:
        doubts.append(f"stopped after {graphs:,} of {counted(n, 'graph')}")
    return doubts
