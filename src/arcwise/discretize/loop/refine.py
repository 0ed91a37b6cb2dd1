"""Thresholds for a network that is known."""

from __future__ import annotations

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, FloatArray, Kind
from arcwise.data.discretization import Discretization
from arcwise.data.reading.door import takes_table
from arcwise.discretize.bins.cuts import midpoints
from arcwise.discretize.bins.equal_frequency import EqualFrequency
from arcwise.discretize.policies.policy import NetworkScore, check_score
from arcwise.errors import DataError, GraphError
from arcwise.graph.dag import Dag
from arcwise.parts.monitor import SILENT, Monitor
from arcwise.parts.protocols import PolicyScore
from arcwise.scores.dirichlet import BDeu

USUAL = BDeu()


@takes_table
@checked
def refine(
    policy: PolicyScore,
    data: Dataset,
    dag: Dag,
    current: Discretization | None = None,
    *,
    score: NetworkScore = USUAL,
    monitor: Monitor = SILENT,
) -> Discretization:
    """The thresholds that `policy` puts on the continuous columns of `data`, given the network `dag`.

    Column by column, the others as they are, until none gains (LearnDP, Fu 2005, Algorithm 2), from `current` on; None:
    three bins of equal frequency. score: of the network, for policies that use it. A monitor that stops gets the
    thresholds so far.
    """
    from arcwise.discretize.loop.learn_policy import WorkingTable, learn_policy

    check_score(policy, score)
    columns = data.repeated().by_name()
    check_names(columns, dag)
    begin = EqualFrequency().fit(columns) if current is None else on_data(columns, current)
    table = WorkingTable(columns, begin, policy.most_levels(columns.n_rows))
    search = policy.searcher(score, columns.n_rows)
    learn_policy(table, dag.reordered(columns.names).adjacency, search, monitor, {})
    learned = table.discretization()
    return Discretization({name: learned.thresholds[name] for name in data.names if name in learned.thresholds})


def check_names(data: Dataset, dag: Dag) -> None:
    for name in data.names:
        if name not in dag.names:
            raise GraphError(f"column {name!r} is no node of the network; add it, or leave it out of the data")
    for name in dag.names:
        if name not in data.names:
            raise GraphError(f"node {name!r} of the network is no column of the data; give data with this column")


def on_data(data: Dataset, current: Discretization) -> Discretization:
    """`current` for exactly the continuous columns of `data`, without thresholds that leave a level empty here."""
    for name in current.thresholds:
        if data.column(name).kind is not Kind.CONTINUOUS:
            raise DataError(
                f"column {name!r} is discrete, so it takes no thresholds; leave it out of those to start from"
            )
    kept: dict[str, FloatArray] = {}
    for column in data.columns:
        if column.kind is not Kind.CONTINUOUS:
            continue
        if column.name not in current.thresholds:
            raise DataError(
                f"the thresholds to start from lack column {column.name!r}; add it, with [] for a single level"
            )
        ordered = np.sort(column.values)
        ranks = np.unique(np.searchsorted(ordered, current.thresholds[column.name]))
        ranks = ranks[(ranks > 0) & (ranks < len(ordered))]
        kept[column.name] = midpoints(ordered[ranks - 1], ordered[ranks])
    return Discretization(kept)
