"""What a picture of a graph is about: its edges, how strong they are, and how they differ from those of another."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from arcwise.errors import GraphError, OptionError
from arcwise.graph.adjacency import BoolArray, reachable
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag

Weights = Mapping[tuple[str, str], float]
Measure = Literal["share", "nats"]
Kind = Literal["directed", "undirected", "bidirected"]
Difference = Literal["", "same", "added", "missing", "turned"]
Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge between the nodes i < j. heads: whether an arrow ends at i, and at j.

    difference: to the graph it is held against; "added" is here alone, "missing" there alone, "turned" in both of them
    but not with the same direction.
    """

    i: int
    j: int
    kind: Kind
    heads: tuple[bool, bool]
    difference: Difference = ""
    weight: float | None = None

    @property
    def arrow(self) -> Pair | None:
        """(tail, head) of a directed edge."""
        if self.kind != "directed":
            return None
        return (self.i, self.j) if self.heads[1] else (self.j, self.i)


@dataclass(frozen=True, slots=True)
class Subject:
    """The graph that is drawn (the union, where there is one to hold it against) and its edges, by position of ends."""

    graph: Pdag
    edges: tuple[Edge, ...]

    def for_layout(self) -> Pdag:
        """The graph whose arrows lead down: those of the other graph alone only as far as they close no cycle."""
        names, children = self.graph.names, [list[int]() for _ in self.graph.names]
        level = self.graph.undirected_matrix.copy()
        down = np.zeros_like(level)
        arrows = [(edge.difference == "missing", *edge.arrow) for edge in self.edges if edge.arrow]
        for late, tail, head in sorted(arrows, key=lambda arrow: (arrow[0], names[arrow[1]], names[arrow[2]])):
            if late and tail in reachable(children, [head]):
                level[tail, head] = level[head, tail] = True
            else:
                down[tail, head] = True
                children[tail].append(head)
        return Pdag.sound(names, down, level, self.graph.bidirected_matrix.copy())

    def only(self, nodes: set[int]) -> Subject:
        """The edges between these nodes; the graph stays whole, as positions are those of its names."""
        return Subject(self.graph, tuple(edge for edge in self.edges if {edge.i, edge.j} <= nodes))


def subject_of(graph: Dag | Pdag, against: Dag | Pdag | None, weights: Weights, measure: Measure | None) -> Subject:
    """Everything about the edges. Names that are in `against` alone come after those of the graph.

    Two DAGs are compared as they are; where one is a pattern, a DAG stands for its equivalence class.
    """
    if against is None:
        here = as_pattern(graph)
        strengths = _by_pair(here, weights, measure)
        return Subject(here, tuple(_edge(here, pair, "", strengths.get(pair)) for pair in _pairs(here)))
    if set(graph.names).isdisjoint(against.names):
        raise GraphError(
            "the two graphs have no node in common, so nothing can be compared; give a graph of the same names"
        )
    if isinstance(graph, Dag) != isinstance(against, Dag):
        graph = graph.cpdag() if isinstance(graph, Dag) else graph
        against = against.cpdag() if isinstance(against, Dag) else against
    strengths = _by_pair(as_pattern(graph), weights, measure)
    names = (*graph.names, *(name for name in against.names if name not in set(graph.names)))
    here, there = (_widened(as_pattern(one), names) for one in (graph, against))
    union = _union(here, there)
    edges = tuple(_edge(union, pair, _difference(here, there, pair), strengths.get(pair)) for pair in _pairs(union))
    return Subject(union, edges)


def as_pattern(graph: Dag | Pdag) -> Pdag:
    return Pdag.from_dag(graph) if isinstance(graph, Dag) else graph


def neighbourhood(graph: Pdag, name: str, distance: int) -> set[int]:
    """The positions of a node and of all that so many edges lead to, whatever their direction."""
    if distance < 1:
        raise OptionError(f"the distance around a node must be at least 1, not {distance}")
    found = np.zeros(graph.n_nodes, dtype=np.bool_)
    found[graph.index(name)] = True
    for _ in range(min(distance, graph.n_nodes)):
        found |= graph.adjacency[found].any(axis=0)
    return set(np.flatnonzero(found).tolist())


def blanket(graph: Pdag, name: str) -> set[int]:
    """Neighbours of any kind and the other parents of children; all members of a class have the same.

    Both ends of an edge with two heads may be children.
    """
    node = graph.index(name)
    pointing = graph.directed_matrix | graph.bidirected_matrix
    found = graph.adjacency[node] | pointing[:, pointing[node]].any(axis=1)
    return set(np.flatnonzero(found).tolist()) - {node}


def induced(graph: Pdag, nodes: list[int]) -> Pdag:
    """The graph of these nodes, in this order."""
    rows = np.ix_(nodes, nodes)
    names = tuple(graph.names[node] for node in nodes)
    return Pdag.sound(names, *(matrix[rows] for matrix in _matrices(graph)))


def _matrices(graph: Pdag) -> tuple[BoolArray, BoolArray, BoolArray]:
    return graph.directed_matrix, graph.undirected_matrix, graph.bidirected_matrix


def _pairs(graph: Pdag) -> list[Pair]:
    return [(int(i), int(j)) for i, j in np.argwhere(np.triu(graph.adjacency))]


def _edge(graph: Pdag, pair: Pair, difference: Difference, weight: float | None) -> Edge:
    i, j = pair
    both = bool(graph.bidirected_matrix[i, j])
    heads = both or bool(graph.directed_matrix[j, i]), both or bool(graph.directed_matrix[i, j])
    kind: Kind = "bidirected" if both else "directed" if any(heads) else "undirected"
    return Edge(i, j, kind, heads, difference, weight)


def _widened(graph: Pdag, names: tuple[str, ...]) -> Pdag:
    return Pdag(names, graph.directed, graph.undirected, graph.bidirected)


def _union(here: Pdag, there: Pdag) -> Pdag:
    """All edges of both; what is in both has the direction that it has here."""
    only_there = there.adjacency & ~here.adjacency
    mine, theirs = _matrices(here), _matrices(there)
    return Pdag.sound(here.names, *(a | (b & only_there) for a, b in zip(mine, theirs, strict=True)))


def _difference(here: Pdag, there: Pdag, pair: Pair) -> Difference:
    if not there.adjacency[pair]:
        return "added"
    if not here.adjacency[pair]:
        return "missing"
    back = pair[::-1]
    alike = all(
        a[pair] == b[pair] and a[back] == b[back] for a, b in zip(_matrices(here), _matrices(there), strict=True)
    )
    return "same" if alike else "turned"


def _by_pair(graph: Pdag, weights: Weights, measure: Measure | None) -> dict[Pair, float]:
    """Weights by positions, the smaller first, checked: known edges, each once, finite.

    None is negative, but for nats: a score may be better off without an edge, such as one that was required.
    """
    result: dict[Pair, float] = {}
    for (a, b), weight in weights.items():
        if not graph.adjacent(a, b):
            raise GraphError(f"edge_weights has {a!r}, {b!r}, which is no edge of the graph; leave it out")
        i, j = sorted((graph.index(a), graph.index(b)))
        if (i, j) in result:
            raise GraphError(f"edge_weights has the edge between {a!r} and {b!r} twice; give it once")
        if not (math.isfinite(weight) and (weight >= 0 or measure == "nats")):
            raise GraphError(f"the weight {weight} of {a!r}, {b!r} must be a finite number of at least 0")
        if measure == "share" and weight > 1:
            raise GraphError(f"the weight {weight} of {a!r}, {b!r} is no share: it must be between 0 and 1")
        result[i, j] = float(weight)
    return result
