"""The test that suits the columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.reading.door import takes_table
from arcwise.independence.contingency import GSquared
from arcwise.independence.linear import FisherZ, LikelihoodRatio
from arcwise.independence.options import ANY_KIND
from arcwise.parts.spec import later
from arcwise.stats.dimensions import Transform

if TYPE_CHECKING:
    from arcwise.parts.protocols import BoundTest


@checked
@dataclass(frozen=True, kw_only=True)
class ByKind:
    """G-squared if every column is discrete, Fisher's Z if all are numbers or in order, else the likelihood ratio.

    A column with two levels is in order either way. transform: normal-scores for the ranks of numbers and ordered
    levels (none: their values); tables of levels alone are counted either way.
    """

    kind: ClassVar[str] = "by-kind"
    accepts: ClassVar[frozenset[Kind]] = ANY_KIND
    level: ClassVar[float] = FisherZ.level
    reference: ClassVar[str] = "Fu 2005; Spirtes, Glymour and Scheines 2000"

    transform: Transform = later("none")

    @takes_table
    def resolve(self, data: Dataset) -> FisherZ | GSquared | LikelihoodRatio:
        """The test for these columns."""
        discrete = [column for column in data.columns if column.kind is Kind.DISCRETE]
        if len(discrete) == data.n_columns:
            return GSquared()
        in_order = all(column.ordered or column.cardinality <= 2 for column in discrete)
        return FisherZ(transform=self.transform) if in_order else LikelihoodRatio(transform=self.transform)

    @takes_table
    def bind(self, data: Dataset) -> BoundTest:
        return self.resolve(data).bind(data)
