"""Discretize while learning: thresholds given the network, network given the thresholds, in turn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from arcwise.contracts.knowledge import NONE, Knowledge
from arcwise.contracts.monitor import SILENT, Monitor, Progress
from arcwise.contracts.protocols import Discretizer
from arcwise.contracts.results import Counters, LearnResult, TraceStep
from arcwise.contracts.ties import tolerance
from arcwise.data.dataset import Dataset
from arcwise.data.discretization import Discretization
from arcwise.discretize import EqualFrequency, Steck
from arcwise.discretize.policy import PolicyScore
from arcwise.errors import OptionError
from arcwise.graph.dag import Dag
from arcwise.scores import BDeu, total
from arcwise.search import HillClimb

if TYPE_CHECKING:  # they bring the compiled kernels along
    from arcwise.discretize.working import WorkingTable


@dataclass(frozen=True, slots=True, eq=False)
class _Pair:
    """Thresholds, the network learned with them, and their joint score."""

    cuts: Discretization
    result: LearnResult
    joint: float


@dataclass(frozen=True, kw_only=True)
class Integrated:
    """LearnHybridBN of Monti 1999: from `initial`, refine thresholds and relearn until the policy's rule says so.

    The equivalent sample size is that of the search's BDeu score. warm_start: each search starts from the last graph,
    not from the empty one; the joint score then never falls, but the networks are less accurate (Fu's study is cold).
    """

    kind: ClassVar[str] = "integrated"
    reference: ClassVar[str] = "Fu 2005, III.2"

    policy: PolicyScore = Steck()
    initial: Discretizer = EqualFrequency()
    search: HillClimb = HillClimb()
    rounds: int = 20
    warm_start: bool = False

    def __post_init__(self) -> None:
        if self.rounds < 1:
            raise OptionError(f"option 'rounds' must be at least 1, not {self.rounds!r}")
        score = getattr(self.search, "score", self.search)  # a composed learner has none
        if not isinstance(score, BDeu):
            raise OptionError(
                f"the policy {self.policy.kind!r} needs a search with the score 'bdeu', not {score.kind!r}"
            )

    def learn(
        self,
        data: Dataset,
        *,
        rng: np.random.Generator,
        knowledge: Knowledge = NONE,
        monitor: Monitor = SILENT,
        start: Dag | None = None,
    ) -> LearnResult:
        from arcwise.discretize.learn_policy import Surroundings, learn_policy
        from arcwise.discretize.working import WorkingTable

        columns = data.by_name()
        table = WorkingTable(columns, self.initial.fit(columns))
        search = self.policy.searcher(self._ess, columns.n_rows)

        def learn_network(begin: Dag | None) -> _Pair:
            cut = table.dataset()
            result = self.search.learn(cut, rng=rng, knowledge=knowledge, monitor=monitor, start=begin)
            return _Pair(table.discretization(), result, self._joint(table, cut, result))

        best = current = learn_network(start)
        counters, trace = current.result.counters, [_step(0, current, "initial thresholds")]
        seen = {(current.cuts, current.result.graph)}
        settled: dict[int, Surroundings] = {}
        ended = f"after {self.rounds} rounds"
        for turn in range(1, self.rounds + 1):
            if current.result.status == "stopped":
                break
            graph = current.result.graph
            assert graph is not None  # a search gives a DAG
            changed, calls = learn_policy(table, graph.reordered(columns.names).adjacency, search, monitor, settled)
            new = learn_network(graph if self.warm_start else start)
            counters += replace(new.result.counters, discretization_calls=calls)
            trace.append(_step(turn, new, f"{len(changed)} columns cut anew"))
            monitor.report(Progress("round", turn, new.joint, trace[-1].action))
            better = new.joint > best.joint + tolerance(best.joint)
            same_graph = new.result.cpdag == current.result.cpdag
            repeated = (new.cuts, new.result.graph) in seen
            seen.add((new.cuts, new.result.graph))
            best, current = (new if better else best), new
            if self.policy.stops_with == "score" and not better:
                ended = "the joint score no longer rises"
            elif self.policy.stops_with == "graph" and same_graph:
                ended = "the graph stays the same"
            elif repeated:
                ended = "thresholds and graph were met before"
            else:
                continue
            break
        if current.result.status == "stopped":
            ended = "stopped"
        trace.append(TraceStep("end", counters.steps, ended, best.joint))
        return self._result(data, best, current.result.status, tuple(trace), counters)

    @property
    def _ess(self) -> float:
        assert isinstance(self.search.score, BDeu)  # checked on construction
        return self.search.score.ess

    def _joint(self, table: WorkingTable, cut: Dataset, result: LearnResult) -> float:
        graph = result.graph
        assert graph is not None
        network = total(self.policy.network_score(self._ess), graph, cut)
        return network + sum(self.policy.column_term(table.values[i], table.starts[i]) for i in table.continuous)

    def _result(
        self, data: Dataset, best: _Pair, status: str, trace: tuple[TraceStep, ...], counters: Counters
    ) -> LearnResult:
        graph = best.result.graph
        assert graph is not None
        return replace(
            best.result,
            graph=graph.reordered(data.names),
            cpdag=best.result.cpdag.reordered(data.names),
            discretization=best.cuts,
            status="stopped" if status == "stopped" else "converged",
            trace=trace,
            counters=counters,
        )


def _step(turn: int, pair: _Pair, action: str) -> TraceStep:
    return TraceStep("round", turn, f"{action}, {pair.result.cpdag.n_edges} edges", pair.joint)
