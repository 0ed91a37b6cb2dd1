"""A class of DAGs on its way through greedy equivalence search."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np

from arcwise._kernels.graphs import operators as kernels
from arcwise._kernels.graphs.patterns import DELETE, INSERT, TURN, complete, operate, permitted_member, successors
from arcwise.data.dataset import BoolArray, Dataset, FloatArray
from arcwise.parts.knowledge import BoundKnowledge
from arcwise.parts.monitor import Monitor, Progress
from arcwise.parts.protocols import BoundScore, ToggleScore, tolerance
from arcwise.search.ges.scores import ToggleRows

MOST_CLIQUES = 1 << 10  # sets of neighbours looked at for one column


@dataclass(frozen=True, slots=True)
class Limits:
    """cards: levels of each column, 1 if continuous. A family has at most so many parents, its table so many cells."""

    cards: FloatArray
    max_parents: int
    max_table: float

    @staticmethod
    def of(columns: Dataset, bound: BoundScore, max_parents: int | None, max_table: int | None) -> Limits:
        """None: no limit. Toggle scores have no tables."""
        return Limits(
            cards=np.maximum(columns.cardinalities, 1).astype(np.float64),
            max_parents=columns.n_columns if max_parents is None else max_parents,
            max_table=inf if max_table is None or isinstance(bound, ToggleScore) else float(max_table),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Operator:
    """Toggle (INSERT, DELETE) or turn round (TURN) the edge x -> y where y's lines point at it from `clique` only."""

    kind: int
    x: int
    y: int
    clique: BoolArray
    gain: float


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """All operators of one kind at one node: gains[r, x] with the clique r, -inf where there is none."""

    cliques: BoolArray
    gains: FloatArray


class ClassWalk:
    """The complete pattern of a class (see _kernels/patterns.py), and tables of what may be done to it.

    Invariants: the pattern has a member that obeys the knowledge; `score` is the score of every member; best[y] is the
    largest gain in y's table, valid or not. `crowded`: nodes with more than MOST_CLIQUES cliques of neighbours.
    """

    def __init__(self, adj: BoolArray, rows: ToggleRows, known: BoundKnowledge, limits: Limits) -> None:
        self._enter(complete(adj.copy()))  # a graph's own matrix is read-only, another type to the compiler
        self.score = -np.inf  # until every column is scored
        self.crowded: set[int] = set()
        self._rows, self._limits = rows, limits
        self._required = known.required
        self._permitted = known.allowed | known.required
        constrained = bool((~self._permitted).sum() > len(adj))
        self._to_obey = self._permitted if constrained else None
        self._tables: dict[int, Table] = {}
        self._best: FloatArray = np.full(len(adj), -np.inf)

    @property
    def tolerance(self) -> float:
        return tolerance(self.score)

    def member(self) -> BoolArray:
        """A DAG of the class that obeys the knowledge."""
        found, adj = permitted_member(self.pattern, self._permitted)
        assert found  # by the invariant
        return np.asarray(adj)

    def total(self) -> float:
        """The score of a member, node by node."""
        return sum(self._rows.score(y, parents) for y, parents in enumerate(np.ascontiguousarray(self.member().T)))

    def prepare(self, kind: int, monitor: Monitor) -> bool:
        """Build the tables of one kind for all nodes, and the score if there is none yet; False when stopped."""
        n = len(self.pattern)
        for y in range(n):
            if monitor.should_stop():
                return False
            if self.score == -np.inf:
                monitor.report(Progress("scoring", y, message=f"column {y + 1} of {n}", fraction=y / n))
            self._refresh(kind, y)
        if self.score == -np.inf:
            self.score = self.total()
        return True

    def choose(self, kind: int) -> list[Operator]:
        """The valid operators that are tied for best, in the order of x, y and clique; none if none improves."""
        slack = best = self.tolerance
        looked_at = []
        for y in np.argsort(-self._best, kind="stable").tolist():
            if self._best[y] < best - slack:
                break
            valid = np.zeros_like(self._tables[y].cliques)
            best = self.best_gain(kind, y, best, slack, valid)
            looked_at.append((y, valid))
        if best == self.tolerance:
            return []
        tied = []
        for y, valid in looked_at:
            cliques, gains = self._tables[y].cliques, self._tables[y].gains
            if valid.any():
                for r, x in np.argwhere(valid & (gains >= best - slack)).tolist():
                    tied.append(((x, y, r), Operator(kind, x, y, cliques[r], float(gains[r, x]))))
        return [operator for _, operator in sorted(tied, key=lambda one: one[0])]

    def best_gain(self, kind: int, y: int, floor: float, slack: float, valid: BoolArray) -> float:
        """The largest gain of a valid operator at y, at least `floor`; see the kernel."""
        table = self._tables[y]
        return float(
            kernels.best_gain(
                self.pattern, self._out, kind, y, table.cliques, table.gains,
                self._to_obey, floor, slack, valid,
            )
        )  # fmt: skip

    def after(self, operator: Operator) -> BoolArray:
        """The pattern that an operator leads to."""
        return operate(self.pattern, operator.kind, operator.x, operator.y, operator.clique)

    def apply(self, operator: Operator, after: BoolArray, monitor: Monitor) -> bool:
        """Go on to the class that the operator leads to; False when stopped before all tables were up to date."""
        before = self.pattern
        self._enter(after)
        self.score += operator.gain
        for y in self._affected(before, operator).nonzero()[0].tolist():
            if monitor.should_stop():
                return False
            self._refresh(operator.kind, y)
        return True

    def _enter(self, pattern: BoolArray) -> None:
        self.pattern = pattern
        self._out, self._near = successors(pattern), successors(pattern | pattern.T)

    def _affected(self, before: BoolArray, operator: Operator) -> BoolArray:
        """Nodes whose operators or gains may have changed.

        Those at Y rest on the edges at Y and on what its parents and lines are adjacent to; turns also on the families
        of the nodes around Y.
        """
        now = self.pattern
        moved = before != now
        changed: BoolArray = moved.any(axis=0) | moved.any(axis=1)
        if operator.kind == TURN:
            changed = changed | now[changed].any(axis=0) | now[:, changed].any(axis=1)
        else:
            changed = changed | now[operator.x] | now[operator.y]
        return changed

    def _refresh(self, kind: int, y: int) -> None:
        """Work out the table of one node."""
        pattern, limits = self.pattern, self._limits
        cliques, bases, all_of_them = kernels.line_cliques(pattern, y, MOST_CLIQUES)
        if not all_of_them:
            self.crowded.add(y)
        bounds = (limits.cards, limits.max_parents, limits.max_table)
        if kind == INSERT:
            wanted = kernels.insertions(pattern, self._near, y, cliques, bases, self._permitted, *bounds)
        elif kind == DELETE:
            wanted = kernels.deletions(pattern, y, cliques, self._required)
        else:
            wanted = kernels.turns(pattern, self._near, y, cliques, bases, self._required, *bounds)
        asked = wanted.copy()
        asked[:, y] = True
        scores = self._rows.rows(y, bases, asked)
        gains = np.where(wanted, scores - scores[:, y : y + 1], -np.inf)
        if kind == TURN:
            for r, x in np.argwhere(wanted).tolist():
                gains[r, x] += self._without(x, y, cliques[r])
        self._tables[y] = Table(cliques, gains)
        self._best[y] = gains.max()

    def _without(self, x: int, y: int, clique: BoolArray) -> float:
        """What x loses or gains when it no longer has the parent y, its lines pointing at it from `clique` only."""
        into = self.pattern[:, x]
        parents = into & (~self.pattern[x] | clique)
        asked = np.zeros_like(parents)
        asked[[x, y]] = True
        if parents[y]:
            asked |= parents  # the edge is an arrow: other parents will ask too
        row = self._rows.rows(x, parents[None, :], asked[None, :])[0]
        return float(row[y] - row[x] if parents[y] else row[x] - row[y])
