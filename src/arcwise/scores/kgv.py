"""The kernel generalized variance: mutual information of columns in feature spaces, where they count as Gaussian."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.reading.door import takes_table
from arcwise.errors import OptionError, check_least, check_positive
from arcwise.parts.protocols import BoundScore

LEAST_SIGMA = 1e-3  # the kernel then tells any two values apart
LEAST_KAPPA = 1e-6  # the smallest eigenvalue of R is about kappa: below this, rounding would show in the score


@checked
@dataclass(frozen=True, kw_only=True)
class KGV:
    """N I^K(x; parents) - (d_x d_parents / 2) ln N, I^K = -(ln|R_{x, parents}| - ln|R_parents|) / 2. Higher is better.

    sigma: width of the Gaussian kernel, in standard deviations of the column. kappa: regularization. tolerance:
    features that weigh less than this (of at most 1) are left out. max_rank: most features of a column.
    """

    kind: ClassVar[str] = "kgv"
    accepts: ClassVar[frozenset[Kind]] = frozenset(Kind)
    model: ClassVar[str] = "kernel"
    reads_rows: ClassVar[frozenset[Kind]] = frozenset(Kind)
    score_equivalent: ClassVar[bool] = True
    reference: ClassVar[str] = "Bach and Jordan 2003"

    sigma: float = 1.0
    kappa: float = 0.01
    tolerance: float = 0.01
    max_rank: int = 100

    def __post_init__(self) -> None:
        check_positive(self, "sigma", "kappa")
        check_least(self, sigma=LEAST_SIGMA, kappa=LEAST_KAPPA, max_rank=1)
        if not 0 < self.tolerance < 1:
            raise OptionError(f"option 'tolerance' must lie between 0 and 1, not {self.tolerance!r}")

    @takes_table
    def bind(self, data: Dataset) -> BoundScore:
        from arcwise.scores.kernel_score import KernelScore
        from arcwise.stats.features import Kernel

        return KernelScore(data, Kernel(self.sigma, self.kappa, self.tolerance, self.max_rank))
