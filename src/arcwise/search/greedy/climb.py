"""Greedy search over DAGs by adding, deleting and reversing arcs: the walk shared by hill climbing and tabu search."""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arcwise._kernels.graphs.moves import (
    ADD,
    NOTHING,
    REVERSE,
    add_to_closure,
    best_move,
    closure_of_arcs,
    top_addition,
)
from arcwise.data.dataset import FloatArray
from arcwise.parts.monitor import Monitor, Progress
from arcwise.parts.ties import tolerance
from arcwise.results.result import TraceStep
from arcwise.search.greedy.cache import ScoreCache

BoolMatrix = NDArray[np.bool_]
VERBS = ("add", "delete", "reverse")


@dataclass(frozen=True, slots=True)
class Move:
    """Toggle (ADD, DELETE) or turn round (REVERSE) the arc u -> v."""

    kind: int
    u: int
    v: int
    gain: float
    ties: int


class Walk:
    """A DAG on its way through the search: arcs, reachability, scores, and the gain of every toggle.

    Invariants: `reach` is the closure of `adj`; gains[v, u] is the gain of toggling u -> v; tops[v] is the largest of
    gains[v] over nodes not adjacent to v; `key` is the exclusive or of the Zobrist numbers of all arcs, so that equal
    structures have equal keys.
    """

    def __init__(self, adj: BoolMatrix, cache: ScoreCache, required: BoolMatrix, monitor: Monitor) -> None:
        n = adj.shape[0]
        self.adj = adj.copy()
        self._arcs: list[int] = self.adj.ravel().nonzero()[0].tolist()  # u n + v, ascending
        self._parents = [frozenset(column.nonzero()[0].tolist()) for column in self.adj.T]
        self.reach: BoolMatrix = self._closure()
        self.local: FloatArray = np.zeros(n)
        self.gains: FloatArray = np.full((n, n), -np.inf)
        self.tops: FloatArray = np.full(n, -np.inf)
        self.score = -np.inf  # until every column is scored
        self._cache = cache
        self._may_delete = ~required
        # A fixed stream: keys only tell structures apart, they never steer the search.
        self._zobrist = np.random.default_rng(0).integers(1, 2**63, size=(n, n), dtype=np.uint64)
        self.key = np.bitwise_xor.reduce(self._zobrist[self.adj], initial=np.uint64(0))
        for child in range(n):
            if monitor.should_stop():
                return
            monitor.report(Progress("scoring", child, message=f"column {child + 1} of {n}", fraction=child / n))
            self._refresh(child)
            self.tops[child] = top_addition(self.gains, self.adj, child)
        self.score = float(self.local.sum())

    @property
    def tolerance(self) -> float:
        return tolerance(self.score)

    def best(self, tabu: NDArray[np.uint64]) -> Move:
        """The best move to a structure whose key is not in `tabu`; kind NOTHING when there is none."""
        arcs = np.array(self._arcs, dtype=np.int64)
        state = (self.gains, self.tops, self.adj, arcs, self.reach, self._may_delete)
        return Move(*best_move(*state, self.tolerance, self.key, self._zobrist, tabu))

    def apply(self, move: Move) -> None:
        u, v = move.u, move.v
        self._toggle(u, v)
        if move.kind == ADD:
            add_to_closure(self.reach, u, v)
        else:
            if move.kind == REVERSE:
                self._toggle(v, u)
                self._refresh(u)
            self.reach = self._closure()
        self._refresh(v)
        for end in (u, v):
            self.tops[end] = top_addition(self.gains, self.adj, end)
        self.score = float(self.local.sum())

    def _closure(self) -> BoolMatrix:
        reach: BoolMatrix = closure_of_arcs(len(self.adj), np.array(self._arcs, dtype=np.int64))
        return reach

    def _toggle(self, u: int, v: int) -> None:
        present = bool(self.adj[u, v])
        self.adj[u, v] = not present
        self._parents[v] ^= {u}
        self.key ^= self._zobrist[u, v]
        code = u * len(self.adj) + v
        if present:
            self._arcs.remove(code)
        else:
            insort(self._arcs, code)

    def _refresh(self, child: int) -> None:
        row = self._cache.row(child, self._parents[child])
        self.local[child] = row[child]
        np.subtract(row, row[child], out=self.gains[child])
        self.gains[child, child] = -np.inf


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """The best structure met on a walk; its score is -inf when the walk was stopped before it could be scored."""

    adj: BoolMatrix
    score: float
    steps: int
    ties: int
    trace: tuple[TraceStep, ...]
    stopped: bool


def climb(walk: Walk, names: Sequence[str], monitor: Monitor, *, phase: str, tenure: int, patience: int) -> Outcome:
    """Take the best move until none improves (tenure 0), or as tabu search.

    Tabu: the last `tenure` structures may not be revisited; a move that loses is taken, and the walk ends after
    `patience` moves in a row without a new best structure (Tsamardinos, Brown and Aliferis 2006).
    """
    if walk.score == -np.inf:
        return Outcome(walk.adj, walk.score, 0, 0, (), True)
    best_adj, best_score = walk.adj.copy(), walk.score
    recent = np.empty(tenure, dtype=np.uint64)  # the keys of the last structures, in no order
    recent[:1] = walk.key
    trace = []
    steps = ties = barren = 0
    stopped = False
    while not stopped:
        move = walk.best(recent[: steps + 1])
        if move.kind == NOTHING or (tenure == 0 and move.gain <= walk.tolerance):
            break
        walk.apply(move)
        steps += 1
        if tenure:
            recent[steps % tenure] = walk.key
        ties += move.ties
        action = f"{VERBS[move.kind]} {names[move.u]} -> {names[move.v]}"
        trace.append(TraceStep(phase, steps, action, walk.score))
        monitor.report(Progress(phase, steps, walk.score, action))
        if walk.score > best_score + walk.tolerance:
            best_adj, best_score, barren = walk.adj.copy(), walk.score, 0
        else:
            barren += 1
            if barren >= patience:
                break
        stopped = monitor.should_stop()
    return Outcome(best_adj, best_score, steps, ties, tuple(trace), stopped)
