"""Directed acyclic graphs over named nodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np
from numpy.typing import ArrayLike

from arcwise.checking import checked, misfit, shown
from arcwise.errors import GraphError
from arcwise.graph.adjacency import (
    BoolArray,
    arrow_text,
    checked_names,
    child_lists,
    d_connected,
    find_cycle,
    index_pairs,
    markov_blanket,
    moral,
    name_order,
    networkx_graph,
    position,
    reachable,
    same_names,
    square_bool,
    topological_sort,
)
from arcwise.graph.modelstring import model_terms, parse_terms
from arcwise.graph.plotting import Plottable
from arcwise.printing import printable

if TYPE_CHECKING:
    from arcwise.graph.pdag import Pdag

FORMAT = "arcwise-graph-1"
SHOWN_EDGES = 12


class DagContent(TypedDict):
    """What `to_dict` gives, but for its format and type."""

    names: list[str]
    edges: list[tuple[str, str]]


@checked
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Dag(Plottable):
    """An immutable DAG. `adjacency` is read-only, (n_nodes, n_nodes), in the order of `names`.

    Two Dags are equal when they have the same set of names and the same edges, in whatever order.
    """

    names: tuple[str, ...]
    adjacency: BoolArray

    def __init__(self, names: Iterable[str], edges: Iterable[Sequence[str]] = ()) -> None:
        checked = checked_names(names)
        adjacency = np.zeros((len(checked), len(checked)), dtype=np.bool_)
        for tail, head in index_pairs({name: i for i, name in enumerate(checked)}, edges):
            if adjacency[tail, head]:
                raise GraphError(f"edge {checked[tail]!r} -> {checked[head]!r} is given twice; give it once")
            adjacency[tail, head] = True
        self._check(checked, adjacency)
        self._settle(checked, adjacency)

    @classmethod
    @checked
    def from_adjacency(cls, names: Iterable[str], adj: ArrayLike) -> Dag:
        """From a square matrix of 0 and 1 (copied), where `adj[i, j]` means names[i] -> names[j]."""
        dag = cls.__new__(cls)
        checked = checked_names(names)
        adjacency = square_bool(adj, checked)
        dag._check(checked, adjacency)
        dag._settle(checked, adjacency)
        return dag

    @staticmethod
    def _check(names: tuple[str, ...], adjacency: BoolArray) -> None:
        cycle = find_cycle(adjacency)
        if cycle is not None:
            path = arrow_text(names[i] for i in [*cycle, cycle[0]])
            raise GraphError(f"the edges {path} form a cycle; remove or reverse one of them")

    def _settle(self, names: tuple[str, ...], adjacency: BoolArray) -> None:
        adjacency.setflags(write=False)
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "adjacency", adjacency)

    @property
    def n_nodes(self) -> int:
        return len(self.names)

    @cached_property
    def n_edges(self) -> int:
        return int(np.count_nonzero(self.adjacency))

    @cached_property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """(tail, head) pairs, sorted by name."""
        tails, heads = np.nonzero(self.adjacency)
        return tuple(sorted((self.names[i], self.names[j]) for i, j in zip(tails, heads, strict=True)))

    @cached_property
    def child_positions(self) -> tuple[tuple[int, ...], ...]:
        """For every node, the positions of its children in increasing order."""
        return tuple(map(tuple, child_lists(self.adjacency)))

    @cached_property
    def parent_positions(self) -> tuple[tuple[int, ...], ...]:
        """For every node, the positions of its parents in increasing order."""
        return tuple(map(tuple, child_lists(self.adjacency.T)))

    def index(self, name: str) -> int:
        """Position of the node called `name`."""
        return position(self._positions, name)

    def parents(self, name: str) -> tuple[str, ...]:
        return self._sorted_names(self.parent_positions[self.index(name)])

    def children(self, name: str) -> tuple[str, ...]:
        return self._sorted_names(self.child_positions[self.index(name)])

    def ancestors(self, name: str) -> frozenset[str]:
        """Every node with a directed path to `name`; never `name` itself."""
        return frozenset(self.names[i] for i in reachable(self.parent_positions, [self.index(name)]))

    def descendants(self, name: str) -> frozenset[str]:
        """Every node that a directed path leads to from `name`; never `name` itself."""
        return frozenset(self.names[i] for i in reachable(self.child_positions, [self.index(name)]))

    def markov_blanket(self, name: str) -> frozenset[str]:
        """Parents, children and the children's other parents."""
        return frozenset(self.names[i] for i in markov_blanket(self.adjacency, self.index(name)))

    @cached_property
    def topological_order(self) -> tuple[str, ...]:
        """Parents before children, the smallest name first among those ready."""
        order = name_order(self.names)
        return tuple(self.names[order[i]] for i in topological_sort(self.adjacency[np.ix_(order, order)]))

    @checked
    def d_separated(self, x: str | Iterable[str], y: str | Iterable[str], given: str | Iterable[str] = ()) -> bool:
        """Whether `given` blocks every path between `x` and `y` (each a name or several names). O(n + e)."""
        sets = {"x": self._indices(x), "y": self._indices(y), "given": self._indices(given)}
        for one, other in (("x", "y"), ("x", "given"), ("y", "given")):
            for shared in self._sorted_names(sets[one] & sets[other]):
                raise GraphError(f"node {shared!r} is in both {one} and {other}; the sets must not overlap")
        return not d_connected(self.parent_positions, self.child_positions, sets["x"], sets["given"]) & sets["y"]

    def cpdag(self) -> Pdag:
        """The completed partially directed graph of the Markov equivalence class."""
        from arcwise.graph.equivalence import cpdag
        from arcwise.graph.pdag import Pdag

        return Pdag.from_matrices(self.names, *cpdag(self.adjacency))

    def moral(self) -> Pdag:
        """The undirected graph with all parents of a node married."""
        from arcwise.graph.pdag import Pdag

        return Pdag.from_matrices(self.names, np.zeros_like(self.adjacency), moral(self.adjacency))

    @checked
    def reordered(self, names: Iterable[str]) -> Dag:
        """The same graph with its nodes in this order."""
        order = same_names(self.names, names)
        if order == self.names:
            return self
        rows = [self.index(name) for name in order]
        dag = Dag.__new__(Dag)
        dag._settle(order, self.adjacency[np.ix_(rows, rows)])  # no order of the nodes makes a cycle
        return dag

    def to_networkx(self) -> Any:
        """A networkx.DiGraph with the names as nodes."""
        graph = networkx_graph(self.names)
        graph.add_edges_from(self.edges)
        return graph

    def to_modelstring(self) -> str:
        """The graph as R's bnlearn writes it, parents first: `[A][B|A][C|A:B]`."""
        return "".join(model_terms((name, self.parents(name)) for name in self.topological_order))

    @staticmethod
    @checked
    def from_modelstring(text: str) -> Dag:
        """The inverse of `to_modelstring`; nodes may come in any order."""
        families = parse_terms(text)
        return Dag([name for name, _ in families], [(parent, name) for name, own in families for parent in own])

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and strings, ready for JSON."""
        edges = [list(edge) for edge in self.edges]
        return {"format": FORMAT, "type": "dag", "names": list(self.names), "edges": edges}

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> Dag:
        """The inverse of `to_dict`."""
        names, edges = checked_content(content, "dag", DagContent)
        return Dag(names, edges)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dag):
            return NotImplemented
        return set(self.names) == set(other.names) and self.edges == other.edges

    def __hash__(self) -> int:
        return hash((frozenset(self.names), self.edges))

    def __reduce__(self) -> tuple[Any, ...]:
        # Unpickled arrays are writable again; going through the constructor keeps the graph immutable.
        return Dag.from_adjacency, (self.names, self.adjacency)

    def __repr__(self) -> str:
        shown = [f"{tail} -> {head}" for tail, head in self.edges[:SHOWN_EDGES]]
        return graph_text("Dag", self.n_nodes, self.n_edges, shown)

    def __str__(self) -> str:
        return graph_text("Dag", self.n_nodes, self.n_edges, [f"{tail} -> {head}" for tail, head in self.edges])

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    def _indices(self, names: str | Iterable[str]) -> set[int]:
        return {self.index(name) for name in ([names] if isinstance(names, str) else names)}

    def _sorted_names(self, positions: Iterable[int]) -> tuple[str, ...]:
        return tuple(sorted(self.names[i] for i in positions))


def graph_text(kind: str, n_nodes: int, n_edges: int, shown: list[str]) -> str:
    """`Dag(3 nodes, 2 edges: a -> b, c -> b)`, with dots when not every edge is shown."""
    counts = f"{n_nodes} node{'s' * (n_nodes != 1)}, {n_edges} edge{'s' * (n_edges != 1)}"
    dots = ["..."] if n_edges > len(shown) else []
    return printable(f"{kind}({counts}{': ' * bool(shown)}{', '.join(shown + dots)})")


def checked_content(content: Mapping[str, Any], kind: str, schema: Any) -> list[Any]:
    """Names and edge lists of a dictionary written by `to_dict`, checked to be the right kind of thing."""
    if not isinstance(content, Mapping):
        raise GraphError(f"a graph must be a dict, as to_dict() gives it, not {shown(content)}")
    for key, wanted in (("format", FORMAT), ("type", kind)):
        if content.get(key) != wanted:
            raise GraphError(f"the graph's {key} is {shown(content.get(key))} but must be {wanted!r}")
    wrong = misfit(content, schema)
    if wrong is not None:
        raise GraphError(f"in the graph {wrong}")
    return [content[field] for field in schema.__annotations__]
