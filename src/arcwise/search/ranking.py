"""Columns from best to worst, so that rounding never decides."""

from __future__ import annotations

import numpy as np

from arcwise.data.dataset import FloatArray, IntArray
from arcwise.parts.protocols import tolerance


def best_first(values: FloatArray) -> IntArray:
    """Positions of the finite values, largest first; neighbours in this order that are tied stay in theirs."""
    order = np.argsort(-values, kind="stable")
    order = order[np.isfinite(values[order])]
    if not order.size:
        return order
    ranked = values[order]
    falls = ranked[:-1] - ranked[1:] > tolerance(float(np.max(np.abs(ranked))))
    group = np.concatenate([[0], np.cumsum(falls)])
    return order[np.lexsort((order, group))]
