"""Greedy equivalence search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import BoolArray, Dataset
from arcwise.errors import OptionError, check_least
from arcwise.parts.monitor import Monitor, Progress
from arcwise.parts.protocols import Score, resolved, tolerance
from arcwise.printing import listed
from arcwise.problem import Answer, Problem, learn_by_solving, left_out, within_score
from arcwise.results.result import Counters, TraceStep
from arcwise.results.status import Status
from arcwise.scores.suited import Suited
from arcwise.search.greedy.hill_climb import HillClimb

if TYPE_CHECKING:
    from arcwise.search.ges.walk import ClassWalk, Operator

PHASES = ("forward", "backward", "turning")
VERBS = ("insert", "delete", "turn")
SLACK = 1e-6  # of a score: more than its rounding errors can add up to


@checked
@dataclass(frozen=True, kw_only=True)
class GES:
    """Walk from class to class of equivalent networks: insert edges while the score rises, then delete while it does.

    turning: also turn edges round, and begin again, until no phase finds anything. climb: begin once more where hill
    climbing ends and return the better of the two, never less than hill climbing's score (false: the published search).
    max_parents: most parents of a node, max_table: most cells of a family's count table (none: no limit).
    """

    kind: ClassVar[str] = "ges"
    reference: ClassVar[str] = "Chickering 2002; Hauser and Bühlmann 2012"

    score: Score = Suited()
    max_parents: int | None = None
    max_table: int | None = None
    turning: bool = False
    climb: bool = True

    def __post_init__(self) -> None:
        check_least(self, max_parents=0, max_table=1)

    learn = learn_by_solving

    @within_score
    def solve(self, problem: Problem) -> Answer:
        """The search begins with the class of the start graph and the required edges; nothing is drawn from `rng`.

        A class without a member that obeys the knowledge is never entered.
        """
        from arcwise.search.ges.scores import ToggleRows
        from arcwise.search.ges.walk import ClassWalk, Limits

        columns, names = problem.data, problem.names
        check_equivalent(self.kind, self.score, columns)
        adj = problem.start_adjacency()
        bound = problem.bind(self.score)
        rows, limits = ToggleRows(bound), Limits.of(columns, bound, self.max_parents, self.max_table)
        known = replace(problem.known, allowed=problem.known.allowed | adj)  # a start that is no candidate stands

        def way_from(adj: BoolArray, whence: str = "") -> _Way:
            way = _Way(ClassWalk(adj, rows, known, limits), names, problem.monitor, whence)
            way.go(self.turning)
            return way

        ways = [way_from(adj)]
        parts: list[_Way | Answer] = [*ways]
        ends = [ways[0].end()]
        if self.climb and ways[0].status == "converged":
            hill = HillClimb(score=self.score, max_parents=self.max_parents, max_table=self.max_table)
            climbed = hill.solve(problem.scored(self.score, bound))
            parts.append(climbed)
            if climbed.graph is not None and climbed.score is not None and climbed.status == "converged":
                ways.append(way_from(climbed.graph.adjacency, " after search"))
                parts.append(ways[1])
                ends += [ways[1].end(), End(climbed.graph.adjacency, climbed.score)]
        best = ends[0]
        for end in ends[1:]:
            if end.score > best.score + tolerance(best.score):
                best = end
        return Answer(
            graph=problem.dag(best.adj),
            score=best.score if best.score > -inf else None,
            trace=[step for part in parts for step in part.trace],
            counters=sum(
                (part.counters for part in parts), Counters(score_asked=rows.asked, score_computed=rows.computed)
            ),
            status=parts[-1].status,
            warnings=(
                *bound.warnings,
                *left_out(columns, self.max_table, bound),
                *_warnings(ways, ends, names),
            ),
        )


class End(NamedTuple):
    """A network and its score; -inf when the search was stopped before it could be scored."""

    adj: BoolArray
    score: float


class _Way:
    """The phases of a search from one class, with what they leave behind. whence: where that class came from."""

    def __init__(self, walk: ClassWalk, names: Sequence[str], monitor: Monitor, whence: str) -> None:
        self.walk, self.trace = walk, list[TraceStep]()
        self.status: Status = "stopped"
        self._names, self._monitor, self._whence = names, monitor, whence
        self._ties = 0  # other classes that were as good as those taken
        self._seen = {_key(walk.pattern)}

    @property
    def counters(self) -> Counters:
        """Steps and ties; what was scored, all ways have in common."""
        return Counters(steps=len(self.trace), ties=self._ties)

    def go(self, turning: bool) -> None:
        """Forward and backward; with turning, all three phases again and again until none takes a step."""
        while True:
            begun = len(self.trace)
            for kind in range(3 if turning else 2):
                if not self._phase(kind):
                    return
            if not turning or len(self.trace) == begun:
                self.status = "converged"
                return

    def end(self) -> End:
        return End(self.walk.member(), self.walk.total() if self.walk.score > -inf else -inf)

    def _phase(self, kind: int) -> bool:
        """Take the best operator of one kind until none improves; False when stopped."""
        if not self.walk.prepare(kind, self._monitor):
            return False
        phase = PHASES[kind] + self._whence
        while tied := self.walk.choose(kind):
            chosen = tied[0]
            before, after = self.walk.pattern, self.walk.after(chosen)
            if _key(after) in self._seen:  # only if rounding makes equivalent networks differ: do not walk in circles
                return True
            self._seen.add(_key(after))
            self._ties += len({_key(self.walk.after(other)) for other in tied[1:]} - {_key(after)})
            up_to_date = self.walk.apply(chosen, after, self._monitor)
            step = len(self.trace) + 1
            action = _action(chosen, before, after, self._names)
            self.trace.append(TraceStep(phase, step, action, self.walk.score))
            self._monitor.report(Progress(phase, step, self.walk.score, action))
            if not up_to_date or self._monitor.should_stop():
                return False
        return True


def check_equivalent(who: str, score: Score, columns: Dataset) -> None:
    """Refuse a score that tells equivalent networks apart."""
    used = resolved(score, columns)
    if not used.score_equivalent:
        raise OptionError(
            f"{who} needs a score that is the same for equivalent networks, which {used.kind!r} is not; use one that "
            "is, such as bdeu, bic or gaussian"
        )


def _key(pattern: BoolArray) -> bytes:
    return np.packbits(pattern).tobytes()


def _action(operator: Operator, before: BoolArray, after: BoolArray, names: Sequence[str]) -> str:
    """What was done, in names: the edge as it stands in the new class (a deleted one as it stood in the old)."""
    x, y = operator.x, operator.y
    present = after if after[x, y] else before
    edge = f"{names[x]} {'--' if present[y, x] else '->'} {names[y]}"
    apart = operator.clique & ~before[x] & ~before[:, x] & after[x, y]
    others = "".join(f", {names[t]} -> {names[y]}" for t in apart.nonzero()[0])
    return f"{VERBS[operator.kind]} {edge}{others}"


def _warnings(ways: Sequence[_Way], ends: Sequence[End], names: Sequence[str]) -> Iterator[str]:
    crowd = set[int]().union(*(way.walk.crowded for way in ways))
    if crowd:
        shown = listed([names[y] for y in sorted(crowd)])
        yield f"{shown}: too many neighbours to look at all sets of them; limit max_parents"
    sums = [(way.walk.score, end.score) for way, end in zip(ways, ends, strict=False) if end.score > -inf]
    if any(abs(gained - scored) > SLACK * (1.0 + abs(scored)) for gained, scored in sums):
        yield (
            "networks that are equivalent have different scores here, since some columns determine others, so the "
            "steps of ges gain other than they promise; leave out columns that are functions of others"
        )
