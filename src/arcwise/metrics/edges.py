"""Two graphs laid side by side: how far apart they are, and edge by edge why."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from arcwise.checking import checked
from arcwise.data.dataset import BoolArray
from arcwise.errors import GraphError, OptionError, unknown_name
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag

Graph = Dag | Pdag
Pairs = tuple[tuple[str, str], ...]
NONE, UNDIRECTED, FORWARD, BACKWARD, BIDIRECTED = range(5)
Convention = Literal["tsamardinos", "fu"]


def patterns(learned: Graph, true: Graph) -> tuple[Pdag, Pdag]:
    """Both graphs as patterns over the same names in sorted order: a Dag as its CPDAG, a Pdag as it is."""
    check_same_names(learned, true)
    names = sorted(true.names)
    one, other = (graph.cpdag() if isinstance(graph, Dag) else graph for graph in (learned, true))
    return one.reordered(names), other.reordered(names)


def check_same_names(learned: Graph, true: Graph) -> None:
    only_learned, only_true = set(learned.names) - set(true.names), set(true.names) - set(learned.names)
    parts = [
        f"only the {which} graph has {', '.join(repr(name) for name in sorted(names)[:5])}"
        + (f" and {len(names) - 5} more" if len(names) > 5 else "")
        for which, names in (("learned", only_learned), ("true", only_true))
        if names
    ]
    if parts:
        raise GraphError(f"the graphs have different nodes: {'; '.join(parts)}; compare graphs over the same names")


def pair_states(pattern: Pdag) -> NDArray[np.int8]:
    """One code for each pair i < j, in the order of `pair_names`."""
    codes = np.full((pattern.n_nodes, pattern.n_nodes), NONE, dtype=np.int8)
    codes[pattern.undirected_matrix] = UNDIRECTED
    codes[pattern.directed_matrix] = FORWARD
    codes[pattern.directed_matrix.T] = BACKWARD
    codes[pattern.bidirected_matrix] = BIDIRECTED
    return codes[np.triu_indices(pattern.n_nodes, k=1)]


def pair_names(names: tuple[str, ...], chosen: BoolArray) -> Pairs:
    """The pairs i < j of names where `chosen` is true."""
    first, second = np.triu_indices(len(names), k=1)
    return tuple((names[i], names[j]) for i, j in zip(first[chosen].tolist(), second[chosen].tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class SkeletonErrors:
    """Adjacencies as pairs with the smaller name first."""

    shared: Pairs
    extra: Pairs
    missing: Pairs

    @property
    def commission(self) -> int:
        """Number of extra adjacencies."""
        return len(self.extra)

    @property
    def omission(self) -> int:
        """Number of missing adjacencies."""
        return len(self.missing)

    @property
    def extra_ratio(self) -> float:
        """E: extra adjacencies per true one; infinite when there is nothing to find."""
        return _ratio(self.commission, len(self.shared) + self.omission, empty=math.inf)

    @property
    def missing_ratio(self) -> float:
        """M: missing adjacencies per true one."""
        return _ratio(self.omission, len(self.shared) + self.omission)

    @property
    def precision(self) -> float:
        """Share of the learned adjacencies that are true; 1 when none was learned."""
        return 1.0 - _ratio(self.commission, len(self.shared) + self.commission)

    @property
    def recall(self) -> float:
        """Share of the true adjacencies that were learned; 1 when there is nothing to find."""
        return 1.0 - self.missing_ratio

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall, 2 TP / (2 TP + FP + FN); 1 when both graphs are empty."""
        wrong = self.commission + self.omission
        return 1.0 - _ratio(wrong, 2 * len(self.shared) + wrong)


@checked
def skeleton_errors(learned: Graph, true: Graph) -> SkeletonErrors:
    """Compare two skeletons; the order of the names does not matter."""
    check_same_names(learned, true)
    got, want = (set((Pdag.from_dag(graph) if isinstance(graph, Dag) else graph).skeleton) for graph in (learned, true))
    return SkeletonErrors(*(tuple(sorted(pairs)) for pairs in (got & want, got - want, want - got)))


def _ratio(count: int, total: int, empty: float = 0.0) -> float:
    return count / total if total else (empty if count else 0.0)


@dataclass(frozen=True, slots=True)
class OrientationErrors:
    """The shared adjacencies (pairs with the smaller name first), each in exactly one of these lists."""

    correct: Pairs
    reversed: Pairs  # directed in both, opposite ways
    unoriented: Pairs  # undirected in the learned graph, directed in the true one
    overoriented: Pairs  # directed in the learned graph, undirected in the true one
    conflicting: Pairs  # bidirected in one graph only

    @property
    def wrong(self) -> Pairs:
        """All errors together."""
        return tuple(sorted(self.reversed + self.unoriented + self.overoriented + self.conflicting))

    @property
    def n_wrong(self) -> int:
        return len(self.wrong)


@checked
def orientation_errors(learned: Graph, true: Graph) -> OrientationErrors:
    """Sort the adjacencies that both graphs have by how their orientations agree. Dags count as CPDAGs."""
    one, other = patterns(learned, true)
    got, want = pair_states(one), pair_states(other)
    both = (got != NONE) & (want != NONE)
    arrow_got, arrow_want = ((states == FORWARD) | (states == BACKWARD) for states in (got, want))
    return OrientationErrors(
        correct=pair_names(one.names, both & (got == want)),
        reversed=pair_names(one.names, arrow_got & arrow_want & (got != want)),
        unoriented=pair_names(one.names, (got == UNDIRECTED) & arrow_want),
        overoriented=pair_names(one.names, arrow_got & (want == UNDIRECTED)),
        conflicting=pair_names(one.names, both & ((got == BIDIRECTED) != (want == BIDIRECTED))),
    )


@dataclass(frozen=True, slots=True)
class EdgeErrors:
    """n_extra + n_missing + n_misoriented is the structural Hamming distance of Tsamardinos et al."""

    skeleton: SkeletonErrors
    orientation: OrientationErrors

    @property
    def correct(self) -> Pairs:
        """Edges that are there with the right orientation (or rightly without one)."""
        return self.orientation.correct

    @property
    def extra(self) -> Pairs:
        return self.skeleton.extra

    @property
    def missing(self) -> Pairs:
        return self.skeleton.missing

    @property
    def reversed(self) -> Pairs:
        """Edges directed in both graphs, opposite ways."""
        return self.orientation.reversed

    @property
    def misoriented(self) -> Pairs:
        """All edges that both graphs have but mark differently, the reversed ones among them."""
        return self.orientation.wrong

    @property
    def n_correct(self) -> int:
        return len(self.correct)

    @property
    def n_extra(self) -> int:
        return len(self.extra)

    @property
    def n_missing(self) -> int:
        return len(self.missing)

    @property
    def n_reversed(self) -> int:
        return len(self.reversed)

    @property
    def n_misoriented(self) -> int:
        return len(self.misoriented)

    @property
    def precision(self) -> float:
        """Of the skeleton; see SkeletonErrors."""
        return self.skeleton.precision

    @property
    def recall(self) -> float:
        """Of the skeleton; see SkeletonErrors."""
        return self.skeleton.recall

    @property
    def f1(self) -> float:
        """Of the skeleton; see SkeletonErrors."""
        return self.skeleton.f1


@checked
def edge_errors(learned: Graph, true: Graph) -> EdgeErrors:
    """Compare edge by edge; Dags are compared by their CPDAGs, Pdags as they are."""
    return EdgeErrors(skeleton_errors(learned, true), orientation_errors(learned, true))


@checked
def shd(learned: Graph, true: Graph, *, convention: Convention = "tsamardinos") -> int:
    """Pairs of nodes whose edges differ; Dags are compared by their CPDAGs, Pdags as they are. Symmetric.

    tsamardinos: 1 for every pair that differs (Tsamardinos, Brown & Aliferis 2006).
    fu: an extra or missing edge costs 2 when it is directed, 1 when undirected (Fu 2005), as its absent
    counterpart also lacks the orientation. A bidirected edge counts as directed.
    """
    if convention not in get_args(Convention):
        raise OptionError(unknown_name("SHD convention", str(convention), get_args(Convention)))
    one, other = (pair_states(pattern) for pattern in patterns(learned, true))
    differing = int(np.count_nonzero(one != other))
    if convention == "tsamardinos":
        return differing
    oriented_one, oriented_other = one > UNDIRECTED, other > UNDIRECTED
    return differing + int(np.count_nonzero((oriented_one & (other == NONE)) | (oriented_other & (one == NONE))))
