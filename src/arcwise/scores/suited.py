"""Scores that stand for others, which the kinds of the columns choose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from arcwise.checking import checked
from arcwise.data.dataset import BoolArray, Dataset, FloatArray, IntArray, Kind
from arcwise.data.reading.door import takes_table
from arcwise.errors import OptionError
from arcwise.parts.protocols import BoundScore, CorrelationScore, Score, ToggleScore
from arcwise.printing import listed
from arcwise.scores.dirichlet import BDeu
from arcwise.scores.gaussian import DegenerateGaussian, GaussianBIC
from arcwise.scores.options import SPARSE

WIDE_COLUMNS = 100  # with so many the pairs that chance relates outnumber true ones: docs/benchmarks.md


@checked
@dataclass(frozen=True, kw_only=True)
class Gaussian:
    """The score `continuous` if every column is continuous, else `mixed`; the bound score's warnings say which.

    In a table of 100 columns or more each arc has a price, by which a Gaussian BIC becomes an extended one: a score
    without an `arc_prior` has the sparse one there. To do without, name the score itself instead of this one.
    """

    kind: ClassVar[str] = "gaussian"
    accepts: ClassVar[frozenset[Kind]] = frozenset(Kind)
    score_equivalent: ClassVar[bool] = True
    reference: ClassVar[str] = "Geiger and Heckerman 1994; Andrews, Ramsey and Cooper 2019"

    continuous: Score = GaussianBIC()
    mixed: Score = DegenerateGaussian()

    def __post_init__(self) -> None:
        for option, needed in {"continuous": frozenset({Kind.CONTINUOUS}), "mixed": frozenset(Kind)}.items():
            score: Score = getattr(self, option)
            if not (needed <= score.accepts and score.score_equivalent):
                kinds = " and ".join(sorted(needed))
                raise OptionError(
                    f"option {option!r} must be a score-equivalent score of {kinds} columns, not {score.kind!r}"
                )

    @takes_table
    def resolve(self, data: Dataset) -> Score:
        """The score that is used for these columns."""
        return _priced(self.mixed if Kind.DISCRETE in data.kinds else self.continuous, data.n_columns)

    @takes_table
    def bind(self, data: Dataset) -> BoundScore:
        discrete = [column.name for column in data.columns if column.kind is Kind.DISCRETE]
        chosen = self.resolve(data)
        bound = chosen.bind(data)
        if not discrete:
            why = "every column is continuous"
        elif len(discrete) < data.n_columns:
            why = f"{listed(discrete)} {'is' if len(discrete) == 1 else 'are'} discrete"
        else:
            why = "every column is discrete; a score of counts, such as bdeu, assumes less"
        if chosen not in (self.continuous, self.mixed):
            why += f", and with {data.n_columns:,} columns each edge has to pay for the pairs that chance relates"
        toggles = bound if isinstance(bound, ToggleScore) else None
        return ChosenScore(bound, toggles, (f"scored with {chosen.kind}: {why}", *bound.warnings))


def _priced(score: Score, n_columns: int) -> Score:
    """The score with a price of arcs, where it has none and there are many columns."""
    if n_columns < WIDE_COLUMNS or not isinstance(score, GaussianBIC | DegenerateGaussian) or score.arc_prior != 1:
        return score
    return replace(score, arc_prior=SPARSE)


@dataclass(frozen=True, slots=True, eq=False)
class ChosenScore:
    """Another score, with a warning that says why it was chosen. toggles: the same if it has rows of toggles."""

    bound: BoundScore
    toggles: ToggleScore | None
    warnings: tuple[str, ...]

    def local_score(self, child: int, parents: Sequence[int]) -> float:
        return self.bound.local_score(child, parents)

    def local_scores(self, child: int, parent_sets: IntArray) -> FloatArray:
        return self.bound.local_scores(child, parent_sets)

    def correlated(self) -> Any:
        return self.bound.correlated() if isinstance(self.bound, CorrelationScore) else None

    def toggle_row(self, child: int, parents: IntArray, may_add: BoolArray) -> FloatArray | None:
        return None if self.toggles is None else self.toggles.toggle_row(child, parents, may_add)


@checked
@dataclass(frozen=True, kw_only=True)
class Suited:
    """The score `discrete` if every column is discrete, else `otherwise`."""

    kind: ClassVar[str] = "suited"
    accepts: ClassVar[frozenset[Kind]] = frozenset(Kind)
    reference: ClassVar[str] = f"{BDeu.reference}; {Gaussian.reference}"

    discrete: Score = BDeu()
    otherwise: Score = Gaussian()

    def __post_init__(self) -> None:
        for option, needed in {"discrete": frozenset({Kind.DISCRETE}), "otherwise": frozenset(Kind)}.items():
            score: Score = getattr(self, option)
            if not needed <= score.accepts:
                kinds = " and ".join(sorted(needed))
                raise OptionError(f"option {option!r} must be a score of {kinds} columns, not {score.kind!r}")

    @property
    def score_equivalent(self) -> bool:
        return self.discrete.score_equivalent and self.otherwise.score_equivalent

    @takes_table
    def resolve(self, data: Dataset) -> Score:
        """The score that is used for these columns."""
        all_discrete = all(column.kind is Kind.DISCRETE for column in data.columns)
        return self.discrete if all_discrete else self.otherwise

    @takes_table
    def bind(self, data: Dataset) -> BoundScore:
        return self.resolve(data).bind(data)
