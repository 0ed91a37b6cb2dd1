"""Greedy search over DAGs by adding, deleting and reversing arcs: the walk shared by hill climbing and tabu search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from arcwise._kernels.graphs import climb as kernels
from arcwise._kernels.graphs.climb import BEST, LACKS_A_ROW, LACKS_SCORES, LOGGED, N_ARCS, NOW, TIES
from arcwise._kernels.graphs.moves import NOTHING
from arcwise.parts.monitor import Monitor, Progress, listens
from arcwise.results.result import TraceStep
from arcwise.search.greedy.cache import ScoreCache

BoolMatrix = NDArray[np.bool_]
VERBS = ("add", "delete", "reverse")
MOVES = 64  # taken before somebody may stop the walk, where nobody hears of each


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """The best structure met on a walk; its score is -inf when the walk was stopped before it could be scored."""

    adj: BoolMatrix
    score: float
    steps: int
    ties: int
    trace: tuple[TraceStep, ...]
    stopped: bool


def climb(
    adj: BoolMatrix,
    required: BoolMatrix,
    cache: ScoreCache,
    names: Sequence[str],
    monitor: Monitor,
    *,
    phase: str,
    tenure: int = 0,
    patience: int = 0,
) -> Outcome:
    """Take the best move until none improves (tenure 0), or as tabu search.

    Tabu: the last `tenure` structures may not be revisited; a move that loses is taken, and the walk ends after
    `patience` moves in a row without a new best structure (Tsamardinos, Brown and Aliferis 2006).
    """
    walk = _begun(adj, required, tenure)
    told = monitor if listens(monitor) else None
    moves = MOVES if told is None else 1
    log = kernels.Log(np.empty((moves, 3), dtype=np.int64), np.empty(moves))
    trace: list[TraceStep] = []
    why, stopped = LACKS_SCORES, False
    _report(walk, log, trace, names, told, phase)
    while why != kernels.AT_THE_END and not stopped:
        stopped = monitor.should_stop()
        if not stopped:
            why = kernels.go_on(walk, cache.rows, cache.limits, log, patience, cache.families, cache.address)
            _report(walk, log, trace, names, told, phase)
            if why == LACKS_A_ROW:
                cache.make_room()
            elif why == LACKS_SCORES:
                child = walk.waiting.item(walk.cursor.item(kernels.WAITING) - 1)
                cache.work_out(child, walk.cursor.item(kernels.PLACE))
    cache.asked += int(walk.cursor[kernels.ASKED])
    cache.computed += int(walk.cursor[kernels.COMPUTED])
    best = float(walk.scores[BEST])
    return Outcome(walk.best_adj, best, len(trace), int(walk.cursor[TIES]), tuple(trace), stopped)


def _begun(adj: BoolMatrix, required: BoolMatrix, tenure: int) -> kernels.Walk:
    """At the first structure, before any column is scored."""
    n = adj.shape[0]
    arcs = adj.ravel().nonzero()[0]
    zobrist = _zobrist(n)
    walk = kernels.Walk(
        adj=adj.copy(),
        arcs=np.append(arcs, np.zeros(n * (n - 1) // 2 - len(arcs) + 1, dtype=np.int64)),
        reach=np.empty((n, n), dtype=np.uint8),
        gains=np.full((n, n), -np.inf),
        tops=np.full(n, -np.inf),
        local=np.zeros(n),
        may_delete=~required,
        zobrist=zobrist,
        key=np.bitwise_xor.reduce(zobrist[adj], initial=np.uint64(0), keepdims=True),
        recent=np.empty(tenure, dtype=np.uint64),
        waiting=np.arange(n)[::-1].copy(),
        best_adj=adj.copy(),
        cursor=np.zeros(kernels.CURSOR, dtype=np.int64),
        scores=np.full(2, -np.inf),
        room=np.empty((2, n), dtype=np.int64),
    )
    walk.recent[:1] = walk.key
    walk.cursor[kernels.WAITING], walk.cursor[kernels.KIND], walk.cursor[N_ARCS] = n, NOTHING, len(arcs)
    return walk


@lru_cache(maxsize=4)
def _zobrist(n: int) -> NDArray[np.uint64]:
    """A fixed stream: keys only tell structures apart, they never steer the search."""
    return np.random.default_rng(0).integers(1, 2**63, size=(n, n), dtype=np.uint64)


def _report(
    walk: kernels.Walk, log: kernels.Log, trace: list[TraceStep], names: Sequence[str], told: Monitor | None, phase: str
) -> None:
    """The moves since the last time, or how many columns have been scored before the first. told: who listens."""
    if told is not None and walk.scores[NOW] == -np.inf:
        n, child = len(names), len(names) - walk.cursor.item(kernels.WAITING)
        told.report(Progress("scoring", child, message=f"column {child + 1} of {n}", fraction=child / n))
    logged = walk.cursor.item(LOGGED)
    for (kind, u, v), score in zip(log.moves[:logged].tolist(), log.scores[:logged].tolist(), strict=True):
        action = f"{VERBS[kind]} {names[u]} -> {names[v]}"
        trace.append(TraceStep(phase, len(trace) + 1, action, score))
        if told is not None:
            told.report(Progress(phase, len(trace), score, action))
    walk.cursor[LOGGED] = 0
