"""Where a max-min search stands: what max_min.py, all_sets.py and greedy_sets.py share."""

from typing import NamedTuple

import numpy as np

from arcwise._kernels.compiled import lean

CLOSED, OPEN, MEMBER = 0, 1, 2
FRESH, FORWARD, BACKWARD, DONE = 0, 1, 2, 3
# places in the cursor, after those of associations.py
PHASE, N_MEMBERS, N_REQUIRED, AT, JOINED, INSIDE, SIZE, DEPTH, TIES, TESTED = range(2, 12)
CURSOR = 12


class State(NamedTuple):
    """Of every column: its status, and its set with what was found for the first 0, 1, 2, ... of it."""

    status: np.ndarray
    size_of: np.ndarray  # of its set
    chosen: np.ndarray  # the set, in the order its members joined
    statistics: np.ndarray
    dfs: np.ndarray
    log_ps: np.ndarray  # NaN: not worked out yet


class Best(NamedTuple):
    """Of greedy_sets.py: columns with a second turn, their best members, and the answers about these."""

    columns: np.ndarray
    members: np.ndarray
    statistics: np.ndarray
    dfs: np.ndarray


@lean
def columns_asked(only, cards, status, asked):
    """How many columns there are to ask about, put into `asked`, and the fewest levels among them."""
    if only >= 0:
        asked[0] = only
        return 1, float(cards[only])
    n, narrowest = 0, np.inf
    for x in range(status.shape[0]):
        if status[x] == OPEN:
            asked[n] = x
            n += 1
            narrowest = min(narrowest, float(cards[x]))
    return n, narrowest
