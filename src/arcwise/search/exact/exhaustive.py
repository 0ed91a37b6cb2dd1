"""Exact search: the network with the highest score of all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import Dataset
from arcwise.errors import DataError, OptionError, check_least
from arcwise.graph.dag import Dag
from arcwise.parts.knowledge import BoundKnowledge
from arcwise.parts.monitor import Monitor, Progress
from arcwise.parts.protocols import BoundScore, Score, check_kinds
from arcwise.printing import listed
from arcwise.problem import Answer, Problem, learn_by_solving, left_out, within_score
from arcwise.results.result import Counters, TraceStep
from arcwise.scores.suited import Suited

if TYPE_CHECKING:
    from arcwise.search.exact.families import Family, Useful
    from arcwise.search.exact.subsets import Choice

MOST_COLUMNS = 28  # the scores of the best networks on all their subsets take 2 GiB
MOST_FAMILIES = 1 << 23


@checked
@dataclass(frozen=True, kw_only=True)
class Exhaustive:
    """The best of all networks whose columns have at most `max_parents` parents, by dynamic programming.

    max_parents: most parents of a node, max_table: most cells of a family's count table (none: no limit).
    """

    kind: ClassVar[str] = "exhaustive"
    reference: ClassVar[str] = "Silander and Myllymäki 2006"

    score: Score = Suited()
    max_parents: int | None = 4
    max_table: int | None = None

    def __post_init__(self) -> None:
        check_least(self, max_parents=0, max_table=1)

    learn = learn_by_solving

    @within_score
    def solve(self, problem: Problem) -> Answer:
        """Of equally good networks the one that the names of the columns choose.

        A stopped run gives a network in which no column would gain by other parents, of those scored so far.
        """
        from arcwise.search.exact.subsets import Choice, best_choice, improve

        problem.refuse_start("exhaustive looks at every graph")
        columns, known = problem.data, problem.known
        check_kinds(self.score, columns)
        families = self._families(columns, known)
        _check_size(families, known, columns.names)
        bound = problem.bind(self.score)
        lists = _scored(bound, families, problem.monitor)
        choice = best_choice(lists, problem.monitor) if len(lists) == len(families) else Choice()
        if not choice.complete:
            improve(choice, lists, known.required)
        adj = choice.adjacency(lists, known.required)
        # By the lists, which have the scores that were compared; columns not reached have the parents required.
        local = [float(lists[v].scores[place]) for v, place in sorted(choice.place.items())]
        local += [bound.local_score(f.child, f.required.tolist()) for f in families[len(lists) :]]
        dag = problem.dag(adj)
        scored = sum(part.scored for part in lists)
        return Answer(
            graph=dag,
            score=sum(local),
            trace=_trace(dag, choice, lists),
            counters=Counters(score_asked=scored, score_computed=scored, steps=choice.subsets, ties=choice.ties),
            status="converged" if choice.complete else "stopped",
            warnings=(
                *bound.warnings,
                *left_out(columns, self.max_table, bound),
                *self._doubts(choice, families, dag),
            ),
        )

    def _families(self, columns: Dataset, known: BoundKnowledge) -> list[Family]:
        """The parents that each column must and may have."""
        from arcwise.search.exact.families import Family

        cards = np.maximum(np.array(columns.cardinalities, dtype=np.float64), 1.0)
        families = []
        for v in range(columns.n_columns):
            required, optional = (mask[:, v].nonzero()[0] for mask in (known.required, known.allowed & ~known.required))
            most = columns.n_columns if self.max_parents is None else self.max_parents
            room = max(0, min(most - len(required), len(optional)))
            families.append(Family(v, required, optional, room, cards, self.max_table))
        return families

    def _doubts(self, choice: Choice, families: Sequence[Family], dag: Dag) -> list[str]:
        if not choice.complete:
            return ["the search was stopped, so there may be a better network than this"]
        full = [
            repr(dag.names[f.child])
            for f in families
            if 0 < f.room < len(f.optional) and len(dag.parent_positions[f.child]) == self.max_parents
        ]
        if not full:
            return []
        verb = "has" if len(full) == 1 else "have"
        limit = f"as many parents as max_parents = {self.max_parents} permits"
        return [f"{listed(full)} {verb} {limit}; with more the score may be higher"]


def _check_size(families: Sequence[Family], known: BoundKnowledge, names: Sequence[str]) -> None:
    """Refuse what would take too much memory or too long, before any work is done."""
    from arcwise.search.exact.subsets import components

    largest = max(components(known.allowed | known.required), key=len, default=[])
    if len(largest) > MOST_COLUMNS:
        raise DataError(
            f"exhaustive search takes at most {MOST_COLUMNS} columns that may all depend on each other (2 GiB), and "
            f"here are {len(largest)}: {listed([names[v] for v in largest])}; leave some out, put them into tiers, or "
            "use tabu"
        )
    most = max(len(family.required) + family.room for family in families)
    counts = [sum(family.n_sets(limit) for family in families) for limit in range(most + 1)]
    if counts[-1] > MOST_FAMILIES:
        limit = max((k for k, count in enumerate(counts) if count <= MOST_FAMILIES), default=0)
        raise OptionError(
            f"{len(families)} columns with up to {most} parents make {counts[-1]:,} families, more than the "
            f"{MOST_FAMILIES:,} that exhaustive search looks at; set max_parents to at most {limit}"
        )


def _scored(bound: BoundScore, families: Sequence[Family], monitor: Monitor) -> list[Useful]:
    """The useful parent sets of the columns, of fewer columns when stopped."""
    from arcwise.search.exact.families import useful_sets

    lists: list[Useful] = []
    for v, family in enumerate(families):
        message = f"column {v + 1} of {len(families)}"
        monitor.report(Progress("scoring", v, message=message, fraction=v / len(families)))
        found = useful_sets(bound, family, monitor)
        if found is None:
            break
        lists.append(found)
    return lists


def _trace(dag: Dag, choice: Choice, lists: Sequence[Useful]) -> tuple[TraceStep, ...]:
    """The columns scored, parents before their children; the score is that of the network on the columns so far."""
    steps: list[TraceStep] = []
    score = 0.0
    for name in dag.topological_order:
        v = dag.index(name)
        if v in choice.place:
            score += float(lists[v].scores[choice.place[v]])
            parents = ", ".join(dag.parents(name))
            action = f"{name} from {parents}" if parents else f"{name} without parents"
            steps.append(TraceStep("search", len(steps) + 1, action, score))
    return tuple(steps)
