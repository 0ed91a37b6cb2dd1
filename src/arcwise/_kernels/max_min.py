"""Parents and children of one target after another by the max-min heuristic, all tests included.

The same algorithm as constraint/max_min.py, with the associations of associations.py, where `facts`, `space` and the
first two `answers` are explained; the others, `state`, `lists` and `cursor` in max_min_state.py. possible, required:
columns that may be, and that are, neighbours. statistics, dfs: of all pairs, given nothing.
"""

from math import isnan

import numpy as np
from numba import njit

from arcwise._kernels.all_sets import all_sets
from arcwise._kernels.associations import N_LOADED, NEAR, TESTS, UNTESTED, ask, independent, log_p
from arcwise._kernels.borrow import borrowing
from arcwise._kernels.greedy_sets import greedy_set, greedy_sets
from arcwise._kernels.max_min_state import (
    AT,
    BACKWARD,
    CLOSED,
    DONE,
    FORWARD,
    FRESH,
    JOINED,
    MEMBER,
    N_MEMBERS,
    N_REQUIRED,
    OPEN,
    PHASE,
    TIES,
)


@borrowing
def pairs(first, last, possible, statistics, dfs, untested, facts, space, lists, answers, cursor):
    """Work out the statistics of columns first to last - 1 with later ones. untested: how many had too few rows."""
    asked = lists[5]
    for x in range(first, last):
        n_asked = np.int64(0)
        for y in range(x + 1, possible.shape[0]):
            if possible[x, y]:
                asked[n_asked] = y
                n_asked += 1
        cursor[N_LOADED] = -1
        ask(x, np.int64(0), n_asked, facts, space, lists, answers, cursor)
        untested[x] = 0
        for i in range(n_asked):
            y = asked[i]
            statistics[x, y] = statistics[y, x] = answers[0][i]
            dfs[x, y] = dfs[y, x] = answers[1][i]
            untested[x] += answers[1][i] == UNTESTED


@borrowing
def neighbours(
    first, last, possible, required, statistics, dfs, found, numbers,
    greedy, max_given, critical, log_alpha, budget, facts, space, state, lists, answers, cursor,
):  # fmt: skip
    """Go on with the targets first to last - 1 until about `budget` tests have been made; the first that is not done.

    found[i]: neighbours of the target first + i, in the order they joined; numbers[i]: how many, tests, ties.
    """
    for target in range(first, last):
        before = cursor[TESTS] if cursor[PHASE] != FRESH else 0
        if not _advance(
            target, possible, required, statistics, dfs,
            greedy, max_given, critical, log_alpha, budget, facts, space, state, lists, answers, cursor,
        ):  # fmt: skip
            return target
        budget -= cursor[TESTS] - before
        for i in range(cursor[N_MEMBERS]):
            found[target - first, i] = lists[0][i]
        numbers[target - first, 0] = cursor[N_MEMBERS]
        numbers[target - first, 1] = cursor[TESTS]
        numbers[target - first, 2] = cursor[TIES]
        cursor[PHASE] = FRESH
    return last


@njit(inline="always")
def _begin(target, possible, required, statistics, dfs, critical, log_alpha, state, lists, cursor):
    """Open the columns that depend on the target given nothing; required neighbours are members from the beginning."""
    status, size_of, _, stats, all_dfs, log_ps = state
    cursor[:] = 0
    cursor[PHASE] = FORWARD
    cursor[N_LOADED] = -1
    for x in range(status.shape[0]):
        statistic, df = statistics[target, x], dfs[target, x]
        status[x] = CLOSED
        if required[target, x]:
            status[x] = MEMBER
            lists[0][cursor[N_MEMBERS]] = x
            cursor[N_MEMBERS] += 1
        elif possible[target, x] and df != UNTESTED and not independent(statistic, df, critical, log_alpha):
            status[x] = OPEN
            size_of[x] = 0
            stats[x, 0], all_dfs[x, 0], log_ps[x, 0] = statistic, df, np.nan
    cursor[N_REQUIRED] = cursor[N_MEMBERS]


@njit(inline="always")
def _advance(
    target, possible, required, statistics, dfs,
    greedy, max_given, critical, log_alpha, budget, facts, space, state, lists, answers, cursor,
):  # fmt: skip
    """Go on until all is known (True) or about `budget` tests have been made (False).

    A search begins where the cursor's phase is FRESH.
    """
    members, status = lists[0], state[0]
    if cursor[PHASE] == FRESH:
        _begin(target, possible, required, statistics, dfs, critical, log_alpha, state, lists, cursor)
    last_test = cursor[TESTS] + budget
    while cursor[PHASE] != DONE:
        only = np.int64(-1)
        if cursor[PHASE] == FORWARD:
            if cursor[JOINED] == cursor[N_MEMBERS]:
                best = _strongest(state, cursor)
                if best >= 0:
                    members[cursor[N_MEMBERS]] = best
                    status[best] = MEMBER
                    cursor[N_MEMBERS] += 1
                else:
                    cursor[PHASE], cursor[AT], cursor[JOINED] = BACKWARD, cursor[N_REQUIRED], cursor[N_REQUIRED] + 1
                continue
        else:
            if cursor[JOINED] >= cursor[N_MEMBERS] + greedy:  # all that joined after this member have been looked at
                cursor[AT] += 1
                cursor[JOINED] = cursor[AT] + 1
                if cursor[AT] >= cursor[N_MEMBERS]:
                    cursor[PHASE] = DONE
                continue
            only = members[cursor[AT]]
        if cursor[TESTS] >= last_test:
            return False
        if greedy and only < 0:
            greedy_sets(target, max_given, critical, log_alpha, facts, space, state, lists, answers, cursor)
            cursor[JOINED] += 1
        elif greedy:
            greedy_set(target, only, max_given, critical, log_alpha, facts, space, state, lists, answers, cursor)
            cursor[JOINED] = cursor[N_MEMBERS] + 1
        elif all_sets(
            target, only, max_given, last_test, critical, log_alpha, facts, space, state, lists, answers, cursor
        ):
            cursor[JOINED] += 1
        else:
            return False
        if only >= 0 and status[only] == CLOSED:
            for i in range(cursor[AT] + 1, cursor[N_MEMBERS]):
                members[i - 1] = members[i]
            cursor[N_MEMBERS] -= 1
            cursor[JOINED] = cursor[AT] + 1
    return True


@borrowing
def _strongest(state, cursor):
    """The open column whose least association is the strongest, the first by name of those tied; -1: none is open."""
    status, size_of, _, stats, dfs, log_ps = state
    best = np.inf
    for x in range(status.shape[0]):
        if status[x] == OPEN:
            k = size_of[x]
            if isnan(log_ps[x, k]):
                log_ps[x, k] = log_p(stats[x, k], dfs[x, k])
            best = min(best, log_ps[x, k])
    found = -1
    for x in range(status.shape[0]):
        if status[x] == OPEN and log_ps[x, size_of[x]] <= best + NEAR * (1.0 + abs(best)):
            if found < 0:
                found = x
            else:
                cursor[TIES] += 1
    return found
