"""Numbers drawn from those that were recorded."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import FloatArray


def drawn_from(
    recorded: FloatArray, cuts: FloatArray, codes: NDArray[np.integer], rng: np.random.Generator
) -> FloatArray:
    """A number for each of these levels between the cuts: one of those recorded there, each as likely."""
    ordered = np.sort(recorded)
    edges = np.concatenate([[0], np.searchsorted(ordered, cuts, side="left"), [len(ordered)]])
    sizes = np.diff(edges)[codes]
    return ordered[edges[codes] + (rng.random(len(codes)) * sizes).astype(np.intp)]
