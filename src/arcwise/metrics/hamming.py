"""Structural Hamming distance between two patterns."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from arcwise.checking import checked
from arcwise.errors import OptionError, unknown_name
from arcwise.metrics.edges import NONE, UNDIRECTED, Graph, pair_states, patterns

Convention = Literal["tsamardinos", "fu"]


@checked
def shd(learned: Graph, true: Graph, *, convention: Convention = "tsamardinos") -> int:
    """Pairs of nodes whose edges differ; Dags are compared by their CPDAGs, Pdags as they are. Symmetric.

    tsamardinos: 1 for every pair that differs (Tsamardinos, Brown & Aliferis 2006).
    fu: an extra or missing edge costs 2 when it is directed, 1 when undirected (Fu 2005), as its absent
    counterpart also lacks the orientation. A bidirected edge counts as directed.
    """
    if convention not in get_args(Convention):
        raise OptionError(unknown_name("SHD convention", str(convention), get_args(Convention)))
    one, other = (pair_states(pattern) for pattern in patterns(learned, true))
    differing = int(np.count_nonzero(one != other))
    if convention == "tsamardinos":
        return differing
    oriented_one, oriented_other = one > UNDIRECTED, other > UNDIRECTED
    return differing + int(np.count_nonzero((oriented_one & (other == NONE)) | (oriented_other & (one == NONE))))
