"""The skeleton that the neighbours of all columns make together: what MMPC and PMMS have in common."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from arcwise.compiling import clock
from arcwise.constraint.max_min.walk import Members, Neighbours, PlainWalk, Stopped
from arcwise.constraint.options import pair_names, why_no_answer
from arcwise.constraint.pc.skeleton import PHASE, Stop
from arcwise.data.dataset import BoolArray, Dataset
from arcwise.graph.pdag import Pdag
from arcwise.parts.knowledge import BoundKnowledge
from arcwise.parts.monitor import Monitor, Progress
from arcwise.parts.protocols import BoundTest, ExplainedTest, KernelTest
from arcwise.printing import counted, listed
from arcwise.problem import Answer, Problem
from arcwise.results.result import Counters, TraceStep
from arcwise.stats.threads import map_threads, n_threads

if TYPE_CHECKING:
    from arcwise.constraint.max_min.compiled_walk import CompiledWalk
    from arcwise.constraint.max_min.max_min import MMPC, PMMS

    Walk = PlainWalk | CompiledWalk

TRIED = 4  # columns done by one thread to see how long they take
WORTH_A_THREAD = 0.0002  # seconds a column
AT_A_TIME = 0.02  # seconds for the columns that a thread takes at a time ...
MOST_AT_A_TIME = 16  # ... and how many these are at most
Result = TypeVar("Result")


def solve_skeleton(options: MMPC | PMMS, problem: Problem, *, greedy: bool) -> Answer:
    """Neighbours of every column, each on its own and shared over the threads; edges that both ends name (or one)."""
    problem.refuse_start(f"{options.kind} tests columns, not graphs")
    names, known, test = problem.names, problem.known, problem.bind(options.test)
    level = options.test.level if options.alpha is None else options.alpha
    found = _all_neighbours(test, level, known, greedy, options.max_given, problem.monitor)
    adjacent, one_sided = _join(found.neighbours, known.required, options.symmetric)
    reached = [one for one in found.neighbours if one is not None]
    return Answer(
        pattern=Pdag.from_matrices(names, np.zeros_like(adjacent), adjacent),
        trace=_trace(found, names, adjacent, one_sided, options.symmetric),
        counters=Counters(
            tests=found.pairs - len(found.untested) + sum(one.tests for one in reached),
            ties=sum(one.ties for one in reached),
        ),
        status=("stopped" if reached else "unanswered") if found.stopped else "converged",
        warnings=(*test.warnings, *_warnings(found, test, problem.data)),
    )


@dataclass(frozen=True, slots=True)
class Found:
    """The neighbours of each column (None: not reached); how many pairs were looked at; those without an answer."""

    neighbours: list[Neighbours | None]
    pairs: int
    untested: list[tuple[int, int]]
    stopped: bool


def _all_neighbours(
    test: BoundTest, alpha: float, known: BoundKnowledge, greedy: bool, max_given: int | None, monitor: Monitor
) -> Found:
    required = known.required | known.required.T
    possible = (known.allowed | known.allowed.T) & ~required
    n, stop = len(possible), Stop(monitor)
    make = _walks(test, log(alpha), greedy, max_given, required)
    here = make()

    def pairs_of(walk: Walk, columns: range) -> Iterator[Members]:
        return walk.pairs(columns, possible, stop)

    def neighbours_of(walk: Walk, targets: range) -> Iterator[Neighbours]:
        return walk.neighbours(targets, possible, required, stop)

    untested = _share_out(here, make, pairs_of, n, stop, monitor, "pairs")
    neighbours: list[Neighbours | None] = [None] * n
    if None not in untested:
        here.settle()
        neighbours = _share_out(here, make, neighbours_of, n, stop, monitor, "neighbours")
    reached = [x for x, later in enumerate(untested) if later is not None]
    pairs = sum(int(np.count_nonzero(possible[x, x + 1 :])) for x in reached)
    return Found(neighbours, pairs, [(x, y) for x, later in enumerate(untested) for y in later or ()], stop.said)


def _walks(
    test: BoundTest, log_alpha: float, greedy: bool, max_given: int | None, required: BoolArray
) -> Callable[[], Walk]:
    """What makes a walk for a thread: by a kernel if there is one for this test."""
    from arcwise.constraint.max_min.compiled_walk import Associations, CompiledWalk

    facts = test.kernel_facts() if isinstance(test, KernelTest) else None
    if facts is None:
        associations = np.full(required.shape, np.nan)
        return lambda: PlainWalk(test, log_alpha, associations, greedy=greedy, max_given=max_given)
    most_required = int(required.sum(axis=0).max(initial=0))
    shared = Associations(facts, log_alpha, greedy=greedy, max_given=max_given, most_required=most_required)
    return lambda: CompiledWalk(shared)


def _share_out(
    here: Walk,
    make: Callable[[], Walk],
    work: Callable[[Walk, range], Iterator[Result]],
    n: int,
    stop: Stop,
    monitor: Monitor,
    what: str,
) -> list[Result | None]:
    """[*work(walk, range(n))], each thread with a walk of its own (this one: `here`); None where it was stopped.

    Columns differ much in how long they take, so a thread takes the next few when it is done. Which thread does what
    does not change any result. The first few columns are done by one thread; if they are quick, so are the others, as
    most of the time is Python's, which threads only slow down.
    """
    waiting = deque([range(min(n, TRIED))])
    results: list[Result | None] = [None] * n

    def one_thread(thread: int) -> None:
        walk = here if thread == 0 else make()
        while not stop():
            try:
                columns = waiting.popleft()
            except IndexError:  # nothing is left, or another thread was quicker
                return
            try:
                for i, result in zip(columns, work(walk, columns), strict=True):
                    results[i] = result
            except Stopped:
                return
            if thread == 0:  # the thread that called: a monitor need not know of others
                message = f"{what} of column {columns.stop} of {n}"
                monitor.report(Progress(PHASE, columns.stop - 1, message=message, fraction=columns.stop / n))

    began = clock()
    one_thread(0)
    each = (clock() - began) / TRIED
    size = max(1, min(int(AT_A_TIME / max(each, 1e-9)), MOST_AT_A_TIME))
    waiting.extend(range(first, min(first + size, n)) for first in range(TRIED, n, size))
    if waiting:
        map_threads(one_thread, range(min(len(waiting), n_threads() if each > WORTH_A_THREAD else 1)))
    return results


def _join(neighbours: Sequence[Neighbours | None], required: BoolArray, symmetric: bool) -> tuple[BoolArray, int]:
    """(Adjacent columns, how many pairs only one end names). The word of an end that was not reached is not asked."""
    adjacent = required | required.T
    targets = np.repeat(np.arange(len(required)), [0 if one is None else len(one.members) for one in neighbours])
    members = np.array([u for one in neighbours if one is not None for u in one.members], dtype=np.intp)
    names = np.zeros_like(required)
    names[targets, members] = True
    silent = np.array([one is None for one in neighbours], dtype=np.bool_)
    both = names[members, targets] | silent[members]
    kept = both if symmetric else np.ones_like(both)
    adjacent[targets[kept], members[kept]] = adjacent[members[kept], targets[kept]] = True
    return adjacent, int(np.count_nonzero(~both))


def _trace(found: Found, names: Sequence[str], adjacent: BoolArray, one_sided: int, symmetric: bool) -> list[TraceStep]:
    """A step for each column, with the number of its neighbours for a score; then one for all, with that of edges."""
    steps = []
    for target, one in enumerate(found.neighbours):
        if one is not None:
            near = listed([names[u] for u in one.members]) or "none"
            action = f"neighbours of {names[target]} after {counted(one.tests, 'test')}: {near}"
            steps.append(TraceStep(PHASE, target, action, float(len(one.members))))
    left = int(np.count_nonzero(adjacent)) // 2
    fate = "left out" if symmetric else "kept"
    action = f"{counted(left, 'edge')}; {counted(one_sided, 'pair')} that only one end names {fate}"
    return [*steps, TraceStep(PHASE, len(names), action, float(left))]


def _warnings(found: Found, test: BoundTest, data: Dataset) -> list[str]:
    lacking, remedy = why_no_answer(test, data)
    warnings = []
    if found.untested:
        what = f"{len(found.untested):,} of {counted(found.pairs, 'pair')} of columns {lacking} for a test"
        names = pair_names(data.names, found.untested)
        warnings.append(f"{what} and count as independent ({names}); {remedy}")
    unanswered = sum(one.unanswered for one in found.neighbours if one is not None)
    if unanswered and isinstance(test, ExplainedTest):  # sets with too few rows are left out by rule, nobody need know
        warnings.append(f"{counted(unanswered, 'test')} given other columns {lacking} and separated nothing; {remedy}")
    return warnings
