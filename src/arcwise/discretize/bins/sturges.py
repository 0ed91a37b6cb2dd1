"""Sturges's rule: the number of equal-width bins from the number of cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, FloatArray
from arcwise.data.discretization import Discretization
from arcwise.data.reading.door import takes_table
from arcwise.discretize.bins.cuts import cut_columns
from arcwise.discretize.bins.widths import bins_within, count_distinct, equal_width_cuts


@checked
@dataclass(frozen=True, kw_only=True)
class Sturges:
    """ceil(1 + log2 N) bins of equal width, at most one a distinct value; empty ones dropped. O(N log N)."""

    kind: ClassVar[str] = "sturges"
    reference: ClassVar[str] = "Sturges 1926; Margaritis 2005"

    @takes_table
    def fit(self, data: Dataset) -> Discretization:
        return cut_columns(data, _cuts)


def sturges_bins(n_rows: int) -> int:
    """ceil(1 + log2 N) in whole numbers: ceil(log2 N) is the bit length of N - 1."""
    return 1 + (n_rows - 1).bit_length()


def _cuts(values: FloatArray) -> FloatArray:
    ordered = np.sort(values)
    return equal_width_cuts(ordered, bins_within(sturges_bins(len(ordered)), count_distinct(ordered)))
