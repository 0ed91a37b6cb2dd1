"""States behind the values of one column: a mixture of densities, given what the rest of each row says about them.

With theta the table of the column given its parents and phi_c those of its children,

    p(x_n, children | parents) = sum_s theta(s | pa_n) f(x_n; m_s, v_s) prod_c phi_c(child_nc | s, its other parents).

Fitted by expectation and maximisation. f is normal, or Student's with a few degrees of freedom. Without parents and
children it is a plain mixture, whose values may come as bins with counts.
"""

import math
from typing import NamedTuple

from arcwise._kernels.compiled import lean, lean_kernel
from arcwise._kernels.types import FloatArray, Int32Array, IntArray

LEAST_ROWS = 1e-9  # of a state, so that it can come back


class Context(NamedTuple):
    """What the rest of each row says: configurations of parents, and the cells of the children's tables."""

    own: Int32Array  # (rows,): configuration of the parents
    kids: Int32Array  # (children, rows): configuration of the other parents * levels + level
    groups: Int32Array  # (children, rows): configuration of the other parents
    cards: IntArray  # (children,)
    n_groups: IntArray  # (children,)


class Fit(NamedTuple):
    """The states: `shares` are the probabilities of each in each row; the tables are room."""

    shares: FloatArray  # (rows, states)
    means: FloatArray
    variances: FloatArray
    own_table: FloatArray  # (configurations, states)
    kid_tables: FloatArray  # (children, most cells, states)
    kid_totals: FloatArray  # (children, most groups, states)
    sums: FloatArray  # (4, states): rows, weights, first and second moments


@lean
def _estimate_tables(counts, context, fit, prior):
    """Tables from the shares: a prior of so many rows, spread evenly over the levels of each configuration."""
    n_rows, k_all = fit.shares.shape
    own, kids, totals = fit.own_table, fit.kid_tables, fit.kid_totals
    for g in range(own.shape[0]):
        for k in range(k_all):
            own[g, k] = prior / k_all
    for c in range(kids.shape[0]):
        for g in range(context.n_groups[c]):
            for k in range(k_all):
                totals[c, g, k] = prior
        for i in range(context.n_groups[c] * context.cards[c]):
            for k in range(k_all):
                kids[c, i, k] = prior / context.cards[c]
    for n in range(n_rows):
        for k in range(k_all):
            part = fit.shares[n, k] * counts[n]
            own[context.own[n], k] += part
            for c in range(kids.shape[0]):
                kids[c, context.kids[c, n], k] += part
                totals[c, context.groups[c, n], k] += part
    for g in range(own.shape[0]):
        total = 0.0
        for k in range(k_all):
            total += own[g, k]
        for k in range(k_all):
            own[g, k] /= total
    for c in range(kids.shape[0]):
        for i in range(context.n_groups[c] * context.cards[c]):
            for k in range(k_all):
                kids[c, i, k] /= totals[c, i // context.cards[c], k]


@lean
def _estimate_densities(values, counts, fit, common, freedom, least, first):
    """Means and variances from the shares; with Student's density values far away count less."""
    n_rows, k_all = fit.shares.shape
    means, variances, sums = fit.means, fit.variances, fit.sums
    for k in range(k_all):
        for i in range(4):
            sums[i, k] = 0.0
    for n in range(n_rows):
        for k in range(k_all):
            part = fit.shares[n, k] * counts[n]
            sums[0, k] += part
            if freedom > 0.0 and not first:
                away = values[n] - means[k]
                part *= (freedom + 1.0) / (freedom + away * away / variances[k])
            sums[1, k] += part
            sums[2, k] += part * values[n]
            sums[3, k] += part * values[n] * values[n]
    pooled, rows = 0.0, 0.0
    for k in range(k_all):
        held, weight, moment = sums[0, k], sums[1, k], sums[2, k]
        if held > LEAST_ROWS:
            means[k] = moment / weight
        spread = max(sums[3, k] - means[k] * (2.0 * moment - means[k] * weight), 0.0)
        pooled += spread
        rows += held
        variances[k] = (spread + 2.0 * least) / (held + 2.0)
    for k in range(k_all):
        variances[k] = max(pooled / rows if common else variances[k], least)


@lean
def _expect(values, counts, context, fit, freedom):
    """Shares from tables and densities; the log-likelihood."""
    n_rows, k_all = fit.shares.shape
    shares, means, variances = fit.shares, fit.means, fit.variances
    constant = -0.5 * math.log(2.0 * math.pi)
    if freedom > 0.0:
        constant = math.lgamma(0.5 * (freedom + 1.0)) - math.lgamma(0.5 * freedom)
        constant -= 0.5 * math.log(freedom * math.pi)
    found = 0.0
    for n in range(n_rows):
        nearest = math.inf
        for k in range(k_all):
            away = values[n] - means[k]
            shares[n, k] = away * away / variances[k]
            nearest = min(nearest, shares[n, k])
        total = 0.0
        for k in range(k_all):
            if freedom > 0.0:
                density = (1.0 + shares[n, k] / freedom) ** (-0.5 * (freedom + 1.0))
            else:
                density = math.exp(-0.5 * (shares[n, k] - nearest))
            density *= fit.own_table[context.own[n], k] / math.sqrt(variances[k])
            for c in range(context.kids.shape[0]):
                density *= fit.kid_tables[c, context.kids[c, n], k]
            shares[n, k] = density
            total += density
        total = max(total, 1e-300)
        found += counts[n] * (math.log(total) + constant - (0.0 if freedom > 0.0 else 0.5 * nearest))
        for k in range(k_all):
            shares[n, k] /= total
    return found


@lean_kernel
def fit_states(
    values: FloatArray,
    counts: FloatArray,
    context: Context,
    fit: Fit,
    common: bool,
    freedom: float,
    least: float,
    prior: float,
    steps: int,
    tolerance: float,
) -> float:
    """The log-likelihood; `fit` begins with its shares and is changed. Ends where a step gains less than that.

    common: one variance for all states. freedom: of Student's density, 0 for the normal one. least: variance.
    """
    before = found = -math.inf
    for step in range(steps):
        _estimate_tables(counts, context, fit, prior)
        _estimate_densities(values, counts, fit, common, freedom, least, step == 0)
        found = _expect(values, counts, context, fit, freedom)
        if found - before < tolerance:
            break
        before = found
    return found
