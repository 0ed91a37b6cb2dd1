"""MinAssoc(x; T | members): the least association over all sets of members."""

import numpy as np

from arcwise._kernels.compiled import lean_kernel
from arcwise._kernels.counts.bit_strata import Columns
from arcwise._kernels.gaussian.residuals import Correlations
from arcwise._kernels.max_min.associations import UNTESTED, ask, independent, order_of
from arcwise._kernels.max_min.state import (
    CLOSED,
    DEPTH,
    INSIDE,
    JOINED,
    SIZE,
    TESTED,
    TESTS,
    Limits,
    Search,
    columns_asked,
)


@lean_kernel
def min_assoc(
    target: int, only: int, last_test: int, limits: Limits, facts: Columns | Correlations, search: Search
) -> bool:
    """Ask about all sets of members[JOINED] and members before it, smaller sets first: all open columns, or `only` one.

    Lexicographic order, so that sets that follow each other share most of their columns; a set with too few rows
    for the narrowest column is left out together with all that begin like it. False where the tests are used up.
    """
    asking, state, cursor = search.asking, search.state, search.cursor
    cards, n_rows, min_per_cell = facts.cards, facts.n_rows, facts.min_per_cell
    stats, dfs = state.statistics, state.dfs
    members, index, pool, wanted, asked = search.members, search.index, search.pool, asking.wanted, asking.asked
    n_pool = 0
    for i in range(cursor[JOINED]):
        if members[i] != only:
            pool[n_pool] = members[i]
            n_pool += 1
    n_asked, narrowest = columns_asked(only, cards, state.status, asked)
    wanted[0] = members[cursor[JOINED]]
    base = float(cards[target]) * cards[wanted[0]] * narrowest
    if cursor[INSIDE] == 0:
        cursor[SIZE], cursor[DEPTH], cursor[TESTED] = 0, 0, 0
        index[0] = 0
    cursor[INSIDE] = 0
    finished = True
    while finished and n_asked > 0 and cursor[SIZE] <= n_pool and cursor[SIZE] < limits.max_given:
        size, depth = cursor[SIZE], cursor[DEPTH]
        while finished and depth >= 0 and n_asked > 0:
            if depth < size:
                if index[depth] > n_pool - (size - depth):  # no room for the rest of the set
                    depth -= 1
                    if depth >= 0:
                        index[depth] += 1
                    continue
                wanted[depth + 1] = pool[index[depth]]
                cells = base
                for k in range(depth + 1):
                    cells *= cards[wanted[k + 1]]
                if cells * min_per_cell > n_rows:
                    index[depth] += 1
                    continue
                depth += 1
                index[depth] = index[depth - 1] + 1
                continue
            before = cursor[TESTS]
            ask(target, size + 1, n_asked, facts, asking)
            cursor[TESTED] += cursor[TESTS] - before
            kept = 0
            for i in range(n_asked):
                x, statistic, df = asked[i], asking.statistics[i], asking.dfs[i]
                if df != UNTESTED:
                    if independent(statistic, df, limits):
                        state.status[x] = CLOSED
                        continue
                    if order_of(statistic, df, stats[x, 0], dfs[x, 0]) > 0:
                        stats[x, 0], dfs[x, 0], state.log_ps[x, 0] = statistic, df, np.nan
                asked[kept] = x
                kept += 1
            n_asked = kept
            depth -= 1
            if depth >= 0:
                index[depth] += 1
            if cursor[TESTS] >= last_test and n_asked > 0:
                cursor[DEPTH], cursor[INSIDE] = depth, 1
                finished = False
        if finished:
            if cursor[TESTED] == 0:
                break  # too few rows for each set of this size, so for any larger one
            cursor[SIZE] += 1
            cursor[DEPTH], cursor[TESTED] = 0, 0
            index[0] = 0
    cursor[JOINED] += finished
    return finished
