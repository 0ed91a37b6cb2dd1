"""Who are the parents and children of a column? The max-min heuristic, with any test.

The association of x with the target given S is the test's ln p: the smaller, the stronger; independent from ln alpha
on. Nothing is lost below the smallest float, so the strength of two associations is never tied because both are large.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from arcwise.constraint.separate import batches
from arcwise.data.dataset import BoolArray, FloatArray, IntArray
from arcwise.parts.protocols import BoundTest, LogTest, tolerance

SMALLEST = float(np.log(np.finfo(np.float64).smallest_subnormal))
NOTHING: IntArray = np.empty((1, 0), dtype=np.intp)
Members = tuple[int, ...]


class Stopped(Exception):
    """The monitor wants no more; what is known of this target so far is not kept."""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The columns that nothing separates from a target, in the order in which they were found; the work it took.

    unanswered: tests that were asked and had no answer; a kernel, which knows beforehand, does not ask.
    """

    members: Members
    tests: int
    ties: int
    unanswered: int = 0


LogValues = Callable[[int, int, IntArray], FloatArray]


def log_values(test: BoundTest) -> LogValues:
    """ln of the test's values, by the test itself if it can; NaN where there is no answer."""
    if isinstance(test, LogTest):
        return test.log_p_values

    def logarithms(x: int, y: int, given_sets: IntArray) -> FloatArray:
        p = test.p_values(x, y, given_sets)
        return np.log(p, out=np.full(len(p), SMALLEST), where=~(p <= 0))

    return logarithms


@dataclass(slots=True)
class Questions:
    """The associations of one target. `tests` counts those that had an answer, `unanswered` the others."""

    log_values: LogValues
    first_batch: int
    log_alpha: float
    target: int
    max_given: int | None
    should_stop: Callable[[], bool]
    tests: int = 0
    unanswered: int = 0

    def ask(self, x: int, sets: Iterable[Members], size: int) -> tuple[list[tuple[float, Members]], bool]:
        """(value and set of each test, whether the last of them found independence); no set is asked after that one."""
        found: list[tuple[float, Members]] = []
        for some in batches(sets, size, self.first_batch):
            if self.should_stop():
                raise Stopped
            values = self.log_values(x, self.target, some).tolist()
            for value, given in zip(values, some.tolist(), strict=True):
                if np.isnan(value):
                    self.unanswered += 1
                    continue
                self.tests += 1
                found.append((value, tuple(given)))
                if value >= self.log_alpha:
                    return found, True
        return found, False


@dataclass(slots=True)
class MinAssoc:
    """MinAssoc(x; T | members): every subset. O(2^|members|) tests, or as many sets as there are rows for."""

    questions: Questions
    least: dict[int, float]

    def value(self, x: int) -> float:
        """The least association found so far."""
        return self.least[x]

    def stays_dependent(self, x: int, new: Sequence[int], members: Sequence[int]) -> bool:
        """Whether x is still dependent, now that `new` are among the `members`, which are in the order they came."""
        return all(self._with(x, u, members[: members.index(u)]) for u in new)

    def _with(self, x: int, u: int, earlier: Sequence[int]) -> bool:
        """Sets of u and some of the earlier ones, smaller sets first."""
        limit = len(earlier) if self.questions.max_given is None else self.questions.max_given - 1
        for size in range(min(len(earlier), limit) + 1):
            sets = ((u, *some) for some in combinations(earlier, size))
            found, independent = self.questions.ask(x, sets, size + 1)
            if independent:
                return False
            if not found:  # none of them had an answer, so no larger set will
                break
            self.least[x] = max(self.least[x], *(value for value, _ in found))
        return True


@dataclass(slots=True)
class GreedyMinAssoc:
    """GreedyMinAssoc(x; T | members): the member that leaves least joins the set, while that leaves less than before.

    O(|members|^2) tests. `chosen[x]`: the members of the set in the order they joined; `values[x]`: the association
    given the first 0, 1, 2, ... of them. Only sets with a new member are asked about: at every turn the best of the
    old members is known.
    """

    questions: Questions
    values: dict[int, list[float]]
    chosen: dict[int, list[int]]

    def value(self, x: int) -> float:
        return self.values[x][-1]

    def stays_dependent(self, x: int, new: Sequence[int], members: Sequence[int]) -> bool:
        chosen, values = self.chosen[x], self.values[x]
        if not set(chosen).issubset(members):  # one of them has been removed: the search begins again
            chosen.clear()
            del values[1:]
            new = members
        turn = 0
        while self.questions.max_given is None or turn < self.questions.max_given:
            rest = [u for u in new if u not in chosen[:turn]]
            found, independent = self.questions.ask(x, ((*chosen[:turn], u) for u in rest), turn + 1)
            if independent:
                return False
            best = (values[turn + 1], chosen[turn]) if turn < len(chosen) else None
            for value, given in found:
                if best is None or _weaker(value, given[-1], *best):
                    best = (value, given[-1])
            if best is None or best[0] <= values[turn] + tolerance(values[turn]):
                break
            if chosen[turn : turn + 1] != [best[1]]:
                chosen[turn:], values[turn + 1 :] = [best[1]], [best[0]]
                new = members  # with another beginning, every set is new
            turn += 1
        return True


def _weaker(value: float, u: int, other: float, v: int) -> bool:
    """Whether the association given u is less than given v; the name decides a tie."""
    near = tolerance(other)
    return value > other + near or (value >= other - near and u < v)


def parents_and_children(
    search: MinAssoc | GreedyMinAssoc, candidates: Iterable[int], required: Sequence[int]
) -> tuple[Members, int]:
    """(Members, ties) of MMPC: forward, the candidate with the largest least association joins, until none is left.

    Backward, each member goes that some set of the others separates from the target. Required neighbours are members
    from the beginning, so that they take part in every set, and stay.
    """
    members = list(required)
    left = [
        x for x in candidates if all(search.stays_dependent(x, [u], required[: i + 1]) for i, u in enumerate(required))
    ]
    ties = 0
    while left:
        best = min(search.value(x) for x in left)
        tied = [x for x in left if search.value(x) <= best + tolerance(best)]
        ties += len(tied) - 1
        members.append(tied[0])
        left = [x for x in left if x != tied[0] and search.stays_dependent(x, [tied[0]], members)]
    for x in members[len(required) :]:
        others = [u for u in members if u != x]
        if not search.stays_dependent(x, others[members.index(x) :], others):
            members = others
    return tuple(members), ties


class PlainWalk:
    """Neighbours of one target after another, by any test. `associations`: ln p of all pairs given nothing."""

    def __init__(
        self, test: BoundTest, log_alpha: float, associations: FloatArray, *, greedy: bool, max_given: int | None
    ) -> None:
        self._log_values, self._first_batch = log_values(test), test.first_batch
        self._log_alpha, self._associations = log_alpha, associations
        self._greedy, self._max_given = greedy, max_given

    def pairs(self, columns: range, possible: BoolArray, should_stop: Callable[[], bool]) -> Iterator[Members]:
        """Work out the associations of these columns with later ones given nothing; with which there was no answer."""
        for x in columns:
            if x > columns.start and should_stop():
                raise Stopped
            others = x + 1 + possible[x, x + 1 :].nonzero()[0]
            for y in others.tolist():
                value = self._log_values(x, y, NOTHING)[0]
                self._associations[x, y] = self._associations[y, x] = value
            yield tuple(others[np.isnan(self._associations[x, others])].tolist())

    def settle(self) -> None:
        """Between pairs and neighbours, once for all threads: here nothing is left to do."""

    def neighbours(
        self, targets: range, possible: BoolArray, required: BoolArray, should_stop: Callable[[], bool]
    ) -> Iterator[Neighbours]:
        """Those of each of these targets. Raises Stopped when it should stop, what it has found until then is good."""
        for target in targets:
            row = self._associations[target]
            values = {x: float(row[x]) for x in possible[target].nonzero()[0].tolist() if row[x] < self._log_alpha}
            asking = (self._log_values, self._first_batch, self._log_alpha)
            questions = Questions(*asking, target, self._max_given, should_stop)
            search: MinAssoc | GreedyMinAssoc
            if self._greedy:
                search = GreedyMinAssoc(questions, {x: [v] for x, v in values.items()}, {x: [] for x in values})
            else:
                search = MinAssoc(questions, dict(values))
            members, ties = parents_and_children(search, values, required[target].nonzero()[0].tolist())
            yield Neighbours(members, questions.tests, ties, questions.unanswered)
