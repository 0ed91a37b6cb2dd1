"""Which numbers of an answer differ between the graphs of an equivalence class, and how far."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arcwise.data.dataset import FloatArray
from arcwise.networks.models.linear_gaussian import SMALLEST
from arcwise.networks.questions.ask import Found
from arcwise.networks.questions.posterior import Range

SAME = 1e-9  # answers that differ by less are equal; of numbers, in standard deviations


def numbers_of(found: Found) -> list[FloatArray]:
    """What has a range: the probabilities of each node, or its mean; last, the joint table."""
    own = [np.array([one.mean]) if one.probabilities is None else one.probabilities for one in found.marginals]
    return own if found.joint is None else [*own, found.joint]


def _units(found: Found) -> list[FloatArray]:
    """How far these may differ and still be equal: by rounding, or four standard errors of what was sampled."""
    own = [
        4.0 * one.error
        if found.effective is not None and one.error is not None
        else np.full(1, SAME if one.probabilities is not None else SAME * max(one.sd or 0.0, SMALLEST))
        for one in found.marginals
    ]
    if found.joint is None:
        return own
    if found.effective is None:
        return [*own, np.full(1, SAME)]
    shares = np.maximum(found.joint, 1.0 / found.effective)  # a cell that no sample has is not known to be 0
    return [*own, 4.0 * np.sqrt(shares * (1.0 - np.minimum(shares, 0.5)) / found.effective)]


def ranges_of(found: Found, answers: Sequence[Sequence[FloatArray]]) -> list[Range | None]:
    """Of all that has a range, over the fitted graph and the others; None where they agree."""
    ranges: list[Range | None] = []
    for each, unit in zip(zip(*answers, numbers_of(found), strict=True), _units(found), strict=True):
        every = np.stack(each)
        low, high = every.min(axis=0), every.max(axis=0)
        ranges.append(Range(low, high) if (high - low > unit).any() else None)
    return ranges
