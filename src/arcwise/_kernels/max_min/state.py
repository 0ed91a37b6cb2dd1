"""Where a max-min search stands: what walk.py, min_assoc.py and greedy_min_assoc.py share."""

from typing import Any, NamedTuple

import numpy as np

from arcwise._kernels.by_address import Address
from arcwise._kernels.compiled import lean

CLOSED, OPEN, MEMBER = 0, 1, 2
FRESH, FORWARD, BACKWARD, DONE = 0, 1, 2, 3
EVERYBODY = -1  # that is open, in place of a column
# places in the cursor; N_LOADED: columns of the set that are loaded (-1: not even the target), TESTS: made so far
N_LOADED, TESTS, PHASE, N_MEMBERS, N_REQUIRED, AT, JOINED, INSIDE, SIZE, DEPTH, TIES, TESTED = range(12)
CURSOR = 12


class Limits(NamedTuple):
    """What all targets have in common."""

    max_given: int
    critical: np.ndarray  # values by degrees of freedom; NaN: not worked out yet
    log_alpha: float
    min_assoc: Address  # of the kernel that looks for the least association: MMPC's or PMMS's
    at_once: int  # 1 where one question about a member takes all that joined after it, 0 where each is a question


class Passed(NamedTuple):
    """Pairs of columns that are dependent given nothing; others are forgotten, so that memory does not go with n^2.

    Of column x: the places starts[x]..starts[x + 1] - 1, by the other column.
    """

    starts: np.ndarray
    columns: np.ndarray
    statistics: np.ndarray
    dfs: np.ndarray


class State(NamedTuple):
    """Of every column: its status, and its set with what was found for the first 0, 1, 2, ... of it."""

    status: np.ndarray
    size_of: np.ndarray  # of its set
    chosen: np.ndarray  # the set, in the order its members joined
    statistics: np.ndarray
    dfs: np.ndarray
    log_ps: np.ndarray  # NaN: not worked out yet


class Best(NamedTuple):
    """Of greedy_min_assoc.py: columns with a second turn, their best members, and the answers about these."""

    columns: np.ndarray
    members: np.ndarray
    statistics: np.ndarray
    dfs: np.ndarray


class Asking(NamedTuple):
    """A question about some columns given a set, and the answers."""

    way: Address  # of the kernel that answers
    space: Any  # Strata or Residuals
    wanted: np.ndarray  # the set
    loaded: np.ndarray  # the one that is ready
    asked: np.ndarray
    statistics: np.ndarray
    dfs: np.ndarray
    cursor: np.ndarray


class Search(NamedTuple):
    """All that one thread works in."""

    asking: Asking
    state: State
    best: Best
    members: np.ndarray  # neighbours so far
    pool: np.ndarray  # those that sets are made of
    index: np.ndarray  # where they stand in the pool
    cursor: np.ndarray


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
