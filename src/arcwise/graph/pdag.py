"""Partially directed graphs over named nodes: CPDAGs, patterns with conflicts, skeletons, moral graphs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypedDict

import numpy as np
from numpy.typing import ArrayLike

from arcwise.checking import checked
from arcwise.errors import GraphError
from arcwise.graph.adjacency import (
    BoolArray,
    arrow_text,
    checked_names,
    find_cycle,
    index_pairs,
    name_order,
    networkx_graph,
    position,
    same_names,
    square_bool,
)
from arcwise.graph.dag import FORMAT, SHOWN_EDGES, Dag, checked_content, graph_text
from arcwise.graph.equivalence import Extension, best_effort_extension
from arcwise.graph.plotting import Plottable
from arcwise.printing import listed, printable

Pairs = tuple[tuple[str, str], ...]
KINDS = ("directed", "undirected", "bidirected")


class PdagContent(TypedDict):
    """What `to_dict` gives, but for its format and type."""

    names: list[str]
    directed: list[tuple[str, str]]
    undirected: list[tuple[str, str]]
    bidirected: list[tuple[str, str]]


@checked
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Pdag(Plottable):
    """An immutable graph with directed, undirected and bidirected edges, at most one for each pair of nodes.

    The three matrices are read-only, (n_nodes, n_nodes), in the order of `names`; the last two are
    symmetric. Directed cycles are allowed, as constraint-based learners can produce them; `extension` is
    where they are refused. Two Pdags are equal when they have the same set of names and the same edges.
    """

    names: tuple[str, ...]
    directed_matrix: BoolArray
    undirected_matrix: BoolArray
    bidirected_matrix: BoolArray

    def __init__(
        self,
        names: Iterable[str],
        directed: Iterable[Sequence[str]] = (),
        undirected: Iterable[Sequence[str]] = (),
        bidirected: Iterable[Sequence[str]] = (),
    ) -> None:
        checked = checked_names(names)
        positions = {name: i for i, name in enumerate(checked)}
        matrices = np.zeros((3, len(checked), len(checked)), dtype=np.bool_)
        for matrix, kind, pairs in zip(matrices, KINDS, (directed, undirected, bidirected), strict=True):
            for i, j in index_pairs(positions, pairs):
                if matrices[:, i, j].any() or matrices[:, j, i].any():
                    raise _double_edge(checked[i], checked[j])
                matrix[i, j] = True
                matrix[j, i] = kind != "directed"
        self._settle(checked, *matrices)

    @staticmethod
    @checked
    def from_matrices(
        names: Iterable[str],
        directed: ArrayLike,
        undirected: ArrayLike | None = None,
        bidirected: ArrayLike | None = None,
    ) -> Pdag:
        """From square matrices of 0 and 1 (copied): `directed[i, j]` means i -> j, the others symmetric."""
        checked = checked_names(names)
        n = len(checked)
        matrices = [
            square_bool(np.zeros((n, n), dtype=np.bool_) if matrix is None else matrix, checked, kind)
            for kind, matrix in zip(KINDS, (directed, undirected, bidirected), strict=True)
        ]
        for kind, matrix in zip(KINDS[1:], matrices[1:], strict=True):
            for i, j in np.argwhere(matrix & ~matrix.T)[:1]:
                raise GraphError(f"the {kind} matrix joins {checked[i]!r} to {checked[j]!r} one way only; mirror it")
        arrows, lines, conflicts = matrices
        for i, j in np.argwhere(
            (arrows & arrows.T) | ((arrows | arrows.T) & (lines | conflicts)) | (lines & conflicts)
        ):
            raise _double_edge(checked[i], checked[j])
        return Pdag.sound(checked, *matrices)

    @staticmethod
    def sound(names: tuple[str, ...], directed: BoolArray, undirected: BoolArray, bidirected: BoolArray) -> Pdag:
        """From names and matrices that are known to be sound; the matrices become read-only."""
        pdag = Pdag.__new__(Pdag)
        pdag._settle(names, directed, undirected, bidirected)
        return pdag

    @staticmethod
    @checked
    def from_dag(dag: Dag) -> Pdag:
        """The same edges, all directed (not the equivalence class; that is `dag.cpdag()`)."""
        return Pdag.from_matrices(dag.names, dag.adjacency)

    def _settle(self, names: tuple[str, ...], *matrices: BoolArray) -> None:
        object.__setattr__(self, "names", names)
        for kind, matrix in zip(KINDS, matrices, strict=True):
            matrix.setflags(write=False)
            object.__setattr__(self, f"{kind}_matrix", matrix)

    @property
    def n_nodes(self) -> int:
        return len(self.names)

    @property
    def n_edges(self) -> int:
        mirrored = np.count_nonzero(self.undirected_matrix) + np.count_nonzero(self.bidirected_matrix)
        return int(np.count_nonzero(self.directed_matrix) + mirrored // 2)

    @cached_property
    def directed(self) -> Pairs:
        """(tail, head) pairs, sorted by name."""
        tails, heads = np.nonzero(self.directed_matrix)
        return tuple(sorted((self.names[i], self.names[j]) for i, j in zip(tails, heads, strict=True)))

    @cached_property
    def undirected(self) -> Pairs:
        """Pairs with the smaller name first, sorted by name."""
        return self._unordered(self.undirected_matrix)

    @cached_property
    def bidirected(self) -> Pairs:
        """Pairs with the smaller name first, sorted by name."""
        return self._unordered(self.bidirected_matrix)

    @cached_property
    def skeleton(self) -> Pairs:
        """Every adjacent pair with the smaller name first, sorted by name."""
        return self._unordered(self.adjacency)

    @cached_property
    def adjacency(self) -> BoolArray:
        """Read-only symmetric matrix of the skeleton."""
        either = self.directed_matrix | self.directed_matrix.T | self.undirected_matrix | self.bidirected_matrix
        either.setflags(write=False)
        return either

    @cached_property
    def is_dag(self) -> bool:
        """Whether every edge is directed and no cycle is among them."""
        return not self.undirected and not self.bidirected and find_cycle(self.directed_matrix) is None

    def index(self, name: str) -> int:
        """Position of the node called `name`."""
        return position(self._positions, name)

    def adjacent(self, a: str, b: str) -> bool:
        """Whether an edge of any kind joins `a` and `b`."""
        return bool(self.adjacency[self.index(a), self.index(b)])

    def neighbors(self, name: str) -> tuple[str, ...]:
        """Nodes joined to `name` by an undirected edge."""
        return self._marked(self.undirected_matrix[self.index(name)])

    def parents(self, name: str) -> tuple[str, ...]:
        """Nodes with a directed edge into `name`."""
        return self._marked(self.directed_matrix[:, self.index(name)])

    def children(self, name: str) -> tuple[str, ...]:
        """Nodes that a directed edge leads to from `name`."""
        return self._marked(self.directed_matrix[self.index(name)])

    def extension(self) -> Dag:
        """A DAG with the same skeleton, arrows and v-structures (Dor & Tarsi); GraphError if none exists."""
        for a, b in self.bidirected:
            raise GraphError(f"no DAG extends the bidirected edge {a} <-> {b}; use best_effort_extension()")
        cycle = find_cycle(self.directed_matrix)
        if cycle is not None:
            path = arrow_text(self.names[i] for i in [*cycle, cycle[0]])
            raise GraphError(f"no DAG extends the cycle {path}; use best_effort_extension()")
        found = self._extend()
        if not found.consistent:
            stuck = {sorted(self.names)[i] for i in found.stuck}
            a, b = next(pair for pair in self.undirected if stuck.issuperset(pair))
            raise GraphError(
                f"no DAG extends the undirected edge {a} -- {b} and those around it without a new "
                "v-structure or a cycle; use best_effort_extension()"
            )
        return self._named(found)

    def best_effort_extension(self) -> tuple[Dag, bool]:
        """A DAG with the same skeleton, and whether it is a consistent extension (that of `extension`).

        Where none exists, arrows stay unless they lie on a directed cycle, of which few are turned round. Bidirected
        edges count as undirected ones: both are pointed so that few new colliders arise, and by name where that
        leaves a choice. Names and edges alone decide, not the order of the names.
        """
        found = self._extend()
        return self._named(found), found.consistent and not self.bidirected

    def cpdag(self) -> Pdag:
        """The CPDAG of the equivalence class that this graph's extensions belong to."""
        return self.extension().cpdag()

    @checked
    def reordered(self, names: Iterable[str]) -> Pdag:
        """The same graph with its nodes in this order."""
        order = same_names(self.names, names)
        if order == self.names:
            return self
        rows = np.ix_(*[[self.index(name) for name in order]] * 2)
        return Pdag.sound(order, *(matrix[rows] for matrix in self._matrices))

    @checked
    def renamed(self, new_names: Mapping[str, str]) -> Pdag:
        """The same graph with new names for the nodes that `new_names` mentions (old name to new)."""
        return Pdag.from_matrices((new_names.get(name, name) for name in self.names), *self._matrices)

    def to_networkx(self) -> Any:
        """A networkx.DiGraph; edge attribute `kind`; undirected and bidirected edges appear both ways."""
        graph = networkx_graph(self.names)
        graph.add_edges_from(self.directed, kind="directed")
        for kind, pairs in (("undirected", self.undirected), ("bidirected", self.bidirected)):
            graph.add_edges_from(pairs, kind=kind)
            graph.add_edges_from(((b, a) for a, b in pairs), kind=kind)
        return graph

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and strings, ready for JSON."""
        edges = {kind: [list(edge) for edge in getattr(self, kind)] for kind in KINDS}
        return {"format": FORMAT, "type": "pdag", "names": list(self.names), **edges}

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> Pdag:
        """The inverse of `to_dict`."""
        return Pdag(*checked_content(content, "pdag", PdagContent))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pdag):
            return NotImplemented
        return self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    def __reduce__(self) -> tuple[Any, ...]:
        # Unpickled arrays are writable again; going through the constructor keeps the graph immutable.
        return Pdag.from_matrices, (self.names, *self._matrices)

    def __repr__(self) -> str:
        return graph_text("Pdag", self.n_nodes, self.n_edges, self._edge_texts[:SHOWN_EDGES])

    def __str__(self) -> str:
        return graph_text("Pdag", self.n_nodes, self.n_edges, self._edge_texts)

    @property
    def _edge_texts(self) -> list[str]:
        marks = zip(("->", "--", "<->"), (self.directed, self.undirected, self.bidirected), strict=True)
        return [f"{a} {mark} {b}" for mark, pairs in marks for a, b in pairs]

    @property
    def _identity(self) -> tuple[frozenset[str], Pairs, Pairs, Pairs]:
        return frozenset(self.names), self.directed, self.undirected, self.bidirected

    @property
    def _matrices(self) -> tuple[BoolArray, BoolArray, BoolArray]:
        return self.directed_matrix, self.undirected_matrix, self.bidirected_matrix

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    def _unordered(self, symmetric: BoolArray) -> Pairs:
        ends = np.argwhere(np.triu(symmetric)).tolist()
        return tuple(sorted((min(pair), max(pair)) for pair in ((self.names[i], self.names[j]) for i, j in ends)))

    def _marked(self, row: BoolArray) -> tuple[str, ...]:
        return tuple(sorted(self.names[i] for i in np.flatnonzero(row)))

    def _extend(self) -> Extension:
        # In name order, so that the choice among extensions does not depend on the order of the columns.
        rows = np.ix_(*[name_order(self.names)] * 2)
        return best_effort_extension(
            self.directed_matrix[rows], (self.undirected_matrix | self.bidirected_matrix)[rows]
        )

    def _named(self, found: Extension) -> Dag:
        return Dag.from_adjacency(sorted(self.names), found.adjacency).reordered(self.names)


def _double_edge(a: str, b: str) -> GraphError:
    return GraphError(f"nodes {a!r} and {b!r} are joined by two edges; give each pair at most one edge")


def chosen_directions(pattern: Pdag, dag: Dag) -> Pairs:
    """The edges of `dag` that are no arrows of `pattern`, (tail, head), sorted by name. Both have the same skeleton."""
    decided = set(pattern.directed)
    return tuple(edge for edge in dag.edges if edge not in decided)


def chosen_words(pattern: Pdag, dag: Dag) -> str:
    """One line that names them and says why the pattern left them open; empty where it decides all."""
    lines, conflicts = set(pattern.undirected), set(pattern.bidirected)
    reasons: dict[str, list[str]] = {}
    for tail, head in chosen_directions(pattern, dag):
        pair = (min(tail, head), max(tail, head))
        why = "turned round: on a cycle"
        if pair in lines:
            why = "fits either direction"
        elif pair in conflicts:
            why = "conflicting evidence"
        reasons.setdefault(why, []).append(f"{tail} -> {head}")
    parts = "; ".join(f"{listed(edges)} ({why})" for why, edges in sorted(reasons.items()))
    return printable(f"directions chosen by convention: {parts}") if parts else ""
