"""Bins of equal width, their number given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from arcwise.checking import checked
from arcwise.data.dataset import MAX_LEVELS, Dataset
from arcwise.data.discretization import Discretization
from arcwise.data.reading.door import takes_table
from arcwise.discretize.bins.cuts import cut_columns
from arcwise.discretize.bins.options import require_whole_number
from arcwise.discretize.bins.widths import equal_width_cuts


@checked
@dataclass(frozen=True, kw_only=True)
class EqualWidth:
    """t_j = min + j (max - min) / bins. Empty bins are dropped, so fewer levels may remain. O(N) a column."""

    kind: ClassVar[str] = "equal-width"
    reference: ClassVar[str] = "Dougherty, Kohavi and Sahami 1995; Fu 2005"

    bins: int = 3

    def __post_init__(self) -> None:
        require_whole_number("bins", self.bins, at_most=MAX_LEVELS)

    @takes_table
    def fit(self, data: Dataset) -> Discretization:
        return cut_columns(data, lambda values: equal_width_cuts(values, self.bins))
