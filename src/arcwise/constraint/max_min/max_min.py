"""Max-min parents and children for every column: over all sets of neighbours, or greedily in polynomial time."""

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
class MMPC:
    """Columns join the neighbours of a target while no set of neighbours makes them independent of it.

    The next to join is the one with the largest MinAssoc(X; T | CPC) = min over S in CPC of Assoc(X; T | S). alpha:
    independent where the test's value is that much or more (none: the test's own level). symmetric: an edge is one
    that both ends name. max_given: largest set S (none: as large as the rows allow). O(n 2^|CPC|) tests a column.
    """

    kind: ClassVar[str] = "mmpc"
    reference: ClassVar[str] = "Tsamardinos, Aliferis and Statnikov 2003; Tsamardinos, Brown and Aliferis 2006"

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

        return solve_skeleton(self, problem, greedy=False)


@checked
@dataclass(frozen=True, kw_only=True)
class PMMS:
    """MMPC with the least association looked for greedily: the member of CPC that leaves least joins S, while it helps.

    A new member of CPC costs O(|S|) tests for an X whose S stays, at most O(|CPC| |S|).
    alpha: independent where the test's value is that much or more (none: the test's own level). symmetric: an edge is
    one that both ends name. max_given: largest set S (none: as large as the rows allow).
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
