"""What a policy score is: it judges a column's thresholds together with the network around the column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol, runtime_checkable

from arcwise.data.dataset import FloatArray, IntArray
from arcwise.errors import OptionError
from arcwise.parts.protocols import Score
from arcwise.parts.ties import tolerance
from arcwise.scores.bdeu import BDeu
from arcwise.scores.k2 import K2
from arcwise.scores.mdl import MDL

if TYPE_CHECKING:  # it brings the compiled kernels along
    from arcwise.discretize.thresholds.neighbourhood import Neighbourhood

NetworkScore = BDeu | K2 | MDL


@runtime_checkable
class PolicyScore(Protocol):
    """A score of thresholds and network together: the network's score and a term for each column.

    scores: those that the search for the network may use beside it; `score` is the one that it uses, everywhere.
    stops_with: the loop ends when the joint score no longer rises ("score") or the graph stays the same ("graph").
    """

    kind: ClassVar[str]

    @property
    def scores(self) -> tuple[type[NetworkScore], ...]: ...

    @property
    def stops_with(self) -> str: ...

    def network_score(self, score: NetworkScore) -> Score: ...

    def column_term(self, values: FloatArray, starts: IntArray) -> float:
        """Of a continuous column. values: the column, sorted; starts: first row of each level, and N."""
        ...

    def discrete_term(self, counts: IntArray) -> float:
        """Of a discrete column, with these counts of its levels: a constant of the table."""
        ...

    def most_levels(self, n_rows: int) -> int | None:
        """How many levels a column may have at most; None: any number."""
        ...

    def local(self, score: NetworkScore) -> LocalScore: ...

    def searcher(self, score: NetworkScore, n_rows: int) -> ColumnSearch: ...


class LocalScore(Protocol):
    """How a policy score values a partition of one column; higher is better.

    score(partition) = sum over parts and groups of sign f(count) + density + constant(r), where f is named by its
    pseudo-count (see _kernels/sweep.py) and r is the number of levels.
    """

    @property
    def level_sign(self) -> float:
        """Sign of the last part, the levels' own counts; 0 leaves it out."""
        ...

    @property
    def density_floor(self) -> float | None:
        """Least width of an interval as a share of the range; None: no density term."""
        ...

    def pseudo_counts(self, around: Neighbourhood, r: int) -> FloatArray:
        """One for each part."""
        ...

    def constant(self, around: Neighbourhood, r: int) -> float: ...


class ColumnSearch(Protocol):
    """LearnVariableDP: a search for the thresholds of one column, given its neighbourhood."""

    def improve(self, around: Neighbourhood, present: IntArray) -> tuple[Partition | None, int]:
        """(the partition to take instead of the present one, or None; number of partitions evaluated)."""
        ...

    def evaluate(self, around: Neighbourhood, starts: IntArray) -> Partition:
        """A given partition with its local score."""
        ...

    def accepts(self, around: Neighbourhood, new: Partition, present: IntArray) -> bool:
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


def improves(new: Partition, old: Partition) -> bool:
    """The local score rises, and so does the joint score, by as much: each family counts once."""
    return new.score > old.score + tolerance(old.score)


def check_score(policy: PolicyScore, score: object, found: str = "") -> None:
    """Refuse a score that the policy cannot share a loop with; found: what to call it."""
    if not isinstance(score, policy.scores):
        wanted = " or ".join(repr(known.kind) for known in policy.scores)
        found = found or getattr(score, "kind", type(score).__name__)
        raise OptionError(f"the policy {policy.kind!r} needs a search with the score {wanted}, not {found!r}")
