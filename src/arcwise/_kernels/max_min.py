"""Parents and children of one target by the max-min heuristic, forward and backward, all tests included.

The same algorithm as constraint/max_min.py, with the associations of associations.py, where `facts`, `space` and the
first two `answers` are explained. A search can take long, so `advance` returns after a number of tests and goes on
from the same place when called again.

state   of every column: status, size of its set, the set in the order its members joined, and for the first 0, 1, 2,
        ... of these the statistic, degrees of freedom and ln p (NaN: not worked out yet)
lists   members, loaded, wanted, index, pool, asked
answers the last four: columns that _greedy_sets works on, their best members and the answers about these
"""

from math import isnan

import numpy as np
from numba import njit

from arcwise._kernels.associations import N_LOADED, NEAR, TESTS, UNTESTED, ask, independent, order_of
from arcwise._kernels.borrow import borrowing
from arcwise._kernels.tails import log_chi_squared_tail

CLOSED, OPEN, MEMBER = 0, 1, 2
FRESH, FORWARD, BACKWARD, DONE = 0, 1, 2, 3
# places in the cursor, after those of associations.py
PHASE, N_MEMBERS, N_REQUIRED, AT, JOINED, INSIDE, SIZE, DEPTH, TIES, TESTED = range(2, 12)
CURSOR = 12


@njit(inline="always")
def _begin(possible, required, statistics, dfs, critical, log_alpha, state, lists, cursor):
    """Open the columns that depend on the target given nothing; required neighbours are members from the beginning."""
    status, size_of, _, stats, all_dfs, log_ps = state
    status[:] = CLOSED
    for x in possible:
        if dfs[x] != UNTESTED and not independent(statistics[x], dfs[x], critical, log_alpha):
            status[x] = OPEN
            size_of[x] = 0
            stats[x, 0], all_dfs[x, 0], log_ps[x, 0] = statistics[x], dfs[x], np.nan
    cursor[:] = 0
    cursor[PHASE] = FORWARD
    cursor[N_LOADED] = -1
    cursor[N_MEMBERS] = cursor[N_REQUIRED] = required.shape[0]
    for i in range(required.shape[0]):
        lists[0][i] = required[i]
        status[required[i]] = MEMBER


@borrowing
def advance(
    target, possible, required, statistics, dfs,
    greedy, max_given, critical, log_alpha, budget, facts, space, state, lists, answers, cursor,
):  # fmt: skip
    """Go on until all is known (True) or about `budget` tests have been made (False).

    possible, required: columns that may be, and that are, neighbours of the target. statistics, dfs: of the target with
    every column, given nothing. A search begins where the cursor's phase is FRESH.
    """
    members, status = lists[0], state[0]
    if cursor[PHASE] == FRESH:
        _begin(possible, required, statistics, dfs, critical, log_alpha, state, lists, cursor)
    last_test = cursor[TESTS] + budget
    while cursor[PHASE] != DONE:
        only = np.int64(-1)
        if cursor[PHASE] == FORWARD:
            if cursor[JOINED] == cursor[N_MEMBERS]:
                best = _strongest(facts[11], state, cursor)
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
            _greedy_sets(target, max_given, critical, log_alpha, facts, space, state, lists, answers, cursor)
            cursor[JOINED] += 1
        elif greedy:
            _greedy_set(target, only, max_given, critical, log_alpha, facts, space, state, lists, answers, cursor)
            cursor[JOINED] = cursor[N_MEMBERS] + 1
        elif _all_sets(
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


@njit(inline="always")
def _all_sets(target, only, max_given, last_test, critical, log_alpha, facts, space, state, lists, answers, cursor):
    """Ask about all sets of members[JOINED] and members before it, smaller sets first: all open columns, or `only` one.

    Lexicographic order, so that sets that follow each other share most of their columns; a set with too few rows
    for the narrowest column is left out together with all that begin like it. False where the tests are used up.
    """
    cards, n_rows, min_per_cell = facts[1], facts[9], facts[10]
    status, stats, dfs, log_ps = state[0], state[3], state[4], state[5]
    members, _, wanted, index, pool, asked = lists
    n_pool = 0
    for i in range(cursor[JOINED]):
        if members[i] != only:
            pool[n_pool] = members[i]
            n_pool += 1
    n_asked, narrowest = _columns_asked(only, cards, status, asked)
    wanted[0] = members[cursor[JOINED]]
    base = float(cards[target]) * cards[wanted[0]] * narrowest * min_per_cell
    if cursor[INSIDE] == 0:
        cursor[SIZE], cursor[DEPTH], cursor[TESTED] = 0, 0, 0
        index[0] = 0
    cursor[INSIDE] = 0
    finished = True
    while finished and n_asked > 0 and cursor[SIZE] <= n_pool and cursor[SIZE] < max_given:
        size, depth = cursor[SIZE], cursor[DEPTH]
        while finished and depth >= 0 and n_asked > 0:
            if depth < size:
                if index[depth] > n_pool - (size - depth):  # no room for the rest of the set
                    depth -= 1
                    if depth >= 0:
                        index[depth] += 1
                    continue
                wanted[depth + 1] = pool[index[depth]]
                rows_needed = base
                for k in range(depth + 1):
                    rows_needed *= cards[wanted[k + 1]]
                if rows_needed > n_rows:
                    index[depth] += 1
                    continue
                depth += 1
                index[depth] = index[depth - 1] + 1
                continue
            before = cursor[TESTS]
            ask(target, size + 1, n_asked, facts, space, lists, answers, cursor)
            cursor[TESTED] += cursor[TESTS] - before
            kept = 0
            for i in range(n_asked):
                x, statistic, df = asked[i], answers[0][i], answers[1][i]
                if df != UNTESTED:
                    if independent(statistic, df, critical, log_alpha):
                        status[x] = CLOSED
                        continue
                    if order_of(statistic, df, stats[x, 0], dfs[x, 0]) > 0:
                        stats[x, 0], dfs[x, 0], log_ps[x, 0] = statistic, df, np.nan
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
    return finished


@borrowing
def _columns_asked(only, cards, status, asked):
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


@njit(inline="always")
def _greedy_sets(target, max_given, critical, log_alpha, facts, space, state, lists, answers, cursor):
    """Bring the greedy sets of all open columns up to date with the new member members[JOINED].

    The first two turns ask columns together that have the same question: about the new member, then about the new
    member and each earlier one, which are all pairs for a column whose set begins with the new member, and one pair for
    a column whose first choice stands. `best`: their choices at the second turn.
    """
    cards, status, size_of, chosen, stats, dfs = facts[1], state[0], state[1], state[2], state[3], state[4]
    members, wanted, pool, asked = lists[0], lists[2], lists[4], lists[5]
    columns, best, best_stats, best_dfs = answers[2], answers[3], answers[4], answers[5]
    n_joined = cursor[JOINED]
    new = members[n_joined]
    pool[0] = wanted[0] = new
    n_columns = 0
    n_asked = np.int64(0)
    if max_given > 0:
        n_asked, _ = _columns_asked(-1, cards, status, asked)
    if n_asked > 0:
        ask(target, np.int64(1), n_asked, facts, space, lists, answers, cursor)
    for i in range(n_asked):
        x, statistic, df = asked[i], answers[0][i], answers[1][i]
        if df == UNTESTED:  # nor can it be with a larger set
            continue
        if independent(statistic, df, critical, log_alpha):
            status[x] = CLOSED
            continue
        order = 1 if size_of[x] == 0 else order_of(statistic, df, stats[x, 1], dfs[x, 1])
        best[x] = -1
        if order > 0 or (order == 0 and new < chosen[x, 0]):
            if order_of(statistic, df, stats[x, 0], dfs[x, 0]) <= 0:
                continue
            _choose(x, 0, new, statistic, df, state)
        elif size_of[x] > 1:
            best[x], best_stats[x], best_dfs[x] = chosen[x, 1], stats[x, 2], dfs[x, 2]
        columns[n_columns] = x
        n_columns += 1
    for i in range(n_joined if max_given > 1 and n_columns > 0 else 0):
        u = members[i]
        n_asked = 0
        for j in range(n_columns):
            x = columns[j]
            if status[x] == OPEN and (chosen[x, 0] == new or chosen[x, 0] == u):
                asked[n_asked] = x
                n_asked += 1
        if n_asked == 0:
            continue
        wanted[1] = u
        ask(target, np.int64(2), n_asked, facts, space, lists, answers, cursor)
        for j in range(n_asked):
            x, statistic, df = asked[j], answers[0][j], answers[1][j]
            if df == UNTESTED:
                continue
            if independent(statistic, df, critical, log_alpha):
                status[x] = CLOSED
                continue
            v = u if chosen[x, 0] == new else new
            order = 1 if best[x] < 0 else order_of(statistic, df, best_stats[x], best_dfs[x])
            if order > 0 or (order == 0 and v < best[x]):
                best[x], best_stats[x], best_dfs[x] = v, statistic, df
    narrowest = np.int64(cards[members[0]])
    for i in range(n_joined + 1):
        narrowest = min(narrowest, cards[members[i]])
    for j in range(n_columns if max_given > 1 else 0):
        x = columns[j]
        if status[x] == CLOSED or best[x] < 0 or order_of(best_stats[x], best_dfs[x], stats[x, 1], dfs[x, 1]) <= 0:
            continue
        stands = size_of[x] > 1 and best[x] == chosen[x, 1]
        if not stands:
            _choose(x, 1, best[x], best_stats[x], best_dfs[x], state)
        wanted[1] = best[x] if chosen[x, 0] == new else chosen[x, 0]
        wanted[2] = best[x]  # only of use where it stands
        more = cards[new] if stands else narrowest
        rows_needed = float(cards[target]) * cards[x] * cards[chosen[x, 0]] * cards[chosen[x, 1]] * more * facts[10]
        if rows_needed <= facts[9] and not _follow(
            target, x, np.int64(1), np.int64(2), not stands,
            max_given, critical, log_alpha, facts, space, state, lists, answers, cursor,
        ):  # fmt: skip
            status[x] = CLOSED


@njit(inline="always")
def _greedy_set(target, x, max_given, critical, log_alpha, facts, space, state, lists, answers, cursor):
    """Bring the greedy set of a member up to date with all that joined after it, or all, if one of its set has left."""
    status, size_of, chosen = state[0], state[1], state[2]
    members, pool = lists[0], lists[4]
    first = cursor[JOINED]
    for k in range(size_of[x]):
        if status[chosen[x, k]] != MEMBER:
            size_of[x] = 0
            first = 0
            break
    n_new = np.int64(0)
    for i in range(first, cursor[N_MEMBERS]):
        if members[i] != x:
            pool[n_new] = members[i]
            n_new += 1
    if n_new > 0 and not _follow(
        target, x, n_new, np.int64(0), False,
        max_given, critical, log_alpha, facts, space, state, lists, answers, cursor,
    ):  # fmt: skip
        status[x] = CLOSED


@njit(inline="always")
def _choose(x, turn, u, statistic, df, state):
    """Let u be the choice of x at this turn, the last one so far."""
    _, size_of, chosen, stats, dfs, log_ps = state
    chosen[x, turn] = u
    stats[x, turn + 1], dfs[x, turn + 1], log_ps[x, turn + 1] = statistic, df, np.nan
    size_of[x] = turn + 1


@borrowing
def _follow(
    target, x, n_new, turn, all_new,
    max_given, critical, log_alpha, facts, space, state, lists, answers, cursor,
):  # fmt: skip
    """Bring the greedy set of x, from this turn on, up to date with pool[:n_new]; False where x becomes independent.

    At each turn the best old member is known, so that only new ones are asked about, until one of them is chosen: from
    then on (`all_new`) every set is new. The set is kept in `wanted`, a single new member in front of those chosen,
    so that each turn adds one column to the set that was asked about before.
    """
    cards, n_rows = facts[1], facts[9]
    size_of, chosen, stats, dfs = state[1], state[2], state[3], state[4]
    members, wanted, pool, asked = lists[0], lists[2], lists[4], lists[5]
    asked[0] = x
    if turn == 0:
        wanted[0] = pool[0]
    rows_needed = float(cards[target]) * cards[x] * facts[10]
    for k in range(turn):
        rows_needed *= cards[chosen[x, k]]
    while turn < max_given:
        best, best_stat, best_df = np.int64(-1), 0.0, np.int64(0)
        if turn < size_of[x]:
            best, best_stat, best_df = np.int64(chosen[x, turn]), stats[x, turn + 1], dfs[x, turn + 1]
        old = best
        led = n_new == 1 and not all_new
        n_rest = n_new
        if all_new:  # while required members are still joining, those to come do not count
            n_rest = cursor[N_MEMBERS] if cursor[PHASE] == BACKWARD else cursor[JOINED] + 1
        for i in range(n_rest):
            u = members[i] if all_new else pool[i]
            passed = u == x or rows_needed * cards[u] > n_rows
            for k in range(turn):
                passed |= chosen[x, k] == u
            if passed:
                continue
            if not led:
                wanted[turn] = u
            ask(target, np.int64(turn + 1), np.int64(1), facts, space, lists, answers, cursor)
            statistic, df = answers[0][0], answers[1][0]
            if df == UNTESTED:
                continue
            if independent(statistic, df, critical, log_alpha):
                return False
            order = 1 if best < 0 else order_of(statistic, df, best_stat, best_df)
            if order > 0 or (order == 0 and u < best):
                best, best_stat, best_df = u, statistic, df
        if best < 0 or order_of(best_stat, best_df, stats[x, turn], dfs[x, turn]) <= 0:
            break
        if best != old:
            _choose(x, turn, best, best_stat, best_df, state)
            all_new = True
        if not led:
            wanted[turn] = best
        elif best == old:
            wanted[turn + 1] = best
        rows_needed *= cards[best]
        turn += 1
    return True


@borrowing
def _strongest(by_counts, state, cursor):
    """The open column whose least association is the strongest, the first by name of those tied; -1: none is open."""
    status, size_of, _, stats, dfs, log_ps = state
    best = np.inf
    for x in range(status.shape[0]):
        if status[x] == OPEN:
            k = size_of[x]
            if isnan(log_ps[x, k]):
                log_ps[x, k] = log_chi_squared_tail(stats[x, k], dfs[x, k]) if by_counts else -stats[x, k]
            best = min(best, log_ps[x, k])
    found = -1
    for x in range(status.shape[0]):
        if status[x] == OPEN and log_ps[x, size_of[x]] <= best + NEAR * (1.0 + abs(best)):
            if found < 0:
                found = x
            else:
                cursor[TIES] += 1
    return found
