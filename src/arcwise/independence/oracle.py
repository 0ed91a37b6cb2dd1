"""The answers of a known graph or distribution, in place of data: no sampling noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, prod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, FloatArray, IntArray, Kind
from arcwise.data.reading.door import takes_table
from arcwise.errors import DataError, GraphError, OptionError, check_positive
from arcwise.graph.adjacency import child_lists, d_connected
from arcwise.graph.dag import Dag
from arcwise.independence.options import ANY_KIND
from arcwise.parts.protocols import TestResult
from arcwise.printing import listed

if TYPE_CHECKING:
    from arcwise.networks.network import Network

Edges = tuple[tuple[str, str], ...]
WHOLE_JOINT = 1 << 20  # states up to which the joint of all nodes is laid out once and then only summed
Labels = tuple[str, ...]
Plain = tuple[Labels, tuple[Labels, ...], tuple[Labels, ...], tuple[tuple[float, ...], ...]]


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


@checked
@dataclass(frozen=True, init=False)
class ExactInformation:
    """I(X; Y | Z) in nats in the joint distribution of a network; independent where I <= `threshold`.

    As a value above or below a level: 2^(-I / threshold). Only the names of the columns are looked at; nodes without a
    column are hidden variables. `network` is kept as plain (names, states, parents, flat tables), so that the part can
    be written down like any other.
    """

    kind: ClassVar[str] = "exact-information"
    accepts: ClassVar[frozenset[Kind]] = ANY_KIND
    level: ClassVar[float] = 0.5
    reference: ClassVar[str] = "Cheng, Greiner, Kelly, Bell and Liu 2002"

    network: Plain
    threshold: float

    def __init__(self, network: Network | Sequence[Any], threshold: float = 1e-6) -> None:
        from arcwise.networks import BayesianNetwork, Network

        if not isinstance(network, Network) and (not isinstance(network, list | tuple) or len(network) != 4):
            raise OptionError("option 'network' must be a network, or its names, states, parents and tables")
        known = network if isinstance(network, Network) else BayesianNetwork(*network)
        tables = tuple(tuple(cpt.ravel().tolist()) for cpt in known.cpts)
        object.__setattr__(self, "network", (known.names, known.states, known.parents, tables))
        object.__setattr__(self, "threshold", threshold)
        check_positive(self, "threshold")

    @takes_table
    def bind(self, data: Dataset) -> ExactTest:
        from arcwise.networks import BayesianNetwork

        network = BayesianNetwork(*self.network)  # type: ignore[arg-type]
        for name in data.names:
            if name not in network.names:
                raise GraphError(f"the network has no node for column {name!r}; rename one of them, or drop the column")
        return ExactTest(network, data.names, self.threshold)


class ExactTest:
    """I = sum p(x, y, z) ln [p(x, y, z) p(z) / p(x, z) p(y, z)]; every joint and every answer is computed once."""

    first_batch = 4
    warnings: tuple[str, ...] = ()

    def __init__(self, network: Network, names: Sequence[str], threshold: float) -> None:
        self._network, self._names, self._threshold = network, tuple(names), threshold
        self._cards = [network.cardinalities[network.dag.index(name)] for name in names]
        self._joints: dict[tuple[int, ...], FloatArray] = {}
        self._known: dict[tuple[int, int, tuple[int, ...]], float] = {}

    def test(self, x: int, y: int, given: Sequence[int]) -> TestResult:
        """statistic: I in nats. details: the logarithm of the value."""
        sets = np.array([list(given)], dtype=np.intp)
        log_p = float(self.log_p_values(x, y, sets)[0])
        return TestResult(float(np.exp(log_p)), float(self.information(x, y, sets)[0]), {"log_p": log_p})

    def p_values(self, x: int, y: int, given_sets: IntArray) -> FloatArray:
        return np.exp2(-self.information(x, y, given_sets) / self._threshold)

    def log_p_values(self, x: int, y: int, given_sets: IntArray) -> FloatArray:
        """ln of the value, finite also where the value itself is below the smallest float."""
        return -log(2.0) * self.information(x, y, given_sets) / self._threshold

    def information(self, x: int, y: int, given_sets: IntArray) -> FloatArray:
        """I(x; y | S) in nats for each set."""
        return np.array([self._information(x, y, row[row >= 0].tolist()) for row in given_sets], dtype=np.float64)

    def _information(self, x: int, y: int, given: Sequence[int]) -> float:
        x, y = min(x, y), max(x, y)
        key = (x, y, tuple(sorted(given)))
        if key not in self._known:
            self._known[key] = _information(self._joint((x, y, *key[2])))
        return self._known[key]

    def _joint(self, columns: tuple[int, ...]) -> FloatArray:
        """P(columns), an axis for each in the order given."""
        order = tuple(sorted(columns))
        if order not in self._joints:
            everything = tuple(range(len(self._names)))
            if order != everything and prod(self._cards) <= WHOLE_JOINT:
                rest = tuple(u for u in everything if u not in order)
                self._joints[order] = self._joint(everything).sum(axis=rest)
            else:
                self._joints[order] = self._eliminated(order)
        return self._joints[order].transpose([order.index(u) for u in columns])

    def _eliminated(self, columns: tuple[int, ...]) -> FloatArray:
        names = [self._names[u] for u in columns]
        try:
            return self._network.joint(names)
        except OptionError as error:
            raise DataError(
                f"the joint distribution of {listed([repr(name) for name in names])} is too large to compute exactly; "
                "ask with fewer given columns, or test on a sample of the network"
            ) from error


def _information(joint: FloatArray) -> float:
    """I of the first axis and the second, given the others."""
    p = joint.reshape(joint.shape[0], joint.shape[1], -1)
    of_x, of_y, of_z = p.sum(axis=1, keepdims=True), p.sum(axis=0, keepdims=True), p.sum(axis=(0, 1), keepdims=True)
    some = p > 0
    # Two quotients, not one: a product of four small probabilities could vanish.
    ratio = np.divide(p, of_x, out=np.ones_like(p), where=some) * np.divide(of_z, of_y, out=np.ones_like(p), where=some)
    return max(0.0, float(np.sum(p * np.log(ratio))))
