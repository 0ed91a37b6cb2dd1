"""Discretize while learning: thresholds given the network, network given the thresholds, in turn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.data.accepting import takes_table
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.discretization import Discretization
from arcwise.data.wording import counted
from arcwise.discretize import EqualFrequency, Steck
from arcwise.discretize.loop.auto import Auto
from arcwise.discretize.policies.policy import NetworkScore, PolicyScore, check_score
from arcwise.errors import OptionError, check_least
from arcwise.graph.dag import Dag
from arcwise.learners.threshold_doubts import threshold_doubts
from arcwise.learners.two_stage import TwoStage
from arcwise.parts.knowledge import NONE, Knowledge
from arcwise.parts.monitor import SILENT, Monitor, Progress
from arcwise.parts.protocols import Discretizer, Learner
from arcwise.parts.spec import describe
from arcwise.parts.ties import tolerance
from arcwise.results.result import Counters, LearnResult, Round, TraceStep
from arcwise.scores import Suited, total
from arcwise.search import HillClimb, Tabu
from arcwise.search.greedy.memory import Memory


@checked
@dataclass(frozen=True, kw_only=True)
class Integrated:
    """LearnHybridBN of Monti 1999: from `initial`, refine thresholds and relearn until the policy's rule says so.

    The policy's prior is that of the search's score. initial: a discretizer, or Auto() to try several and keep the
    best by the joint score. warm_start: each search starts from the last graph, not from the empty one; the joint score
    then never falls if it is the search's too, but the networks are less accurate (Fu's study is cold).
    """

    kind: ClassVar[str] = "integrated"
    reference: ClassVar[str] = "Fu 2005, III.2"

    policy: PolicyScore = Steck()
    initial: Discretizer | Auto = EqualFrequency()
    search: Learner = HillClimb()
    rounds: int = 20
    warm_start: bool = False

    def __post_init__(self) -> None:
        check_least(self, rounds=1)
        score = _score_of(self.search)
        if score is None:
            raise OptionError(
                f"option 'search' cannot be {self.search.kind!r}: thresholds are judged by the score of a network, so "
                "it must be a search that scores networks, such as 'hill-climb', 'tabu', 'ges', 'exhaustive' or 'mmhc'"
            )
        check_score(self.policy, score)

    @takes_table
    def learn(
        self,
        data: Dataset,
        *,
        rng: np.random.Generator,
        knowledge: Knowledge = NONE,
        monitor: Monitor = SILENT,
        start: Dag | None = None,
    ) -> LearnResult:
        columns = data.repeated().by_name()
        starts = self.initial.starts if isinstance(self.initial, Auto) else (self.initial,)
        loops: list[_Loop] = []
        for discretizer in starts:
            loops.append(_Loop(self, columns, discretizer, rng, knowledge, monitor))
            loops[-1].run(start)
            if loops[-1].stopped:
                break
        best = loops[0]
        for loop in loops[1:]:
            if loop.best.joint > best.best.joint + tolerance(best.best.joint):
                best = loop
        trace = [step for loop in loops for step in loop.trace]
        if len(starts) > 1:
            trace.append(TraceStep("choice", len(loops), f"best start: {best.name}", best.best.joint))
        graph, found = best.best.graph, best.best.result
        doubts = threshold_doubts(best.table, graph, best.best.cuts, self.policy.most_levels(data.n_rows))
        return replace(
            found,
            warnings=(*found.warnings, *doubts),
            graph=graph.reordered(data.names),
            cpdag=found.cpdag.reordered(data.names),
            discretization=best.best.cuts,
            status="stopped" if loops[-1].stopped else "converged",
            trace=tuple(trace),
            rounds=tuple(pair.round() for loop in loops for pair in loop.pairs),
            counters=sum((loop.counters for loop in loops), Counters()),
        )

    @property
    def score(self) -> NetworkScore:
        score: NetworkScore = _score_of(self.search)  # its kind was checked on construction
        return score


def _score_of(search: Any) -> Any:
    """The score that a search has for discrete columns, or the search inside it. None: there is none."""
    if isinstance(search, TwoStage | Integrated):  # these do more than search
        return None
    inner = getattr(search, "search", search)
    score = getattr(inner, "score", None)
    return score.discrete if isinstance(score, Suited) else score


@dataclass(frozen=True, slots=True, eq=False)
class _Pair:
    """Thresholds, the network learned with them, and their joint score."""

    start: str
    turn: int
    cuts: Discretization
    result: LearnResult
    joint: float

    @property
    def graph(self) -> Dag:
        assert self.result.graph is not None  # a search gives a DAG
        return self.result.graph

    def round(self) -> Round:
        return Round(self.start, self.turn, self.joint, self.result.score, self.cuts, self.graph)


class _Loop:
    """Thresholds and networks in turn, from one initial discretization."""

    def __init__(
        self,
        options: Integrated,
        columns: Dataset,
        initial: Discretizer,
        rng: np.random.Generator,
        knowledge: Knowledge,
        monitor: Monitor,
    ) -> None:
        from arcwise.discretize.loop.working import WorkingTable

        self.options, self.rng, self.knowledge, self.monitor = options, rng, knowledge, monitor
        self.name = describe(initial)
        self.table = WorkingTable(columns, initial.fit(columns), options.policy.most_levels(columns.n_rows))
        discrete = [column.values for column in columns.columns if column.kind is Kind.DISCRETE]
        self.discrete_terms = sum(options.policy.discrete_term(np.bincount(codes)) for codes in discrete)
        self.memory = Memory()
        self.pairs: list[_Pair] = []
        self.trace: list[TraceStep] = []
        self.counters = Counters()
        self.stopped = False

    def run(self, start: Dag | None) -> None:
        """The first pair, then rounds until a rule ends them; `best` is the pair to return."""
        from arcwise.discretize.loop.learn_policy import Surroundings, learn_policy

        options, settled = self.options, dict[int, Surroundings]()
        search = options.policy.searcher(options.score, self.table.data.n_rows)
        self.best = self._learn_network(start, f"from {self.name}")
        ended = f"after {options.rounds} rounds"
        for _ in range(options.rounds):
            if self.stopped:
                break
            last = self.pairs[-1]
            changed, calls = learn_policy(self.table, last.graph.adjacency, search, self.monitor, settled)
            self.counters += Counters(discretization_calls=calls)
            self.stopped = self.monitor.should_stop()
            if self.stopped:
                break
            if not changed:
                ended = "the thresholds stay the same"
                break
            new = self._learn_network(
                last.graph if options.warm_start else start, f"{counted(len(changed), 'column')} cut anew"
            )
            better = new.joint > self.best.joint + tolerance(self.best.joint)
            self.best = new if better else self.best
            if options.policy.stops_with == "score" and not better:
                ended = "the joint score no longer rises"
            elif options.policy.stops_with == "graph" and new.result.cpdag == last.result.cpdag:
                ended = "the graph stays the same"
            elif any(new.cuts == pair.cuts and new.graph == pair.graph for pair in self.pairs[:-1]):
                ended = "thresholds and graph were met before"
            else:
                continue
            break
        ended = "stopped" if self.stopped else ended
        self.trace.append(TraceStep("end", self.counters.steps, ended, self.best.joint))

    def _learn_network(self, start: Dag | None, action: str) -> _Pair:
        cut = self.table.dataset()
        search, memory = self.options.search, dict[str, Any]()
        if isinstance(search, HillClimb | Tabu):
            memory["memory"] = self.memory
        result = search.learn(cut, rng=self.rng, knowledge=self.knowledge, monitor=self.monitor, start=start, **memory)
        self.counters += result.counters
        self.stopped = result.status == "stopped"
        pair = _Pair(self.name, len(self.pairs), self.table.discretization(), result, self._joint(cut, result))
        action = f"{action}, {result.cpdag.n_edges} edges"
        self.pairs.append(pair)
        self.trace.append(TraceStep("round", pair.turn, action, pair.joint))
        self.monitor.report(Progress("round", pair.turn, pair.joint, action))
        return pair

    def _joint(self, cut: Dataset, result: LearnResult) -> float:
        policy, table = self.options.policy, self.table
        searched = self.options.score
        score = policy.network_score(searched)
        network = result.score if score == searched else None
        if network is None:
            assert result.graph is not None
            network = total(score, result.graph, cut)
        cut_terms = sum(policy.column_term(table.values[i], table.starts[i]) for i in table.continuous)
        return network + cut_terms + self.discrete_terms
