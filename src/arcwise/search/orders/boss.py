"""Best order score search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import log
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import BoolArray
from arcwise.errors import check_least
from arcwise.parts.monitor import Progress, listens
from arcwise.parts.protocols import BoundScore, CorrelationScore, Score, resolved, tolerance
from arcwise.problem import Answer, Problem, learn_by_solving, left_out, within_score
from arcwise.results.result import Counters, TraceStep
from arcwise.scores.suited import Suited
from arcwise.search.ges.ges import check_equivalent
from arcwise.search.greedy.hill_climb import HillClimb
from arcwise.stats.threads import threads_here

if TYPE_CHECKING:
    from arcwise.search.orders.ahead import Ahead
    from arcwise.search.orders.candidates import ByCandidates
    from arcwise.search.orders.nearby import NearbyWalk
    from arcwise.search.orders.walk import ByFactor, ByRows, Move, OrderWalk

FEW = 6  # most parents in the graph that gives the first order: wrong directions are not yet paid for with more edges
STRONG = 0.5  # share of a column's variance that an arc must explain to be worth the first price
FALL = 4.0  # by which prices fall
FEW_RESTARTS = 3  # of a hasty search
NEARBY = 3  # random moves around one of many columns, before a walk


@checked
@dataclass(frozen=True, kw_only=True)
class Boss:
    """Move one column after the other to its best place in an order, each with the best parents found before it.

    Parents are found by growing (add the column that raises the score most) and shrinking. A walk ends where no column
    has a better place; the next one starts from the best order, changed at random. Then moves of several columns at
    once are tried.
    restarts: walks in a row that find nothing better before the search ends (none: 150 for all columns together, 400
    where scores are kept by family, from 3 to 20). perturbation: random moves before a walk (none: one for each twenty
    columns, at least 3; twice as many after one in vain, and so on). From 200 columns on a restart is a walk around
    each column in turn, kept where it ends higher (none: 1 of these, of 3 moves each; where scores come from
    correlations, of 1 move, around 200,000 / columns of them).
    backward: where a walk ends higher than all before, edges are deleted as in the second phase of ges, and if that
    raises the score the walk goes on (none: with scores that ges takes).
    lead_in: begin with the order of a graph by hill climbing with at most 6 parents of a node, and walk at a price on
    arcs that only strong relations are worth, then at a quarter of it, and so on. Without it the first order is that of
    the names. A start graph gives an order that needs no lead-in.
    max_parents: most parents of a node, max_table: most cells of a family's count table (none: no limit).
    """

    kind: ClassVar[str] = "boss"
    reference: ClassVar[str] = "Andrews, Ramsey, Sanchez-Romero, Camchong and Kummerfeld 2023"

    score: Score = Suited()
    max_parents: int | None = None
    max_table: int | None = None
    restarts: int | None = None
    perturbation: int | None = None
    backward: bool | None = None
    lead_in: bool = True

    def __post_init__(self) -> None:
        check_least(self, max_parents=0, max_table=1, restarts=0, perturbation=1)

    learn = learn_by_solving

    def hasty(self, in_loop: bool = False) -> Boss:
        """Few restarts; in a loop none, and no deletions."""
        restarts = (0 if in_loop else FEW_RESTARTS) if self.restarts is None else self.restarts
        return replace(self, restarts=restarts, backward=False if in_loop and self.backward is None else self.backward)

    @within_score
    def solve(self, problem: Problem) -> Answer:
        """The first order is one of the start graph's, if there is one."""
        start = problem.start_adjacency()
        if self.backward:
            check_equivalent("boss with backward=true", self.score, problem.data)
        bound = problem.bind(self.score)
        search = _Search(self, problem, bound)
        first, lead_in = Answer(), self.lead_in and problem.start is None
        if lead_in:
            limit = FEW if self.max_parents is None else min(FEW, self.max_parents)
            hill = HillClimb(score=self.score, max_parents=limit, max_table=self.max_table)
            first = hill.solve(replace(problem.scored(self.score, bound), memory=None))
            if first.graph is None or first.status == "stopped":
                return first
            start = first.graph.adjacency
        search.go(start, prices(problem.data.n_rows) if lead_in else ())
        done = Counters(score_asked=search.asked, score_computed=search.computed, steps=len(search.trace))
        return Answer(
            graph=problem.dag(search.adj),
            score=search.score if np.isfinite(search.score) else first.score,  # stopped before it began
            trace=[*(replace(step, phase="climb") for step in first.trace), *search.trace],
            counters=first.counters + done,
            status="stopped" if search.stopped else "converged",
            warnings=(*bound.warnings, *left_out(problem.data, self.max_table, bound)),
        )


class _Search:
    """The way to the best order. adj, score: those of the best graph so far."""

    def __init__(self, options: Boss, problem: Problem, bound: BoundScore) -> None:
        from arcwise.search.ges.scores import ToggleRows
        from arcwise.search.orders.candidates import ByCandidates
        from arcwise.search.orders.nearby import WIDE, NearbyWalk
        from arcwise.search.orders.walk import ByRows, OrderWalk

        self._options, self._problem, self._bound = options, problem, bound
        self._scores = _scores(options, problem, bound)
        self._walk: OrderWalk | NearbyWalk
        scores = self._scores
        if isinstance(scores, ByCandidates) or (isinstance(scores, ByRows) and len(problem.names) >= WIDE):
            self._walk = NearbyWalk(problem.known, scores)
        else:
            self._walk = OrderWalk(problem.known, scores)
        self._ahead: Ahead | None = None
        self._rows = ToggleRows(bound)  # for deletions
        equivalent = resolved(options.score, problem.data).score_equivalent
        self._backward = equivalent if options.backward is None else options.backward
        self.trace: list[TraceStep] = []
        self.score = -np.inf
        self.stopped = False

    def go(self, start: BoolArray, falling: Iterable[float]) -> None:
        """falling: prices of the walks before the search itself."""
        from arcwise.graph.adjacency import topological_sort

        self.adj, walk = start, self._walk
        order, begun = np.array(topological_sort(start), dtype=np.int64), False
        for price in falling:
            if walk.begin(order, self._scored, price):
                self._climb(f"price {price:.3g}")
                self.adj, order, begun = walk.adjacency, walk.order, True
        if walk.begin(order, self._scored):
            self._climb("search")
            self._look_beyond("search")
            self._complete("search")
            self._is_best("search")
            self._restart()
            begun = True
        if begun:
            self.score = self._exact()

    def _restart(self) -> None:
        """Walks from near the best order, until enough of them have been in vain."""
        from arcwise.search.orders.nearby import NearbyWalk
        from arcwise.search.orders.walk import some_moves

        if isinstance(self._walk, NearbyWalk):
            self._restart_nearby(self._walk)
            return
        walk, turn, in_vain, restarts = self._walk, 0, 0, self._options.restarts
        if restarts is None:
            restarts = min(max(3, self._scores.restarts // max(len(self.adj), 1)), 20)
        n, each = len(self.adj), self._options.perturbation
        first = max(3, n // 20) if each is None else each
        strays = range(first, first * (restarts + 1), first)  # however many, it takes no room
        best, self._ahead = walk.save(), self._at_once(restarts)
        while restarts and not self.stopped:
            turn, in_vain = turn + 1, in_vain + 1
            phase = f"restart {turn}"
            if in_vain <= restarts and self._ahead is not None:
                moves = self._ahead.take(walk, best, self.score, strays[in_vain - 1 :])
                self.stopped = moves is None or self._problem.monitor.should_stop()
                if moves is None:
                    break
                self._tell_moves(phase, moves)
            else:
                walk.restore(best)
                if in_vain <= restarts:
                    walk.stray(some_moves(self._problem.rng, n, strays[in_vain - 1]))
                elif not self._tuck():
                    break
                self._climb(phase)
            if self._is_best(phase):
                best, in_vain = walk.save(), 0
                if self._ahead is not None:
                    self._ahead.forget()

    def _restart_nearby(self, walk: NearbyWalk) -> None:
        """Walks from orders that were changed around one column, all columns in turn, then tucks.

        In a loop only around columns near which something has changed since a search before tried all of them.
        """
        from arcwise.search.orders.walk import ByRows

        stop, turn, in_vain, restarts = self._problem.monitor.should_stop, 0, 0, self._options.restarts
        listed = self._scores.listed if isinstance(self._scores, ByRows) else None
        stirred = np.ones(len(self.adj), dtype=np.bool_) if listed is None else listed.stirred(walk.adjacency)
        while in_vain < (1 if restarts is None else restarts) and not self.stopped:
            turn, in_vain = turn + 1, in_vain + 1
            self._restart_around_each(walk, f"restart {turn}", stirred)
            if self._is_best(f"restart {turn}") and restarts is not None:
                in_vain = 0
        for y in walk.order.tolist() if restarts != 0 else ():
            self.stopped = self.stopped or stop()
            away = None if self.stopped else walk.tuck(y)
            if away is not None and walk.attempt(away, stop) > 0.0:
                self._tell("tuck", f"move {self._problem.names[y]} and ancestors forward", walk.score)
        self._is_best("tuck")
        if listed is not None and restarts != 0 and not self.stopped:
            listed.walked(walk.adjacency)

    def _restart_around_each(self, walk: NearbyWalk, phase: str, stirred: BoolArray) -> None:
        from arcwise.search.orders.candidates import ByCandidates

        problem, n, size, walks = self._problem, len(self.adj), NEARBY, len(self.adj)
        if isinstance(self._scores, ByCandidates):
            size, walks = 1, max(min(n, self._scores.restarts // n), 1)
        for i, x in enumerate(problem.rng.permutation(n).tolist()[:walks]):
            if not stirred[walk.around(x)].any():
                continue
            away = walk.random_moves(problem.rng, x, self._options.perturbation or size)
            if len(away) and walk.attempt(away, problem.monitor.should_stop) > 0.0:
                self._tell(phase, f"reorder around {problem.names[x]}", walk.score)
            self.stopped = problem.monitor.should_stop()
            if self.stopped:
                break
            problem.monitor.report(Progress(phase, i, message=f"column {i + 1} of {walks}", fraction=i / walks))

    def _at_once(self, restarts: int) -> Ahead | None:
        """Restarts on several threads, where turns do not take all of them, and nobody wants to see each move."""
        from arcwise.search.orders.ahead import Ahead
        from arcwise.search.orders.walk import SHARED, ByFactor, OrderWalk

        problem, threads = self._problem, min(threads_here(), restarts)
        quick = isinstance(self._scores, ByFactor) and len(problem.names) < SHARED
        if threads < 2 or not quick or listens(problem.monitor):
            return None
        sources = [_scores(self._options, problem, self._bound) for _ in range(threads)]
        walks = [OrderWalk(problem.known, scores) for scores in sources if isinstance(scores, ByFactor)]
        return Ahead(walks, problem.rng, problem.monitor.should_stop)

    @property
    def asked(self) -> int:
        return self._scores.asked + self._rows.asked + (0 if self._ahead is None else self._ahead.asked)

    @property
    def computed(self) -> int:
        return self._scores.computed + self._rows.computed + (0 if self._ahead is None else self._ahead.asked)

    def _scored(self, i: int) -> bool:
        """i columns of the first order have their parents; False: stop."""
        n, monitor = len(self.adj), self._problem.monitor
        self.stopped = monitor.should_stop()
        monitor.report(Progress("scoring", i, message=f"column {i + 1} of {n}", fraction=i / n))
        return not self.stopped

    def _is_best(self, phase: str) -> bool:
        """Whether the walk has ended higher than all before; if so it goes on from where deletions lead."""
        if self._walk.score <= self.score + tolerance(self._walk.score):
            return False
        while self._backward and not self.stopped and self._delete(phase):
            self._climb(phase)
        self.score, self.adj = self._walk.score, self._walk.adjacency
        return True

    def _delete(self, phase: str) -> bool:
        """Delete edges while that raises the score of the class; whether it did."""
        from arcwise._kernels.graphs.patterns import DELETE
        from arcwise.graph.adjacency import topological_sort
        from arcwise.search.ges.walk import ClassWalk, Limits

        options, problem, before = self._options, self._problem, self._walk.score
        limits = Limits.of(problem.data, self._bound, options.max_parents, options.max_table)
        deleting = ClassWalk(self._walk.adjacency, self._rows, problem.known, limits)
        if not deleting.prepare(DELETE, problem.monitor):
            self.stopped = True
            return False
        while (tied := deleting.choose(DELETE)) and not self.stopped:
            self.stopped = not deleting.apply(tied[0], deleting.after(tied[0]), problem.monitor)
        if deleting.score <= before + tolerance(before):
            return False
        saved = self._walk.save()
        order = np.array(topological_sort(deleting.member()), dtype=np.int64)
        if self._walk.begin(order, self._scored) and self._walk.score > before + tolerance(before):
            self._tell(phase, "delete edges", self._walk.score)
            return True
        self._walk.restore(saved)
        return False

    def _climb(self, phase: str) -> None:
        """Column after column, until all of them in a row are at their best places."""
        walk, monitor = self._walk, self._problem.monitor
        walk.rest()
        while not (stop := monitor.should_stop()) and (moves := walk.go_on()) is not None:
            self._tell_moves(phase, moves)
        self.stopped = stop

    def _complete(self, phase: str) -> None:
        """Go on with candidates that were missed, where there are lists of them."""
        from arcwise.search.orders.candidates import MOST_ROUNDS, ByCandidates

        walk, scores = self._walk, self._scores
        if not isinstance(scores, ByCandidates):
            return
        for _ in range(MOST_ROUNDS):
            if self.stopped or not scores.missed(walk.adjacency.T):
                break
            if walk.begin(walk.order, self._scored):
                self._climb(phase)

    def _look_beyond(self, phase: str) -> None:
        """Go on with parents that were missed because lists are short, unless in haste."""
        from arcwise.search.orders.walk import ByRows

        walk, scores, patient = self._walk, self._scores, self._options.restarts != 0
        while patient and isinstance(scores, ByRows) and not self.stopped and scores.missed(walk.place, walk.adjacency):
            if walk.begin(walk.order, self._scored):
                self._climb(phase)

    def _tell_moves(self, phase: str, moves: Iterable[Move]) -> None:
        names = self._problem.names
        for x, behind, score in moves:
            self._tell(phase, f"move {names[x]} {f'behind {names[behind]}' if behind >= 0 else 'to the front'}", score)

    def _tuck(self) -> bool:
        """Go on from an order that several columns at once make better, if there is one."""
        walk, monitor = self._walk, self._problem.monitor
        for y in walk.order.tolist():
            self.stopped = monitor.should_stop()
            order = None if self.stopped else walk.tuck(y)
            if order is not None and walk.begin(order, self._scored):
                self._tell("tuck", f"move {self._problem.names[y]} and ancestors forward", walk.score)
                return True
        return False

    def _tell(self, phase: str, action: str, score: float) -> None:
        step = TraceStep(phase, len(self.trace) + 1, action, score)
        self.trace.append(step)
        self._problem.monitor.report(Progress(phase, step.step, step.score, action))

    def _exact(self) -> float:
        """The score of the best graph, as anybody would compute it."""
        families = (parents.nonzero()[0].tolist() for parents in self.adj.T)
        return float(sum(self._bound.local_score(child, parents) for child, parents in enumerate(families)))


def prices(n_rows: int) -> Iterator[float]:
    """What an arc costs besides, in one walk after the other: the first for relations that explain STRONG.

    A column that explains the share r of another's variance raises the likelihood by -n_rows / 2 ln(1 - r) nats.
    """
    price = -0.5 * n_rows * log(1.0 - STRONG)
    while price > 0.5 * log(n_rows):
        yield price
        price /= FALL


def _scores(options: Boss, problem: Problem, bound: BoundScore) -> ByFactor | ByRows | ByCandidates:
    from arcwise.search.greedy.cache import cache_for
    from arcwise.search.orders.candidates import ByCandidates
    from arcwise.search.orders.listed_rows import ListedRows
    from arcwise.search.orders.nearby import WIDE
    from arcwise.search.orders.walk import ByFactor, ByRows

    factored = bound.correlated() if isinstance(bound, CorrelationScore) else None
    if factored is not None:
        most = problem.data.n_columns if options.max_parents is None else options.max_parents
        if problem.data.n_columns >= WIDE:
            return ByCandidates(factored, problem.known.allowed, problem.known.required, most)
        return ByFactor(factored, problem.known.required, most)
    limits = options.max_parents, options.max_table
    if problem.data.n_columns >= WIDE:
        listed = ListedRows(problem, bound, options.score, limits)
        return ByRows(listed.cache, listed)
    return ByRows(cache_for(problem, bound, options.score, limits))
