"""GreedyMinAssoc(x; T | members): the member that leaves least joins the set, while that leaves less than before."""

import numpy as np

from arcwise._kernels.compiled import lean, lean_kernel
from arcwise._kernels.counts.bit_strata import Columns
from arcwise._kernels.gaussian.residuals import Correlations
from arcwise._kernels.max_min.associations import UNTESTED, ask, independent, order_of
from arcwise._kernels.max_min.state import (
    BACKWARD,
    CLOSED,
    EVERYBODY,
    JOINED,
    MEMBER,
    N_MEMBERS,
    OPEN,
    PHASE,
    Limits,
    Search,
    columns_asked,
)


@lean_kernel
def greedy_min_assoc(
    target: int, only: int, last_test: int, limits: Limits, facts: Columns | Correlations, search: Search
) -> bool:
    """Of all open columns with members[JOINED], which has just joined, or of `only` one with all that joined later."""
    if only == EVERYBODY:
        _of_open(target, limits, facts, search)
        search.cursor[JOINED] += 1
    else:
        _of_member(target, only, limits, facts, search)
        search.cursor[JOINED] = search.cursor[N_MEMBERS] + 1
    return True


@lean
def _of_open(target, limits, facts, search):
    """Bring the greedy sets of all open columns up to date with the new member members[JOINED].

    At the first two turns columns that have the same question are asked together, which is where most tests are.
    """
    state = search.state
    cards, n_rows, min_per_cell = facts.cards, facts.n_rows, facts.min_per_cell
    size_of, chosen, stats, dfs = state.size_of, state.chosen, state.statistics, state.dfs
    members, wanted = search.members, search.asking.wanted
    best, best_stats, best_dfs = search.best.members, search.best.statistics, search.best.dfs
    n_joined = search.cursor[JOINED]
    new = members[n_joined]
    search.pool[0] = wanted[0] = new
    n_columns = 0
    if limits.max_given > 0:
        n_columns = _first_turn(target, new, limits, facts, search)
    if limits.max_given < 2 or n_columns == 0:
        return
    _second_turn(target, new, n_columns, limits, facts, search)
    narrowest = cards[new]
    for i in range(n_joined):
        narrowest = min(narrowest, cards[members[i]])
    for j in range(n_columns):
        x = search.best.columns[j]
        if (
            state.status[x] == CLOSED
            or best[x] < 0
            or order_of(best_stats[x], best_dfs[x], stats[x, 1], dfs[x, 1]) <= 0
        ):
            continue
        stands = size_of[x] > 1 and best[x] == chosen[x, 1]
        if not stands:
            _choose(x, np.int64(1), best[x], best_stats[x], best_dfs[x], state)
        cells = float(cards[target]) * cards[x] * cards[chosen[x, 0]] * cards[chosen[x, 1]]
        if cells * (cards[new] if stands else narrowest) * min_per_cell > n_rows:
            continue
        wanted[1] = best[x] if chosen[x, 0] == new else chosen[x, 0]
        wanted[2] = best[x]  # only of use where it stands
        if not _follow(target, x, np.int64(1), np.int64(2), not stands, limits, facts, search):
            state.status[x] = CLOSED


@lean
def _first_turn(target, new, limits, facts, search):
    """Ask all open columns about the new member, and choose it where it leaves least.

    How many `columns` have a second turn; where the first choice stands, `best` is their old choice there.
    """
    state, asking, asked, greedy = search.state, search.asking, search.asking.asked, search.best
    size_of, chosen, stats, dfs = state.size_of, state.chosen, state.statistics, state.dfs
    best = greedy.members
    n_columns = 0
    n_asked, _ = columns_asked(-1, facts.cards, state.status, asked)
    if n_asked > 0:
        ask(target, np.int64(1), n_asked, facts, search.asking)
    for i in range(n_asked):
        x, statistic, df = asked[i], asking.statistics[i], asking.dfs[i]
        if df == UNTESTED:  # nor can it be with a larger set
            continue
        if independent(statistic, df, limits):
            state.status[x] = CLOSED
            continue
        order = 1 if size_of[x] == 0 else order_of(statistic, df, stats[x, 1], dfs[x, 1])
        best[x] = -1
        if order > 0 or (order == 0 and new < chosen[x, 0]):
            if order_of(statistic, df, stats[x, 0], dfs[x, 0]) <= 0:
                continue
            _choose(x, np.int64(0), new, statistic, df, state)
        elif size_of[x] > 1:
            best[x], greedy.statistics[x], greedy.dfs[x] = chosen[x, 1], stats[x, 2], dfs[x, 2]
        greedy.columns[n_columns] = x
        n_columns += 1
    return n_columns


@lean
def _second_turn(target, new, n_columns, limits, facts, search):
    """Ask columns about the new member with each earlier one: all of these if their set begins with the new one.

    Else with their first choice. `best`: the member that leaves least beside the first choice.
    """
    asking, greedy = search.asking, search.best
    status, chosen, asked = search.state.status, search.state.chosen, asking.asked
    best, best_stats, best_dfs = greedy.members, greedy.statistics, greedy.dfs
    for i in range(search.cursor[JOINED]):
        u = search.members[i]
        n_asked = np.int64(0)
        for j in range(n_columns):
            x = greedy.columns[j]
            if status[x] == OPEN and (chosen[x, 0] == new or chosen[x, 0] == u):
                asked[n_asked] = x
                n_asked += 1
        if n_asked == 0:
            continue
        asking.wanted[1] = u
        ask(target, np.int64(2), n_asked, facts, search.asking)
        for j in range(n_asked):
            x, statistic, df = asked[j], asking.statistics[j], asking.dfs[j]
            if df == UNTESTED:
                continue
            if independent(statistic, df, limits):
                status[x] = CLOSED
                continue
            v = u if chosen[x, 0] == new else new
            order = 1 if best[x] < 0 else order_of(statistic, df, best_stats[x], best_dfs[x])
            if order > 0 or (order == 0 and v < best[x]):
                best[x], best_stats[x], best_dfs[x] = v, statistic, df


@lean
def _of_member(target, x, limits, facts, search):
    """Bring the greedy set of a member up to date with all that joined after it, or all, if one of its set has left."""
    cursor = search.cursor
    status, size_of, chosen = search.state.status, search.state.size_of, search.state.chosen
    members, pool = search.members, search.pool
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
    if n_new > 0 and not _follow(target, x, n_new, np.int64(0), np.bool_(False), limits, facts, search):
        status[x] = CLOSED


@lean
def _choose(x, turn, u, statistic, df, state):
    """Let u be the choice of x at this turn, the last one so far."""
    state.chosen[x, turn] = u
    state.statistics[x, turn + 1], state.dfs[x, turn + 1], state.log_ps[x, turn + 1] = statistic, df, np.nan
    state.size_of[x] = turn + 1


@lean
def _follow(target, x, n_new, turn, all_new, limits, facts, search):
    """Bring the greedy set of x, from this turn on, up to date with pool[:n_new]; False where x becomes independent.

    At each turn the best old member is known, so that only new ones are asked about, until one of them is chosen: from
    then on (`all_new`) every set is new. The set is kept in `wanted`, a single new member in front of those chosen,
    so that each turn adds one column to the set that was asked about before.
    """
    asking, state, cursor = search.asking, search.state, search.cursor
    cards, n_rows, min_per_cell = facts.cards, facts.n_rows, facts.min_per_cell
    size_of, chosen, stats, dfs = state.size_of, state.chosen, state.statistics, state.dfs
    members, wanted, pool = search.members, asking.wanted, search.pool
    asking.asked[0] = x
    if turn == 0:
        wanted[0] = pool[0]
    cells = float(cards[target]) * cards[x]
    for k in range(turn):
        cells *= cards[chosen[x, k]]
    while turn < limits.max_given:
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
            passed = u == x or cells * cards[u] * min_per_cell > n_rows
            for k in range(turn):
                passed |= chosen[x, k] == u
            if passed:
                continue
            if not led:
                wanted[turn] = u
            ask(target, np.int64(turn + 1), np.int64(1), facts, search.asking)
            statistic, df = asking.statistics[0], asking.dfs[0]
            if df == UNTESTED:
                continue
            if independent(statistic, df, limits):
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
        cells *= cards[best]
        turn += 1
    return True
