"""Max-min parents and children in polynomial time, for every column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from arcwise.checking import checked
from arcwise.constraint.options import check_options
from arcwise.independence import ByKind
from arcwise.parts.protocols import IndependenceTest
from arcwise.problem import Answer, Problem, learn_by_solving


@checked
@dataclass(frozen=True, kw_only=True)
class PMMS:
    """MMPC with the least association looked for greedily: the member of CPC that leaves least joins S, while it helps.

    A new member of CPC costs O(|S|) tests for an X whose S stays, at most O(|CPC| |S|). Options: see MMPC.
    """

    kind: ClassVar[str] = "pmms"
    reference: ClassVar[str] = "Brown, Tsamardinos and Aliferis 2005"

    test: IndependenceTest = ByKind()
    alpha: float | None = None
    symmetric: bool = True
    max_given: int | None = None

    def __post_init__(self) -> None:
        check_options(self)

    learn = learn_by_solving

    def solve(self, problem: Problem) -> Answer:
        """The skeleton: undirected edges in `cpdag`, no `graph`."""
        from arcwise.constraint.max_min.all_targets import solve_skeleton

        return solve_skeleton(self, problem, greedy=True)
