"""The score that suits the columns, whatever their kinds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.reading.door import takes_table
from arcwise.errors import OptionError
from arcwise.parts.protocols import BoundScore, Score
from arcwise.scores.bdeu import BDeu
from arcwise.scores.gaussian import Gaussian


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
