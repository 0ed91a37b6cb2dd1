"""The shape of a regression's residuals: a spread that depends on the parents, and a bent scale of the child.

    sinh(tail asinh(z) - skew) = mean + sigma(parents) e,    ln sigma^2 = c + sum_f d_f f,    e ~ N(0, 1),

after Harvey (1976) and Jones and Pewsey (2009). The mean's members stay as they are. Which features of the spread pay,
the slope of the likelihood at equal spreads tells; their weights are found by Fisher's scoring. Tail and skew walk on a
grid. Both in turn, while the BIC rises.
"""

import math

import numpy as np

from arcwise._kernels.compiled import kernel, lean
from arcwise._kernels.features.smooth_families import FLOOR, LADDER
from arcwise._kernels.features.smooth_rows import (
    ENOUGH,
    SKEWS,
    STRAIGHT,
    TAILS,
    TIE,
    UNBENT,
    Regression,
    Workspace,
    dot,
    moment,
    subtract,
)
from arcwise._kernels.gaussian.cholesky import inverse_root, project
from arcwise._kernels.types import IntArray

SPREAD_FEATURES = 5  # of a parent
SPREAD_STEPS = 6
ROUNDS = 3  # of spread and bend in turn


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
def _enter_spread(data, work, first, last, at, rank, explained):
    """(rank, sum of squared slopes) with features first..last - 1, of slopes from `at` on, in the spread's factor."""
    rows, scale, members = work.spread
    own, correlations = work.steps, data.families.correlations
    for feature in range(first, last):
        pivot = project(correlations, feature, members, rank, np.int64(0), rows, scale, rows[rank])
        if pivot > FLOOR:
            scale[rank] = inverse_root(pivot, FLOOR)
            members[rank] = feature
            slope = work.gradient[at + feature - first]
            for e in range(rank):
                slope -= rows[rank, e] * own[e]
            own[rank] = slope * scale[rank]
            explained += own[rank] * own[rank]
            rank += 1
    return rank, explained


@lean
def _spread_gain(data, work, columns, n_columns, variance):
    """What a spread that depends on the parents gains, its price paid; 0 where none pays."""
    families, starts = data.families, data.families.starts
    squares, gradient = work.squares, work.gradient
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
            gradient[at + f] = moment(data, squares, data.features[first + f])
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
                now, value = _enter_spread(
                    data, work, first + before, first + upto, work.counts[p] + before, now, value
                )
                before = upto
                total = quarter * value - families.price * now
                if total > gain:
                    parent, size, gain = p, upto, total
        if parent < 0:
            break
        first, before = starts[columns[parent]], work.counts[n_columns + parent]
        at = work.counts[parent] + before
        rank, explained = _enter_spread(data, work, first + before, first + size, at, rank, explained)
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
            slope = moment(data, fitted, data.features[members[c]]) / mean
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
    mean = dot(residual, data.weights) / data.families.n_rows
    for i in range(residual.shape[0]):
        residual[i] -= mean
    for c in range(rank):
        other = data.features[members[c]] if c < n_features else work.products[members[c]]
        value = moment(data, residual, other)
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
        subtract(residual, other, beta[c])


@lean(fastmath={"reassoc", "nsz"})
def _weighted_squares(residual, weights):
    total = 0.0
    for i in range(residual.shape[0]):
        total += residual[i] * residual[i] * weights[i]
    return total


@lean
def _bent_gain(data, work, residual, tail, skew):
    """What a bent scale gains over rows of equal density, given the spread in `ratios`; its price paid."""
    n = data.families.n_rows
    mean = _weighted_squares(residual, work.ratios) / n
    gain = _log_slopes(data, work, tail, skew) - 0.5 * n * math.log(max(mean, FLOOR))
    return gain - data.families.price * (int(tail != UNBENT) + int(skew != STRAIGHT))


@kernel
def shape_gain(
    data: Regression,
    work: Workspace,
    columns: IntArray,
    n_columns: int,
    variance: float,
    rank: int,
    n_features: int,
    without: float,
) -> float:
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
        value = _bent_gain(data, work, residual, tail, skew)
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
                    work.tried[to_tail, to_skew] = _bent_gain(data, work, work.fitted, to_tail, to_skew)
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
        variance = max(moment(data, residual, residual), FLOOR)
        value = paid + _spread_gain(data, work, columns, n_columns, variance)
        value += _log_slopes(data, work, tail, skew) - 0.5 * families.n_rows * math.log(variance)
        value -= families.price * (int(tail != UNBENT) + int(skew != STRAIGHT))
        if value <= best:
            break
        best = value
        work.found[3], work.found[4] = tail, skew
    return best
