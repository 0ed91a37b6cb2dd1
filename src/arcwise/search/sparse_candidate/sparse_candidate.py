"""Sparse Candidate: a search among few possible parents of each column, which are chosen anew after every search."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count
from typing import ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from arcwise.checking import checked
from arcwise.data.accepting import takes_table
from arcwise.data.dataset import Dataset, FloatArray, Kind
from arcwise.data.wording import counted
from arcwise.errors import DataError, OptionError, check_least
from arcwise.graph.dag import Dag
from arcwise.parts.knowledge import NONE, BoundKnowledge, Knowledge
from arcwise.parts.monitor import SILENT, Monitor, Progress
from arcwise.parts.protocols import BoundScore
from arcwise.parts.ties import tolerance
from arcwise.results.result import Counters, LearnResult, TraceStep
from arcwise.scores.bdeu import BDeu
from arcwise.scores.log_likelihood import LogLikelihood
from arcwise.scores.suited import Suited
from arcwise.scores.total import check_kinds
from arcwise.search.greedy.hill_climb import HillClimb
from arcwise.search.greedy.tabu import Tabu
from arcwise.search.greedy.walks import start_adjacency
from arcwise.search.left_out import left_out

BoolMatrix = NDArray[np.bool_]
Measure = Literal["score", "mutual-information", "discrepancy", "shield"]


@checked
@dataclass(frozen=True, kw_only=True)
class SparseCandidate:
    """Restrict: `k` candidate parents for each column, its present ones among them. Maximize: `search` among these.

    In turn, from the start graph, until the score no longer rises or the candidates stay the same. measure: by what the
    candidates j of i are ranked: "score" s(i, Pa_i + j), "mutual-information" I(i; j), "shield" I(i; j | Pa_i),
    "discrepancy" KL(P(i, j) || P_B(i, j)) with B the network so far; all but the first for discrete columns.
    """

    kind: ClassVar[str] = "sparse-candidate"
    reference: ClassVar[str] = "Friedman, Nachman and Pe'er 1999"

    k: int = 5
    measure: Measure = "score"
    search: HillClimb | Tabu = Tabu(score=Suited(discrete=BDeu(ess=10, arc_prior=1 / 11)))

    def __post_init__(self) -> None:
        check_least(self, k=1)
        if self.measure not in get_args(Measure):
            raise OptionError(f"option 'measure' must be one of {', '.join(get_args(Measure))}, not {self.measure!r}")
        if not isinstance(self.search, HillClimb | Tabu):
            raise OptionError(f"option 'search' must be 'hill-climb' or 'tabu', not {self.search.kind!r}")

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
        from arcwise.search.remembered import AlreadyBound, Remembered

        columns = data.by_name()
        check_kinds(self.search.score, columns)
        self._check_measure(columns)
        known = knowledge.bind(columns.names)
        dag = Dag.from_adjacency(columns.names, start_adjacency(start, columns.names, known))
        monitor.report(Progress("preparing"))
        bound = Remembered(self.search.score.bind(columns))
        search = replace(self.search, score=AlreadyBound(bound, self.search.score.score_equivalent))
        restriction = _Restriction(self, bound, columns, known, rng)
        score, trace, work = None, list[TraceStep](), Counters()
        last: BoolMatrix | None = None
        for turn in count(1):
            candidates = restriction.candidates(dag.adjacency, monitor)
            stopped = candidates is None
            if candidates is None or (last is not None and np.array_equal(candidates, last)):
                break
            found = search.learn(
                columns, rng=rng, knowledge=knowledge, monitor=monitor, start=dag, candidates=candidates
            )
            stopped = found.status == "stopped"
            work += found.counters
            if found.score is None or found.graph is None:  # stopped before anything was scored
                break
            new = counted(int(np.count_nonzero(candidates & ~last if last is not None else candidates)), "candidate")
            action = f"{new} new, {counted(found.counters.steps, 'step')}, {counted(found.graph.n_edges, 'edge')}"
            trace += [*found.trace, TraceStep("iteration", turn, action, found.score)]
            monitor.report(Progress("iteration", turn, found.score, action))
            better = score is None or found.score > score + tolerance(score)
            if better:
                dag, score = found.graph, found.score
            if stopped or not better:
                break
            last = candidates
        return LearnResult(
            graph=dag.reordered(data.names),
            cpdag=known.pattern(dag).reordered(data.names),
            score=score,
            trace=tuple(trace),
            counters=replace(
                work,
                score_asked=work.score_asked + restriction.asked,
                score_computed=bound.computed + restriction.computed,
            ),
            status="stopped" if stopped else "converged",
            warnings=(*bound.warnings, *left_out(columns, self.search.max_table, bound)),
        )

    def _check_measure(self, columns: Dataset) -> None:
        if self.measure == "score":
            return
        for column in columns.columns:
            if column.kind is not Kind.DISCRETE:
                raise DataError(
                    f"column {column.name!r} is {column.kind}, but the measure {self.measure!r} counts levels; "
                    "discretize it first, or use the measure 'score'"
                )


class _Restriction:
    """Chooses the candidate parents of every column, given a network."""

    def __init__(
        self,
        options: SparseCandidate,
        bound: BoundScore,
        columns: Dataset,
        known: BoundKnowledge,
        rng: np.random.Generator,
    ) -> None:
        from arcwise.search.greedy.cache import ScoreCache

        self._options, self._columns, self._rng = options, columns, rng
        self._permitted = known.allowed | known.required
        by_score = options.measure == "score"
        # N I(i; j | Pa_i) is what j adds to the log-likelihood of i.
        self._cache = ScoreCache(
            bound if by_score else LogLikelihood().bind(columns),
            self._permitted,
            cards=columns.cardinalities,
            max_table=options.search.max_table,
        )
        self._remembers = by_score  # its own count of what was computed

    @property
    def asked(self) -> int:
        return self._cache.asked

    @property
    def computed(self) -> int:
        """Evaluations beyond those of the search's own score."""
        return 0 if self._remembers else self._cache.computed

    def candidates(self, adj: BoolMatrix, monitor: Monitor) -> BoolMatrix | None:
        """candidates[j, i]: the parents of i and the best others, `k` in all. None when stopped."""
        from arcwise.search.ranking import best_first

        out = adj.copy()
        n = len(adj)
        all_pairs = self._discrepancies(adj) if self._options.measure == "discrepancy" else None
        for child in range(n):
            if monitor.should_stop():
                return None
            message = f"candidates of column {child + 1} of {n}"
            monitor.report(Progress("restrict", child, message=message, fraction=child / n))
            values = self._row(child, adj) if all_pairs is None else all_pairs[:, child].copy()
            values[adj[:, child]] = values[child] = -np.inf
            room = max(0, self._options.k - int(adj[:, child].sum()))
            out[best_first(values)[:room], child] = True
        return out

    def _row(self, child: int, adj: BoolMatrix) -> FloatArray:
        given = () if self._options.measure == "mutual-information" else adj[:, child].nonzero()[0].tolist()
        return self._cache.row(child, frozenset(given)).copy()

    def _discrepancies(self, adj: BoolMatrix) -> FloatArray:
        from arcwise.search.sparse_candidate.discrepancy import discrepancies

        return np.where(self._permitted, discrepancies(self._columns, adj, self._rng), -np.inf)
