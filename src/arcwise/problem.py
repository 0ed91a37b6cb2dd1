"""What every learner is handed and hands back, and how data become the one and a result is made of the other.

A complete result tells besides what was found by which method, from what table, and what is doubtful about it: also
whether the rows are enough for what is asked, which of all pairs of columns are related.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, wraps
from importlib.metadata import version
from math import atanh, ceil, comb
from platform import python_version
from statistics import NormalDist
from typing import Any, TypeVar, cast, overload

import numpy as np
from numpy.typing import NDArray

from arcwise.compiling import clock
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.data.discretization import Discretization
from arcwise.data.reading.door import takes_table
from arcwise.data.states import States
from arcwise.errors import ClusterError, GraphError, OptionError
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag
from arcwise.parts.knowledge import NONE, BoundKnowledge, Knowledge
from arcwise.parts.monitor import SILENT, Monitor, Progress
from arcwise.parts.protocols import (
    ALL_DISCRETE,
    ArcScore,
    BoundScore,
    BoundTest,
    IndependenceTest,
    Learner,
    Modelled,
    Score,
    ScoredSearch,
    ToggleScore,
    check_kinds,
    no_place,
    resolved,
)
from arcwise.parts.spec import parts_and_options, to_spec
from arcwise.printing import listed, printable
from arcwise.results.choice import Choice
from arcwise.results.columns import DataSummary
from arcwise.results.completion import Completion
from arcwise.results.result import Counters, LearnResult, Round, TraceStep
from arcwise.results.status import Status
from arcwise.results.support import support
from arcwise.stats.determined import determined
from arcwise.stats.missingness import missingness_doubts
from arcwise.stats.relations import relations

BoolMatrix = NDArray[np.bool_]
Kept = TypeVar("Kept")
CORRELATION = 0.5  # a relation that is meant to be found
FALSE_ALARM = 0.05  # probability that any pair at all looks related by chance
TABLES = "cpt"  # the conditional model of columns with levels
POWER = 0.8  # probability that a relation of that strength is found


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """A table, what is known about it, and what accompanies the search.

    data: its columns are sorted by name, so that ties broken by position are broken by name. knowledge: the user's.
    known: the same, but among the candidates only; a learner adds no arcs but those `known.allowed`, and removes none
    that are `known.required`. memory: what the loop hands from round to round.
    """

    data: Dataset
    knowledge: BoundKnowledge
    known: BoundKnowledge
    rng: np.random.Generator
    monitor: Monitor
    start: Dag | None = None
    start_offered: bool = False  # by another part, not the user: a learner may pass it over
    memory: Memory | None = None
    bound: tuple[Score, BoundScore] | None = None  # a score that another part has bound to these data
    kept: dict[Score, BoundScore] | None = None  # where those bound to the table itself are kept, to be asked again

    @staticmethod
    def of(
        data: Dataset,
        *,
        rng: np.random.Generator,
        knowledge: Knowledge = NONE,
        monitor: Monitor = SILENT,
        start: Dag | None = None,
        keep: bool = False,
    ) -> Problem:
        """keep: the `result` shall say what the score loses without each edge."""
        columns = data.by_name()
        known = knowledge.bind(columns.names)
        return Problem(columns, known, known, rng, monitor, start, kept={} if keep else None)

    @property
    def names(self) -> tuple[str, ...]:
        return self.data.names

    def on(self, data: Dataset, memory: Memory | None = None) -> Problem:
        """The same with other values in the columns, such as levels instead of numbers."""
        return replace(self, data=data, memory=memory, bound=None, kept=None)

    def part(self, names: Sequence[str]) -> Problem:
        """The same for some of the columns; what is known of others is left out, and where to start."""
        data = self.data.select(sorted(names))
        places = [self.data.index(name) for name in data.names]
        at = np.ix_(places, places)
        knowledge, known = (BoundKnowledge(one.allowed[at], one.required[at]) for one in (self.knowledge, self.known))
        return replace(self.on(data), knowledge=knowledge, known=known, start=None)

    def among(self, candidates: BoolMatrix) -> Problem:
        """The same; only arcs u -> v with candidates[u, v] may be added. What is required or in the start stands."""
        return replace(self, known=replace(self.knowledge, allowed=self.known.allowed & candidates))

    def starting(self, start: Dag | None) -> Problem:
        """The same with another start, for learners that have a use for one."""
        return replace(self, start=start, start_offered=True)

    def scored(self, score: Score, bound: BoundScore) -> Problem:
        """The same for a learner with this score: it is bound already."""
        return replace(self, bound=(score, bound))

    @overload
    def bind(self, part: Score) -> BoundScore: ...
    @overload
    def bind(self, part: IndependenceTest) -> BoundTest: ...
    def bind(self, part: Score | IndependenceTest) -> BoundScore | BoundTest:
        """The score or test bound to the data, whose kinds it must take."""
        if self.bound is not None and self.bound[0] == part:
            return self.bound[1]
        check_kinds(part, self.data)
        self.monitor.report(Progress("preparing"))
        bound = part.bind(self.data)
        if self.kept is not None and isinstance(part, Score):
            self.kept[part] = cast(BoundScore, bound)
        return bound

    def within(self, score: Score) -> Problem:
        """The same; only arcs that have a place in the networks of the score may be there."""
        used = resolved(score, self.data)
        permitted = used.permitted(self.data) if isinstance(used, ArcScore) else None
        if permitted is None or not (self.knowledge.allowed & ~permitted).any():
            return self
        for u, v in np.argwhere(self.knowledge.required & ~permitted):
            raise GraphError(no_place(used, self.data, u, v, "is required"))
        start = self.start
        if start is not None and sorted(start.names) == sorted(self.names):
            adj = start.reordered(self.names).adjacency
            for u, v in np.argwhere(adj & ~permitted & self.knowledge.allowed):
                if not self.start_offered:
                    raise GraphError(no_place(used, self.data, u, v, "is in the start graph"))
            start = self.dag(adj & permitted) if (adj & ~permitted).any() and self.start_offered else start
        knowledge, known = (replace(one, allowed=one.allowed & permitted) for one in (self.knowledge, self.known))
        return replace(self, knowledge=knowledge, known=known, start=start)

    def refuse_start(self, why: str) -> None:
        """For learners without a use for a start. why: "pc begins with the complete graph"."""
        if self.start is not None and not self.start_offered:
            raise OptionError(f"{why}, so it cannot take a start graph; leave `start` out")

    def start_adjacency(self) -> BoolMatrix:
        """The graph to start from, to be written into: the given one (or none) together with all required edges."""
        if self.start is None:
            return self.knowledge.required.copy()
        names = self.names
        if sorted(self.start.names) != sorted(names):
            odd = sorted(set(self.start.names) ^ set(names))[0]
            raise GraphError(f"the start graph and the data must have the same columns; only one of them has {odd!r}")
        adj = self.start.reordered(names).adjacency
        for u, v in np.argwhere(adj & ~(self.knowledge.allowed | self.knowledge.required)):
            raise GraphError(f"the start graph has the edge {names[u]} -> {names[v]}, which the knowledge forbids")
        return self.dag(adj | self.knowledge.required).adjacency.copy()

    def dag(self, adj: BoolMatrix) -> Dag:
        return Dag.from_adjacency(self.names, adj)

    def pattern(self, answer: Answer) -> Pdag:
        """What was found, as far as data and knowledge decide it."""
        if answer.pattern is not None:
            return answer.pattern
        assert answer.graph is not None  # every learner finds one of the two
        return self.knowledge.pattern(answer.graph)


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """What a learner found, in the problem's columns: a DAG, a pattern, or both. pattern=None: that of the DAG.

    separations: by the positions (x, y), x < y, of columns, those of the set that separates them.
    """

    graph: Dag | None = None
    pattern: Pdag | None = None
    score: float | None = None
    trace: Sequence[TraceStep] = ()
    counters: Counters = Counters()
    status: Status = "converged"
    warnings: Sequence[str] = ()
    separations: Mapping[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)
    discretization: Discretization | None = None
    rounds: Sequence[Round] = ()
    completion: Completion | None = None
    states: Mapping[str, States] = field(default_factory=dict)
    choice: Choice | None = None
    chosen: Learner | None = None  # the learner that was chosen to find it, if others were tried


Solve = Callable[[Any, Problem], Answer]


def within_score(solve: Solve) -> Solve:
    """For the `solve` of a search: it adds no arc that has no place in the networks of its score.

    Such arcs are as good as forbidden by the user, so that the pattern of the answer has no edge that could be one.
    """

    @wraps(solve)
    def solved(self: Any, problem: Problem) -> Answer:
        inside = problem.within(self.score)
        answer = solve(self, inside)
        if inside is problem or answer.graph is None or answer.pattern is not None:
            return answer
        return replace(answer, pattern=inside.pattern(answer))

    return solved


def result(problem: Problem, answer: Answer, names: Sequence[str], learner: Learner | None = None) -> LearnResult:
    """The answer with the columns in the order of these names. learner: whose answer it is."""
    sorted_names = problem.names
    cuts = None if answer.discretization is None else answer.discretization.thresholds
    return LearnResult(
        cpdag=problem.pattern(answer).reordered(names),
        graph=None if answer.graph is None else answer.graph.reordered(names),
        score=answer.score,
        discretization=None if cuts is None else Discretization({name: cuts[name] for name in names if name in cuts}),
        separating_sets={
            (sorted_names[x], sorted_names[y]): tuple(sorted_names[u] for u in given)
            for (x, y), given in sorted(answer.separations.items())
        },
        trace=tuple(answer.trace),
        rounds=tuple(answer.rounds),
        states={name: answer.states[name] for name in names if name in answer.states},
        completion=None if answer.completion is None else answer.completion.reordered(names),
        choice=answer.choice,
        support={} if learner is None else support(problem, answer, score_of(answer.chosen or learner)),
        counters=answer.counters,
        status=answer.status,
        warnings=tuple(answer.warnings),
        model=None if learner is None else model_of(answer.chosen or learner, problem.data, answer.discretization),
    )


@takes_table
def learn_by_solving(
    self: Learner,
    data: Dataset,
    *,
    rng: np.random.Generator,
    knowledge: Knowledge = NONE,
    monitor: Monitor = SILENT,
    start: Dag | None = None,
) -> LearnResult:
    """Learn from data. rng: where random numbers come from. start: a graph to start from, for searches that do."""
    problem = Problem.of(data, rng=rng, knowledge=knowledge, monitor=monitor, start=start, keep=True)
    return result(problem, self.solve(problem), data.names, self)


class Memory:
    """What a search leaves to the next on the same columns, some of which have been cut anew in between.

    A column is unchanged when it is the same object: columns are immutable.
    """

    def __init__(self) -> None:
        self._what: Any = None
        self._columns: tuple[Column, ...] = ()
        self._kept: Any = None

    def exchange(self, what: Any, new: Kept, data: Dataset) -> tuple[Kept, set[int]] | None:
        """What was kept before under the same word, and the positions of the columns that have changed since."""
        before, columns = self._kept if self._what == what else None, self._columns
        self._what, self._columns, self._kept = what, data.columns, new
        if before is None:
            return None
        return before, {i for i, column in enumerate(data.columns) if column is not columns[i]}


def left_out(columns: Dataset, max_table: int | None, bound: BoundScore) -> list[str]:
    """One sentence with the pairs of columns that no edge within `max_table` can join. Toggle scores have no tables."""
    if max_table is None or isinstance(bound, ToggleScore):
        return []
    cards = np.maximum(columns.cardinalities, 1)
    pairs = np.argwhere(np.triu(np.multiply.outer(cards, cards) > max_table, 1)).tolist()
    if not pairs:
        return []
    names = [f"{columns.names[u]!r} and {columns.names[v]!r}" for u, v in pairs]
    return [f"max_table = {max_table:,} permits no edge between {listed(names)}; raise it, or leave it out"]


def complete(
    found: LearnResult,
    learner: Learner,
    table: Dataset,
    *,
    method: str,
    seed: int,
    began: float,
    chosen: Learner | None = None,
) -> LearnResult:
    """The result of a learner on a table with everything that it can tell.

    began: on the clock of `compiling`. chosen: the learner that the learner chose, if it did.
    """
    score = score_of(chosen or learner)
    doubts = (
        *few_rows(table.n_rows, table.n_columns, edges=found.cpdag.n_edges > 0),
        *missingness_doubts(table),
        *_one_level(found),
        *_with_relations(table, found),
    )
    return replace(
        found,
        status=status_of(found, chosen or learner),
        method=method,
        spec=to_spec(learner),
        scored_with=to_spec(resolved(score, table if found.discretization is None else ALL_DISCRETE)) if score else {},
        seed=seed,
        data=DataSummary.of(table),
        warnings=tuple(map(printable, (*table.warnings, *doubts))),
        versions=dict(_versions()),
        elapsed=clock() - began,
    )


def score_of(learner: Learner) -> Score | None:
    """The score of a search, or of the search inside a learner; None where networks are not scored."""
    if isinstance(learner, ScoredSearch):
        return learner.score
    return next((part.score for part in _inner(learner) if isinstance(part, ScoredSearch)), None)


def model_of(learner: Learner, data: Dataset, cuts: Discretization | None) -> str | None:
    """The conditional model that goes with what was learned: see `LearnResult.model`.

    Tables where every column has levels. Else that of the learner; tables where columns were cut; that of the score, or
    without one of the test, that the kinds of the columns choose. None: no part says.
    """
    if all(kind is Kind.DISCRETE for kind in data.kinds):
        return TABLES
    inner = _inner(learner)
    for one in (learner, *inner):
        if isinstance(one, Learner) and isinstance(one, Modelled):
            return one.model
    if cuts is not None:
        return TABLES
    tests = (part for part in inner if isinstance(part, IndependenceTest))
    used = (resolved(part, data) for part in (score_of(learner), *tests))
    return next((part.model for part in used if isinstance(part, Modelled)), None)


def _inner(learner: Learner) -> list[Any]:
    """The parts inside a learner, but those that only draw cells."""
    return [part for path, part in parts_and_options(learner)[0].items() if ".draws." not in f".{path}"]


def status_of(found: LearnResult, learner: Learner) -> Status:
    """A search that was stopped before it had scored a graph has no answer. Other methods tell by themselves."""
    score = score_of(learner)
    if found.status == "stopped" and score and (found.score is None or not found.counters.score_asked):
        return "unanswered"
    return found.status


def _one_level(found: LearnResult) -> list[str]:
    if found.discretization is None:
        return []
    flat = [name for name, cuts in found.discretization.thresholds.items() if not len(cuts)]
    why = "one level, as no threshold paid for itself" if found.rounds else "one level after discretization"
    return [f"{', '.join(flat)}: {why}, so no edge can be found"] if flat else []


def _with_relations(table: Dataset, found: LearnResult) -> Sequence[str]:
    """Columns that follow from others exactly, whatever the method; what a test said of them before, said once."""
    related = relations(table)
    sentences = [*related.values(), *_determined(table, found, related)]
    told = [one for one in found.warnings if not any(sentence.startswith(one) for sentence in sentences)]
    return [*sentences, *told]


def _determined(table: Dataset, found: LearnResult, related: Mapping[str, str]) -> Sequence[str]:
    try:
        return determined(table, found.cpdag, found.graph, related)
    except ClusterError:  # rows that were lost in the search, as the result says, cannot be asked
        return ()


@cache
def _versions() -> dict[str, str]:
    packages = {name: version(name) for name in ("arcwise", "numpy", "numba")}
    return {"python": python_version(), **packages}


def rows_needed(n_columns: int) -> int:
    """Rows with which a correlation of 0.5 stands out from what chance does to all pairs of so many columns.

    Fisher's z of r has the standard deviation 1 / sqrt(N - 3), so N = 3 + ((z_a + z_b) / atanh r)^2, where z_a is the
    normal quantile of the false alarm divided by twice the number of pairs (Bonferroni), z_b that of the power.
    """
    pairs = comb(n_columns, 2)
    if not pairs:
        return 0
    normal = NormalDist()
    quantiles = normal.inv_cdf(POWER) - normal.inv_cdf(FALSE_ALARM / (2 * pairs))
    return 3 + ceil((quantiles / atanh(CORRELATION)) ** 2)


def table_doubts(table: Dataset) -> list[str]:
    """What is doubtful about all that is learned from a table, whatever the method."""
    few = few_rows(table.n_rows, table.n_columns)
    return [*table.warnings, *few, *missingness_doubts(table), *relations(table).values()]


def few_rows(n_rows: int, n_columns: int, *, edges: bool = True) -> tuple[str, ...]:
    """What to tell where there are fewer rows than that; nothing where there are enough. edges: any were found."""
    needed = rows_needed(n_columns)
    if n_rows >= needed:
        return ()
    pairs = comb(n_columns, 2)
    chance = "a relation may be chance" if pairs == 1 else f"some of {pairs} pairs look related by chance"
    some = "take the edges as hints, and what has no edge as undecided"
    meaning = some if edges else "no edge means undecided here"
    return (
        f"{n_rows} rows are few for {n_columns} columns: {chance}; about {needed} rows would tell a correlation of "
        f"{CORRELATION} from it, so {meaning}; add rows or drop columns",
    )
