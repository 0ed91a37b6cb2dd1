"""The score of a whole network."""

from __future__ import annotations

from arcwise.checking import checked
from arcwise.data.dataset import Dataset
from arcwise.data.reading.door import takes_table
from arcwise.errors import GraphError
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag
from arcwise.parts.protocols import ArcScore, Score, check_kinds, no_place, resolved


@takes_table
@checked
def total(score: Score, dag: Dag | Pdag, data: Dataset) -> float:
    """Sum of the local scores of all nodes of `dag` on `data`, as it is given: nothing is cut here.

    So a score of numbers (`kgv`, `bge`, ...) wants the table that was read, and one of levels (`bdeu`, ...) wants
    `result.discretization.apply(table)`.
    """
    return sum(by_node(score, dag, data).values())


@takes_table
@checked
def by_node(score: Score, dag: Dag | Pdag, data: Dataset) -> dict[str, float]:
    """Local score of each node, by name. Columns that the graph does not mention take no part."""
    if not isinstance(dag, Dag):
        raise GraphError(
            "only a DAG can be scored, as a pattern leaves edges open; take result.dag() or pattern.extension()"
        )
    missing = [name for name in dag.names if name not in data.names]
    if missing:
        raise GraphError(f"the data has no column for the graph's node {missing[0]!r}; rename one of them")
    columns = data.select(sorted(dag.names))
    check_kinds(score, columns)
    used = resolved(score, columns)
    if isinstance(used, ArcScore):
        permitted = used.permitted(columns)
        for a, b in dag.edges:
            tail, head = columns.index(a), columns.index(b)
            if not permitted[tail, head]:
                raise GraphError(no_place(used, columns, tail, head, "is in the graph"))
    bound = score.bind(columns)
    return {
        name: bound.local_score(columns.index(name), [columns.index(p) for p in dag.parents(name)])
        for name in dag.names
    }
