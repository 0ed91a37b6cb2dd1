"""The three phases of TPDA: drafting, thickening, thinning."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from arcwise.constraint.separate import Separation, Separations
from arcwise.constraint.tpda.cuts import Evidence, find_cut
from arcwise.constraint.tpda.paths import Paths
from arcwise.data.dataset import BoolArray, FloatArray
from arcwise.parts.knowledge import BoundKnowledge
from arcwise.parts.monitor import Monitor, Progress
from arcwise.parts.protocols import RELATIVE_TOLERANCE
from arcwise.printing import counted
from arcwise.results.result import TraceStep

Pair = tuple[int, int]  # x < y
REPORTED = 64  # pairs between two reports


@dataclass(slots=True)
class Draft:
    """The graph while it grows and shrinks. near[x]: neighbours of x; children[x]: those that knowledge makes so.

    eps: information below it, in nats, is none. separations: a set for every pair that was found independent given it.
    """

    evidence: Evidence
    eps: float
    near: list[set[int]]
    children: list[set[int]]
    monitor: Monitor
    separations: Separations = field(default_factory=Separations)
    steps: int = 0
    ties: int = 0
    trace: list[TraceStep] = field(default_factory=list)
    stopped: bool = False
    _paths: Paths | None = None  # of the graph as it is

    @property
    def paths(self) -> Paths:
        if self._paths is None:
            self._paths = Paths(self.near)
        return self._paths

    @property
    def edges(self) -> list[Pair]:
        return [(x, y) for x, others in enumerate(self.near) for y in sorted(others) if x < y]

    @property
    def adjacent(self) -> BoolArray:
        matrix = np.zeros((len(self.near), len(self.near)), dtype=np.bool_)
        for x, others in enumerate(self.near):
            matrix[x, list(others)] = True
        return matrix

    def join(self, x: int, y: int) -> None:
        self.near[x].add(y)
        self.near[y].add(x)
        self._paths, self.steps = None, self.steps + 1

    def part(self, x: int, y: int) -> None:
        self.near[x].discard(y)
        self.near[y].discard(x)
        self._paths, self.steps = None, self.steps + 1

    def edge_needed_h(self, x: int, y: int) -> bool:
        """EdgeNeeded_H: no cut among the neighbours of x on paths to y nor among those of y, known children apart."""
        on = self.paths.between(x, y) - {x, y}
        return not any(self._cut(x, y, (self.near[end] & on) - self.children[end]) for end in (x, y))

    def edge_needed(self, x: int, y: int) -> bool:
        """EdgeNeeded: no cut among the neighbours of x on paths to y and the neighbours of these on such paths.

        Or those of y, unless they are more.
        """
        on = self.paths.between(x, y) - {x, y}
        of_x, of_y = (on & self.near[end].union(*(self.near[u] for u in self.near[end] & on)) for end in (x, y))
        return not self._cut(x, y, of_x if len(of_x) < len(of_y) else of_y)

    def otherwise_connected(self, x: int, y: int) -> bool:
        """Whether a path joins two neighbours besides their edge."""
        return len(self.paths.between(x, y)) > 2

    def in_turn(self, phase: str, pairs: Sequence[Pair]) -> Iterator[Pair]:
        """The pairs, until the monitor wants to stop."""
        for done, pair in enumerate(pairs):
            self.stopped = self.stopped or self.monitor.should_stop()
            if self.stopped:
                return
            if done % REPORTED == 0:
                self.monitor.report(Progress(phase, done, fraction=done / len(pairs)))
            yield pair

    def record(self, phase: str, action: str) -> None:
        self.trace.append(TraceStep(phase, len(self.trace), action, float(len(self.edges))))

    def by_information(self, pairs: Sequence[Pair]) -> list[Pair]:
        """In the order of increasing information; ties keep their order, which is that of the names."""
        values = np.array([self.evidence.pairs[pair] for pair in pairs])
        order, tied = _tied_order(values)
        self.ties += tied
        return [pairs[i] for i in order]

    def _cut(self, x: int, y: int, start: set[int]) -> bool:
        found = find_cut(self.evidence, x, y, start, self.eps)
        if found is not None:
            self.separations[x, y] = Separation(found[0], float(np.exp2(-found[1] / self.eps)))
        return found is not None


def find_draft(evidence: Evidence, eps: float, known: BoundKnowledge, monitor: Monitor) -> Draft:
    """All phases in turn. Pairs that knowledge keeps apart are never joined; required edges are always there."""
    required, possible = known.required | known.required.T, known.allowed | known.allowed.T
    near, children = (_sets(matrix) for matrix in (required, known.allowed & ~known.allowed.T))
    draft = Draft(evidence, eps, near, children, monitor)
    apart = np.triu(evidence.pairs <= eps, 1) & ~required
    draft.separations = Separations(np.where(apart, np.exp2(-evidence.pairs / eps), np.nan))
    dependent = np.triu(evidence.pairs > eps, 1) & ~required
    pairs = draft.by_information(_pairs(dependent & possible))[::-1]
    left = _draw(draft, pairs)
    _thicken(draft, left)
    needed = set(_pairs(np.triu(required)))
    _thin(draft, "thinning", draft.edge_needed_h, needed, least_other_neighbours=0)
    _thin(draft, "thinning again", draft.edge_needed, needed, least_other_neighbours=3)
    for x, y in draft.in_turn("pairs kept apart", _pairs(dependent & ~possible)):
        draft.edge_needed_h(x, y)  # without a set nothing could be said about the columns between the two
    return draft


def _draw(draft: Draft, pairs: Sequence[Pair]) -> list[Pair]:
    """Join each pair that no path joins yet; the others. The result is a forest, plus what is required."""
    tree = list(range(len(draft.near)))

    def root(x: int) -> int:
        while tree[x] != x:
            tree[x] = x = tree[tree[x]]
        return x

    left = []
    for x, y in draft.edges:
        tree[root(x)] = root(y)
    for x, y in draft.in_turn("drafting", pairs):
        if root(x) == root(y):
            left.append((x, y))
        else:
            tree[root(x)] = root(y)
            draft.join(x, y)
    draft.record("drafting", f"{draft.steps:,} of {counted(len(pairs), 'dependent pair')} joined")
    return left


def _thicken(draft: Draft, pairs: Sequence[Pair]) -> None:
    """Join each pair that no cut separates in the graph as it is."""
    before = draft.steps
    for x, y in draft.in_turn("thickening", pairs):
        if draft.edge_needed_h(x, y):
            draft.join(x, y)
    draft.record("thickening", f"{draft.steps - before:,} of {counted(len(pairs), 'pair')} joined")


def _thin(
    draft: Draft, phase: str, needed: Callable[[int, int], bool], required: set[Pair], *, least_other_neighbours: int
) -> None:
    """Remove each edge that is not needed, those with the least information first.

    Whether the edge itself is there makes no difference to the paths between its ends, as `between` sees them.
    """
    before = draft.steps
    for x, y in draft.in_turn(phase, draft.by_information(draft.edges)):
        crowd = max(len(draft.near[x]), len(draft.near[y])) - 1
        if (x, y) in required or crowd < least_other_neighbours or not draft.otherwise_connected(x, y):
            continue
        if not needed(x, y):
            draft.part(x, y)
    draft.record(phase, f"{counted(draft.steps - before, 'edge')} removed")


def _sets(matrix: BoolArray) -> list[set[int]]:
    return [set(row.nonzero()[0].tolist()) for row in matrix]


def _pairs(matrix: BoolArray) -> list[Pair]:
    return [(x, y) for x, y in np.argwhere(matrix).tolist()]


def _tied_order(values: FloatArray) -> tuple[list[int], int]:
    """Positions by increasing value, tied ones in their own order, and how often one is tied with the one before."""
    order = np.argsort(values, kind="stable")
    rising = values[order]
    apart = np.diff(rising) > RELATIVE_TOLERANCE * (1.0 + rising[1:])
    group = np.concatenate([[0], np.cumsum(apart)])[: len(order)]
    return order[np.lexsort((order, group))].tolist(), int(np.count_nonzero(~apart))
