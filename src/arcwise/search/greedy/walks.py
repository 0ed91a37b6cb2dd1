"""From data to a result by greedy walks: what hill climbing and tabu search have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import Dataset
from arcwise.errors import GraphError
from arcwise.graph.dag import Dag
from arcwise.parts.knowledge import BoundKnowledge, Knowledge
from arcwise.parts.monitor import Monitor, Progress
from arcwise.parts.protocols import Score
from arcwise.results.result import Counters, LearnResult
from arcwise.scores.total import check_kinds
from arcwise.search.greedy.memory import Memory
from arcwise.search.left_out import left_out

BoolMatrix = NDArray[np.bool_]


class GreedyOptions(Protocol):
    @property
    def score(self) -> Score: ...
    @property
    def max_parents(self) -> int | None: ...
    @property
    def max_table(self) -> int | None: ...
    @property
    def restarts(self) -> int: ...
    @property
    def perturbation(self) -> int: ...


def greedy(
    options: GreedyOptions,
    data: Dataset,
    *,
    rng: np.random.Generator,
    knowledge: Knowledge,
    monitor: Monitor,
    start: Dag | None,
    memory: Memory | None = None,
    candidates: BoolMatrix | None = None,
    tenure: int = 0,
    patience: int = 0,
) -> LearnResult:
    """Walk from the start graph, then from `restarts` perturbed copies of the best graph; return the best.

    candidates[u, v]: the arc u -> v between columns of `data` may be added (none: any arc may). Arcs of the start graph
    and of the knowledge stand from the beginning.
    """
    from arcwise.parts.ties import tolerance
    from arcwise.search.greedy.cache import ScoreCache
    from arcwise.search.greedy.climb import Outcome, climb
    from arcwise.search.greedy.perturb import perturb

    columns = data.by_name()
    check_kinds(options.score, columns)
    known = knowledge.bind(columns.names)
    limits = known
    if candidates is not None:
        order = [data.index(name) for name in columns.names]
        limits = replace(known, allowed=known.allowed & candidates[np.ix_(order, order)])
    adj = start_adjacency(start, columns.names, known)
    monitor.report(Progress("preparing"))
    bound = options.score.bind(columns)
    cache = ScoreCache(
        bound,
        limits.allowed | limits.required,
        cards=columns.cardinalities,
        max_parents=options.max_parents,
        max_table=options.max_table,
    )
    if memory is not None:
        memory.hand_over(cache, columns)
    walks: list[Outcome] = []
    best: Outcome | None = None
    for turn in range(options.restarts + 1):
        if best is not None:
            adj = perturb(best.adj, limits, options, rng, cache.fits)
        phase = "search" if turn == 0 else f"restart {turn}"
        walked = climb(
            adj, known.required, cache, columns.names, monitor, phase=phase, tenure=tenure, patience=patience
        )
        walks.append(walked)
        if best is None or walked.score > best.score + tolerance(walked.score):
            best = walks[-1]
        if walks[-1].stopped:
            break
    assert best is not None  # there is always a first walk
    dag = Dag.from_adjacency(columns.names, best.adj)
    return LearnResult(
        graph=dag.reordered(data.names),
        cpdag=known.pattern(dag).reordered(data.names),
        score=best.score if np.isfinite(best.score) else None,
        trace=tuple(step for walk in walks for step in walk.trace),
        counters=Counters(
            score_asked=cache.asked,
            score_computed=cache.computed,
            steps=sum(walk.steps for walk in walks),
            ties=sum(walk.ties for walk in walks),
        ),
        status="stopped" if walks[-1].stopped else "converged",
        warnings=(
            *getattr(bound, "warnings", ()),  # most scores have none
            *left_out(columns, options.max_table, bound),
        ),
    )


def start_adjacency(start: Dag | None, names: Sequence[str], known: BoundKnowledge) -> BoolMatrix:
    """The graph to start from: the given one (or none) together with all required edges."""
    if start is None:
        return known.required.copy()
    if sorted(start.names) != sorted(names):
        odd = sorted(set(start.names) ^ set(names))[0]
        raise GraphError(f"the start graph and the data must have the same columns; only one of them has {odd!r}")
    adj = start.reordered(names).adjacency
    for u, v in np.argwhere(adj & ~(known.allowed | known.required)):
        raise GraphError(f"the start graph has the edge {names[u]} -> {names[v]}, which the knowledge forbids")
    return Dag.from_adjacency(names, adj | known.required).adjacency.copy()
