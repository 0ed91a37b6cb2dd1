"""A good network from lists of parent sets, without a claim to be the best: what a stopped exact search gives."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from arcwise._kernels.graphs.moves import closure
from arcwise.parts.protocols import tolerance
from arcwise.search.exact.families import Useful
from arcwise.search.exact.subsets import Choice


def improve(choice: Choice, lists: Sequence[Useful], required: NDArray[np.bool_]) -> None:
    """Give one column after another its best parents that close no cycle, until no column gains by others.

    Columns without a choice begin with the parents required, the first of their list. Every change raises the score,
    so this ends.
    """
    for v in range(len(lists)):
        choice.place.setdefault(v, 0)
    changed = True
    while changed:
        changed = False
        for v, part in enumerate(lists):
            below = closure(choice.adjacency(lists, required))[v]
            acyclic = ~np.append(below, False)[part.sets].any(axis=1)  # the last is for the padding
            place = int(np.argmax(np.where(acyclic, part.scores, -np.inf)))
            now = part.scores[choice.place[v]]
            if part.scores[place] > now + tolerance(now):
                choice.place[v], changed = place, True
