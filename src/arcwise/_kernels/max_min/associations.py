"""Associations of a target with other columns given a set, from counts or from a correlation matrix.

An association is a statistic with its degrees of freedom; of two, the weaker has the larger p-value. Fisher's z has no
degrees of freedom: they are 0 there, and the smaller z is weaker. A tail is only computed where the two numbers leave
the order open.

What is asked about are `Columns` that are counted in `Strata` (bit_strata.py), or `Correlations` with `Residuals`
(residuals.py): `facts` and `asking.space` below. The way that fits them, `count` or `correlate`, is `asking.way`.
"""

from math import exp, isnan, lgamma, log

from numba import types

from arcwise._kernels.by_address import calling
from arcwise._kernels.compiled import lean, lean_kernel
from arcwise._kernels.counts.bit_strata import (
    MOST_CELLS,
    Columns,
    add_column,
    count_by_bits,
    count_by_rows,
    only_target,
    strata_of_rows,
)
from arcwise._kernels.counts.contingency import Layout, evaluate
from arcwise._kernels.gaussian.residuals import Correlations, load_set, z_statistic
from arcwise._kernels.max_min.state import N_LOADED, TESTS, Asking
from arcwise._kernels.tails import log_chi_squared_tail, log_normal_tail

UNTESTED = -1  # in place of degrees of freedom: too few rows
NEAR = 1e-9  # as parts/ties.py
CLOSE = 1e-6  # statistics further apart are not tied

call = calling(types.none)


@lean
def ask(target, size, n_asked, facts, asking):
    """Statistics of the target with each of asked[:n_asked] given wanted[:size]. What the last set shares is kept."""
    call(asking.way, target, size, n_asked, facts, asking)


@lean_kernel
def count(target: int, size: int, n_asked: int, facts: Columns, asking: Asking) -> None:
    """By counts: O(N size) for the set and O(N) for each column, 64 rows at a time for small tables."""
    space, cursor = asking.space, asking.cursor
    cards, width, constant = facts.cards, space.width, facts.constant
    loaded, wanted, asked = asking.loaded, asking.wanted, asking.asked
    if cursor[N_LOADED] < 0:
        only_target(target, facts, space)
        cursor[N_LOADED] = 0
    cells = float(cards[target])
    for k in range(size):
        u = wanted[k]
        cells *= cards[u]
        if k < cursor[N_LOADED] and loaded[k] == u:
            continue
        loaded[k] = u
        if cells * facts.min_per_cell > facts.n_rows:  # a set that nobody can be asked about
            cursor[N_LOADED] = k
            break
        cursor[N_LOADED] = k + 1
        add_column(u, k, facts, space)
    rows_known = False
    for i in range(n_asked):
        x = asked[i]
        if constant[x] or constant[target]:
            asking.statistics[i], asking.dfs[i] = 0.0, 0
        elif cells * cards[x] * facts.min_per_cell > facts.n_rows:
            asking.dfs[i] = UNTESTED
            continue
        else:
            by_bits = space.first_bit[size] >= 0 and facts.first_plane[x] >= 0
            if by_bits and width[size] * (cards[x] - 1) <= MOST_CELLS:
                count_by_bits(x, size, facts, space)
            else:
                if not rows_known:
                    strata_of_rows(target, loaded, size, facts, space)
                    rows_known = True
                count_by_rows(x, width[size] * cards[x], facts, space)
            q = width[size] // cards[target]
            layout = Layout(q, cards[target], cards[x], cards[x], q * cards[x])
            asking.statistics[i], asking.dfs[i] = evaluate(
                space.counts, space.of_x, layout, facts.pearson, facts.rule, facts.f
            )
        cursor[TESTS] += 1


@lean_kernel
def correlate(target: int, size: int, n_asked: int, facts: Correlations, asking: Asking) -> None:
    """By correlations: O(size^2)."""
    space, cursor, asked, constant = asking.space, asking.cursor, asking.asked, facts.constant
    if cursor[N_LOADED] < 0:
        space.left_target[0] = 1.0
        cursor[N_LOADED] = 0
    load_set(asking.wanted, size, cursor[N_LOADED], target, facts, space, asking.loaded)
    cursor[N_LOADED] = size
    for i in range(n_asked):
        x = asked[i]
        asking.dfs[i] = 0
        if constant[x] or constant[target]:
            asking.statistics[i] = 0.0
        elif facts.n_rows - size - 3 <= 0:
            asking.dfs[i] = UNTESTED
            continue
        else:
            asking.statistics[i] = z_statistic(x, size, target, facts, space, asking.loaded)
        cursor[TESTS] += 1


@lean
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


@lean
def log_p(statistic, df):
    """Of a chi-squared statistic, or of Fisher's z where df is 0 (counts without a degree of freedom: 0 either way)."""
    return log_chi_squared_tail(statistic, df) if df > 0 else log_normal_tail(statistic)


@lean
def independent(statistic, df, limits):
    """p >= alpha, by the critical value of these degrees of freedom, which is worked out when first needed."""
    critical, log_alpha = limits.critical, limits.log_alpha
    if df >= critical.shape[0]:
        return log_chi_squared_tail(statistic, df) >= log_alpha
    if isnan(critical[df]):
        critical[df] = critical_value(df, log_alpha)
    return statistic <= critical[df]


@lean
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
