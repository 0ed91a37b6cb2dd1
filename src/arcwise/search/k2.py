"""K2: parents chosen greedily among the columns that come before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, prod
from typing import ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, IntArray
from arcwise.errors import OptionError, check_least, unknown_name
from arcwise.graph.dag import Dag
from arcwise.parts.knowledge import BoundKnowledge
from arcwise.parts.monitor import Monitor, Progress
from arcwise.parts.protocols import BoundScore, Learner, Score, check_kinds, tolerance
from arcwise.problem import Answer, Problem, learn_by_solving, left_out, within_score
from arcwise.results.result import Counters, TraceStep
from arcwise.scores.dirichlet import K2
from arcwise.scores.suited import Suited
from arcwise.search.greedy.hill_climb import HillClimb


@checked
@dataclass(frozen=True, kw_only=True)
class K2Search:
    """Give each column, in `order`, the earlier column that raises its score most, then the next, while one does.

    order: every column, causes first (none: a topological order of what `first` learns). response: the only column
    that is given parents, any others (none: all are, by the order). max_parents: most parents of a column (none: no
    limit). max_table: most cells of a family's count table (none: no limit). O(n^2 max_parents) scores.
    """

    kind: ClassVar[str] = "k2-search"
    reference: ClassVar[str] = "Cooper and Herskovits 1992"

    score: Score = Suited(discrete=K2())
    order: tuple[str, ...] | None = None
    response: str | None = None
    first: Learner = HillClimb(score=Suited())
    max_parents: int | None = None
    max_table: int | None = None

    def __post_init__(self) -> None:
        check_least(self, max_parents=0, max_table=1)
        if self.order is not None:
            if isinstance(self.order, str):
                raise OptionError(f"option 'order' must be a list of all column names, not the text {self.order!r}")
            object.__setattr__(self, "order", tuple(str(name) for name in self.order))  # a list from a saved result
            if self.response is not None:
                raise OptionError("the options 'order' and 'response' exclude each other; leave one of them out")

    learn = learn_by_solving

    @within_score
    def solve(self, problem: Problem) -> Answer:
        """A start graph is where `first` starts; with a given order or response there is no use for one.

        A stopped run has no score: columns that were not reached have no parents but required ones. One that is stopped
        before it has an order returns the graph of `first`.
        """
        columns, monitor = problem.data, problem.monitor
        check_kinds(self.score, columns)
        counters, warnings = Counters(), list[str]()
        if self.order is not None or self.response is not None:
            problem.refuse_start("k2 with a given order or response begins without edges")
            order = self._given_order(columns.names, problem.known)
        else:
            found = self.first.solve(problem)
            if found.status == "stopped":
                return replace(found, score=None)
            first = problem.dag(problem.known.required) if found.graph is None else found.graph
            order, counters = [first.index(name) for name in first.topological_order], found.counters
            warnings = [f"for the order of the columns: {warning}" for warning in found.warnings]
        bound = problem.bind(self.score)
        family = _Families(self, bound, columns, problem.known)
        for position, child in enumerate(order):
            if monitor.should_stop():
                break
            alone = self.response is not None and columns.names[child] != self.response
            if not family.choose(child, () if alone else order[:position], monitor):
                break
            message = f"column {position + 1} of {len(order)}"
            monitor.report(Progress("parents", position + 1, message=message, fraction=(position + 1) / len(order)))
        stopped = family.done < len(order)
        return Answer(
            graph=problem.dag(family.adj),
            score=None if stopped else family.score,
            trace=family.trace,
            counters=counters + family.counters(),
            status="stopped" if stopped else "converged",
            warnings=(*warnings, *bound.warnings, *left_out(columns, self.max_table, bound)),
        )

    def _given_order(self, names: tuple[str, ...], known: BoundKnowledge) -> list[int]:
        if self.response is None:
            assert self.order is not None
            return _checked(self.order, names, known)
        if self.response not in names:
            raise OptionError(unknown_name("column in the option 'response':", self.response, names))
        required = Dag.from_adjacency(names, known.required)
        below = required.descendants(self.response)  # by the knowledge: these cannot be its parents
        before = [name for name in names if name != self.response and name not in below]
        return [names.index(name) for name in (*before, self.response, *sorted(below))]


class _Families:
    """The network so far: `score` and `trace` are about the columns that have been given their parents."""

    def __init__(self, options: K2Search, bound: BoundScore, columns: Dataset, known: BoundKnowledge) -> None:
        self._bound, self._names, self._known = bound, columns.names, known
        self._limit = columns.n_columns if options.max_parents is None else options.max_parents
        self._max_table = inf if options.max_table is None else options.max_table
        self._cards = np.maximum(columns.cardinalities, 1)
        self.adj = known.required.copy()
        self.score = 0.0
        self.trace: list[TraceStep] = []
        self.done = self.computed = self.ties = 0

    def choose(self, child: int, before: Sequence[int], monitor: Monitor) -> bool:
        """Add parents to `child` while one raises its score by more than the tolerance; False when stopped."""
        parents = self.adj[:, child].nonzero()[0].tolist()
        local = self._bound.local_score(child, parents)
        self.computed += 1
        while len(parents) < self._limit:
            near = self._permitted(child, parents, before)
            if not near.size:
                break
            sets = np.column_stack([np.tile(np.array(parents, dtype=np.intp), (near.size, 1)), near])
            scores = self._bound.local_scores(child, sets)
            self.computed += near.size
            if scores.max() <= local + tolerance(local):
                break
            tied = (scores >= scores.max() - tolerance(local)).nonzero()[0]
            best = int(near[tied[0]])
            self.ties += len(tied) - 1
            self.adj[best, child] = True
            parents.append(best)
            local = float(scores[tied[0]])
            action = f"add {self._names[best]} -> {self._names[child]}"
            self.trace.append(TraceStep("parents", len(self.trace) + 1, action, self.score + local))
            monitor.report(Progress("parents", self.done, self.score + local, action, self.done / len(self._names)))
            if monitor.should_stop():
                return False
        self.score += local
        self.done += 1
        return True

    def _permitted(self, child: int, parents: list[int], before: Sequence[int]) -> IntArray:
        """Earlier columns that may be added, in the order of their names."""
        cells = int(self._cards[child]) * prod(int(self._cards[u]) for u in parents)
        mask = np.zeros(len(self._names), dtype=np.bool_)
        mask[list(before)] = True
        mask &= self._known.allowed[:, child] & ~self.adj[:, child] & (self._cards * float(cells) <= self._max_table)
        return mask.nonzero()[0]

    def counters(self) -> Counters:
        return Counters(score_asked=self.computed, score_computed=self.computed, steps=len(self.trace), ties=self.ties)


def _checked(order: tuple[str, ...], names: tuple[str, ...], known: BoundKnowledge) -> list[int]:
    """The columns' positions in this order; one sentence about what is wrong with it."""
    for name in order:
        if name not in names:
            raise OptionError(unknown_name("column in the option 'order':", name, names))
        if order.count(name) > 1:
            raise OptionError(f"column {name!r} stands twice in the option 'order'; name every column once")
    missing = [name for name in names if name not in order]
    if missing:
        raise OptionError(f"column {missing[0]!r} is missing in the option 'order'; name every column once")
    for u, v in np.argwhere(known.required):
        if order.index(names[u]) > order.index(names[v]):
            raise OptionError(
                f"the edge {names[u]} -> {names[v]} is required, but {names[v]!r} comes first in the option 'order'"
            )
    return [names.index(name) for name in order]
