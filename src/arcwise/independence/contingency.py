"""Tests of contingency tables: Pearson's chi-squared and the likelihood ratio, G-squared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.reading.door import takes_table
from arcwise.independence.options import DISCRETE_ONLY, DegreesOfFreedom, check_counting

if TYPE_CHECKING:  # it brings the compiled kernels along
    from arcwise.independence.counted import CountedTest


@checked
@dataclass(frozen=True, kw_only=True)
class ChiSquared:
    """chi2 = sum (n_xyz - E)^2 / E, E = n_xz n_yz / n_z > 0, summed over the strata of Z; p from chi-squared.

    df: which degrees of freedom. min_per_cell: with fewer rows for each cell of the table the set is not tested.
    """

    kind: ClassVar[str] = "chi-squared"
    accepts: ClassVar[frozenset[Kind]] = DISCRETE_ONLY
    model: ClassVar[str] = "cpt"
    level: ClassVar[float] = 0.05
    reference: ClassVar[str] = "Pearson 1900; Margaritis 2005"

    df: DegreesOfFreedom = "adjusted"
    min_per_cell: float = 5.0

    def __post_init__(self) -> None:
        check_counting(self.min_per_cell)

    @takes_table
    def bind(self, data: Dataset) -> CountedTest:
        from arcwise.independence.counted import CountedTest

        return CountedTest(data, pearson=True, df=self.df, min_per_cell=self.min_per_cell)


@checked
@dataclass(frozen=True, kw_only=True)
class GSquared:
    """G2 = 2 sum n_xyz ln[n_xyz n_z / (n_xz n_yz)] = 2 N I(X; Y | Z), p from chi-squared.

    df: which degrees of freedom. min_per_cell: with fewer rows for each cell of the table the set is not tested.
    """

    kind: ClassVar[str] = "g-squared"
    accepts: ClassVar[frozenset[Kind]] = DISCRETE_ONLY
    model: ClassVar[str] = "cpt"
    level: ClassVar[float] = 0.05
    reference: ClassVar[str] = "Spirtes, Glymour and Scheines 2000; Tsamardinos, Brown and Aliferis 2006"

    df: DegreesOfFreedom = "adjusted"
    min_per_cell: float = 5.0

    def __post_init__(self) -> None:
        check_counting(self.min_per_cell)

    @takes_table
    def bind(self, data: Dataset) -> CountedTest:
        from arcwise.independence.counted import CountedTest

        return CountedTest(data, df=self.df, min_per_cell=self.min_per_cell)
