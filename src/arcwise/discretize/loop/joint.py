"""The score of thresholds and a network together."""

from __future__ import annotations

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.discretization import Discretization
from arcwise.data.reading.door import takes_table
from arcwise.discretize.loop.refine import USUAL, check_names, on_data
from arcwise.discretize.policies.policy import NetworkScore, check_score
from arcwise.graph.dag import Dag
from arcwise.parts.protocols import PolicyScore
from arcwise.scores.total import total
from arcwise.stats.levels import rows_of_levels


@takes_table
@checked
def joint_score(
    policy: PolicyScore, data: Dataset, dag: Dag, thresholds: Discretization, *, score: NetworkScore = USUAL
) -> float:
    """What `policy` says of these thresholds and this network: the network's score, and a term for each column.

    It is what a learner that discretizes while learning raises: the `joint_score` of its rounds. score: of the network,
    for policies that use it; a preset's is in its options (`arcwise methods steck`).
    """
    from arcwise.discretize.loop.learn_policy import WorkingTable

    check_score(policy, score)
    columns = data.repeated().by_name()
    check_names(columns, dag)
    table = WorkingTable(columns, on_data(columns, thresholds))
    network = total(policy.network_score(score), dag, table.dataset())
    cut = sum(policy.column_term(table.values[i], table.starts[i]) for i in table.continuous)
    return network + cut + discrete_terms(policy, columns)


def discrete_terms(policy: PolicyScore, data: Dataset) -> float:
    """Those of the columns that are never cut."""
    counts = rows_of_levels(data.select([column.name for column in data.columns if column.kind is Kind.DISCRETE]))
    return sum((policy.discrete_term(np.trim_zeros(rows, "b")) for rows in counts), 0.0)
