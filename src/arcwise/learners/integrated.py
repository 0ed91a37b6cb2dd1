"""Discretize while learning: thresholds given the network, network given the thresholds, in turn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.data.copies import near_copies
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.discretization import Discretization
from arcwise.discretize import EqualFrequency, Steck
from arcwise.discretize.loop.auto import Auto
from arcwise.discretize.loop.joint import discrete_terms
from arcwise.discretize.policies.policy import NetworkScore, check_score
from arcwise.errors import check_least
from arcwise.graph.dag import Dag
from arcwise.parts.monitor import Progress
from arcwise.parts.protocols import (
    ALL_DISCRETE,
    ColumnSearch,
    Discretizer,
    PatientLearner,
    PolicyScore,
    ScoredSearch,
    resolved,
    tolerance,
)
from arcwise.parts.spec import describe
from arcwise.printing import counted, listed, option
from arcwise.problem import Answer, Memory, Problem, learn_by_solving
from arcwise.results.result import Counters, Round, TraceStep
from arcwise.scores import total
from arcwise.search import HillClimb

if TYPE_CHECKING:  # it brings the compiled kernels along
    from arcwise.discretize.loop.learn_policy import Surroundings, WorkingTable

WIDE = 200  # columns from which on later searches are hasty, and go on from the last graph


@checked
@dataclass(frozen=True, kw_only=True)
class Integrated:
    """LearnHybridBN of Monti 1999: from `initial`, refine thresholds and relearn until the policy's rule says so.

    The policy's prior is that of the search's score. initial: a discretizer, or Auto() to try several and keep the
    best by the joint score. rounds: most times that thresholds and network are found in turn. warm_start: each search
    starts from the last graph, not from the empty one; the joint score then never falls if it is the search's too, but
    the networks are less accurate (Fu's study is cold).

    With 200 columns or more and a search that can be hasty, such as boss, all searches but the first start from the
    last graph and are hasty, until the rule would end the loop. From there on they are patient again.
    """

    kind: ClassVar[str] = "integrated"
    reference: ClassVar[str] = "Fu 2005, III.2"
    cuts_columns: ClassVar[bool] = True
    finds_thresholds: ClassVar[bool] = True
    reads_rows: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})

    policy: PolicyScore = Steck()
    initial: Discretizer | Auto = EqualFrequency()
    search: ScoredSearch = HillClimb()
    rounds: int = 20
    warm_start: bool = False

    def __post_init__(self) -> None:
        check_least(self, rounds=1)
        check_score(self.policy, self.network_score)

    @property
    def network_score(self) -> NetworkScore:
        """The score that the search has for discrete columns."""
        return resolved(self.search.score, ALL_DISCRETE)

    learn = learn_by_solving

    def hasty(self, in_loop: bool = False) -> Integrated:
        """The loop makes up for most of what one of its searches misses, and the next goes on from where one ended."""
        if not isinstance(self.search, PatientLearner):
            return self
        return replace(self, search=self.search.hasty(in_loop=True), warm_start=True)  # type: ignore[arg-type]

    def solve(self, problem: Problem) -> Answer:
        if Kind.CONTINUOUS in problem.data.kinds:
            problem = problem.on(problem.data.repeated())  # thresholds are sought among rows
        starts = self.initial.starts if isinstance(self.initial, Auto) else (self.initial,)
        loops: list[_Loop] = []
        for discretizer in starts:
            loops.append(_Loop(self, problem, discretizer))
            loops[-1].run()
            if loops[-1].stopped:
                break
        best = loops[0]
        for loop in loops[1:]:
            if loop.best.joint > best.best.joint + tolerance(best.best.joint):
                best = loop
        trace = [step for loop in loops for step in loop.trace]
        if len(starts) > 1:
            trace.append(TraceStep("choice", len(loops), f"best start: {best.name}", best.best.joint))
        found, cuts = best.best.found, best.best.cuts
        doubts = threshold_doubts(best.table, best.best.graph, cuts, self.policy.most_levels(problem.data.n_rows))
        return replace(
            found,
            warnings=(*found.warnings, *doubts),
            discretization=cuts,
            status="stopped" if loops[-1].stopped else "converged",
            trace=trace,
            rounds=[pair.round() for loop in loops for pair in loop.pairs],
            counters=sum((loop.counters for loop in loops), Counters()),
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Pair:
    """Thresholds, the network learned with them, and their joint score."""

    start: str
    turn: int
    cuts: Discretization
    found: Answer
    joint: float

    @property
    def graph(self) -> Dag:
        assert self.found.graph is not None  # a search gives a DAG
        return self.found.graph

    def round(self) -> Round:
        return Round(self.start, self.turn, self.joint, self.found.score, self.cuts, self.graph)


class _Loop:
    """Thresholds and networks in turn, from one initial discretization."""

    def __init__(self, options: Integrated, problem: Problem, initial: Discretizer) -> None:
        from arcwise.discretize.loop.learn_policy import WorkingTable

        self.options, self.problem, self.monitor, columns = options, problem, problem.monitor, problem.data
        self.search, self.later, self.warm_start = options.search, options.search, options.warm_start
        if columns.n_columns >= WIDE and isinstance(options.search, PatientLearner):
            hasty = options.hasty(in_loop=True)
            self.later, self.warm_start = hasty.search, hasty.warm_start
        self.score = options.network_score
        self.name = describe(initial)
        self.table = WorkingTable(columns, initial.fit(columns), options.policy.most_levels(columns.n_rows))
        self.discrete_terms = discrete_terms(options.policy, columns)
        self.memory = Memory()
        self.pairs: list[_Pair] = []
        self.trace: list[TraceStep] = []
        self.counters = Counters()
        self.stopped = False

    def run(self) -> None:
        """The first pair, then rounds until a rule ends them; `best` is the pair to return."""
        from arcwise.discretize.loop.learn_policy import Surroundings

        options, settled = self.options, dict[int, Surroundings]()
        columns = options.policy.searcher(self.score, self.table.data.n_rows)
        self.best = self._learn_network(self.problem, f"from {self.name}")
        self.search = self.later
        ended = f"after {options.rounds} rounds"
        for _ in range(options.rounds):
            if self.stopped:
                break
            why = self._round(columns, settled)
            if why is not None and self.search != options.search and not self.stopped:
                self.search = options.search  # what all rounds together were too hasty for
                if self._is_better(self._learn_network(self._again(), "searched longer")):
                    continue
            if why is not None:
                ended = why
                break
        ended = "stopped" if self.stopped else ended
        self.trace.append(TraceStep("end", self.counters.steps, ended, self.best.joint))

    def _round(self, search: ColumnSearch, settled: dict[int, Surroundings]) -> str | None:
        """Thresholds anew, and a network with them; which rule says that it was the last round, None: none does."""
        from arcwise.discretize.loop.learn_policy import learn_policy

        options, last = self.options, self.pairs[-1]
        changed, calls = learn_policy(self.table, last.graph.adjacency, search, self.monitor, settled)
        self.counters += Counters(discretization_calls=calls)
        self.stopped = self.monitor.should_stop()
        if self.stopped:
            return "stopped"
        if not changed:
            return "the thresholds stay the same"
        new = self._learn_network(self._again(), f"{counted(len(changed), 'column')} cut anew")
        better = self._is_better(new)
        if options.policy.stops_with == "score" and not better:
            return "the joint score no longer rises"
        if options.policy.stops_with == "graph" and new.found.pattern == last.found.pattern:
            return "the graph stays the same"
        if any(new.cuts == pair.cuts and new.graph == pair.graph for pair in self.pairs[:-1]):
            return "thresholds and graph were met before"
        return None

    def _again(self) -> Problem:
        """What the next search is handed."""
        return self.problem.starting(self.pairs[-1].graph) if self.warm_start else self.problem

    def _is_better(self, new: _Pair) -> bool:
        """Whether a pair is the best so far, which it then is."""
        better = new.joint > self.best.joint + tolerance(self.best.joint)
        self.best = new if better else self.best
        return better

    def _learn_network(self, problem: Problem, action: str) -> _Pair:
        cut = self.table.dataset()
        found = self.search.solve(problem.on(cut, self.memory))
        found = replace(found, pattern=problem.pattern(found))
        self.counters += found.counters
        self.stopped = found.status == "stopped"
        pair = _Pair(self.name, len(self.pairs), self.table.discretization(), found, self._joint(cut, found))
        action = f"{action}, {pair.graph.n_edges} edges"
        self.pairs.append(pair)
        self.trace.append(TraceStep("round", pair.turn, action, pair.joint))
        self.monitor.report(Progress("round", pair.turn, pair.joint, action))
        return pair

    def _joint(self, cut: Dataset, found: Answer) -> float:
        policy, table = self.options.policy, self.table
        score = policy.network_score(self.score)
        network = found.score if score == self.score else None
        if network is None:
            assert found.graph is not None
            network = total(score, found.graph, cut)
        cut_terms = sum(policy.column_term(table.values[i], table.starts[i]) for i in table.continuous)
        return network + cut_terms + self.discrete_terms


def threshold_doubts(table: WorkingTable, graph: Dag, cuts: Discretization, most: int | None) -> list[str]:
    """One sentence each. most: levels that a column was allowed; None: any number, and then many are doubtful."""
    data = table.data
    said, mirrored = _near_copies(table, graph)
    many = {} if most is not None else _many_levels(data.n_rows, cuts, mirrored)
    if many:
        fill = histogram_bins(data.n_rows)
        columns = listed([f"{name!r} ({levels:,})" for name, levels in many.items()])
        said.append(
            f"more levels than {counted(data.n_rows, 'row')} fill: {columns}; such columns are functions of others, or "
            f"rows come in groups that share values, and new groups will not be predicted well; for fewer levels learn "
            f"with --method optimal --set max_levels={fill}"
        )
    return said


def histogram_bins(n_rows: int) -> int:
    """2 N^(1/3): as many bins as a histogram of N rows should have (the Rice rule)."""
    return max(2, int(2 * np.cbrt(n_rows)))


def _many_levels(n_rows: int, cuts: Discretization, mirrored: set[str]) -> dict[str, int]:
    levels = {name: len(thresholds) + 1 for name, thresholds in cuts.thresholds.items() if name not in mirrored}
    return {name: r for name, r in levels.items() if r > histogram_bins(n_rows)}


def _near_copies(table: WorkingTable, graph: Dag) -> tuple[list[str], set[str]]:
    """Of neighbours that are nearly the same each cut of one asks for a cut of the other, without end."""
    columns = {table.data.names[i]: table.data.columns[i] for i in table.continuous}
    orders = {table.data.names[i]: table.order[i] for i in table.continuous}
    pairs = [(columns[a], columns[b]) for a, b in graph.edges if a in columns and b in columns]
    said, mirrored = list[str](), set[str]()
    for group in near_copies(pairs, orders):
        names = listed([repr(column.name) for column in group])
        finest = max(group, key=lambda column: len(np.unique(column.values)))
        others = [column.name for column in group if column is not finest]
        remedy = f"the other with {option('drop', others[0])}" if len(others) == 1 else "the others"
        said.append(
            f"columns {names} are nearly the same but for rounding or a bend, so their thresholds mirror each other "
            f"and need not mean anything; keep {finest.name!r}, the finest, and leave out {remedy}"
        )
        mirrored |= {column.name for column in group}
    return said, mirrored
