"""A table where it is learned from, here or on the workers of a cluster, and what a learner finds there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from arcwise.data.dataset import Dataset
from arcwise.data.reading.door import Reading, TableLike, as_dataset
from arcwise.graph.dag import Dag
from arcwise.parts.knowledge import Knowledge
from arcwise.parts.monitor import Monitor
from arcwise.parts.protocols import Learner
from arcwise.problem import Answer, Problem, result, table_doubts
from arcwise.results.columns import DataSummary
from arcwise.results.result import LearnResult
from arcwise.running.frame_like import is_dask_frame


class Given(NamedTuple):
    """What a learner is given beside the table."""

    known: Knowledge
    start: Dag | None
    seed: int


@contextmanager
def table_of(data: TableLike, reading: Reading, scheduler: Any) -> Iterator[Dataset]:
    """The table; that of a Dask DataFrame is on its cluster, where there is one, for as long as it is used."""
    with ExitStack() as stack:
        if is_dask_frame(data):
            from arcwise.running.cluster import client_in_use, connected
            from arcwise.running.frames import frame_placed

            where = client_in_use() if scheduler is None else scheduler
            if where is not None:
                client = stack.enter_context(connected(where))
                yield stack.enter_context(frame_placed(data, reading, client))
                return
        yield as_dataset(data, **reading)


def solved(
    table: Dataset, learner: Learner, given: Given, watcher: Monitor, scheduler: Any
) -> tuple[Answer, LearnResult]:
    """What the learner finds. scheduler: of a cluster to which the rows are brought, unless they are on one."""

    def begin(rows: Dataset, monitor: Monitor) -> Problem:
        rng = np.random.default_rng(given.seed)
        return Problem.of(rows, rng=rng, knowledge=given.known, monitor=monitor, start=given.start, keep=True)

    if scheduler is None and table.elsewhere is None:
        problem = begin(table, watcher)
        answer = learner.solve(problem)
        return answer, result(problem, answer, table.names, learner)
    from arcwise.running.cluster import connected
    from arcwise.running.placing import placed
    from arcwise.running.until_lost import learned

    with ExitStack() as stack:
        far = table
        if table.elsewhere is None:
            client = stack.enter_context(connected(scheduler))
            far = stack.enter_context(placed(table, client))
        else:  # what the result says of the table is asked first, so that it is known should the cluster be lost
            table_doubts(table)
            DataSummary.of(table)
        if far.elsewhere is not None:
            far = replace(far, elsewhere=far.elsewhere.until(watcher.should_stop))
        return learned(learner, lambda monitor: begin(far, monitor), watcher, table.names)
