"""The PC algorithm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from arcwise.checking import checked
from arcwise.constraint.options import check_options, pair_names, why_no_answer
from arcwise.constraint.orient import MOST_TRIPLES, Conflicts, contradictions, extension, n_triples, orient
from arcwise.data.dataset import Dataset
from arcwise.graph.pdag import Pdag
from arcwise.independence import ByKind
from arcwise.parts.protocols import BoundTest, IndependenceTest
from arcwise.printing import counted
from arcwise.problem import Answer, Problem, learn_by_solving
from arcwise.results.result import Counters

if TYPE_CHECKING:
    from arcwise.constraint.pc.skeleton import Skeleton


Untested = Literal["keep", "remove"]


@checked
@dataclass(frozen=True, kw_only=True)
class PC:
    """Remove the edges whose ends some set separates, then point the others where the separating sets say.

    alpha: columns count as independent where the test's value is that much or more (none: the test's own level).
    stable: the skeleton does not depend on the order of the columns. max_given: largest conditioning set (none: no
    limit). conflicts: what becomes of colliders that contradict each other. untested: whether to keep or remove an edge
    about which no test had an answer.
    """

    kind: ClassVar[str] = "pc"
    reference: ClassVar[str] = "Spirtes, Glymour and Scheines 2000; Colombo and Maathuis 2014"

    test: IndependenceTest = ByKind()
    alpha: float | None = None
    stable: bool = True
    max_given: int | None = None
    conflicts: Conflicts = "bidirected"
    untested: Untested = "keep"

    def __post_init__(self) -> None:
        check_options(self)

    learn = learn_by_solving

    def solve(self, problem: Problem) -> Answer:
        """The pattern as `cpdag`; `graph` is a DAG with these arrows and colliders, None where there is none.

        A stopped run keeps the edges that no test has removed so far. The trace has the edges left for a score.
        """
        from arcwise.constraint.pc.skeleton import find_skeleton

        problem.refuse_start("pc begins with the complete graph")
        test = problem.bind(self.test)
        skeleton = find_skeleton(
            test,
            self.test.level if self.alpha is None else self.alpha,
            problem.known,
            stable=self.stable,
            max_given=self.max_given,
            keep_untested=self.untested == "keep",
            monitor=problem.monitor,
        )
        separations, told = skeleton.separations.listed(problem.names)
        if skeleton.stopped and n_triples(skeleton.adjacent) > MOST_TRIPLES:
            undirected = Pdag.from_matrices(problem.names, np.zeros_like(skeleton.adjacent), skeleton.adjacent)
            return Answer(
                pattern=undirected,
                separations=separations,
                trace=skeleton.trace,
                counters=Counters(tests=skeleton.tests),
                status=skeleton.status,
                warnings=(
                    *test.warnings,
                    *told,
                    *_unanswered(skeleton, test, problem.data),
                    f"stopped with {skeleton.n_edges:,} edges left, too many to direct",
                ),
            )
        pattern = orient(skeleton.adjacent, skeleton.separations, problem.known, self.conflicts)
        cpdag = Pdag.from_matrices(problem.names, pattern.directed, pattern.undirected, pattern.bidirected)
        graph = extension(cpdag)
        return Answer(
            pattern=cpdag,
            graph=graph,
            separations=separations,
            trace=skeleton.trace,
            counters=Counters(tests=skeleton.tests),
            status=skeleton.status,
            warnings=(
                *test.warnings,
                *told,
                *_unanswered(skeleton, test, problem.data),
                *contradictions(pattern, cpdag, graph is not None),
            ),
        )


def _unanswered(skeleton: Skeleton, test: BoundTest, columns: Dataset) -> list[str]:
    """How many tests had no answer, which edges may be there for that reason, and which pairs were never tested."""
    if not skeleton.skipped:
        return []
    lacking, remedy = why_no_answer(test, columns)
    warnings = [f"{skeleton.skipped:,} of {counted(skeleton.tests, 'test')} {lacking} and separated nothing; {remedy}"]
    untested = np.argwhere(np.triu(skeleton.unanswered & ~skeleton.answered)).tolist()
    doubtful = np.argwhere(np.triu(skeleton.unanswered & skeleton.answered & skeleton.adjacent)).tolist()
    if untested:
        them = "it" if len(untested) == 1 else "them"
        done, other = ("kept", "remove leaves") if skeleton.keep_untested else ("removed", "keep keeps")
        what = f"{counted(len(untested), 'edge')} {done} without any test that had an answer"
        out = " out" if skeleton.keep_untested else ""
        warnings.append(f"{what}: {pair_names(columns.names, untested)}; untested={other} {them}{out}")
    if doubtful:
        edges = f"{counted(len(doubtful), 'edge')} may be there only because some of their tests had no answer"
        warnings.append(f"{edges}: {pair_names(columns.names, doubtful)}")
    return warnings
