"""Skeleton errors: adjacencies that are extra or missing, whatever their orientation."""

from __future__ import annotations

import math
from dataclasses import dataclass

from arcwise.checking import checked
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag
from arcwise.metrics.pairs import Graph, Pairs, check_same_names


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
