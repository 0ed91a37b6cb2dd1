"""From a network to one that neither reinsertions nor single moves improve."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from arcwise._kernels.graphs.reinsertion import ancestors_without, best_parents
from arcwise.data.dataset import BoolArray, FloatArray, IntArray
from arcwise.parts.monitor import Progress
from arcwise.parts.protocols import BoundScore, tolerance
from arcwise.printing import listed
from arcwise.problem import Problem
from arcwise.results.result import Counters, TraceStep
from arcwise.search.greedy.cache import ScoreCache
from arcwise.search.greedy.climb import climb
from arcwise.search.ranking import best_first
from arcwise.search.reinsertion.parent_sets import ParentSets

if TYPE_CHECKING:
    from arcwise.search.reinsertion.optimal_reinsertion import OptimalReinsertion

SHALLOW = 2  # parents in the first passes: cheap, and most of the way


class Settled(NamedTuple):
    """A network and its score; -inf when the search was stopped before it could be scored."""

    adj: BoolArray
    score: float


class Reinsertion:
    """The search on one table. What it has learned about parent sets serves all starts."""

    def __init__(self, options: OptimalReinsertion, bound: BoundScore, problem: Problem) -> None:
        self._options, self._bound, self._columns, self._known = options, bound, problem.data, problem.known
        self._monitor, self._rng = problem.monitor, problem.rng
        self._cache = ScoreCache(
            bound,
            self._known.allowed | self._known.required,
            cards=self._columns.cardinalities,
            max_parents=options.max_parents,
            max_table=options.max_table,
        )
        self.fits = self._cache.fits
        self._parent_sets: dict[int, ParentSets] = {}
        self._size = min(SHALLOW, options.max_parents)  # of the parent sets in use
        self._steps = self._ties = 0
        self.trace: list[TraceStep] = []
        self.stopped = False

    def settle(self, adj: BoolArray, phase: str) -> Settled:
        """Passes of reinsertions, then climb; again until neither raises the score, then with larger parent sets."""
        network = _Network(adj, self._cache)
        best = Settled(network.adj, network.score)
        while not self.stopped:
            while self._pass(network, phase):
                pass
            before, best = best.score, Settled(network.adj, network.score)
            if self.stopped:
                break
            climbed = self.climb(best.adj, phase)
            best = climbed if climbed.score > best.score else best  # it has none if stopped at once
            network = _Network(best.adj, self._cache)
            if best.score <= before + tolerance(before):
                if self._size >= self._options.max_parents:
                    break
                self._size += 1
        return best

    def counters(self) -> Counters:
        scored = sum(sets.computed for sets in self._parent_sets.values())
        return Counters(
            score_asked=self._cache.asked + scored,
            score_computed=self._cache.computed + scored,
            steps=self._steps,
            ties=self._ties,
        )

    def climb(self, adj: BoolArray, phase: str) -> Settled:
        """The best single move until none raises the score."""
        found = climb(adj, self._known.required, self._cache, self._columns.names, self._monitor, phase=phase)
        self._steps += found.steps
        self._ties += found.ties
        self.trace += found.trace
        self.stopped = found.stopped
        return Settled(found.adj, found.score)

    def _pass(self, network: _Network, phase: str) -> bool:
        """Reinsert every column once, in random order; whether anything changed."""
        before = self._steps
        for target in self._rng.permutation(network.adj.shape[0]).tolist():
            sets = self._sets_of(target)
            if sets is None or self._monitor.should_stop():
                self.stopped = True
                return False
            self._reinsert(network, target, sets, phase)
        return self._steps > before

    def _reinsert(self, network: _Network, target: int, sets: ParentSets, phase: str) -> None:
        required = self._known.required[target]
        least = tolerance(network.score)
        gains = network.gains(target)
        now = network.local[target] + gains[network.adj[target] & ~required].sum()
        gains[required | (gains <= least)] = 0.0
        fixed = required.nonzero()[0]
        bits = ancestors_without(network.adj, target)
        s, value, ties, joined = best_parents(sets.sets, sets.scores, sets.order, bits, gains, fixed, least)
        if s < 0 or value <= now + least:
            return
        parents = sets.sets[s][sets.sets[s] >= 0]
        network.put(target, parents, joined | required)
        self._steps += 1
        self._ties += ties
        action = self._words(target, parents, network.adj[target].nonzero()[0])
        self.trace.append(TraceStep(phase, self._steps, action, network.score))
        self._monitor.report(Progress(phase, self._steps, network.score, action))

    def _sets_of(self, target: int) -> ParentSets | None:
        """The parent sets of a column, as large as they are in use now; None when stopped."""
        base = self._known.required[:, target].nonzero()[0].tolist()
        sets = self._parent_sets.get(target)
        if sets is None:
            pairs = self._cache.row(target, frozenset(base)).copy()
            pairs[[target, *base]] = -np.inf
            sets = self._parent_sets[target] = ParentSets(
                self._bound,
                target,
                base,
                best_first(pairs)[: self._options.candidates],
                cards=np.maximum(self._columns.cardinalities, 1),
                max_table=self._options.max_table,
                thorough=self._options.thorough,
                n_rows=self._columns.n_rows,
            )
        size = max(0, self._size - len(base))
        if sets.size < size:
            self._monitor.report(Progress("parent sets", self._steps, message=self._columns.names[target]))
        return sets if sets.grow(size, self._monitor) else None

    def _words(self, target: int, parents: IntArray, children: IntArray) -> str:
        names = self._columns.names
        near = {"parents": [names[u] for u in parents], "children": [names[u] for u in children]}
        ends = " and ".join(f"{what} {listed(them)}" for what, them in near.items() if them)
        return f"reinsert {names[target]}" + (f" with {ends}" if ends else " alone")


class _Network:
    """A DAG with the score of every family and of all its neighbours.

    delta[u, v] is the gain of toggling u -> v, which changes only with the parents of v.
    """

    def __init__(self, adj: BoolArray, cache: ScoreCache) -> None:
        n = adj.shape[0]
        self.adj = adj.copy()
        self.local: FloatArray = np.zeros(n)
        self._delta: FloatArray = np.zeros((n, n))
        self._cache = cache
        self._refresh(range(n))

    def gains(self, target: int) -> FloatArray:
        """What each column gains by having the target for a parent, whether it has or not; -inf where it may not."""
        gains: FloatArray = np.where(self.adj[target], -self._delta[target], self._delta[target])
        gains[target] = -np.inf
        return gains

    def put(self, target: int, parents: IntArray, children: BoolArray) -> None:
        changed = (self.adj[target] != children).nonzero()[0].tolist()
        self.adj[:, target] = False
        self.adj[parents, target] = True
        self.adj[target] = children
        self._refresh([target, *changed])

    def _refresh(self, children: range | list[int]) -> None:
        for child in children:
            row = self._cache.row(child, frozenset(self.adj[:, child].nonzero()[0].tolist()))
            self.local[child] = row[child]
            np.subtract(row, row[child], out=self._delta[:, child])
        self.score = float(self.local.sum())
