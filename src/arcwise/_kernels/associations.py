"""Associations of a target with other columns given a set, from counts or from a correlation matrix.

An association is a statistic with its degrees of freedom; of two, the weaker has the larger p-value. Fisher's z has no
degrees of freedom: they are 0 there, and the smaller z is weaker. A tail is only computed where the two numbers leave
the order open.

facts   codes, cards, planes, first_plane, f, pearson, rule, corr, negligible, n_rows, min_per_cell, by_counts, constant
space   bits, rows_in, width, first_bit, stratum_of, counts, of_x (bit_strata.py);
        rows, scale, of_target, left_target, along_x (residuals.py)
lists   members, loaded, wanted, index, pool, asked
answers statistics and degrees of freedom of the columns asked
cursor  its first two places: columns of the set that are loaded (-1: not even the target), and tests made
"""

from math import exp, isnan, lgamma, log

from numba import njit

from arcwise._kernels.bit_strata import (
    MOST_CELLS,
    add_column,
    count_by_bits,
    count_by_rows,
    evaluate,
    only_target,
    strata_of_rows,
)
from arcwise._kernels.borrow import borrowing
from arcwise._kernels.residuals import load_set, z_statistic
from arcwise._kernels.tails import log_chi_squared_tail, log_normal_tail

N_LOADED, TESTS = 0, 1
UNTESTED = -1  # in place of degrees of freedom: too few rows
NEAR = 1e-9  # as contracts/ties.py
CLOSE = 1e-6  # statistics further apart are not tied


@borrowing
def ask(target, size, n_asked, facts, space, lists, answers, cursor):
    """Statistics of the target with each of asked[:n_asked] given wanted[:size]. What the last set shares is kept.

    Counts: O(N size) for the set and O(N) for each column, 64 rows at a time for small tables. Correlations: O(size^2).
    """
    if facts[11]:
        _count(target, size, n_asked, facts, space, lists, answers, cursor)
    else:
        _correlate(target, size, n_asked, facts, space, lists, answers, cursor)


@njit(inline="always")
def _count(target, size, n_asked, facts, space, lists, answers, cursor):
    cards, planes, first_plane, n_rows, min_per_cell, constant = (
        facts[1], facts[2], facts[3], facts[9], facts[10], facts[12]
    )  # fmt: skip
    bits, rows_in, width, first_bit, counts = space[0], space[1], space[2], space[3], space[5]
    loaded, wanted, asked = lists[1], lists[2], lists[5]
    statistics, dfs = answers[0], answers[1]
    if cursor[N_LOADED] < 0:
        only_target(target, cards, planes, first_plane, bits, rows_in, width, first_bit)
        cursor[N_LOADED] = 0
    cells = float(cards[target])
    for k in range(size):
        u = wanted[k]
        cells *= cards[u]
        if k < cursor[N_LOADED] and loaded[k] == u:
            continue
        loaded[k] = u
        if cells * min_per_cell > n_rows:  # a set that nobody can be asked about
            cursor[N_LOADED] = k
            break
        cursor[N_LOADED] = k + 1
        add_column(u, k, cards, planes, first_plane, bits, rows_in, width, first_bit)
    rows_known = False
    for i in range(n_asked):
        x = asked[i]
        if constant[x] or constant[target]:
            statistics[i], dfs[i] = 0.0, 0
        elif cells * cards[x] * min_per_cell > n_rows:
            dfs[i] = UNTESTED
            continue
        else:
            if first_bit[size] >= 0 and first_plane[x] >= 0 and width[size] * (cards[x] - 1) <= MOST_CELLS:
                count_by_bits(x, size, cards, planes, first_plane, bits, rows_in, width, first_bit, counts)
            else:
                if not rows_known:
                    strata_of_rows(target, loaded, size, facts[0], cards, space[4])
                    rows_known = True
                count_by_rows(x, width[size] * cards[x], facts[0], cards, space[4], counts)
            q = width[size] // cards[target]
            statistics[i], dfs[i] = evaluate(counts, space[6], cards[target], q, cards[x], facts[5], facts[6], facts[4])
        cursor[TESTS] += 1


@njit(inline="always")
def _correlate(target, size, n_asked, facts, space, lists, answers, cursor):
    corr, negligible, n_rows, constant = facts[7], facts[8], facts[9], facts[12]
    rows, scale, of_target, left_target, along_x = space[7], space[8], space[9], space[10], space[11]
    loaded, wanted, asked = lists[1], lists[2], lists[5]
    statistics, dfs = answers[0], answers[1]
    if cursor[N_LOADED] < 0:
        left_target[0] = 1.0
        cursor[N_LOADED] = 0
    kept = cursor[N_LOADED]
    load_set(wanted, size, kept, target, corr, negligible, loaded, rows, scale, of_target, left_target)
    cursor[N_LOADED] = size
    for i in range(n_asked):
        x = asked[i]
        dfs[i] = 0
        if constant[x] or constant[target]:
            statistics[i] = 0.0
        elif n_rows - size - 3 <= 0:
            dfs[i] = UNTESTED
            continue
        else:
            statistics[i] = z_statistic(
                x, size, target, n_rows, corr, negligible, loaded, rows, scale, of_target, left_target, along_x
            )
        cursor[TESTS] += 1


@borrowing
def order_of(statistic, df, other, other_df):
    """1 where the first association is weaker than the other, -1 where it is stronger, 0 where ln p is tied."""
    if df == other_df and abs(statistic - other) > CLOSE * (1.0 + other):
        return 1 if statistic < other else -1
    if df > other_df and statistic <= other:
        return 1
    if df < other_df and statistic >= other:
        return -1
    mine, theirs = log_p(statistic, df), log_p(other, other_df)
    if abs(mine - theirs) <= NEAR * (1.0 + abs(theirs)):
        return 0
    return 1 if mine > theirs else -1


@borrowing
def log_p(statistic, df):
    """Of a chi-squared statistic, or of Fisher's z where df is 0 (counts without a degree of freedom: 0 either way)."""
    return log_chi_squared_tail(statistic, df) if df > 0 else log_normal_tail(statistic)


@borrowing
def independent(statistic, df, critical, log_alpha):
    """p >= alpha, by the critical value of these degrees of freedom, which is worked out when first needed."""
    if df >= critical.shape[0]:
        return log_chi_squared_tail(statistic, df) >= log_alpha
    if isnan(critical[df]):
        critical[df] = critical_value(df, log_alpha)
    return statistic <= critical[df]


@borrowing
def critical_value(df, log_alpha):
    """The x with ln P(chi-squared with df degrees of freedom > x) = log_alpha, by Newton's steps inside a bracket."""
    low, high = 0.0, float(df)
    while log_chi_squared_tail(high, df) >= log_alpha:
        low, high = high, 2.0 * high
    x = high
    half = 0.5 * df
    for _ in range(200):
        value = log_chi_squared_tail(x, df)
        if value >= log_alpha:
            low = x
        else:
            high = x
        slope = 0.5 * exp((half - 1.0) * log(0.5 * x) - 0.5 * x - lgamma(half) - value)  # - d ln P / dx
        step = x + (value - log_alpha) / slope if slope > 0.0 else low
        if not low < step < high:
            step = 0.5 * (low + high)
        if abs(step - x) <= 1e-14 * x:
            break
        x = step
    return x
