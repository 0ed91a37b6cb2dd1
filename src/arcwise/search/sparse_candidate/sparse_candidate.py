"""Sparse Candidate: a search among few possible parents of each column, which are chosen anew after every search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import ClassVar, Literal, get_args

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import BoolArray, Dataset, FloatArray, IntArray, Kind
from arcwise.errors import DataError, OptionError, check_least
from arcwise.parts.monitor import Progress
from arcwise.parts.protocols import BoundScore, Score, ScoredSearch, TableLimit, tolerance
from arcwise.printing import counted
from arcwise.problem import Answer, Problem, learn_by_solving, left_out, within_score
from arcwise.results.result import Counters, TraceStep
from arcwise.scores.dirichlet import BDeu
from arcwise.scores.likelihood import LogLikelihood
from arcwise.scores.suited import Suited
from arcwise.search.greedy.tabu import Tabu

Measure = Literal["score", "mutual-information", "discrepancy", "shield"]


@checked
@dataclass(frozen=True, kw_only=True)
class SparseCandidate:
    """Restrict: some candidate parents for each column, its present ones among them. Maximize: `search` among these.

    In turn, from the start graph, until the score no longer rises or the candidates stay the same. k: candidates of a
    column. measure: by what the
    candidates j of i are ranked: "score" s(i, Pa_i + j), "mutual-information" I(i; j), "shield" I(i; j | Pa_i),
    "discrepancy" KL(P(i, j) || P_B(i, j)) with B the network so far; all but the first for discrete columns.
    """

    kind: ClassVar[str] = "sparse-candidate"
    reference: ClassVar[str] = "Friedman, Nachman and Pe'er 1999"

    k: int = 5
    measure: Measure = "score"
    search: ScoredSearch = Tabu(score=Suited(discrete=BDeu(ess=10, arc_prior=1 / 11)))

    def __post_init__(self) -> None:
        check_least(self, k=1)
        if self.measure not in get_args(Measure):
            raise OptionError(f"option 'measure' must be one of {', '.join(get_args(Measure))}, not {self.measure!r}")

    @property
    def score(self) -> Score:
        return self.search.score

    @property
    def max_table(self) -> int | None:
        return self.search.max_table if isinstance(self.search, TableLimit) else None

    learn = learn_by_solving

    @within_score
    def solve(self, problem: Problem) -> Answer:
        self._check_measure(problem.data)
        dag = problem.dag(problem.start_adjacency())
        bound = Remembered(problem.bind(self.score))
        restriction, monitor = _Restriction(self, bound, problem), problem.monitor
        score, trace, work = None, list[TraceStep](), Counters()
        last: BoolArray | None = None
        for turn in count(1):
            candidates = restriction.candidates(dag.adjacency)
            stopped = candidates is None
            if candidates is None or (last is not None and np.array_equal(candidates, last)):
                break
            found = self.search.solve(problem.among(candidates).starting(dag).scored(self.score, bound))
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
        return Answer(
            graph=dag,
            score=score,
            trace=trace,
            counters=replace(
                work,
                score_asked=work.score_asked + restriction.asked,
                score_computed=bound.computed + restriction.computed,
            ),
            status="stopped" if stopped else "converged",
            warnings=(*bound.warnings, *left_out(problem.data, self.max_table, bound)),
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

    def __init__(self, options: SparseCandidate, bound: BoundScore, problem: Problem) -> None:
        from arcwise.search.greedy.cache import ScoreCache

        self._options, self._problem = options, problem
        self._permitted = problem.known.allowed | problem.known.required
        by_score = options.measure == "score"
        # N I(i; j | Pa_i) is what j adds to the log-likelihood of i.
        self._cache = ScoreCache(
            bound if by_score else LogLikelihood().bind(problem.data),
            self._permitted,
            cards=problem.data.cardinalities,
            max_table=options.max_table,
        )
        self._remembers = by_score  # its own count of what was computed

    @property
    def asked(self) -> int:
        return self._cache.asked

    @property
    def computed(self) -> int:
        """Evaluations beyond those of the search's own score."""
        return 0 if self._remembers else self._cache.computed

    def candidates(self, adj: BoolArray) -> BoolArray | None:
        """candidates[j, i]: the parents of i and the best others, `k` in all. None when stopped."""
        from arcwise.search.ranking import best_first

        out = adj.copy()
        n = len(adj)
        all_pairs = self._discrepancies(adj) if self._options.measure == "discrepancy" else None
        for child in range(n):
            if self._problem.monitor.should_stop():
                return None
            message = f"candidates of column {child + 1} of {n}"
            self._problem.monitor.report(Progress("restrict", child, message=message, fraction=child / n))
            values = self._row(child, adj) if all_pairs is None else all_pairs[:, child].copy()
            values[adj[:, child]] = values[child] = -np.inf
            room = max(0, self._options.k - int(adj[:, child].sum()))
            out[best_first(values)[:room], child] = True
        return out

    def _row(self, child: int, adj: BoolArray) -> FloatArray:
        given = () if self._options.measure == "mutual-information" else adj[:, child].nonzero()[0].tolist()
        return self._cache.row(child, frozenset(given)).copy()

    def _discrepancies(self, adj: BoolArray) -> FloatArray:
        from arcwise.search.sparse_candidate.discrepancy import discrepancies

        return np.where(self._permitted, discrepancies(self._problem.data, adj, self._problem.rng), -np.inf)


class Remembered:
    """The scores of another bound score, kept by (child, parents), for a search that is run again and again.

    `computed` counts those that had to be worked out. For scores that are asked for in small batches: a look-up takes
    about a microsecond.
    """

    def __init__(self, bound: BoundScore) -> None:
        self._bound = bound
        self._known: dict[int, dict[frozenset[int], float]] = {}
        self.computed = 0
        self.warnings = bound.warnings

    def local_score(self, child: int, parents: Sequence[int]) -> float:
        return float(self.local_scores(child, np.array([list(parents)], dtype=np.intp))[0])

    def local_scores(self, child: int, parent_sets: IntArray) -> FloatArray:
        known = self._known.setdefault(child, {})
        keys = [frozenset((-1, *parents)) for parents in parent_sets.tolist()]  # -1 pads: make it part of every key
        new = [i for i, key in enumerate(keys) if key not in known]
        if new:
            scores = self._bound.local_scores(child, parent_sets[new] if len(new) < len(keys) else parent_sets)
            known.update(zip((keys[i] for i in new), scores.tolist(), strict=True))
            self.computed += len(new)
        return np.array([known[key] for key in keys])
