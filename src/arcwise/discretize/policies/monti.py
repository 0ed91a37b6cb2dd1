"""Monti and Cooper's score of thresholds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from arcwise.checking import checked
from arcwise.data.dataset import FloatArray, IntArray
from arcwise.discretize.policies.policy import DirichletLocal, NetworkScore, cells_of
from arcwise.errors import OptionError
from arcwise.parts.protocols import ColumnSearch, Score
from arcwise.scores.dirichlet import K2, BDeu


@checked
@dataclass(frozen=True, kw_only=True)
class Monti:
    """ln p(D | G) - sum over columns and levels of N_k ln(width_k): values spread evenly over their interval.

    accept: new thresholds are taken when the column's own score rises, and with it the joint score ("joint", Monti), or
    when the sum of all columns' scores rises, in which a family counts for its child and each parent ("sum", Fu).
    min_width: no interval may be narrower than this share of the range; isolating tied values would pay without end.
    """

    kind: ClassVar[str] = "monti"
    reference: ClassVar[str] = "Monti and Cooper 1998; Monti 1999"
    scores: ClassVar[tuple[type[NetworkScore], ...]] = (BDeu, K2)
    stops_with: ClassVar[str] = "graph"

    min_width: float = 1e-6
    accept: Literal["joint", "sum"] = "joint"

    def __post_init__(self) -> None:
        if not 0 < self.min_width < 1:
            raise OptionError(f"option 'min_width' must be between 0 and 1, not {self.min_width!r}")

    def network_score(self, score: NetworkScore) -> Score:
        return score

    def local(self, score: NetworkScore) -> DirichletLocal:
        return DirichletLocal(cells=cells_of(score), levels=-1.0, level_sign=0.0, density_floor=self.min_width)

    def searcher(self, score: NetworkScore, n_rows: int) -> ColumnSearch:
        from arcwise.discretize.thresholds.grow import GreedySearch, StepTables

        return GreedySearch(self.local(score), StepTables(n_rows), recount=self.accept == "sum")

    def column_term(self, values: FloatArray, starts: IntArray) -> float:
        if values[0] == values[-1]:  # a constant column has no width, and nothing to cut
            return 0.0
        from arcwise._kernels.thresholds.sweep import log_density

        return log_density(values, starts, self.min_width)

    def discrete_term(self, counts: IntArray) -> float:
        return 0.0

    def most_levels(self, n_rows: int) -> int | None:
        return None
