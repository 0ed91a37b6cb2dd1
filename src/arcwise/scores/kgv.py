"""The kernel generalized variance: mutual information of columns in feature spaces, where they count as Gaussian."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.data.reading.door import takes_table
from arcwise.errors import OptionError, check_least, check_positive
from arcwise.parts.protocols import BoundScore
from arcwise.parts.spec import later
from arcwise.stats.dimensions import Transform

if TYPE_CHECKING:
    from arcwise.stats.features import Kernel
    from arcwise.stats.ranks import Cells

LEAST_SIGMA = 1e-3  # the kernel then tells any two values apart
LEAST_KAPPA = 1e-6  # the smallest eigenvalue of R is about kappa: below this, rounding would show in the score
# Widths that fit so many rows: from few, only coarse features can be told from chance (docs/methods/kgv.md).
WIDTHS_BY_ROWS = ((200, 2.0), (1000, 1.5), (5000, 0.7), (20_000, 0.5))


@checked
@dataclass(frozen=True, kw_only=True)
class KGV:
    """N I^K(x; parents) - (d_x d_parents / 2) ln N, I^K = -(ln|R_{x, parents}| - ln|R_parents|) / 2. Higher is better.

    sigma: width of the Gaussian kernel, in standard deviations of the column (rows: 2 at 200 rows, 1.5 at 1000, 0.7 at
    5000, 0.5 at 20,000, and by the logarithm of the rows between). kappa: regularization. tolerance: features that
    weigh less than this (of at most 1) are left out. max_rank: most features of a column. transform: normal-scores for
    Phi^-1((rank - 1/2) / N) in place of each number, so that far values do not hide the others (none: the numbers).
    """

    kind: ClassVar[str] = "kgv"
    accepts: ClassVar[frozenset[Kind]] = frozenset(Kind)
    model: ClassVar[str] = "kernel"
    reads_rows: ClassVar[frozenset[Kind]] = frozenset(Kind)
    score_equivalent: ClassVar[bool] = True
    reference: ClassVar[str] = "Bach and Jordan 2003"

    sigma: float | Literal["rows"] = 1.0
    kappa: float = 0.01
    tolerance: float = 0.01
    max_rank: int = 100
    transform: Transform = later("none")

    def __post_init__(self) -> None:
        if self.sigma != "rows":
            check_positive(self, "sigma")
            check_least(self, sigma=LEAST_SIGMA)
        check_positive(self, "kappa")
        check_least(self, kappa=LEAST_KAPPA, max_rank=1)
        if not 0 < self.tolerance < 1:
            raise OptionError(f"option 'tolerance' must lie between 0 and 1, not {self.tolerance!r}")

    @takes_table
    def bind(self, data: Dataset) -> BoundScore:
        from arcwise.scores.kernel_score import KernelScore

        table = normal_scored(data) if self.transform == "normal-scores" else data
        return KernelScore(table, self.kernel(data.n_rows))

    def kernel(self, n_rows: int) -> Kernel:
        """That of a table with so many rows."""
        from arcwise.stats.features import Kernel

        width = width_for(n_rows) if isinstance(self.sigma, str) else self.sigma
        return Kernel(width, self.kappa, self.tolerance, self.max_rank)


def width_for(n_rows: int) -> float:
    """sigma for so many rows: linear in their logarithm between the rows of WIDTHS_BY_ROWS, and as there beyond."""
    rows, widths = zip(*WIDTHS_BY_ROWS, strict=True)
    return float(np.interp(np.log(max(n_rows, 1)), np.log(rows), widths))


def normal_scored(data: Dataset) -> Dataset:
    """The table with Phi^-1 of the mid-ranks' shares in place of numbers."""
    from arcwise.stats.ranks import cells_of

    def scored(column: Column, cells: Cells) -> Column:
        if column.kind is Kind.DISCRETE:
            return column
        return Column(column.name, Kind.CONTINUOUS, cells.normal_scores[cells.places(column.values)])

    pairs = zip(data.columns, cells_of(data), strict=True)
    return replace(data, columns=tuple(scored(column, cells) for column, cells in pairs))
