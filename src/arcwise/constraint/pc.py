"""The PC algorithm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from arcwise.constraint.options import check_options, more_rows
from arcwise.constraint.orient import RULES, Conflicts, Pattern, orient
from arcwise.contracts.knowledge import NONE, Knowledge
from arcwise.contracts.monitor import SILENT, Monitor, Progress
from arcwise.contracts.protocols import IndependenceTest
from arcwise.contracts.results import Counters, LearnResult
from arcwise.data.accepting import takes_table
from arcwise.data.dataset import Dataset
from arcwise.data.wording import counted
from arcwise.errors import OptionError
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag
from arcwise.independence import ByKind
from arcwise.independence.options import check_kinds

if TYPE_CHECKING:
    from arcwise.constraint.skeleton import Skeleton


@dataclass(frozen=True, kw_only=True)
class PC:
    """Remove the edges whose ends some set separates, then point the others where the separating sets say.

    alpha: columns count as independent where the test's value is that much or more (none: the test's own level).
    stable: the skeleton does not depend on the order of the columns. max_given: largest conditioning set (none: no
    limit). conflicts: what becomes of colliders that contradict each other.
    """

    kind: ClassVar[str] = "pc"
    reference: ClassVar[str] = "Spirtes, Glymour and Scheines 2000; Colombo and Maathuis 2014"

    test: IndependenceTest = ByKind()
    alpha: float | None = None
    stable: bool = True
    max_given: int | None = None
    conflicts: Conflicts = "bidirected"

    def __post_init__(self) -> None:
        check_options(self)
        if self.conflicts not in RULES:
            raise OptionError(f"option 'conflicts' must be one of {', '.join(RULES)}, not {self.conflicts!r}")

    @takes_table
    def learn(
        self,
        data: Dataset,
        *,
        rng: np.random.Generator,
        knowledge: Knowledge = NONE,
        monitor: Monitor = SILENT,
        start: Dag | None = None,
    ) -> LearnResult:
        """The pattern as `cpdag`; `graph` is a DAG with these arrows and colliders, None where there is none.

        A stopped run keeps the edges that no test has removed so far. The trace has the edges left for a score.
        """
        from arcwise.constraint.pattern import extension, named_sets
        from arcwise.constraint.skeleton import find_skeleton

        if start is not None:
            raise OptionError("pc begins with the complete graph, so it cannot take a start graph; leave `start` out")
        columns = data.by_name()
        check_kinds(self.test, columns)
        known = knowledge.bind(columns.names)
        monitor.report(Progress("preparing"))
        test = self.test.bind(columns)
        skeleton = find_skeleton(
            test,
            self.test.level if self.alpha is None else self.alpha,
            known,
            stable=self.stable,
            max_given=self.max_given,
            monitor=monitor,
        )
        pattern = orient(skeleton.adjacent, skeleton.separations, known, self.conflicts)
        cpdag = Pdag.from_matrices(columns.names, pattern.directed, pattern.undirected, pattern.bidirected)
        graph = extension(cpdag)
        doubts: Sequence[str] = getattr(test, "warnings", ())
        return LearnResult(
            cpdag=cpdag.reordered(data.names),
            graph=graph.reordered(data.names) if graph is not None else None,
            separating_sets=named_sets(skeleton.separations, columns.names),
            trace=tuple(skeleton.trace),
            counters=Counters(tests=skeleton.tests),
            status="stopped" if skeleton.stopped else "converged",
            warnings=(*doubts, *_warnings(skeleton, columns, pattern, cpdag, graph is not None)),
        )


def _warnings(skeleton: Skeleton, columns: Dataset, pattern: Pattern, cpdag: Pdag, has_graph: bool) -> list[str]:
    from arcwise.constraint.pattern import contradictions

    skipped = []
    if skeleton.skipped:
        skipped.append(
            f"{skeleton.skipped:,} of {counted(skeleton.tests, 'test')} had too few rows and removed no edge; "
            f"{more_rows(columns, 'g-squared')}"
        )
    return [*skipped, *contradictions(pattern, cpdag, has_graph)]
