"""Bins of equal width, and the limits within which a rule may choose their number."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, ldexp

import numpy as np

from arcwise.data.dataset import MAX_LEVELS, FloatArray


def equal_width_cuts(values: FloatArray, bins: int) -> FloatArray:
    """t_j = min + j (max - min) / bins for j = 1..bins-1, without the empty bins. O(N log bins).

    `values` must not be constant. With two bins or more the lowest and the highest hold a value each.
    """
    return _without_empty_bins(_grid(float(values.min()), float(values.max()), bins), values)


def count_distinct(ordered: FloatArray) -> int:
    """Number of distinct values of a sorted column."""
    return 1 + int(np.count_nonzero(ordered[1:] != ordered[:-1]))


def bins_within(ratio: float | Fraction, distinct: int) -> int:
    """ceil(ratio), where ratio = (max - min) / width, kept between 1 and the number of distinct values.

    A ratio that exceeds a whole number by less than the rounding of N^(1/(2+d)) is that whole number.
    """
    limit = min(distinct, MAX_LEVELS)
    return limit if ratio >= limit else max(1, ceil(float(ratio) * (1 - 1e-12)))


def _grid(low: float, high: float, bins: int) -> FloatArray:
    """The thresholds with empty bins still in: ascending, all in (low, high].

    j (max - min) is divided by `bins` last: from 0 to 1 in ten bins the third threshold is 0.3 itself, not
    three times a rounded 0.1, and the value 0.3 is in the bin it opens.
    """
    # j (max - min) can exceed the largest float; scaled by a power of two it keeps every digit.
    shift = 32 if max(abs(low), abs(high)) > 2.0**990 else 0
    start, span = ldexp(low, -shift), ldexp(high, -shift) - ldexp(low, -shift)
    cuts = np.ldexp(start + np.arange(1, bins) * span / bins, shift)
    # The exact thresholds lie strictly inside; rounding may carry one onto `low`, whose level would be empty.
    return np.clip(cuts, np.nextafter(low, high), high)


def _without_empty_bins(cuts: FloatArray, values: FloatArray) -> FloatArray:
    """Thresholds with the same values below them bound empty bins: of each such run the middle one stays."""
    levels = np.searchsorted(cuts, values, side="right")
    below = np.cumsum(np.bincount(levels, minlength=len(cuts) + 1))[:-1]
    _, first, length = np.unique(below, return_index=True, return_counts=True)
    kept: FloatArray = cuts[first + (length - 1) // 2]
    return kept
