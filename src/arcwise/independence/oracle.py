"""The answers of a known graph, in place of data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, FloatArray, IntArray, Kind
from arcwise.data.reading.door import takes_table
from arcwise.errors import GraphError, OptionError
from arcwise.graph.adjacency import child_lists, d_connected
from arcwise.graph.dag import Dag
from arcwise.independence.options import ANY_KIND
from arcwise.parts.protocols import TestResult

Edges = tuple[tuple[str, str], ...]


@checked
@dataclass(frozen=True, init=False)
class DSeparation:
    """1 where the graph separates x and y given Z, 0 where it does not: what a test with endless data would say.

    Only the names of the columns are looked at. Nodes of the graph without a column are hidden variables.
    `dag` is kept as plain (names, edges), so that the part can be written down like any other.
    """

    kind: ClassVar[str] = "d-separation"
    accepts: ClassVar[frozenset[Kind]] = ANY_KIND
    level: ClassVar[float] = 0.5
    reference: ClassVar[str] = "Pearl 1988"

    dag: tuple[tuple[str, ...], Edges]

    def __init__(self, dag: Dag | Sequence[Sequence[str] | Sequence[Sequence[str]]]) -> None:
        if not isinstance(dag, Dag) and len(dag) != 2:
            raise OptionError("option 'dag' must be a graph, or its names and its edges")
        graph = dag if isinstance(dag, Dag) else Dag(*dag)  # type: ignore[arg-type]
        object.__setattr__(self, "dag", (graph.names, graph.edges))

    @takes_table
    def bind(self, data: Dataset) -> OracleTest:
        graph = Dag(*self.dag)
        for name in data.names:
            if name not in graph.names:
                raise GraphError(f"the graph has no node for column {name!r}; rename one of them, or drop the column")
        return OracleTest(graph, [graph.index(name) for name in data.names])


class OracleTest:
    """Reachability in the graph, O(nodes + edges) for each set. `nodes`: the node of each column."""

    first_batch = 4
    warnings: tuple[str, ...] = ()

    def __init__(self, graph: Dag, nodes: Sequence[int]) -> None:
        self._parents, self._children = child_lists(graph.adjacency.T), child_lists(graph.adjacency)
        self._nodes = list(nodes)

    def test(self, x: int, y: int, given: Sequence[int]) -> TestResult:
        observed = [self._nodes[u] for u in given]
        connected = d_connected(self._parents, self._children, [self._nodes[x]], observed)
        return TestResult(float(self._nodes[y] not in connected))

    def p_values(self, x: int, y: int, given_sets: IntArray) -> FloatArray:
        return np.array([self.test(x, y, row[row >= 0].tolist()).value for row in given_sets])
