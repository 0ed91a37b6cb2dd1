"""Any policy score with the best partition of each column instead of a greedy one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from arcwise.checking import checked
from arcwise.data.dataset import MAX_LEVELS, FloatArray, IntArray
from arcwise.discretize.bins.cuts import require_whole_number
from arcwise.discretize.policies.policy import NetworkScore
from arcwise.discretize.policies.steck import Steck
from arcwise.errors import OptionError
from arcwise.parts.protocols import ColumnSearch, ExactPolicy, LocalScore, PolicyScore, Score


@checked
@dataclass(frozen=True, kw_only=True)
class Optimal:
    """The joint score of `score`; a column's thresholds are the best of all, given the network and the other columns.

    O(m^2) a column of m distinct values. score: the policy whose thresholds are found; what its own search alone uses
    (patience, mode) has no effect. max_levels: the best partition into at most so many levels; None: into any number.
    """

    kind: ClassVar[str] = "optimal"
    reference: ClassVar[str] = "Chen, Wheeler and Kochenderfer 2017"
    exact: ClassVar[bool] = True

    score: PolicyScore = Steck()
    max_levels: int | None = None

    def __post_init__(self) -> None:
        if self.max_levels is not None:
            require_whole_number("max_levels", self.max_levels, at_most=MAX_LEVELS)
        if isinstance(self.score, ExactPolicy):
            raise OptionError(
                f"option 'score' cannot be {self.score.kind!r}, whose search is exact already; "
                "use 'steck', 'monti' or 'friedman'"
            )

    @property
    def scores(self) -> tuple[type[NetworkScore], ...]:
        return self.score.scores

    @property
    def stops_with(self) -> str:
        return self.score.stops_with

    def network_score(self, score: NetworkScore) -> Score:
        return self.score.network_score(score)

    def column_term(self, values: FloatArray, starts: IntArray) -> float:
        return self.score.column_term(values, starts)

    def discrete_term(self, counts: IntArray) -> float:
        return self.score.discrete_term(counts)

    def most_levels(self, n_rows: int) -> int | None:
        return self.max_levels

    def local(self, score: NetworkScore) -> LocalScore:
        return self.score.local(score)

    def searcher(self, score: NetworkScore, n_rows: int) -> ColumnSearch:
        from arcwise.discretize.thresholds.best_partition import ExactSearch

        greedy = self.score.searcher(score, n_rows)
        return ExactSearch(self.local(score), greedy, max_levels=self.most_levels(n_rows))
