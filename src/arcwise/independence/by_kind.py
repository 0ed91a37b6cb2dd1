"""The test that suits the columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from arcwise.data.dataset import Dataset, Kind
from arcwise.data.wording import option
from arcwise.errors import DataError
from arcwise.independence.fisher_z import FisherZ
from arcwise.independence.g_squared import GSquared
from arcwise.independence.options import ANY_KIND

if TYPE_CHECKING:
    from arcwise.independence.correlated import CorrelatedTest
    from arcwise.independence.counted import CountedTest


@dataclass(frozen=True, kw_only=True)
class ByKind:
    """G-squared where all columns are discrete; otherwise Fisher's Z, for which discrete columns must be in order.

    A column with two levels is in order either way.
    """

    kind: ClassVar[str] = "by-kind"
    accepts: ClassVar[frozenset[Kind]] = ANY_KIND
    level: ClassVar[float] = FisherZ.level
    reference: ClassVar[str] = "Fu 2005; Spirtes, Glymour and Scheines 2000"

    def choose(self, data: Dataset) -> FisherZ | GSquared:
        """The test for these columns; DataError where none suits."""
        if Kind.CONTINUOUS not in data.kinds:
            return GSquared()
        for column in data.columns:
            if column.kind is Kind.DISCRETE and not column.ordered and column.cardinality > 2:
                raise DataError(
                    f"column {column.name!r} has {column.cardinality} levels in no order beside continuous columns, "
                    f"and no test here takes both as they are; discretize the continuous columns first, leave it out "
                    f"with {option('drop', column.name)}, or take its levels for numbers with the test 'fisher-z'"
                )
        return FisherZ()

    def bind(self, data: Dataset) -> CorrelatedTest | CountedTest:
        return self.choose(data).bind(data)
