"""Parents and children of one target after another by the max-min heuristic, all tests included.

The same algorithm as constraint/max_min/walk.py, with the associations of associations.py, where `facts` are explained;
`limits`, `passed` and `search` in state.py.
"""

from math import isnan

import numpy as np
from numba import types

from arcwise._kernels.by_address import calling
from arcwise._kernels.compiled import lean, lean_kernel
from arcwise._kernels.counts.bit_strata import Columns
from arcwise._kernels.gaussian.residuals import Correlations
from arcwise._kernels.max_min.associations import NEAR, UNTESTED, ask, independent, log_p
from arcwise._kernels.max_min.state import (
    AT,
    BACKWARD,
    CLOSED,
    DONE,
    EVERYBODY,
    FORWARD,
    FRESH,
    JOINED,
    MEMBER,
    N_LOADED,
    N_MEMBERS,
    N_REQUIRED,
    OPEN,
    PHASE,
    TESTS,
    TIES,
    Limits,
    Passed,
    Search,
)
from arcwise._kernels.types import BoolArray, Int32Array, IntArray

NOBODY = -2

ask_about = calling(types.boolean)


@lean_kernel
def pairs(
    first: int,
    last: int,
    possible: BoolArray,
    passed: Passed,
    limits: Limits,
    facts: Columns | Correlations,
    search: Search,
) -> None:
    """Columns first to last - 1 with later ones into `passed`, which begins with `first`.

    Also pairs with too few rows for a test: their degrees of freedom are UNTESTED.
    """
    asking, asked = search.asking, search.asking.asked
    n_passed = passed.starts[0] = 0
    for x in range(first, last):
        n_asked = np.int64(0)
        for y in range(x + 1, possible.shape[0]):
            if possible[x, y]:
                asked[n_asked] = y
                n_asked += 1
        search.cursor[N_LOADED] = -1
        ask(x, np.int64(0), n_asked, facts, asking)
        for i in range(n_asked):
            statistic, df = asking.statistics[i], asking.dfs[i]
            if df == UNTESTED or not independent(statistic, df, limits):
                passed.columns[n_passed], passed.statistics[n_passed], passed.dfs[n_passed] = asked[i], statistic, df
                n_passed += 1
        passed.starts[x + 1 - first] = n_passed


@lean_kernel
def both_ways(later: Passed, passed: Passed, ends: IntArray) -> None:
    """Of pairs of each column with later ones: those of each column with all others.

    ends: for each column where its places begin, then where they end. By going through columns in their order, those
    of each are filled in theirs.
    """
    for x in range(later.starts.shape[0] - 1):
        for place in range(later.starts[x], later.starts[x + 1]):
            y = later.columns[place]
            for turned in range(2):
                own, other = (y, x) if turned else (x, y)
                at = ends[own]
                passed.columns[at], passed.statistics[at] = other, later.statistics[place]
                passed.dfs[at] = later.dfs[place]
                ends[own] += 1


@lean_kernel
def neighbours(
    first: int,
    last: int,
    passed: Passed,
    required: BoolArray,
    found: Int32Array,
    numbers: IntArray,
    budget: int,
    limits: Limits,
    facts: Columns | Correlations,
    search: Search,
) -> int:
    """Go on with the targets first to last - 1 until about `budget` tests have been made; the first not done.

    found[i]: neighbours of the target first + i, in the order they joined; numbers[i]: how many, tests, ties.
    """
    state, members, cursor = search.state, search.members, search.cursor
    for target in range(first, last):
        before = _begin(target, passed, required, state, members, cursor)
        last_test = cursor[TESTS] + budget
        only = _next(limits.at_once, state, members, cursor)
        while only != NOBODY:
            if cursor[TESTS] >= last_test:
                return target
            if not ask_about(limits.min_assoc, target, only, last_test, limits, facts, search):
                return target
            _drop(only, state.status, members, cursor)
            only = _next(limits.at_once, state, members, cursor)
        budget -= cursor[TESTS] - before
        _put_down(found[target - first], numbers[target - first], members, cursor)
    return last


@lean
def _begin(target, passed, required, state, members, cursor):
    """Open the columns that depend on the target given nothing; required neighbours are members from the beginning.

    Only where the cursor's phase is FRESH. How many tests have been made so far.
    """
    status = state.status
    if cursor[PHASE] != FRESH:
        return cursor[TESTS]
    for place in range(cursor.shape[0]):
        cursor[place] = 0
    cursor[PHASE] = FORWARD
    cursor[N_LOADED] = -1
    for x in range(status.shape[0]):
        status[x] = CLOSED
        if required[target, x]:
            status[x] = MEMBER
            members[cursor[N_MEMBERS]] = x
            cursor[N_MEMBERS] += 1
    for place in range(passed.starts[target], passed.starts[target + 1]):
        x = passed.columns[place]
        status[x] = OPEN
        state.size_of[x] = 0
        state.statistics[x, 0], state.dfs[x, 0] = passed.statistics[place], passed.dfs[place]
        state.log_ps[x, 0] = np.nan
    cursor[N_REQUIRED] = cursor[N_MEMBERS]
    return cursor[TESTS]


@lean
def _next(at_once, state, members, cursor):
    """Whom to ask about next: EVERYBODY that is open, a member that may have to leave, or NOBODY when all is known."""
    while cursor[PHASE] == FORWARD:
        if cursor[JOINED] < cursor[N_MEMBERS]:
            return EVERYBODY
        best = _strongest(state, cursor)
        if best >= 0:
            members[cursor[N_MEMBERS]] = best
            state.status[best] = MEMBER
            cursor[N_MEMBERS] += 1
        else:
            cursor[PHASE], cursor[AT], cursor[JOINED] = BACKWARD, cursor[N_REQUIRED], cursor[N_REQUIRED] + 1
    while cursor[PHASE] == BACKWARD:
        if cursor[JOINED] < cursor[N_MEMBERS] + at_once:
            return members[cursor[AT]]
        cursor[AT] += 1  # all that joined after this member have been looked at
        cursor[JOINED] = cursor[AT] + 1
        if cursor[AT] >= cursor[N_MEMBERS]:
            cursor[PHASE] = DONE
    return NOBODY


@lean
def _drop(only, status, members, cursor):
    """Take a member out that was found independent."""
    if only >= 0 and status[only] == CLOSED:
        for i in range(cursor[AT] + 1, cursor[N_MEMBERS]):
            members[i - 1] = members[i]
        cursor[N_MEMBERS] -= 1
        cursor[JOINED] = cursor[AT] + 1


@lean
def _put_down(found, numbers, members, cursor):
    for i in range(cursor[N_MEMBERS]):
        found[i] = members[i]
    numbers[0], numbers[1], numbers[2] = cursor[N_MEMBERS], cursor[TESTS], cursor[TIES]
    cursor[PHASE] = FRESH


@lean
def _strongest(state, cursor):
    """The open column whose least association is the strongest, the first by name of those tied; -1: none is open."""
    status, size_of, log_ps = state.status, state.size_of, state.log_ps
    best = np.inf
    for x in range(status.shape[0]):
        if status[x] == OPEN:
            k = size_of[x]
            if isnan(log_ps[x, k]):
                log_ps[x, k] = log_p(state.statistics[x, k], state.dfs[x, k])
            best = min(best, log_ps[x, k])
    found = -1
    for x in range(status.shape[0]):
        if status[x] == OPEN and log_ps[x, size_of[x]] <= best + NEAR * (1.0 + abs(best)):
            if found < 0:
                found = x
            else:
                cursor[TIES] += 1
    return found
