"""Three-phase dependency analysis."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING, ClassVar, Literal, cast

import numpy as np

from arcwise.checking import checked
from arcwise.constraint.options import more_rows
from arcwise.constraint.orient import contradictions, extension
from arcwise.data.dataset import Dataset
from arcwise.errors import OptionError
from arcwise.graph.pdag import Pdag
from arcwise.independence.information import Information
from arcwise.parts.protocols import BoundInformation, IndependenceTest, InformationMeasure, WithDegrees
from arcwise.printing import counted
from arcwise.problem import Answer, Problem, learn_by_solving
from arcwise.results.result import Counters

if TYPE_CHECKING:
    from arcwise.constraint.tpda.cuts import Evidence
    from arcwise.constraint.tpda.skeleton import Draft

NATS = {"bits": log(2.0), "nats": 1.0}  # in one of each
BIASED_SHARE = 0.1  # of the informations: with fewer biased ones there is no warning


@checked
@dataclass(frozen=True, kw_only=True)
class TPDA:
    """Draft a tree of the strongest dependences, add the edges that nothing explains away, remove those that are.

    Columns are independent given a set where their information given it is below the test's threshold. unit: what the
    threshold is in; in bits the published 0.01 asks as many tests as were published. O(n^4) informations at worst;
    right where opening more paths always means more information (monotone faithfulness).
    """

    kind: ClassVar[str] = "tpda"
    reference: ClassVar[str] = "Cheng, Greiner, Kelly, Bell and Liu 2002"

    test: IndependenceTest = Information()
    unit: Literal["bits", "nats"] = "bits"

    def __post_init__(self) -> None:
        if not isinstance(self.test, InformationMeasure):
            raise OptionError(
                f"option 'test' must be a test of information, such as 'information', 'mutual-information' or "
                f"'gaussian-information', not {self.test.kind!r}"
            )

    learn = learn_by_solving

    def solve(self, problem: Problem) -> Answer:
        """The pattern as `cpdag`; `graph` is a DAG with these arrows and colliders, None where there is none.

        A stopped run has the edges of the phase that it was in. The trace has the edges left for a score.
        """
        from arcwise.constraint.tpda.cuts import Evidence
        from arcwise.constraint.tpda.orient import orient
        from arcwise.constraint.tpda.skeleton import find_draft

        problem.refuse_start("tpda drafts its own graph")
        columns, known = problem.data, problem.known
        test = cast(BoundInformation, problem.bind(self.test))
        evidence = Evidence(test, columns.n_columns)
        threshold = cast(InformationMeasure, self.test).threshold
        draft = find_draft(evidence, NATS[self.unit] * threshold, known, problem.monitor)
        pattern = orient(draft.adjacent, draft.separations, known)
        cpdag = Pdag.from_matrices(columns.names, pattern.directed, pattern.undirected)
        graph = extension(cpdag)
        separations, told = draft.separations.listed(columns.names)
        return Answer(
            pattern=cpdag,
            graph=graph,
            separations=separations,
            trace=draft.trace,
            counters=Counters(tests=evidence.tests, steps=draft.steps, ties=draft.ties + evidence.ties),
            status=("stopped" if draft.steps else "unanswered") if draft.stopped else "converged",
            warnings=(
                *test.warnings,
                *told,
                *_unanswered(evidence, columns),
                *_biased(draft, columns.n_rows, f"{threshold:g} {self.unit}"),
                *contradictions(pattern, cpdag, graph is not None),
            ),
        )


def _unanswered(evidence: Evidence, columns: Dataset) -> list[str]:
    if not evidence.unanswered:
        return []
    return [
        f"{evidence.unanswered:,} of {counted(evidence.tests, 'information')} had too few rows: such a pair gets no "
        f"edge, and such a set separates nothing; {more_rows(columns, 'mutual-information')}"
    ]


def _biased(draft: Draft, n_rows: int, threshold: str) -> list[str]:
    """Where the information of independent columns, degrees / 2N on average, is as large as the threshold too often.

    With many more cells than rows it is 0 instead, whatever the columns: that is no evidence either.
    """
    evidence = draft.evidence
    if not isinstance(evidence.test, WithDegrees):
        return []
    pairs = np.argwhere(np.triu(evidence.pairs > draft.eps, 1)).tolist()
    judged = [*((x, y, ()) for x, y in pairs), *evidence.asked()]
    most = 2.0 * n_rows * draft.eps
    biased = sum(evidence.test.degrees(x, y, given) >= most for x, y, given in judged)
    if biased <= BIASED_SHARE * len(judged):
        return []
    return [
        f"{n_rows:,} rows are few for a threshold of {threshold}: {biased:,} of {len(judged):,} informations that "
        "edges rest on have so many degrees of freedom that chance alone is as large (df / 2N); use more rows, "
        "fewer levels or a larger threshold"
    ]
