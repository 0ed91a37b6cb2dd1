"""The walk of climb.py where each column has few candidates: memory and time go with these, not with all pairs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arcwise._kernels.graphs import listed as kernels
from arcwise._kernels.graphs.listed import BEST, KIND, NOW, SLOT, TIES
from arcwise._kernels.graphs.moves import NOTHING, REVERSE
from arcwise.data.dataset import BoolArray, IntArray
from arcwise.parts.knowledge import BoundKnowledge
from arcwise.parts.monitor import Monitor, Progress, listens
from arcwise.results.result import TraceStep
from arcwise.search.greedy.climb import VERBS, Outcome
from arcwise.search.greedy.listed_scores import ListedScores

LEAST_COLUMNS = 500  # with fewer, a cell for every pair costs next to nothing
MOST_ARCS = 64  # of a path that is kept, as it shows that a move would close a cycle
MOST_LISTED = 100  # candidates of a column, on average: with more, lists save nothing


def suits_lists(known: BoundKnowledge) -> bool:
    """Whether a problem has many columns and few candidates for each."""
    n = len(known.allowed)
    return n >= LEAST_COLUMNS and int(np.count_nonzero(known.allowed)) <= MOST_LISTED * n


def slots_of(permitted: BoolArray, start: BoolArray, required: BoolArray) -> kernels.Slots:
    """A slot for every arc that is permitted or in the start."""
    children, parents = np.nonzero((permitted | start).T)
    n, codes = len(permitted), children * len(permitted) + parents
    turned = parents * n + children
    place = np.minimum(np.searchsorted(codes, turned), max(len(codes) - 1, 0))
    out = np.argsort(turned, kind="stable")
    return kernels.Slots(
        first=_starts(children, n),
        parent=parents,
        child=children,
        other=np.where(codes[place] == turned, place, -1) if len(codes) else codes,
        out_first=_starts(parents[out], n),
        out=out,
        may_delete=~required[parents, children],
        # A fixed stream: keys only tell structures apart, they never steer the search.
        keys=np.random.default_rng(0).integers(1, 2**63, size=len(codes), dtype=np.uint64),
    )


def _starts(ascending: IntArray, n: int) -> IntArray:
    """Where the entries 0, 1, ..., n of ascending numbers begin."""
    return np.searchsorted(ascending, np.arange(n + 1))


def climb_listed(
    adj: BoolArray,
    scores: ListedScores,
    names: Sequence[str],
    monitor: Monitor,
    *,
    phase: str,
    tenure: int = 0,
    patience: int = 0,
) -> Outcome:
    """As `climb`."""
    slots, told = scores.slots, monitor if listens(monitor) else None
    walk = begun(adj, slots, tenure)
    if not _score_all(walk, scores, names, monitor, told):
        return Outcome(adj.copy(), -np.inf, 0, 0, (), stopped=True)
    trace: list[TraceStep] = []
    kernels.settle(slots, walk)
    stopped = monitor.should_stop()
    while not stopped and (kind := kernels.move(slots, walk, patience)) != NOTHING:
        slot = walk.cursor.item(SLOT)
        u, v = slots.parent.item(slot), slots.child.item(slot)
        for child in (v, u) if kind == REVERSE else (v,):
            scores.look_up(walk, child)
        kernels.settle(slots, walk)
        action = f"{VERBS[kind]} {names[u]} -> {names[v]}"
        trace.append(TraceStep(phase, len(trace) + 1, action, walk.scores.item(NOW)))
        if told is not None:
            told.report(Progress(phase, len(trace), trace[-1].score, action))
        stopped = monitor.should_stop()
    best = np.zeros_like(adj)
    best[slots.parent[walk.best], slots.child[walk.best]] = True
    ties = walk.cursor.item(TIES)
    return Outcome(best, float(walk.scores[BEST]), len(trace), ties, tuple(trace), stopped)


def begun(adj: BoolArray, slots: kernels.Slots, tenure: int) -> kernels.Walk:
    """At the first structure, before any column is scored."""
    n, present = len(adj), adj[slots.parent, slots.child]
    walk = kernels.Walk(
        present=present,
        gains=np.full(len(present), -np.inf),
        tops=np.full(n, -np.inf),
        local=np.zeros(n),
        key=np.bitwise_xor.reduce(slots.keys[present], initial=np.uint64(0), keepdims=True),
        recent=np.empty(tenure, dtype=np.uint64),
        best=present.copy(),
        seen=np.zeros((2, n), dtype=np.int64),
        came=np.empty((2, n), dtype=np.int64),
        queue=np.empty((2, n), dtype=np.int64),
        reached=np.empty((2, 2), dtype=np.int64),
        paths=np.empty((2 * len(present), MOST_ARCS), dtype=np.int32),  # few of them are ever written
        lengths=np.zeros(2 * len(present), dtype=np.int32),
        refused=np.full(2 * len(present), -1, dtype=np.int64),
        cursor=np.zeros(kernels.CURSOR, dtype=np.int64),
        scores=np.full(2, -np.inf),
    )
    walk.cursor[KIND] = NOTHING
    return walk


def _score_all(
    walk: kernels.Walk, scores: ListedScores, names: Sequence[str], monitor: Monitor, told: Monitor | None
) -> bool:
    """Whether it was not stopped before all columns were scored."""
    n = len(names)
    for child in range(n):
        if monitor.should_stop():
            return False
        if told is not None:
            told.report(Progress("scoring", child, message=f"column {child + 1} of {n}", fraction=child / n))
        scores.look_up(walk, child)
    return True
