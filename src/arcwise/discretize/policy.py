"""What a policy score is: it judges a column's thresholds together with the network around the column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol, runtime_checkable

from arcwise.contracts.protocols import Score
from arcwise.contracts.ties import tolerance
from arcwise.data.dataset import FloatArray, IntArray
from arcwise.scores.bdeu import BDeu

if TYPE_CHECKING:  # it brings the compiled kernels along
    from arcwise.discretize.neighbourhood import Neighbourhood


@runtime_checkable
class PolicyScore(Protocol):
    """A score of thresholds and network together: the network's score and a term for each continuous column.

    stops_with: the loop ends when the joint score no longer rises ("score") or the graph stays the same ("graph").
    """

    kind: ClassVar[str]

    @property
    def stops_with(self) -> str: ...

    def network_score(self, score: BDeu) -> Score:
        """score: the one that the search uses."""
        ...

    def column_term(self, values: FloatArray, starts: IntArray) -> float:
        """values: the column, sorted; starts: first row of each level, and N."""
        ...

    def local(self, ess: float) -> LocalScore: ...

    def searcher(self, ess: float, n_rows: int) -> ColumnSearch: ...


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

    def find(self, around: Neighbourhood) -> tuple[Partition, int]:
        """(the partition reached, number of partitions evaluated)."""
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


def improves(search: ColumnSearch, around: Neighbourhood, new: Partition, present: IntArray) -> bool:
    """The local score rises, and so does the joint score, by as much: each family counts once."""
    old = search.evaluate(around, present)
    return new.score > old.score + tolerance(old.score)
