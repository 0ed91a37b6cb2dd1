"""The likelihood of one column given others, by smooth regressions of its rows on the features of these.

A column of numbers is its normal score z, the regression

    z = sum_f b_f f + sum_{f, g} c_fg (f g - mean) + sigma(parents) e,    ln sigma^2 = c + sum_f d_f f,    e ~ N(0, 1),

f and g features of different parents. The features of the mean are those of `smooth_families`; then products of pairs
of parents and features of the spread are let in while the BIC rises, as sums over rows tell; then z may be bent,
sinh(tail asinh(z) - skew) in its place. A column of levels has a multinomial logistic regression on the features that
pay in the linear regression of its contrasts, or, where its parents have levels only, a table if that is better.

Products enter the Cholesky factor of the features behind them: of product p the covariances with all members are sums
over rows, and what is left of the child's variance is again one pivot.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from arcwise._kernels.compiled import inner, kernel, lean
from arcwise._kernels.features.smooth_families import (
    FLOOR,
    LADDER,
    Room,
    SmoothFamilies,
    _additive,
    _enter,
    _left_over,
)
from arcwise._kernels.gaussian.cholesky import Factor, inverse_root, project, sort_in
from arcwise._kernels.types import FloatArray, IntArray

DEGREE = 3  # highest feature of a parent in a product
STAGES = (1, 3, 4, 9)  # products of two columns with an order, by stage: f1 g1; f1 g2, f2 g1; f2 g2; degree 3
MOST_PRODUCTS = 36  # of one pair
MOST_TABLE = 5  # rows that a cell of a table has at least, on average
SPREAD_FEATURES = 5  # of a parent
SPREAD_STEPS = 6
NEWTON_STEPS = 12
MOST_WEIGHTS = 200  # of a logistic regression
TAILS = (0.5, 0.6, 0.75, 0.9, 1.0, 1.15, 1.35, 1.7, 2.1, 2.6, 3.2)  # of a bent scale: above 1 they are stretched
UNBENT = 4
SKEWS = (-1.5, -1.0, -0.7, -0.45, -0.2, 0.0, 0.2, 0.45, 0.7, 1.0, 1.5)
STRAIGHT = 5
ROUNDS = 3  # of spread and bend in turn
ENOUGH = 0.1  # nats that another step must bring
TIE = 1e-9


class Regression(NamedTuple):
    """features (d, rows), codes (columns, rows) of levels, weights of rows (their sum is n_rows).

    cardinalities: 0 for numbers, -1 where one of them is so frequent that rows say nothing of a density's shape.
    """

    families: SmoothFamilies
    features: FloatArray
    codes: IntArray
    cardinalities: IntArray
    weights: FloatArray
    weighted: bool


class Workspace(NamedTuple):
    """Memory for one family. products: those in the factor, then those that are tried; pairs: the features of each.

    angles: asinh of the child's normal scores; slopes: see `_log_slopes`.
    found: how many members the factor has, how many of these are features, members of the spread, tail and skew.
    """

    room: Room
    products: FloatArray
    residual: FloatArray
    squares: FloatArray
    exponents: FloatArray
    fitted: FloatArray
    ratios: FloatArray
    angles: FloatArray
    slopes: FloatArray
    tried: FloatArray
    spread: Factor
    gradient: FloatArray
    steps: FloatArray
    bent: FloatArray
    pairs: IntArray
    found: IntArray
    counts: IntArray


@lean(fastmath={"reassoc", "nsz"})
def _dot(a, b):
    total = 0.0
    for i in range(a.shape[0]):
        total += a[i] * b[i]
    return total


@lean(fastmath={"reassoc", "nsz"})
def _dot3(a, b, w):
    total = 0.0
    for i in range(a.shape[0]):
        total += a[i] * b[i] * w[i]
    return total


@lean
def _moment(data, a, b):
    """The mean of a b over the rows."""
    if data.weighted:
        return _dot3(a, b, data.weights) / data.families.n_rows
    return _dot(a, b) / data.families.n_rows


@lean(fastmath={"reassoc", "nsz"})
def _product(data, f, g, out):
    """The product of two features less its mean, with variance 1; False where it is constant."""
    a, b, n = data.features[f], data.features[g], 0.0
    for i in range(out.shape[0]):
        out[i] = a[i] * b[i]
    mean = _dot(out, data.weights) / data.families.n_rows
    for i in range(out.shape[0]):
        out[i] -= mean
    n = _moment(data, out, out)
    if n < FLOOR:
        return False
    n = 1.0 / math.sqrt(n)
    for i in range(out.shape[0]):
        out[i] *= n
    return True


@lean
def _enter_product(data, work, rank, n_features, place):
    """Let products[place] into the factor behind `rank` members; members from n_features on are products in order.

    The child's own row is extended, too. The new rank, which stays where the others determine the product.
    """
    rows, scale, members = work.room.factor
    product, own = work.products[place], work.room.own[0]
    pivot = 1.0
    for c in range(rank):
        other = data.features[members[c]] if c < n_features else work.products[members[c]]
        value = _moment(data, product, other)
        for e in range(c):
            value -= rows[c, e] * rows[rank, e]
        value *= scale[c]
        rows[rank, c] = value
        pivot -= value * value
    if pivot < 1e-6:
        return rank
    scale[rank] = inverse_root(pivot, FLOOR)
    members[rank] = place
    value = _moment(data, product, data.features[work.counts[0]])
    for e in range(rank):
        value -= rows[rank, e] * own[e]
    own[rank] = value * scale[rank]
    return rank + 1


@lean
def _features_in_products(families, column):
    first, last = families.starts[column], families.starts[column + 1]
    return last - first if families.nominal[column] else min(last - first, np.int64(DEGREE))


@lean
def _stage(families, u, v, f, g):
    """The stage in which the product of features f of u and g of v, counted from 0, is tried."""
    i = 0 if families.nominal[u] else f
    j = 0 if families.nominal[v] else g
    if i + j == 0:
        return 0
    if i + j == 1:
        return 1
    return 2 if i == 1 and j == 1 else 3


@lean
def _residuals(data, work, child, rank, n_features):
    """What the members leave of the child's first feature, row by row; the mean of their squares."""
    rows, scale, members = work.room.factor
    beta, own, residual = work.gradient, work.room.own[0], work.residual
    for c in range(rank - 1, -1, -1):
        value = own[c]
        for e in range(c + 1, rank):
            value -= rows[e, c] * beta[e]
        beta[c] = value * scale[c]
    z = data.features[data.families.starts[child]]
    for i in range(residual.shape[0]):
        residual[i] = z[i]
    for c in range(rank):
        other = data.features[members[c]] if c < n_features else work.products[members[c]]
        b = beta[c]
        for i in range(residual.shape[0]):
            residual[i] -= b * other[i]
    return max(_moment(data, residual, residual), FLOOR)


@lean
def _promising(data, work, u, v, place, variance):
    """Whether any product of two parents could pay if the members explained up to three quarters of it."""
    families = data.families
    bar = 0.5 * families.price * variance / families.n_rows
    for f in range(_features_in_products(families, u)):
        for g in range(_features_in_products(families, v)):
            if _product(data, families.starts[u] + f, families.starts[v] + g, work.products[place]):
                value = _moment(data, work.products[place], work.residual)
                if value * value > bar:
                    return True
    return False


@lean
def _with_products(data, work, child, columns, n_columns, n_features, gain):
    """(rank, gain) with the products that pay, of one pair of parents after the other."""
    families, own = data.families, work.room.own[0]
    half, price = 0.5 * families.n_rows, families.price
    rank, kept = n_features, np.int64(0)  # products[:kept] are in the factor
    left = 1.0
    for c in range(rank):
        left -= own[c] * own[c]
    left = max(left, FLOOR)
    used = work.counts[1:]
    for k in range(n_columns * n_columns):
        used[k] = 0
    most = work.products.shape[0]
    while True:
        if kept == most:
            return rank, gain
        variance = _residuals(data, work, child, rank, n_features)
        best_p, best_q, best_stage, best = -1, -1, 0, gain + TIE * (1.0 + abs(gain))
        for p in range(n_columns):
            for q in range(p):
                if used[p * n_columns + q]:
                    continue
                u, v = columns[p], columns[q]
                m, k = _features_in_products(families, u), _features_in_products(families, v)
                if m * k > MOST_PRODUCTS or not _promising(data, work, u, v, kept, variance):
                    continue
                now, after, value = rank, left, gain
                for stage in range(4):
                    any_here = False
                    for f in range(m):
                        for g in range(k):
                            if _stage(families, u, v, f, g) != stage or kept + now - rank >= most:
                                continue
                            place = kept + (now - rank)
                            if not _product(data, families.starts[u] + f, families.starts[v] + g, work.products[place]):
                                continue
                            before = now
                            now = _enter_product(data, work, now, n_features, place)
                            if now > before:
                                any_here = True
                                after -= own[before] * own[before]
                    if not any_here:
                        continue
                    if now >= families.n_rows // 4:
                        break
                    value = gain + half * math.log(left / max(after, FLOOR)) - price * (now - rank)
                    if value > best:
                        best_p, best_q, best_stage, best = p, q, stage, value
                    if stage == 2 and value < gain:  # the many of the last stage cost too much to be tried in vain
                        break
        if best_p < 0:
            return rank, gain
        u, v = columns[best_p], columns[best_q]
        used[best_p * n_columns + best_q] = 1
        base = rank
        for stage in range(best_stage + 1):
            for f in range(_features_in_products(families, u)):
                for g in range(_features_in_products(families, v)):
                    if _stage(families, u, v, f, g) != stage or kept + rank - base >= most:
                        continue
                    place = kept + (rank - base)
                    if not _product(data, families.starts[u] + f, families.starts[v] + g, work.products[place]):
                        continue
                    before = rank
                    rank = _enter_product(data, work, rank, n_features, place)
                    if rank > before:
                        work.pairs[place, 0], work.pairs[place, 1] = families.starts[u] + f, families.starts[v] + g
                        left -= own[before] * own[before]
        kept += rank - base
        left = max(left, FLOOR)
        gain = best


@lean(fastmath={"reassoc", "nsz"})
def _exp_weighted(data, squares, exponents, out):
    """(mean of squares exp(-exponents), mean of the exponents); out: squares exp(-exponents)."""
    total, sum_exponents = 0.0, 0.0
    for i in range(squares.shape[0]):
        out[i] = squares[i] * math.exp(-exponents[i])
        total += data.weights[i] * out[i]
        sum_exponents += data.weights[i] * exponents[i]
    return total / data.families.n_rows, sum_exponents / data.families.n_rows


@lean
def _spread_gain(data, work, columns, n_columns, variance):
    """What a spread that depends on the parents gains, its price paid; 0 where none pays."""
    families, starts = data.families, data.families.starts
    rows, scale, members = work.spread
    squares, gradient, own = work.squares, work.gradient, work.steps
    quarter = 0.25 * families.n_rows
    fourth = 0.0
    for i in range(squares.shape[0]):
        squares[i] = work.residual[i] * work.residual[i] / variance
        fourth += data.weights[i] * squares[i] * squares[i]
    kappa = max(fourth / families.n_rows - 1.0, 2.0)
    quarter *= 2.0 / kappa
    # The slope of the likelihood at equal spreads says which features to try.
    at = np.int64(0)
    for p in range(n_columns):
        first = starts[columns[p]]
        most = starts[columns[p] + 1] - first
        if not families.nominal[columns[p]]:
            most = min(most, np.int64(SPREAD_FEATURES))
        for f in range(most):
            gradient[at + f] = _moment(data, squares, data.features[first + f])
        work.counts[p] = at
        work.counts[n_columns + p] = 0
        at += most
    work.counts[2 * n_columns] = at
    rank, explained, best = np.int64(0), 0.0, 0.0
    while True:
        parent, size, gain = -1, np.int64(0), best + TIE
        for p in range(n_columns):
            first, before = starts[columns[p]], work.counts[n_columns + p]
            end = work.counts[p + 1] if p + 1 < n_columns else work.counts[2 * n_columns]
            most, now, value = end - work.counts[p], rank, explained
            for step in LADDER:
                upto = most if families.nominal[columns[p]] else min(np.int64(step), most)
                if upto <= before:
                    continue
                for f in range(before, upto):
                    pivot = project(families.correlations, first + f, members, now, np.int64(0), rows, scale, rows[now])
                    if pivot > FLOOR:
                        scale[now] = inverse_root(pivot, FLOOR)
                        members[now] = first + f
                        slope = gradient[work.counts[p] + f]
                        for e in range(now):
                            slope -= rows[now, e] * own[e]
                        own[now] = slope * scale[now]
                        value += own[now] * own[now]
                        now += 1
                before = upto
                total = quarter * value - families.price * now
                if total > gain:
                    parent, size, gain = p, upto, total
        if parent < 0:
            break
        first = starts[columns[parent]]
        for f in range(work.counts[n_columns + parent], size):
            pivot = project(families.correlations, first + f, members, rank, np.int64(0), rows, scale, rows[rank])
            if pivot > FLOOR:
                scale[rank] = inverse_root(pivot, FLOOR)
                members[rank] = first + f
                slope = gradient[work.counts[parent] + f]
                for e in range(rank):
                    slope -= rows[rank, e] * own[e]
                own[rank] = slope * scale[rank]
                explained += own[rank] * own[rank]
                rank += 1
        work.counts[n_columns + parent] = size
        best = gain
    work.found[2] = rank
    if rank > 0:
        gain = _fit_spread(data, work, rank) - families.price * rank
        if gain > 0.0:
            return gain
    for i in range(work.exponents.shape[0]):
        work.exponents[i] = 0.0
    work.found[2] = 0
    return 0.0


@lean
def _fit_spread(data, work, rank):
    """The most that the members of `spread` gain, by Fisher's scoring with halved steps."""
    families = data.families
    rows, scale, members = work.spread
    squares, exponents, fitted, own = work.squares, work.exponents, work.fitted, work.steps
    n = squares.shape[0]
    best = 0.0
    for i in range(n):
        exponents[i] = 0.0
        fitted[i] = squares[i]
    mean = 1.0
    for _ in range(SPREAD_STEPS):
        for c in range(rank):
            slope = _moment(data, fitted, data.features[members[c]]) / mean
            for e in range(c):
                slope -= rows[c, e] * own[e]
            own[c] = slope * scale[c]
        for c in range(rank - 1, -1, -1):
            value = own[c]
            for e in range(c + 1, rank):
                value -= rows[e, c] * own[e]
            own[c] = value * scale[c]
        share, found = 1.0, False
        done = 0.0
        while share > 0.05:
            for c in range(rank):
                feature, by = data.features[members[c]], (share - done) * own[c]
                for i in range(n):
                    exponents[i] += by * feature[i]
            done = share
            trial, centre = _exp_weighted(data, squares, exponents, fitted)
            value = -0.5 * families.n_rows * (math.log(max(trial, FLOOR)) + centre)
            if value > best:
                found = True
                break
            share *= 0.5
        if not found:
            for c in range(rank):
                feature, by = data.features[members[c]], -done * own[c]
                for i in range(n):
                    exponents[i] += by * feature[i]
            break
        gain = value - best
        best, mean = value, max(trial, FLOOR)
        if gain < ENOUGH:
            break
    return best


@lean(fastmath={"reassoc", "nsz"})
def _subtract(target, other, by):
    for i in range(target.shape[0]):
        target[i] -= by * other[i]


@lean
def _bend(work, tail, skew):
    """sinh(tail asinh(z) - skew) goes to `fitted`."""
    angles, out = work.angles, work.fitted
    for i in range(out.shape[0]):
        up = math.exp(min(TAILS[tail] * angles[i] - SKEWS[skew], 300.0))
        out[i] = 0.5 * (up - 1.0 / up)


@lean
def _log_slopes(data, work, tail, skew):
    """The sum over the rows of the logarithms of the slopes of a bent scale; each is worked out once for a child."""
    if math.isnan(work.slopes[tail, skew]):
        angles, total = work.angles, 0.0
        for i in range(angles.shape[0]):
            up = math.exp(min(TAILS[tail] * angles[i] - SKEWS[skew], 300.0))
            flat = math.exp(angles[i])
            total += data.weights[i] * math.log((up + 1.0 / up) / (flat + 1.0 / flat))
        work.slopes[tail, skew] = total + data.families.n_rows * math.log(TAILS[tail])
    return work.slopes[tail, skew]


@lean
def _bent_residuals(data, work, tail, skew, rank, n_features):
    """What the members leave of the child's bent normal score goes to `fitted`."""
    rows, scale, members = work.room.factor
    residual, beta, own = work.fitted, work.gradient, work.bent
    _bend(work, tail, skew)
    mean = _dot(residual, data.weights) / data.families.n_rows
    for i in range(residual.shape[0]):
        residual[i] -= mean
    for c in range(rank):
        other = data.features[members[c]] if c < n_features else work.products[members[c]]
        value = _moment(data, residual, other)
        for e in range(c):
            value -= rows[c, e] * own[e]
        own[c] = value * scale[c]
    for c in range(rank - 1, -1, -1):
        value = own[c]
        for e in range(c + 1, rank):
            value -= rows[e, c] * beta[e]
        beta[c] = value * scale[c]
    for c in range(rank):
        other = data.features[members[c]] if c < n_features else work.products[members[c]]
        _subtract(residual, other, beta[c])


@lean(fastmath={"reassoc", "nsz"})
def _weighted_squares(residual, weights):
    total = 0.0
    for i in range(residual.shape[0]):
        total += residual[i] * residual[i] * weights[i]
    return total


@lean
def _shape_gain(data, work, residual, tail, skew):
    """What a bent scale gains over rows of equal density, given the spread in `ratios`; its price paid."""
    n = data.families.n_rows
    mean = _weighted_squares(residual, work.ratios) / n
    gain = _log_slopes(data, work, tail, skew) - 0.5 * n * math.log(max(mean, FLOOR))
    return gain - data.families.price * ((tail != UNBENT) + (skew != STRAIGHT))


@lean
def _shape(data, work, columns, n_columns, variance, rank, n_features, without):
    """Gain with the spread and the bend that pay. without: what the members gain, their price paid."""
    families, residual = data.families, work.residual
    n = residual.shape[0]
    best = without + _spread_gain(data, work, columns, n_columns, variance)
    paid = without + 0.5 * families.n_rows * math.log(variance)
    tail, skew = np.int64(UNBENT), np.int64(STRAIGHT)
    work.found[0], work.found[1], work.found[3], work.found[4] = rank, n_features, tail, skew
    for _ in range(ROUNDS):
        from_tail, from_skew = tail, skew
        for i in range(n):
            work.ratios[i] = data.weights[i] * math.exp(-work.exponents[i])
        value = _shape_gain(data, work, residual, tail, skew)
        for a in range(len(TAILS)):
            for b in range(len(SKEWS)):
                work.tried[a, b] = math.nan
        while True:
            here_tail, here_skew, here = tail, skew, value + TIE * (1.0 + abs(value))
            for step in range(4):
                to_tail = tail + (step == 0) - (step == 1)
                to_skew = skew + (step == 2) - (step == 3)
                if to_tail < 0 or to_tail >= len(TAILS) or to_skew < 0 or to_skew >= len(SKEWS):
                    continue
                if math.isnan(work.tried[to_tail, to_skew]):
                    _bent_residuals(data, work, to_tail, to_skew, rank, n_features)
                    work.tried[to_tail, to_skew] = _shape_gain(data, work, work.fitted, to_tail, to_skew)
                if work.tried[to_tail, to_skew] > here:
                    here_tail, here_skew, here = to_tail, to_skew, work.tried[to_tail, to_skew]
            if here_tail == tail and here_skew == skew:
                break
            tail, skew, value = here_tail, here_skew, here
        if tail == from_tail and skew == from_skew:
            break
        _bent_residuals(data, work, tail, skew, rank, n_features)
        for i in range(n):
            residual[i] = work.fitted[i]
        variance = max(_moment(data, residual, residual), FLOOR)
        value = paid + _spread_gain(data, work, columns, n_columns, variance)
        value += _log_slopes(data, work, tail, skew) - 0.5 * families.n_rows * math.log(variance)
        value -= families.price * ((tail != UNBENT) + (skew != STRAIGHT))
        if value <= best:
            break
        best = value
        work.found[3], work.found[4] = tail, skew
    return best


@lean
def _numeric(data, child, columns, n_columns, work):
    """Gain over no parents of a column with an order."""
    families = data.families
    gain = _additive(families, child, columns, n_columns, work.room)
    rank = np.int64(0)
    for p in range(n_columns):
        first = families.starts[columns[p]]
        rank = _enter(families, first, first + work.room.taken[p], work.room.factor, rank)
    _left_over(families, child, np.int64(1), work.room, np.int64(0), rank)
    work.counts[0] = families.starts[child]
    n_features = rank
    if n_columns > 1:
        rank, gain = _with_products(data, work, child, columns, n_columns, n_features, gain)
    if data.cardinalities[child] < 0:
        work.found[0], work.found[1], work.found[2], work.found[3], work.found[4] = (
            rank,
            n_features,
            0,
            UNBENT,
            STRAIGHT,
        )
        return gain
    variance = _residuals(data, work, child, rank, n_features)
    return _shape(data, work, columns, n_columns, variance, rank, n_features, gain)


@inner
def _logistic(data, child, columns, n_columns, work):
    """Gain over no parents of a column of levels, by Newton's method."""
    families = data.families
    n_levels, n = data.cardinalities[child], data.features.shape[1]
    work.found[2], work.found[3], work.found[4] = 0, UNBENT, STRAIGHT
    stand_in = _additive(families, child, columns, n_columns, work.room)
    rank = np.int64(0)
    for p in range(n_columns):
        first = families.starts[columns[p]]
        rank = _enter(families, first, first + work.room.taken[p], work.room.factor, rank)
    members, q, codes = work.room.factor.members, rank + 1, data.codes[child]
    work.found[0], work.found[1] = rank, rank
    sizes = np.zeros(n_levels)
    for i in range(n):
        sizes[codes[i]] += data.weights[i]
    present = np.empty(n_levels, dtype=np.int64)
    k = 0
    for level in range(n_levels):
        present[level] = k if sizes[level] > 0.0 else -1
        k += sizes[level] > 0.0
    null, m = 0.0, k - 1
    beta, trial = np.zeros((m, q)), np.zeros((m, q))
    last = 0.0
    for level in range(n_levels):
        if sizes[level] > 0.0:
            null += sizes[level] * math.log(sizes[level] / families.n_rows)
            if present[level] == m:
                last = sizes[level]
    for level in range(n_levels):
        if 0 <= present[level] < m:
            beta[present[level], 0] = math.log(sizes[level] / last)
    d = m * q
    if d > MOST_WEIGHTS:  # the regression of the contrasts stands for it
        return max(stand_in, _table(data, child, columns, n_columns, k, null))
    hessian, slope = np.empty((d, d)), np.empty(d)
    x, eta = np.empty(q), np.empty(m)
    x[0] = 1.0
    best = null
    for _ in range(NEWTON_STEPS):
        for a in range(d):
            slope[a] = 0.0
            for b in range(d):
                hessian[a, b] = 0.0
        for i in range(n):
            for c in range(rank):
                x[c + 1] = data.features[members[c], i]
            top = 0.0
            for level in range(m):
                value = 0.0
                for c in range(q):
                    value += beta[level, c] * x[c]
                eta[level] = value
                top = max(top, value)
            total = math.exp(-top)
            for level in range(m):
                eta[level] = math.exp(eta[level] - top)
                total += eta[level]
            w = data.weights[i]
            for level in range(m):
                share = eta[level] / total
                eta[level] = share
                left = w * ((1.0 if present[codes[i]] == level else 0.0) - share)
                for c in range(q):
                    slope[level * q + c] += left * x[c]
            for level in range(m):
                for other in range(level + 1):
                    h = w * eta[level] * ((1.0 if other == level else 0.0) - eta[other])
                    for c in range(q):
                        hx = h * x[c]
                        for e in range(q):
                            hessian[level * q + c, other * q + e] += hx * x[e]
        for a in range(d):
            hessian[a, a] += 1e-6 * families.n_rows
        _solve(hessian, slope, d)
        share, found, value = 1.0, False, best
        while share > 0.02:
            for level in range(m):
                for c in range(q):
                    trial[level, c] = beta[level, c] + share * slope[level * q + c]
            value = _log_likelihood(data, codes, present, members, rank, trial, eta)
            if value > best:
                found = True
                break
            share *= 0.5
        if not found:
            break
        for level in range(m):
            for c in range(q):
                beta[level, c] = trial[level, c]
        gain = value - best
        best = value
        if gain < ENOUGH:
            break
    found = best - null - families.price * m * rank
    return max(found, _table(data, child, columns, n_columns, k, null))


@lean
def _log_likelihood(data, codes, present, members, rank, beta, eta):
    total, m = 0.0, beta.shape[0]
    for i in range(codes.shape[0]):
        top = 0.0
        for level in range(m):
            value = beta[level, 0]
            for c in range(rank):
                value += beta[level, c + 1] * data.features[members[c], i]
            eta[level] = value
            top = max(top, value)
        own = eta[present[codes[i]]] if present[codes[i]] < m else 0.0
        sum_ = math.exp(-top)
        for level in range(m):
            sum_ += math.exp(eta[level] - top)
        total += data.weights[i] * (own - top - math.log(sum_))
    return total


@lean
def _solve(matrix, vector, n):
    """vector := matrix^-1 vector for a positive definite matrix, of which the lower half is read."""
    for j in range(n):
        for k in range(j):
            value = matrix[j, k]
            for e in range(k):
                value -= matrix[j, e] * matrix[k, e]
            matrix[j, k] = value / matrix[k, k]
        value = matrix[j, j]
        for e in range(j):
            value -= matrix[j, e] * matrix[j, e]
        matrix[j, j] = math.sqrt(max(value, 1e-12))
    for j in range(n):
        value = vector[j]
        for e in range(j):
            value -= matrix[j, e] * vector[e]
        vector[j] = value / matrix[j, j]
    for j in range(n - 1, -1, -1):
        value = vector[j]
        for e in range(j + 1, n):
            value -= matrix[e, j] * vector[e]
        vector[j] = value / matrix[j, j]


@inner
def _table(data, child, columns, n_columns, n_present, null):
    """Gain of a table over no parents, where all parents have levels without an order and rows fill its cells."""
    cells = np.int64(1)
    for p in range(n_columns):
        if data.cardinalities[columns[p]] <= 0:
            return -math.inf
        cells *= data.cardinalities[columns[p]]
        if cells * data.cardinalities[child] * MOST_TABLE > data.families.n_rows:
            return -math.inf
    n_levels = data.cardinalities[child]
    counts = np.zeros((cells, n_levels))
    for i in range(data.features.shape[1]):
        cell = np.int64(0)
        for p in range(n_columns):
            cell = cell * data.cardinalities[columns[p]] + data.codes[columns[p], i]
        counts[cell, data.codes[child, i]] += data.weights[i]
    found, filled = -null, np.int64(0)
    for cell in range(cells):
        total = 0.0
        for level in range(n_levels):
            total += counts[cell, level]
        filled += total > 0.0
        for level in range(n_levels):
            if counts[cell, level] > 0.0:
                found += counts[cell, level] * math.log(counts[cell, level] / total)
    return found - data.families.price * (n_present - 1) * (filled - 1)


@inner
def _workspace(data, child, columns_at_once, widest):
    families = data.families
    own = families.starts[child + 1] - families.starts[child]
    n = data.features.shape[1]
    size = widest + 2
    for p in range(columns_at_once):
        size += MOST_PRODUCTS if p > 0 else 0
    room = Room(
        Factor(np.empty((size, size)), np.empty(size), np.empty(size, dtype=np.int64)),
        np.empty((max(own, 1), size)),
        np.empty((max(own, 1), max(own, 1))),
        np.empty(size, dtype=np.int64),
    )
    work = Workspace(
        room=room,
        products=np.empty((size - widest - 2, n)),
        residual=np.empty(n),
        squares=np.empty(n),
        exponents=np.empty(n),
        fitted=np.empty(n),
        ratios=np.empty(n),
        angles=np.empty(n),
        slopes=np.empty((len(TAILS), len(SKEWS))),
        tried=np.empty((len(TAILS), len(SKEWS))),
        spread=Factor(np.empty((widest + 1, widest + 1)), np.empty(widest + 1), np.empty(widest + 1, dtype=np.int64)),
        gradient=np.empty(size),
        steps=np.empty(size),
        bent=np.empty(size),
        pairs=np.empty((size - widest - 2, 2), dtype=np.int64),
        found=np.zeros(5, dtype=np.int64),
        counts=np.empty(2 + columns_at_once * columns_at_once + 2 * columns_at_once, dtype=np.int64),
    )
    if own > 0:
        scores = data.features[families.starts[child]]
        for i in range(n):
            work.angles[i] = math.asinh(scores[i])
    for tail in range(len(TAILS)):
        for skew in range(len(SKEWS)):
            work.slopes[tail, skew] = math.nan
    work.slopes[UNBENT, STRAIGHT] = 0.0
    return work


@kernel
def regression_scores(
    families: tuple[Any, ...],
    features: FloatArray,
    codes: IntArray,
    cardinalities: IntArray,
    weights: FloatArray,
    weighted: bool,
    child: int,
    parent_sets: IntArray,
) -> FloatArray:
    """Scores of one child with k parent sets (k, w), padded with -1, over those of no parents."""
    family = SmoothFamilies(*families)
    data = Regression(family, features, codes, cardinalities, weights, weighted)
    starts = family.starts
    out = np.empty(parent_sets.shape[0])
    widest = np.int64(0)
    for s in range(parent_sets.shape[0]):
        width = np.int64(0)
        for p in range(parent_sets.shape[1]):
            u = parent_sets[s, p]
            if u >= 0:
                width += starts[u + 1] - starts[u]
        widest = max(widest, width)
    work = _workspace(data, child, parent_sets.shape[1], widest)
    columns = np.empty(parent_sets.shape[1] + 1, dtype=np.int64)
    for s in range(parent_sets.shape[0]):
        n_columns = np.int64(0)
        for p in range(parent_sets.shape[1]):
            if parent_sets[s, p] >= 0:
                sort_in(columns, n_columns, parent_sets[s, p])
                n_columns += 1
        if n_columns == 0:
            out[s] = 0.0
        elif starts[child + 1] == starts[child]:
            out[s] = -(family.price + max(family.arc_cost, 0.0)) * n_columns
        else:
            if cardinalities[child] > 0:
                value = _logistic(data, child, columns, n_columns, work)
            else:
                value = _numeric(data, child, columns, n_columns, work)
            for p in range(n_columns):
                if starts[columns[p] + 1] == starts[columns[p]]:
                    value -= family.price
            out[s] = value - family.arc_cost * n_columns
    return out


@kernel
def regression_parts(
    families: tuple[Any, ...],
    features: FloatArray,
    codes: IntArray,
    cardinalities: IntArray,
    weights: FloatArray,
    weighted: bool,
    child: int,
    parents: IntArray,
) -> tuple[IntArray, IntArray, IntArray, float, float]:
    """What one regression is made of: (features, products (k, 2), features of the spread, tail, skew).

    parents: ascending, at least one, and neither they nor the child constant.
    """
    family = SmoothFamilies(*families)
    data = Regression(family, features, codes, cardinalities, weights, weighted)
    widest = np.int64(0)
    for p in range(parents.shape[0]):
        widest += family.starts[parents[p] + 1] - family.starts[parents[p]]
    work = _workspace(data, child, parents.shape[0], widest)
    if cardinalities[child] > 0:
        _logistic(data, child, parents, parents.shape[0], work)
    else:
        _numeric(data, child, parents, parents.shape[0], work)
    rank, n_features, n_spread, tail, skew = work.found
    members, at = work.room.factor.members, work.spread.members
    own, spread, products = (
        np.empty(n_features, np.int64),
        np.empty(n_spread, np.int64),
        np.empty((rank - n_features, 2), np.int64),
    )
    for c in range(n_features):
        own[c] = members[c]
    for c in range(rank - n_features):
        products[c, 0], products[c, 1] = work.pairs[members[n_features + c], 0], work.pairs[members[n_features + c], 1]
    for c in range(n_spread):
        spread[c] = at[c]
    return own, products, spread, TAILS[tail], SKEWS[skew]
