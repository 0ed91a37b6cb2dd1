"""Edge errors: everything that separates a learned graph from the true one, edge by edge."""

from __future__ import annotations

from dataclasses import dataclass

from arcwise.checking import checked
from arcwise.metrics.orientation import OrientationErrors, orientation_errors
from arcwise.metrics.pairs import Graph, Pairs
from arcwise.metrics.skeleton import SkeletonErrors, skeleton_errors


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
