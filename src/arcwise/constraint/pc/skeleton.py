"""Which columns are adjacent: the first half of PC."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Lock

import numpy as np

from arcwise.compiling import clock
from arcwise.constraint.separate import Separations, Verdict, separate
from arcwise.data.dataset import BoolArray
from arcwise.parts.knowledge import BoundKnowledge
from arcwise.parts.monitor import Monitor, Progress
from arcwise.parts.protocols import BoundTest, PairwiseTest
from arcwise.printing import counted
from arcwise.results.result import TraceStep
from arcwise.results.status import Status
from arcwise.stats.threads import map_threads

Pair = tuple[int, int]
PHASE = "skeleton"
TRIED = 4  # edges asked one by one to see how long they take
CHUNK = 64  # edges asked about between two reports ...
CHUNK_SECONDS = 0.1  # ... at first: a chunk that took less is followed by a larger one
WORTH_A_THREAD = 0.002  # seconds an edge: quicker ones are Python for the most part, which threads only slow down


class Stop:
    """The monitor's wish to stop, asked by any thread, one at a time; once said it stays."""

    def __init__(self, monitor: Monitor) -> None:
        self._monitor, self._lock, self.said = monitor, Lock(), False

    def __call__(self) -> bool:
        with self._lock:
            self.said = self.said or self._monitor.should_stop()
        return self.said


@dataclass(slots=True)
class Skeleton:
    """Adjacencies while edges are being removed. open[x, y]: larger sets of neighbours of x could still part x and y.

    A pair that no set of one size gave an answer about will get none from larger sets, and is closed. Required edges
    are closed from the start. Pairs that knowledge keeps apart are open but not adjacent. answered, unanswered: pairs
    about which some test gave an answer, or gave none. keep_untested: whether a pair without any answer stays adjacent.
    """

    adjacent: BoolArray
    open: BoolArray
    answered: BoolArray
    unanswered: BoolArray
    keep_untested: bool
    separations: Separations = field(default_factory=Separations)
    tests: int = 0
    skipped: int = 0
    trace: list[TraceStep] = field(default_factory=list)
    stopped: bool = False

    @property
    def status(self) -> Status:
        """Stopped before every pair was tested at all, there is no answer: edges stand where nobody looked."""
        if not self.stopped:
            return "converged"
        looked_at = self.answered | self.unanswered
        return "unanswered" if bool((self.adjacent & self.open & ~looked_at).any()) else "stopped"

    def take(self, x: int, y: int, answer: Verdict) -> None:
        """Remove or close the edge as the answer says, which comes from the neighbours of x."""
        self.tests += answer.tests
        self.skipped += answer.skipped
        for matrix, count in ((self.answered, answer.tests - answer.skipped), (self.unanswered, answer.skipped)):
            matrix[x, y] = matrix[y, x] = matrix[x, y] or count > 0
        untested = self.unanswered[x, y] and not self.answered[x, y]
        if answer.found is not None:
            self.separations[min(x, y), max(x, y)] = answer.found
        if answer.found is not None or (untested and not self.keep_untested):
            for matrix in (self.adjacent, self.open):
                matrix[x, y] = matrix[y, x] = False
        elif answer.tests == answer.skipped:
            self.open[x, y] = False

    def near(self, x: int, y: int) -> list[int]:
        """The neighbours of x but y, in increasing order."""
        return [u for u in self.adjacent[x].nonzero()[0].tolist() if u != y]

    @property
    def n_edges(self) -> int:
        return int(np.count_nonzero(self.adjacent)) // 2


def find_skeleton(
    test: BoundTest,
    alpha: float,
    known: BoundKnowledge,
    *,
    stable: bool,
    max_given: int | None,
    keep_untested: bool,
    monitor: Monitor,
) -> Skeleton:
    """Remove from the complete graph each edge whose ends some set of neighbours of one of them separates.

    Sets of 0, 1, 2, ... neighbours in turn. stable: the neighbours of a level are those at its beginning, so that
    the skeleton does not depend on the order of the edges, which are then shared over the threads.
    """
    possible = known.allowed | known.allowed.T
    fixed = known.required | known.required.T | np.eye(len(possible), dtype=np.bool_)
    nothing = np.zeros_like(possible)
    state = Skeleton(possible.copy(), ~fixed, nothing, nothing.copy(), keep_untested)
    stop = Stop(monitor)
    size = 0
    while (max_given is None or size <= max_given) and not stop():
        edges = _edges_with(state, size)
        if not edges:
            break
        tests, before = state.tests, state.n_edges
        if size == 0 and isinstance(test, PairwiseTest):
            _all_pairs(state, test, alpha, edges)
        elif stable:
            _stable_level(state, test, alpha, edges, size, monitor, stop)
        else:
            _original_level(state, test, alpha, size, monitor, stop)
        left = state.n_edges
        action = f"given {size}: {counted(state.tests - tests, 'test')}, {counted(before - left, 'edge')} removed"
        state.trace.append(TraceStep(PHASE, size, action, float(left)))
        monitor.report(Progress(PHASE, size, message=f"{action}, {counted(left, 'edge')} left"))
        size += 1
    _keep_apart(state, np.argwhere(np.triu(~possible, 1)).tolist(), test, alpha, max_given, stop)
    state.stopped = stop.said
    return state


def _keep_apart(
    state: Skeleton, pairs: Sequence[list[int]], test: BoundTest, alpha: float, max_given: int | None, stop: Stop
) -> None:
    """Separating sets of pairs that knowledge keeps apart, out of the neighbours they ended up with.

    Without such a set nothing could be said about the columns between the two.
    """
    for x, y in pairs:
        near, also = state.near(x, y), state.near(y, x)
        most = max(len(near), len(also))
        for size in range(1 + (most if max_given is None else min(most, max_given))):
            if state.open[x, y]:
                state.take(x, y, separate(test, alpha, (x, y), size, near, also, stop))


def _edges_with(state: Skeleton, size: int) -> list[Pair]:
    """Open edges with an end that has `size` other neighbours."""
    degree = state.adjacent.sum(axis=0)
    enough = np.maximum(degree[:, None], degree[None, :]) > size
    edges = state.adjacent & (state.open | state.open.T) & enough
    return [(x, y) for x, y in np.argwhere(np.triu(edges)).tolist()]


def _all_pairs(state: Skeleton, test: PairwiseTest, alpha: float, edges: Sequence[Pair]) -> None:
    """The level of the empty set in one go; what `_take_both` would do with each edge."""
    values = test.pairwise()
    asked = np.zeros_like(state.adjacent)
    asked[tuple(np.transpose(edges))] = True
    apart, untested = asked & (values >= alpha), asked & np.isnan(values)
    state.separations = Separations(np.where(apart, values, np.nan))
    state.tests += len(edges)
    state.skipped += int(np.count_nonzero(untested))
    answered, untested = asked & ~untested, untested | untested.T
    state.answered |= answered | answered.T
    state.unanswered |= untested
    gone = apart | apart.T if state.keep_untested else apart | apart.T | untested
    state.adjacent &= ~gone
    state.open &= ~(gone | untested)


def _take_both(state: Skeleton, pair: Pair, answer: Verdict) -> None:
    """Take an answer for which the neighbours of both ends were asked."""
    x, y = pair
    state.take(x, y, answer)
    state.open[y, x] = state.open[x, y]


def _stable_level(
    state: Skeleton, test: BoundTest, alpha: float, edges: Sequence[Pair], size: int, monitor: Monitor, stop: Stop
) -> None:
    near = [set(row.nonzero()[0].tolist()) for row in state.adjacent]

    def ask(pair: Pair) -> Verdict:
        x, y = pair
        return separate(test, alpha, pair, size, sorted(near[x] - {y}), sorted(near[y] - {x}), stop)

    for pair, answer in zip(edges, _in_chunks(ask, edges, size, monitor, stop), strict=False):
        _take_both(state, pair, answer)


def _in_chunks(
    ask: Callable[[Pair], Verdict], edges: Sequence[Pair], size: int, monitor: Monitor, stop: Stop
) -> list[Verdict]:
    """[ask(edge) for edge in edges], with a report now and then; fewer once stopped.

    The first few edges are asked one by one; where they take long, the others are divided over the threads. The
    answers are the same either way.
    """
    began = clock()
    answers = [ask(edge) for edge in edges[:TRIED]]
    slow = clock() - began > WORTH_A_THREAD * len(answers)
    chunk = CHUNK
    while len(answers) < len(edges) and not stop.said:
        began = clock()
        some = edges[len(answers) : len(answers) + chunk]
        answers += map_threads(ask, some) if slow else [ask(edge) for edge in some]
        if clock() - began < CHUNK_SECONDS:
            chunk *= 2
        elif len(answers) < len(edges) and not stop.said:
            _report(monitor, size, len(answers), len(edges))
    return answers


def _original_level(state: Skeleton, test: BoundTest, alpha: float, size: int, monitor: Monitor, stop: Stop) -> None:
    """Every removal counts at once: what is removed depends on the order of the columns, which is that of names."""
    n = len(state.adjacent)
    for x in range(n):
        for y in state.near(x, x):
            near = state.near(x, y)
            if state.open[x, y] and len(near) >= size and not stop():
                state.take(x, y, separate(test, alpha, (x, y), size, near, (), stop))
        _report(monitor, size, x + 1, n)


def _report(monitor: Monitor, size: int, done: int, of: int) -> None:
    monitor.report(Progress(PHASE, size, message=f"given {size}", fraction=done / of))
