"""The shapes of the parts, and what some of them can do beyond that. Structural: no class inherits from these.

What every part of a role can do is in the protocol of the role. What only some can do has a protocol of its own, which
is asked for with isinstance: nothing else tells one part from another. Below them: which columns a part takes, which
part they choose, and when two scores count as equal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from arcwise.checking import WORDS
from arcwise.data.dataset import Column, Dataset, FloatArray, IntArray, Kind
from arcwise.data.discretization import Discretization
from arcwise.data.reading.door import takes_table
from arcwise.errors import DataError
from arcwise.parts.monitor import Monitor

if TYPE_CHECKING:
    from arcwise._kernels.counts.bit_strata import Columns
    from arcwise._kernels.gaussian.residuals import Correlations
    from arcwise.problem import Answer, Problem

# A table that was cut has such columns only.
ALL_DISCRETE = Dataset((Column("x", Kind.DISCRETE, np.zeros(0, dtype=np.uint8), ("0", "1")),))
RELATIVE_TOLERANCE = 1e-9  # of ties: the same everywhere, so that rounding never decides


class Asked(type(Protocol)):  # type: ignore[misc]
    """isinstance asks a type once: Python would look at every member anew, 8 microseconds each time."""

    def __instancecheck__(cls, instance: Any) -> bool:
        key = cls, type(instance)
        if key not in _answers:
            _answers[key] = super().__instancecheck__(instance)
        return _answers[key]


_answers: dict[tuple[type, type], bool] = {}


@runtime_checkable
class Score(Protocol, metaclass=Asked):
    """Options of a decomposable network score: a frozen, keyword-only dataclass without data."""

    kind: ClassVar[str]
    accepts: ClassVar[frozenset[Kind]]

    @property
    def score_equivalent(self) -> bool:
        """Whether networks of one equivalence class always have the same score."""
        ...

    def bind(self, data: Dataset) -> BoundScore: ...


class BoundScore(Protocol):
    """A score with the sufficient statistics of one data set inside. Higher is better, always."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """What about these columns makes the score doubtful, one sentence each."""
        ...

    def local_score(self, child: int, parents: Sequence[int]) -> float: ...

    def local_scores(self, child: int, parent_sets: IntArray) -> FloatArray:
        """Scores of one child with k parent sets: (k, w), padded with -1. The order of parents is immaterial."""
        ...


@runtime_checkable
class ToggleScore(Protocol, metaclass=Asked):
    """A bound score that knows a family and all its neighbours in one call, which counts no table of a family."""

    def toggle_row(self, child: int, parents: IntArray, may_add: NDArray[np.bool_]) -> FloatArray | None:
        """row[u]: the score of `child` with u toggled in its `parents` (ascending); row[child]: as they are.

        Minus infinity where u is no parent and may not be added. None: better ask for the scores one by one.
        """
        ...


@runtime_checkable
class CompiledFamilies(Protocol, metaclass=Asked):
    """A bound score that a compiled search can ask without Python."""

    def families(self, before: Any = None) -> Any:
        """What its kernels need (_kernels/counts/toggled.py); None: ask in Python. before: what it was until now."""
        ...


@runtime_checkable
class ArcScore(Protocol, metaclass=Asked):
    """A score of networks in which some arcs have no place, whatever the values."""

    kind: ClassVar[str]

    def permitted(self, data: Dataset) -> NDArray[np.bool_]:
        """[u, v]: whether u -> v has a place."""
        ...


@runtime_checkable
class CorrelationScore(Protocol, metaclass=Asked):
    """A bound score that a compiled search can read from a correlation matrix."""

    def correlated(self) -> Any:
        """A Factored (_kernels/gaussian/families.py); None: some column has not exactly one dimension."""
        ...


@runtime_checkable
class IndependenceTest(Protocol, metaclass=Asked):
    """Options of a test of X against Y given Z: a frozen, keyword-only dataclass without data.

    level: what a learner compares with unless told otherwise. Columns count as independent when the test's value is
    that much or more: a p-value of 0.05, a probability of independence as large as before the data.
    """

    kind: ClassVar[str]
    accepts: ClassVar[frozenset[Kind]]

    @property
    def level(self) -> float: ...

    def bind(self, data: Dataset) -> BoundTest: ...


class BoundTest(Protocol):
    """A test with the sufficient statistics of one data set inside. The significance level belongs to the learner.

    first_batch: how many sets to ask about first, where one answer may do: about as many as a call costs.
    """

    @property
    def warnings(self) -> tuple[str, ...]:
        """What about these columns makes the test doubtful, one sentence each."""
        ...

    @property
    def first_batch(self) -> int: ...

    def test(self, x: int, y: int, given: Sequence[int]) -> TestResult: ...

    def p_values(self, x: int, y: int, given_sets: IntArray) -> FloatArray:
        """Values for one pair with k conditioning sets: (k, w), padded with -1; NaN where there is no answer."""
        ...


@dataclass(frozen=True, slots=True)
class TestResult:
    """value: the p-value, or for a Bayesian test the probability of independence.

    NaN stands for no answer: too few rows, or rows that tell nothing. What follows from that is the learner's choice.

    details: what else the test knows by name (degrees of freedom, probability that the slices are enough).
    """

    value: float
    statistic: float | None = None
    details: Mapping[str, float] = field(default_factory=dict)

    __test__ = False  # not a test case, whatever its name says


@runtime_checkable
class LogTest(Protocol, metaclass=Asked):
    """A bound test that knows the logarithms of its values, also of those below the smallest float."""

    def log_p_values(self, x: int, y: int, given_sets: IntArray) -> FloatArray: ...


@runtime_checkable
class PairwiseTest(Protocol, metaclass=Asked):
    """A bound test that knows a quick way to all pairs given nothing."""

    def pairwise(self) -> FloatArray: ...


@runtime_checkable
class ExplainedTest(Protocol, metaclass=Asked):
    """A bound test that says why it has no answer, "had too few rows", and what to do about it."""

    @property
    def no_answer(self) -> tuple[str, str]: ...


@runtime_checkable
class KernelTest(Protocol, metaclass=Asked):
    """A bound test whose data a kernel can work on."""

    def kernel_facts(self) -> Columns | Correlations | None:
        """What _kernels/max_min/associations.py works on; None where tables could be too large to lay out."""
        ...


@runtime_checkable
class ProbabilityTest(Protocol, metaclass=Asked):
    """Options of a test whose values are probabilities of independence; before the data that is `prior`."""

    @property
    def prior(self) -> float: ...


@runtime_checkable
class InformationMeasure(Protocol, metaclass=Asked):
    """Options of a test that compares an information with a threshold; its bound form is a BoundInformation."""

    @property
    def threshold(self) -> float: ...


class BoundInformation(BoundTest, Protocol):
    """A bound test that knows the information behind its answers, in nats."""

    def information(self, x: int, y: int, given_sets: IntArray) -> FloatArray: ...


@runtime_checkable
class PairwiseInformation(Protocol, metaclass=Asked):
    """One that knows a quick way to all pairs given nothing."""

    def pairwise_information(self) -> FloatArray: ...


@runtime_checkable
class WithDegrees(Protocol, metaclass=Asked):
    """One whose information is (degrees / 2N) on average where the columns are independent."""

    def degrees(self, x: int, y: int, given: Sequence[int]) -> float: ...


@runtime_checkable
class ChosenByKind(Protocol, metaclass=Asked):
    """A score or test that stands for another one, which the kinds of the columns choose."""

    def resolve(self, data: Dataset) -> Any:
        """The score or test for these columns, which may be this one."""
        ...


@runtime_checkable
class Discretizer(Protocol, metaclass=Asked):
    """Chooses thresholds for the continuous columns from the data alone."""

    kind: ClassVar[str]

    def fit(self, data: Dataset) -> Discretization: ...


@runtime_checkable
class WatchedDiscretizer(Protocol, metaclass=Asked):
    """A discretizer that may take long, and so tells how far it is; stopped, it gives what it has reached."""

    def fit_watched(self, data: Dataset, monitor: Monitor) -> Discretization: ...


@runtime_checkable
class PolicyScore(Protocol, metaclass=Asked):
    """A score of thresholds and network together: the network's score and a term for each column.

    scores: those that the search for the network may use beside it; `score` is the one that it uses, everywhere.
    stops_with: the loop ends when the joint score no longer rises ("score") or the graph stays the same ("graph").
    """

    kind: ClassVar[str]

    @property
    def scores(self) -> tuple[type[Any], ...]: ...

    @property
    def stops_with(self) -> str: ...

    def network_score(self, score: Any) -> Score: ...

    def column_term(self, values: FloatArray, starts: IntArray) -> float:
        """Of a continuous column. values: the column, sorted; starts: first row of each level, and N."""
        ...

    def discrete_term(self, counts: IntArray) -> float:
        """Of a discrete column, with these counts of its levels: a constant of the table."""
        ...

    def most_levels(self, n_rows: int) -> int | None:
        """How many levels a column may have at most; None: any number."""
        ...

    def local(self, score: Any) -> LocalScore: ...

    def searcher(self, score: Any, n_rows: int) -> ColumnSearch: ...


@runtime_checkable
class ExactPolicy(Protocol, metaclass=Asked):
    """A policy score whose `searcher` finds the best thresholds of all."""

    exact: ClassVar[bool]


class LocalScore(Protocol):
    """How a policy score values a partition of one column, given the Neighbourhood `around` it; higher is better.

    score(partition) = sum over parts and groups of sign f(count) + density + constant(r), where f is named by its
    pseudo-count (see _kernels/thresholds/sweep.py) and r is the number of levels.
    """

    @property
    def level_sign(self) -> float:
        """Sign of the last part, the levels' own counts; 0 leaves it out."""
        ...

    @property
    def density_floor(self) -> float | None:
        """Least width of an interval as a share of the range; None: no density term."""
        ...

    def pseudo_counts(self, around: Any, r: int) -> FloatArray:
        """One for each part."""
        ...

    def constant(self, around: Any, r: int) -> float: ...


class ColumnSearch(Protocol):
    """LearnVariableDP: a search for the thresholds of one column, given the Neighbourhood `around` it."""

    def improve(self, around: Any, present: IntArray) -> tuple[Partition | None, int]:
        """(the partition to take instead of the present one, or None; number of partitions evaluated)."""
        ...

    def evaluate(self, around: Any, starts: IntArray) -> Partition:
        """A given partition with its local score."""
        ...

    def accepts(self, around: Any, new: Partition, present: IntArray) -> bool:
        """Whether LearnDP takes the new partition instead of the present one."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Partition:
    """Levels of a sorted column: level k holds the rows starts[k] to starts[k + 1] - 1; `score` is the local score."""

    starts: IntArray  # 0, ..., N
    score: float

    @property
    def n_levels(self) -> int:
        return len(self.starts) - 1


@runtime_checkable
class Learner(Protocol, metaclass=Asked):
    """Turns data into a graph. Deterministic given data, options, knowledge and generator.

    It adds no arcs but those that the problem allows. `learn = learn_by_solving` (of arcwise/problem.py) in the body of
    the class gives it `learn(data, ...)`.
    """

    kind: ClassVar[str]

    def solve(self, problem: Problem) -> Answer: ...


@runtime_checkable
class ScoredSearch(Protocol, metaclass=Asked):
    """A learner that looks for a network with a high `score`, bound by `problem.bind`, and gives a DAG."""

    kind: ClassVar[str]

    @property
    def score(self) -> Score: ...

    def solve(self, problem: Problem) -> Answer: ...


@runtime_checkable
class PatientLearner(Protocol, metaclass=Asked):
    """A learner that works on in the hope of a little better network, as long as its options leave that open."""

    def hasty(self, in_loop: bool = False) -> Learner:
        """The same with less of it, for one of many graphs whose shares are what counts; options that are set stand.

        in_loop: it runs several times for one graph, so that still less will do.
        """
        ...


@runtime_checkable
class ChoosingLearner(Protocol, metaclass=Asked):
    """A learner that leaves it to the data which of several others learns."""

    def choose(self, problem: Any) -> Learner:
        """The one that would learn from the `problem.Problem`."""
        ...

    def among(self, data: Dataset) -> tuple[Learner, ...]:
        """Those that it would choose from, for such columns."""
        ...


@runtime_checkable
class TableLimit(Protocol, metaclass=Asked):
    """A search that looks at no family whose count table has more than `max_table` cells (None: no limit)."""

    @property
    def max_table(self) -> int | None: ...


@runtime_checkable
class IncompleteLearner(Protocol, metaclass=Asked):
    """A learner that takes tables with missing cells."""

    takes_missing: ClassVar[bool]


@runtime_checkable
class RowReader(Protocol, metaclass=Asked):
    """A part that looks at rows themselves, not only at sums over them: of very many rows it is given a sample.

    reads_rows: it does so in tables that have a column of one of these kinds.
    """

    @property
    def reads_rows(self) -> frozenset[Kind]: ...


@runtime_checkable
class ThresholdLearner(Protocol, metaclass=Asked):
    """A learner that looks for thresholds among rows; once they are found, its `search` can learn from levels alone."""

    finds_thresholds: ClassVar[bool]

    @property
    def search(self) -> ScoredSearch: ...


@runtime_checkable
class LinearPart(Protocol, metaclass=Asked):
    """A score or test that assumes linear relations and normal noise."""

    linear: ClassVar[bool]


@runtime_checkable
class Modelled(Protocol, metaclass=Asked):
    """A score, test or learner with a conditional model of its own kind: what its networks are fitted with.

    One of `networks.models.fit.MODELS`; a part without one leaves it to the kinds of the columns.
    """

    model: ClassVar[str]


@runtime_checkable
class CuttingLearner(Protocol, metaclass=Asked):
    """A learner that cuts continuous columns itself: it wants the table as it was read."""

    cuts_columns: ClassVar[bool]


WORDS[ScoredSearch] = "a search that scores networks, such as 'hill-climb', 'tabu', 'ges', 'exhaustive' or 'mmhc'"


def resolved(part: Any, data: Dataset) -> Any:
    """The score or test that is used for these columns: the part itself, unless it stands for others."""
    while isinstance(part, ChosenByKind) and (chosen := part.resolve(data)) is not part:
        part = chosen
    return part


@takes_table
def check_kinds(part: Score | IndependenceTest, data: Dataset) -> None:
    """Refuse data of a kind that the score or test cannot work on."""
    for column in data.columns:
        if column.kind not in part.accepts:
            what, remedy = _remedy(part, column.kind)
            raise DataError(
                f"column {column.name!r} is {column.kind}, but the {what} {part.kind!r} needs "
                f"{' or '.join(sorted(part.accepts))} columns; {remedy}"
            )


def no_place(score: ArcScore, data: Dataset, tail: int, head: int, where: str) -> str:
    """That an arc has no place in the networks of a score. where: "is required"."""
    a, b = data.columns[tail], data.columns[head]
    return (
        f"the edge {a.name} -> {b.name} {where}, but networks of the score {score.kind!r} have no such edge from a "
        f"{a.kind} to a {b.kind} column; turn it round, or use a score that permits it (such as 'degenerate-gaussian')"
    )


def _remedy(part: Score | IndependenceTest, kind: Kind) -> tuple[str, str]:
    if isinstance(part, IndependenceTest):
        other = "information" if isinstance(part, InformationMeasure) else "by-kind"
        return "test", f"discretize it first, or use the test {other!r}"
    if kind is Kind.DISCRETE:
        return "score", "use the score 'degenerate-gaussian', which takes both kinds"
    return ("score", "discretize it first (with equal-frequency, say), or use a score that takes it (such as 'suited')")


def tolerance(score: float) -> float:
    """Scores near `score` that differ by no more than this are tied; an improvement must be larger."""
    return RELATIVE_TOLERANCE * (1.0 + abs(score))
